# A production image has no prompt: not on a port, not after an exception, not at Ctrl-C.
list(APPEND MICROPY_DEF_BOARD DOVETAIL_PRODUCTION=1)

foreach(name pyexec_friendly_repl pyexec_raw_repl)
    add_link_options(-Wl,--wrap=${name})
endforeach()
