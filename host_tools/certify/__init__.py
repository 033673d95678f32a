"""The evidence that a test lab asks for."""
