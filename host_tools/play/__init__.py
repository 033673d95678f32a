"""`dovetail play`: a table controller, a dealer's hands, and what people see of them."""
