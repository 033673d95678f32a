"""What can go wrong on the link, by who found it."""

from host_tools.link import link_pb2


class LinkError(Exception):
    """The host found it: no answer, a port that is gone, an answer that makes no sense."""


class BenchImage(LinkError):
    """The machine does not run a production image, and nobody has said that this is the bench."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        super().__init__(
            f"the machine's image is {variant!r}, not a production image: whoever"
            " sits at its prompt can read its keys; flash a production image, or say that this is"
            " the bench (--bench, bench=True)"
        )


class Refused(Exception):
    """The machine answered, and not with DONE."""

    def __init__(self, request: str, answer: link_pb2.Answer) -> None:
        self.request = request
        self.outcome = answer.outcome
        self.rule = answer.rule
        self.fault = answer.fault
        self.text = answer.text
        by = answer.rule or (f"fault {answer.fault}" if answer.fault else "")
        words = (link_pb2.Outcome.Name(answer.outcome).lower().replace("_", " "), by, answer.text)
        super().__init__(f"{request}: " + ", ".join(word for word in words if word))


class Faulted(Exception):
    """A fault came while something else was waited for."""

    def __init__(self, event: link_pb2.Event) -> None:
        self.event = event
        raised = event.fault
        super().__init__(f"fault {raised.fault} {raised.name}, {raised.station}: {raised.action}")
