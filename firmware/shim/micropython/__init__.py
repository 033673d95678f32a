# Stands in for MicroPython's own module when the firmware runs under CPython; on the path nowhere else.


def const(value):
    return value


def native(function):
    return function


def viper(function):
    return function


def schedule(function, argument):
    function(argument)
