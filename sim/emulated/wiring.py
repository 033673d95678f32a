"""The machine's plugs on the chip's pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from rp2040py.gpio_pin import GPIOPinState
from rp2040py.rp2040 import RP2040

from sim.faults import Faults
from sim.points import FEED_BRINGS

SENSORS = ("entry", "count", "home", "tick", "exit", "deal")
SWITCHES = ("lid", "door", "mount")
LAMPS = ("lamp_green", "lamp_amber", "lamp_red", "buzzer")
MUX_SELECT = ("mux_0", "mux_1", "mux_2", "mux_3")
ADC_FIRST_PIN = 26
PIO_AT = (0x5020_0000, 0x5030_0000)
PIO_CTRL_CLEAR = 0x3000  # its first register, the alias that clears bits

HIGH = GPIOPinState.HIGH
LOW = GPIOPinState.LOW


class Axis(Protocol):
    """A step motor's driver."""

    def pulse(self, reverse: bool) -> None:
        """One rising edge at STEP."""
        ...


class Input(Protocol):
    """A switch or beam; dark pulls its pin low."""

    dark: bool
    listeners: list[Callable[[bool], None]]


class Machine(Protocol):
    """What the wires lead to."""

    @property
    def axes(self) -> Mapping[str, Axis]:
        """By name."""
        ...

    @property
    def inputs(self) -> Mapping[str, Input]:
        """By name."""
        ...

    @property
    def faults(self) -> Faults:
        """What is planted in it."""
        ...

    def enable(self, on: bool) -> None:
        """Current in the motors."""
        ...

    def lamp(self, name: str, on: bool) -> None:
        """A lamp or the buzzer."""
        ...

    def level(self, channel: str) -> int:
        """What the converter reads on a multiplexer channel."""
        ...


class Board(Protocol):
    """What a board module says of itself."""

    @property
    def NAME(self) -> str: ...  # noqa: N802

    @property
    def CHIP(self) -> str: ...  # noqa: N802

    @property
    def PINS(self) -> Mapping[str, int]: ...  # noqa: N802

    @property
    def MUX(self) -> Mapping[str, int]: ...  # noqa: N802

    @property
    def UART_BAUD(self) -> int: ...  # noqa: N802

    @property
    def FLASH_BYTES(self) -> int: ...  # noqa: N802


class Wiring:
    """Listens at output pins, drives input pins, answers the converter."""

    def __init__(self, mcu: RP2040, board: Board, machine: Machine) -> None:
        self.late_ns = 0  # a real image has its own times
        self._mcu = mcu
        self._board = board
        self._machine = machine
        self._channels = {number: name for name, number in board.MUX.items()}
        for name, axis in machine.axes.items():
            self._axis(name, axis)
        self._output("enable", lambda state: machine.enable(state is LOW))
        for name in LAMPS:
            self._lamp(name, name.removeprefix("lamp_"))
        for name in SENSORS + SWITCHES:
            self._input(name, machine.inputs[name])
        machine.inputs["count"].listeners.append(self._card)
        self._hang = mcu.clock.create_alarm(self._stop_feed)
        self._sample = mcu.adc.on_adc_read
        mcu.adc.on_adc_read = self._convert

    def let_go(self) -> None:
        """The chip is in reset: pull-ups switch the drivers off, the lamps go out."""
        self._machine.enable(False)
        for name in LAMPS:
            self._machine.lamp(name.removeprefix("lamp_"), False)

    def _axis(self, name: str, axis: Axis) -> None:
        pulse = axis.pulse
        step = self._mcu.gpio[self._board.PINS[f"step_{name}"]]
        if f"dir_{name}" not in self._board.PINS:

            def forward(state: GPIOPinState, _: GPIOPinState) -> None:
                if state is HIGH:
                    pulse(False)

            step.add_listener(forward)
            return
        reverse = False

        def turned(state: GPIOPinState) -> None:
            nonlocal reverse
            reverse = state is HIGH

        def edge(state: GPIOPinState, _: GPIOPinState) -> None:
            if state is HIGH:
                pulse(reverse)

        self._output(f"dir_{name}", turned)
        step.add_listener(edge)

    def _output(self, name: str, fn: Callable[[GPIOPinState], None]) -> None:
        def changed(state: GPIOPinState, _: GPIOPinState) -> None:
            fn(state)

        self._mcu.gpio[self._board.PINS[name]].add_listener(changed)

    def _lamp(self, pin: str, lamp: str) -> None:
        self._output(pin, lambda state: self._machine.lamp(lamp, state is HIGH))

    def _input(self, name: str, source: Input) -> None:
        pin = self._mcu.gpio[self._board.PINS[name]]
        pin.set_input_value(not source.dark)
        source.listeners.append(lambda dark: pin.set_input_value(not dark))

    def _card(self, dark: bool) -> None:
        """A move of the feed rollers has brought one as far as the count beam."""
        if dark and self._feeding():
            self._machine.faults.at(FEED_BRINGS, self)

    def hang(self) -> None:
        """Stop the feed's pulses; not within the step that has moved the card."""
        self._hang.schedule(0)

    def _stop_feed(self) -> None:
        """The state machine of the feed's pulses makes none: its move has no end."""
        for register, machine in self._feeding():
            self._mcu.write_uint32(register + PIO_CTRL_CLEAR, 1 << machine)

    def _feeding(self) -> list[tuple[int, int]]:
        """The state machine that makes them, while it does."""
        pin = self._board.PINS["step_feed"]
        return [
            (register, one.index)
            for register, block in zip(PIO_AT, self._mcu.pio, strict=True)
            for one in block.machines
            if one.enabled and one.sideset_base == pin
        ]

    def _convert(self, channel: int) -> None:
        adc = self._mcu.adc
        if channel == self._board.PINS["mux"] - ADC_FIRST_PIN:
            gpio, pins = self._mcu.gpio, self._board.PINS
            selected = sum(
                gpio[pins[name]].output_value << bit for bit, name in enumerate(MUX_SELECT)
            )
            name = self._channels.get(selected)
            adc.channel_values[channel] = 0 if name is None else self._machine.level(name)
        self._sample(channel)
