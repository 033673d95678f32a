# Requests of the bench: calibrate, and how the sensors read.

from dovetail import calibrating
from dovetail.calibration import SENSORS
from dovetail.requests.asking import DONE, NOT_NOW, REFUSED


def calibrate(machine, fields):
    """One good card through the whole machine; an event tells how it ended."""
    if machine.busy() or machine.motors.moving() or machine.resting:
        return {"outcome": NOT_NOW, "text": "the machine is at work"}
    no = calibrating.hinder(machine)
    if no:
        return {"outcome": REFUSED, "rule": "SERVICE", "text": no}
    machine.calibrating = True
    machine.clear_work.set()
    return {"outcome": DONE}


def sensors(machine, fields):
    known = machine.sensors
    rows = [known.row(i) for i in range(len(SENSORS))]
    return {"outcome": DONE, "sensors": {"calibration": known.calibration.why or "in force", "sensor": rows}}
