set(PICO_PLATFORM "rp2040")
set(PICO_BOARD "pico")
include(${CMAKE_CURRENT_LIST_DIR}/../image.cmake)
