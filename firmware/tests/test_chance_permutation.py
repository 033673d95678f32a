# Uniform draws, proved by counting: every byte for every range, every sequence of draws for small decks.
from dovetail.chance import permutation as module
from dovetail.chance.hmac_drbg import HmacDrbg
from dovetail.chance.permutation import permutation, position


# Gives the bytes it was made with, then fills up with 0; counts the requests
class Bytes:
    def __init__(self, given):
        self.given = given
        self.at = 0
        self.requests = 0

    def generate_into(self, buffer):
        self.requests += 1
        for i in range(len(buffer)):
            buffer[i] = self.given[self.at] if self.at < len(self.given) else 0
            self.at += 1


def refused(function, *given):
    try:
        function(*given)
    except ValueError as e:
        return str(e)
    return None


def test_each_outcome_of_each_range_has_as_many_bytes():
    for k in range(1, 257):
        counts = [0] * k
        fair = 256 // k
        for x in range(256):
            # a byte that does not count is followed by the marker k - 1, on a request of its own
            source = Bytes(bytes([x] * 64) + bytes([k - 1] * 64))
            got = position(k, source)
            assert 1 <= got <= k
            if source.requests == 1:
                counts[got - 1] += 1
            else:
                assert source.requests == 2
                assert got == k
        assert counts == [fair] * k


def sequences(n):
    draws = [bytes()]
    for m in range(2, n + 1):
        draws = [d + bytes([j]) for d in draws for j in range(m)]
    return draws


def test_each_sequence_of_draws_is_another_order():
    factorial = 1
    for n in range(1, 7):
        factorial *= n
        orders = set()
        for draws in sequences(n):
            orders.add(bytes(permutation(n, Bytes(draws))))
        assert len(orders) == factorial
        for order in list(orders)[:50]:
            assert sorted(order) == list(range(n))


def test_three_cards_over_all_bytes():
    counts = {}
    for x in range(256):
        for y in range(255):  # 255 is thrown away
            order = bytes(permutation(3, Bytes((x, y))))
            counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert set(counts.values()) == {256 * 255 // 6}


def test_bytes_over_the_limit_are_thrown_away():
    # of 54 cards the draws run from 2 to 54; 54 * 4 = 216 is the first byte that does not count for the last
    draws = bytes(52) + bytes([255, 216, 215])
    order = permutation(54, Bytes(draws))
    assert list(order).index(53) == 215 % 54
    assert sorted(order) == list(range(54))


def test_a_long_run_of_rejected_bytes_only_asks_for_more():
    source = Bytes(b"\xff" * 200 + b"\x05")
    assert position(7, source) == 6
    assert source.requests == 4
    source = Bytes(b"\x01" + b"\xff" * 200 + b"\x02")
    assert list(permutation(3, source)) == [0, 1, 2]
    assert source.requests == 4


def test_a_deck_takes_one_request():
    source = Bytes(bytes(64))
    permutation(54, source)
    assert source.requests == 1


def test_the_largest_and_the_smallest():
    drbg = HmacDrbg(bytes(32), bytes(16))
    assert list(permutation(1, drbg)) == [0]
    assert sorted(permutation(256, drbg)) == list(range(256))
    assert position(1, drbg) == 1


def test_room_is_used_as_given():
    out = bytearray(52)
    assert permutation(52, HmacDrbg(bytes(32), bytes(16)), out) is out
    assert out == permutation(52, HmacDrbg(bytes(32), bytes(16)))
    assert sorted(out) == list(range(52))


def test_wrong_numbers_are_named():
    source = Bytes(b"")
    assert refused(permutation, 0, source) == "draw: one of 0 asked for, 1 to 256 can be drawn from"
    assert refused(permutation, 257, source)
    assert refused(permutation, 52, source, bytearray(54))
    assert refused(position, 0, source)
    assert refused(position, 257, source)
    assert source.requests == 0


def test_nothing_of_the_draw_stays_in_the_pool():
    drbg = HmacDrbg(bytes(32), bytes(16))
    permutation(54, drbg)
    assert not any(module._pool)
    position(7, drbg)
    assert not any(module._pool)


class Broken(Bytes):
    def generate_into(self, buffer):
        if self.requests:
            raise OSError("planted")
        Bytes.generate_into(self, buffer)


def test_an_order_begun_and_not_ended_is_overwritten():
    out = bytearray(b"x" * 54)
    failed = False
    try:
        permutation(54, Broken(b"\x01\x02\x03" + b"\xff" * 61), out)
    except OSError:
        failed = True
    assert failed
    assert not any(out)
    assert not any(module._pool)
