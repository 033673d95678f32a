# How long a deck may stay at the table: hours by game and way of dealing, counted in the controller's time.

from micropython import const

FRESH = const(0)
SOON = const(1)   # to be changed soon
OVER = const(2)   # refused

_WARN_S = const(1800)  # so long before
_BACK_S = const(2)     # clocks may differ by so much
_AHEAD_S = const(60)   # and the controller's may be set right by so much while the power is on


def age_s(since, now, powered_s):
    """Seconds since a deck was declared, or None when that cannot be known.

    since: the controller's time then, 0 when it had not told any; now: the same, now; powered_s: since it was declared
    or since power-on, whichever is later.
    """
    if since and now:
        return max(now - since, powered_s)  # a clock that was set back makes no deck younger
    if since:
        return None  # the machine was told the time once, and not yet again: in doubt, not playable
    return powered_s


def level(hours, age):
    if age is None or age >= hours * 3600:
        return OVER
    return SOON if age >= hours * 3600 - _WARN_S else FRESH


def jump(now, last, said):
    """1 when time would run backwards, 2 when it would jump ahead of what the machine has counted, else 0.

    now: the controller's time as the machine knows it, 0 when it was not told since power-on; last: the last it told.
    """
    if said + _BACK_S < (now or last):
        return 1
    return 2 if now and said > now + _AHEAD_S else 0
