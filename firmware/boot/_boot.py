# Runs first, before main.py. Only frozen code is found by an import in production; on the bench it is
# found first. A file system is mounted if there is one, and never made: what does not mount stays as it is.
import sys

sys.path[:] = [".frozen"]

import image

if image.VARIANT == "bench":
    import board
    import rp2
    import vfs
    from dovetail.hal.rp2_store import journal_bytes

    try:
        vfs.mount(vfs.VfsLfs2(rp2.Flash(start=journal_bytes(board)), progsize=256), "/")
        sys.path += ["", "/lib"]
    except OSError:
        pass
    del board, rp2, vfs, journal_bytes

del image, sys
