# Runs first, before main.py. Only frozen code is found by an import in production; on the bench it is
# found first. A file system is mounted if there is one, and never made: what does not mount stays as it is.
import sys

sys.path[:] = [".frozen"]

import image

if image.VARIANT == "bench":
    import board
    import rp2
    import vfs

    try:
        vfs.mount(vfs.VfsLfs2(rp2.Flash(start=board.JOURNAL_BYTES), progsize=256), "/")
        sys.path += ["", "/lib"]
    except OSError:
        pass
    del board, rp2, vfs

del image, sys
