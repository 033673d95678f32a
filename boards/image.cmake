# What both boards have in common: a board's mpconfigboard.cmake sets its chip and includes this.
# DOVETAIL_ROOT, DOVETAIL_GENERATED and DOVETAIL_FLASH_BYTES come from `make image`.

set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
set(MICROPY_MANIFEST_GENERATED ${DOVETAIL_GENERATED})

list(APPEND MICROPY_SOURCE_BOARD ${CMAKE_CURRENT_LIST_DIR}/image.c ${CMAKE_CURRENT_LIST_DIR}/heap.c
    ${CMAKE_CURRENT_LIST_DIR}/collect.c ${CMAKE_CURRENT_LIST_DIR}/wire.c ${CMAKE_CURRENT_LIST_DIR}/messages.c)
list(APPEND MICROPY_DEF_BOARD PICO_FLASH_SIZE_BYTES=${DOVETAIL_FLASH_BYTES})
include_directories(${CMAKE_CURRENT_LIST_DIR})

# image.c and collect.c stand in for these. The linker sends every call there; no file of MicroPython changes.
foreach(name pyexec_file_if_exists nlr_jump_fail gc_collect_start gc_collect_root gc_collect_end)
    add_link_options(-Wl,--wrap=${name})
endforeach()

# The same bytes whatever folder this was built in; the last match counts.
foreach(map ${DOVETAIL_ROOT}=dovetail ${MICROPY_DIR}=micropython ${CMAKE_BINARY_DIR}=build)
    add_compile_options(
        -ffile-prefix-map=${map}
        $<$<COMPILE_LANGUAGE:ASM>:-Wa,--debug-prefix-map=${map}>
    )
endforeach()

# Speed where a request waits for it; flash has room.
file(GLOB FAST ${MICROPY_DIR}/py/*.c ${MICROPY_DIR}/lib/mbedtls/library/sha256.c ${MICROPY_DIR}/lib/uzlib/crc32.c
    ${CMAKE_CURRENT_LIST_DIR}/*.c)
set_source_files_properties(${FAST} PROPERTIES COMPILE_OPTIONS "-O2")

# The rings of a UART come from heap.c.
set_source_files_properties(${MICROPY_DIR}/extmod/machine_uart.c PROPERTIES
    COMPILE_OPTIONS "-include;${CMAKE_CURRENT_LIST_DIR}/rings.h")
