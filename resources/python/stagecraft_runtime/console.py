"""What a process prints."""


def say(line):
    """At once and whole: the processes of a torchrun print to one place, and unbuffered, where print() writes a line and
    its end apart."""
    print(line + "\n", end="", flush=True)
