set(PICO_PLATFORM "rp2350-arm-s")
set(PICO_BOARD "pico2")
include(${CMAKE_CURRENT_LIST_DIR}/../image.cmake)
