# How long a deck may stay at the table: hours by game and way of dealing, counted in the controller's time.

from micropython import const

FRESH = const(0)
SOON = const(1)   # to be changed soon
OVER = const(2)   # refused
UNSORTED = const(3)  # refused until it was put in suit and sequence

_WARN_S = const(1800)  # so long before
_BACK_S = const(2)     # the controller's clock and ours may differ by so much
_DRIFT = const(2000)   # and drift apart by a second in so many: 500 ppm, of which a crystal takes 50
_OFF_S = const(2678400)  # a machine is off for so long at most, 31 days, unless service says so
_FIRST_S = const(1577836800)  # 2020: no machine of this kind is older
_LAST_S = const(4102444800)   # 2100

# what is wrong with a time
BACK = const(1)
AHEAD = const(2)
UNLIKELY = const(3)


def age_s(since, now, powered_s, here):
    """Return the seconds since a deck was declared, or None when nobody can know that: CL-6.

    since: the controller's time then, 0 when it had not told any. now: the time now, 0 when nobody who may has told it
    since power-on. powered_s: since the deck was declared, or since power-on. here: it was declared since power-on, so
    that the machine has counted its age itself.
    """
    if since and now and now + _BACK_S >= since:
        return max(now - since, powered_s)
    return powered_s if here else None


def level(hours, age):
    if age is None or age >= hours * 3600:
        return OVER
    return SOON if age >= hours * 3600 - _WARN_S else FRESH


def jump(now, last, said, trusted, counted_s=0):
    """BACK when time would run backwards, AHEAD of what the machine has counted, UNLIKELY in itself; else 0.

    now: the controller's time as the machine has counted it since power-on, for counted_s; 0 when it was not told.
    last: the last that was told before. trusted: the supervisor or service says so, and may set a wrong clock right.
    """
    if not _FIRST_S <= said < _LAST_S:
        return UNLIKELY
    if trusted:
        return 0
    if now:
        apart = _BACK_S + counted_s // _DRIFT
        return BACK if said + apart < now else AHEAD if said > now + apart else 0
    if said + _BACK_S < last:
        return BACK
    return UNLIKELY if last and said > last + _OFF_S else 0
