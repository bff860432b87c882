"""The rows of the instruction table, a module for related families; `table` puts them together."""
