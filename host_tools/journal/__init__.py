"""The journal on the host's side."""
