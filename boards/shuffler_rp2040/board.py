# Pins of the RP2040 shuffler board, rev A. All thirty are used; pins.csv carries the same names.

NAME = "shuffler_rp2040"
CHIP = "rp2040"

PINS = {
    "uart_tx": 0, "uart_rx": 1,
    "step_pick": 2, "step_feed": 3, "step_wheel": 4, "step_eject": 5, "step_deal": 6,
    "dir_pick": 7, "dir_feed": 8, "dir_wheel": 9, "dir_deal": 10,   # the ejector is a crank: it turns one way
    "enable": 11,                                                   # low: all five drivers on
    "lamp_green": 12, "lamp_amber": 13, "lamp_red": 14, "buzzer": 15,
    "mux_0": 16, "mux_1": 17, "mux_2": 18, "mux_3": 19,
    "entry": 20, "count": 21, "home": 22, "tick": 23, "exit": 24, "deal": 25,
    "mux": 26,                                                      # ADC0, behind the 16-way multiplexer
    "lid": 27, "door": 28, "mount": 29,
}

# Channels of the analog multiplexer.
MUX = {
    "thickness_in": 0, "thickness_out": 1, "back": 2, "supply": 3,
    "infeed": 4, "shoe": 5, "tray": 6, "crank": 7,
    "level_entry": 8, "level_count": 9, "level_exit": 10, "level_deal": 11,
}

UART_BAUD = 115200
FLASH_BYTES = 16 * 1024 * 1024
# At the start of the storage area; files behind it on bench images. A smaller chip: hal/rp2_store.py
JOURNAL_BYTES = 8 * 1024 * 1024
