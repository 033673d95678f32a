"""The rules of the table, explored and printed."""
