# A bench image keeps MicroPython's prompt on USB.
list(APPEND MICROPY_DEF_BOARD DOVETAIL_PRODUCTION=0)
