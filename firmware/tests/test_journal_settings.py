# Settings: two slots in turn; after a cut the old or the new, never anything else.

from dovetail.journal.settings import FRESH, LOST, MOST, OLDER, WHOLE, Settings
from journal_store import Cut, Store, copy


def test_an_empty_store_has_none():
    settings = Settings(Store())
    assert settings.state == FRESH
    assert settings.get("profile") is None


def test_what_is_put_is_got():
    store = Store()
    for n in range(1, 6):
        Settings(store).put({"profile": b"%d" % n, "key.table": bytes(32)})
        settings = Settings(store)
        assert (settings.get("profile"), settings.generation) == (b"%d" % n, n)
        assert settings.state == WHOLE
    Settings(store).put({"key.table": None})
    assert Settings(store).get("key.table") is None
    assert store.erases[:2] == [6, 6]


def test_a_cut_anywhere_leaves_the_old_or_the_new():
    store = Store()
    Settings(store).put({"a": b"1"})
    Settings(store).put({"a": b"2"})
    for cut in range(4):
        for part in range(17):
            torn = copy(store)
            torn.cut_at, torn.part = cut, part
            try:
                Settings(torn).put({"a": b"3"})
            except Cut:
                pass
            settings = Settings(torn)
            assert settings.get("a") in (b"2", b"3")
            assert settings.state in (WHOLE, OLDER)
            if cut > 1 or (part == 16 and cut == 1):
                assert settings.get("a") == b"3"
            settings.put({"a": b"4"})
            assert Settings(torn).get("a") == b"4"


def test_a_flipped_bit_is_not_believed():
    store = Store()
    Settings(store).put({"a": b"1"})
    Settings(store).put({"a": b"2"})
    for slot in (0, 4096):
        for at in range(20):
            bad = copy(store)
            bad.cells[slot + at] ^= 4
            settings = Settings(bad)
            assert settings.get("a") == b"2"  # nothing older comes back
            assert settings.state == OLDER
    bad = copy(store)
    bad.cells[100] ^= 4  # behind their end
    assert Settings(bad).state == WHOLE
    bad.cells[12] ^= 1
    bad.cells[4108] ^= 1
    assert Settings(bad).state == LOST


def test_too_much_is_refused_and_nothing_written():
    store = Store()
    try:
        Settings(store).put({"calibration": bytes(MOST)})
        raise AssertionError
    except ValueError:
        pass
    assert store.operations == 0


def test_flash_that_does_not_take_them_is_told():
    store = Store()
    store.refused = range(0, store.size, 256)
    try:
        Settings(store).put({"a": b"1"})
        raise AssertionError
    except OSError:
        pass
