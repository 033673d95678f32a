#define MICROPY_HW_BOARD_NAME "Dovetail shuffler RP2350"
#include "image.h"
