# Requests of service, for a machine that nobody plays at: the self-test, an axis by itself, sensors as they read.

from dovetail import bench, calibrating
from dovetail.calibration import SENSORS
from dovetail.requests.asking import BAD, DONE, NOT_NOW, REFUSED

AT_BENCH = ("digest", "status", "meters", "calibration", "read_sensors")  # answered while service moves something
NOT_AT_BENCH = {"outcome": NOT_NOW, "text": "service is at work"}


def _hindered(machine):
    """Why nothing may move for service now, or None."""
    no = bench.hinder(machine)
    if no is None:
        return None
    rule, text = no
    if not rule:
        return {"outcome": NOT_NOW, "text": text}
    answer = {"outcome": REFUSED, "rule": rule, "text": text}
    if rule == "DS-12":
        answer["fault"] = machine.unsafe()
    return answer


def self_test(machine, fields):
    no = _hindered(machine)
    if no is None:
        bench.begin(machine, bench.self_test(machine))
    return no or {"outcome": DONE}


def jog(machine, fields):
    no = _hindered(machine)
    if no is None:
        axis, slow_us = fields.get("axis", ""), fields.get("slow_us", 0)
        wrong = bench.jog(machine, axis, fields.get("steps", 0), fields.get("reverse"), slow_us)
        no = wrong and {"outcome": BAD, "text": wrong}
    return no or {"outcome": DONE}


def read_sensors(machine, fields):
    return {"outcome": DONE, "sensors": bench.sensors(machine)}


def calibrate(machine, fields):
    """One good card through the whole machine; an event tells how it ended."""
    if machine.busy() or machine.motors.moving() or machine.resting:
        return {"outcome": NOT_NOW, "text": "the machine is at work"}
    no = calibrating.hinder(machine)
    if no:
        return {"outcome": REFUSED, "rule": "SERVICE", "text": no}
    bench.begin(machine, calibrating.calibrate(machine))
    return {"outcome": DONE}


def calibration(machine, fields):
    known = machine.sensors
    rows = [known.row(i) for i in range(len(SENSORS))]
    return {"outcome": DONE, "calibration": {"state": known.calibration.why or "in force", "sensors": rows}}
