include(${CMAKE_CURRENT_LIST_DIR}/../bench.cmake)
