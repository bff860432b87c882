"""Many tests at once: which ones, under which model, against which expectations."""
