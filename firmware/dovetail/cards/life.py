# How long a deck may stay at the table: hours by game and way of dealing, counted in the controller's time.

from micropython import const

FRESH = const(0)
SOON = const(1)   # to be changed soon
OVER = const(2)   # refused

_WARN_S = const(1800)  # so long before
_BACK_S = const(2)     # the controller's clock and ours may differ by so much
_AHEAD_S = const(60)   # and the controller's may be set right by so much while the power is on
_OFF_S = const(2678400)  # a machine is off for so long at most, 31 days, unless service says so
_FIRST_S = const(1577836800)  # 2020: no machine of this kind is older
_LAST_S = const(4102444800)   # 2100

# what is wrong with a time
BACK = const(1)
AHEAD = const(2)
UNLIKELY = const(3)


def age_s(since, now, powered_s):
    """Seconds since a deck was declared, or None when that cannot be known.

    since: the controller's time then, 0 when it had not told any; now: the same, now; powered_s: since it was declared
    or since power-on, whichever is later.
    """
    if since and now and now + _BACK_S >= since:
        return max(now - since, powered_s)
    if since:
        return None  # the time was not told again yet, or it was set back: in doubt, not playable
    return powered_s


def level(hours, age):
    if age is None or age >= hours * 3600:
        return OVER
    return SOON if age >= hours * 3600 - _WARN_S else FRESH


def jump(now, last, said, service):
    """BACK when time would run backwards, AHEAD of what the machine has counted, UNLIKELY in itself; else 0.

    now: the controller's time as the machine knows it, 0 when it was not told since power-on; last: the last it told.
    service: a service session says so. It may set a wrong clock right, also back.
    """
    if not _FIRST_S <= said < _LAST_S:
        return UNLIKELY
    if service:
        return 0
    if said + _BACK_S < (now or last):
        return BACK
    if now:
        return AHEAD if said > now + _AHEAD_S else 0
    return UNLIKELY if last and said > last + _OFF_S else 0
