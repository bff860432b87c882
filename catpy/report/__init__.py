"""What users read: herd's log, tables of outcomes, differences. Reads results, computes none."""
