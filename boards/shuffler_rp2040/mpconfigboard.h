#define MICROPY_HW_BOARD_NAME "Dovetail shuffler RP2040"
#include "image.h"
