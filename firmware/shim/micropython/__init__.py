# Stands in for MicroPython's own module when the firmware runs under CPython; on the path nowhere else.

import builtins


def const(value):
    return value


# Words of viper code: in Python an array is where it is.
for _word in ("ptr8", "ptr16", "ptr32"):
    setattr(builtins, _word, lambda there: there)


def native(function):
    return function


def viper(function):
    return function


def schedule(function, argument):
    function(argument)
