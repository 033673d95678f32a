include(${CMAKE_CURRENT_LIST_DIR}/../production.cmake)
