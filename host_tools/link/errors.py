"""What can go wrong on the link, by who found it."""

from host_tools.link import link_pb2


class LinkError(Exception):
    """The host found it: no answer, a port that is gone, an answer that makes no sense."""


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
