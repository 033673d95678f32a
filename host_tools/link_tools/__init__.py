"""Tools at the wire of the link: sniff, soak, inject."""
