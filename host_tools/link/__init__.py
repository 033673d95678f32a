"""The table controller's side of the link."""
