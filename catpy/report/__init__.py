"""What users read: herd's log, tables of outcomes, differences. Reads results, computes none.

The forms that each command offers are in tables (`FORMS`, and `LOGS` and `TABLES` for `run`).
"""
