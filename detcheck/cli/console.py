"""Where a command's words go: results on stdout, warnings and progress on stderr, colour by the rules.

Colour: --color over DETCHECK_COLOR over [tool.detcheck]; in `auto` NO_COLOR, then FORCE_COLOR, then a dumb terminal,
then GITHUB_ACTIONS, then whether the stream is a terminal. Nothing moves except on a terminal outside CI.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import IO, TYPE_CHECKING, TypeGuard

from detcheck.cli.actions import in_actions, without_commands
from detcheck.errors import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

#: no line of ours is longer; what is comes out of a file
LINE_LIMIT = 20_000
#: width of what goes to a file or a pipe, unless COLUMNS says otherwise
PLAIN_WIDTH = 80
#: a replay shorter than this shows no progress
PROGRESS_AFTER_SECONDS = 0.7
PROGRESS_EVERY_SECONDS = 0.1
#: characters of its bar, at most and at least
PROGRESS_CELLS, PROGRESS_LEAST_CELLS = 30, 5


def is_terminal(stream: IO[str]) -> bool:
    """Whether a person is at the other end."""
    try:
        return stream.isatty()
    except (ValueError, OSError):
        return False


def is_ci(environment: Mapping[str, str]) -> bool:
    """CI or GITHUB_ACTIONS is set to something that means yes."""
    return any(environment.get(name, "").lower() not in ("", "0", "false") for name in ("CI", "GITHUB_ACTIONS"))


def wants_color(mode: str, stream: IO[str], environment: Mapping[str, str]) -> bool:
    """The colour rules, for one stream."""
    if mode != "auto":
        return mode == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"].lower() not in ("0", "false")
    if environment.get("TERM") == "dumb":
        return False
    return in_actions(environment) or is_terminal(stream)


def width_of(stream: IO[str], environment: Mapping[str, str]) -> int:
    """Columns of the terminal behind a stream; COLUMNS where it is set; else a fixed width."""
    columns = environment.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and 0 < int(columns) < 10_000:
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or PLAIN_WIDTH
    except (OSError, ValueError):
        return PLAIN_WIDTH


def shown_lines(text: str) -> str:
    """Lines with a newline each, whatever is not printable in them as its escape."""
    return "".join(visible(line, LINE_LIMIT) + "\n" for line in text.split("\n"))


class Channel:
    """One stream that renders what it is given; after the reader has left it stays quiet and the command goes on.

    An `optional` one may also be full or closed: no verdict is lost for a remark that could not be shown.
    """

    def __init__(self, stream: IO[str], color: str, environment: Mapping[str, str], optional: bool = False) -> None:
        self.stream = stream
        self.optional = optional
        self.color = wants_color(color, stream, environment)
        self.width = width_of(stream, environment)
        self.terminal = is_terminal(stream)
        self.closed = False
        self.guarded = in_actions(environment)
        self._console: Console | None = None

    def show(self, *items: RenderableType) -> None:
        """Print rich renderables, or plain text with nothing of it taken as markup."""
        text = "".join(shown_lines(item) if isinstance(item, str) else self._rendered(item) for item in items)
        self.write(without_commands(text) if self.guarded else text)

    def write(self, text: str) -> None:
        """Write and flush as it is."""
        if self.closed or not text:
            return
        try:
            self.stream.write(text)
            self.stream.flush()
        except BrokenPipeError:
            self.closed = True
        except OSError:
            if not self.optional:
                raise
            self.closed = True

    def _rendered(self, item: RenderableType) -> str:
        if self.terminal and _may_flow(item):
            return "".join(self._rendered(line) for line in self._flowed(item))
        # the console itself is dear to import; and no name, whoever forgot to look at it, reaches a terminal raw
        if _is_text(item) and not (self.color and all(line.isprintable() for line in str(item).split("\n"))):
            return shown_lines(str(item))
        console = self._console or self._make_console()
        with console.capture() as capture:
            console.print(item, markup=False, emoji=False, highlight=False, soft_wrap=_is_text(item))
        return capture.get()

    def _flowed(self, text: Text) -> list[Text]:
        """The text broken at words, for a person; in a file or a pipe it stays the one line that is searched for."""
        lines = text.wrap(self._console or self._make_console(), self.width)
        for line in lines:
            line.no_wrap = None
        return list(lines)

    def sentence(self, text: str) -> list[str]:
        """A remark as lines: broken at words on a terminal, but for the commands in it."""
        from detcheck.reports.flow import flowed

        return flowed(text, self.width, "", "  ") if self.terminal and len(text) > self.width else [text]

    def _make_console(self) -> Console:
        from rich.console import Console

        self._console = Console(
            width=self.width,
            force_terminal=self.color,
            color_system="standard" if self.color else None,
            no_color=not self.color,
            legacy_windows=False,
            markup=False,
            emoji=False,
            highlight=False,
        )
        return self._console


def _may_flow(item: RenderableType) -> TypeGuard[Text]:
    """Whether a text says that it may be broken where a terminal ends; others run on."""
    return _is_text(item) and item.no_wrap is False


def _is_text(item: RenderableType) -> TypeGuard[Text]:
    """Lines are data: they run on instead of being broken where a terminal happens to end."""
    from rich.text import Text

    return isinstance(item, Text)


class Output:
    """A command's two channels. With `machine_stdout` a report owns stdout and results go to stderr too."""

    def __init__(
        self, color: str = "auto", quiet: bool = False, verbose: bool = False, machine_stdout: bool = False
    ) -> None:
        environment = os.environ
        self.quiet = quiet
        self.verbose = verbose
        self.err = Channel(sys.stderr, color, environment, optional=True)
        self.out = self.err if machine_stdout else Channel(sys.stdout, color, environment)
        self.progress = ProgressLine(self.err, enabled=not quiet and is_terminal(sys.stderr) and not is_ci(environment))

    def result(self, *items: RenderableType) -> None:
        """Results; the progress line makes room."""
        self.progress.clear()
        self.out.show(*items)

    def note(self, *items: RenderableType) -> None:
        """Warnings and remarks, on stderr."""
        self.progress.clear()
        self.err.show(*items)

    def notes(self, lines: Iterable[str]) -> None:
        """Remarks, one a line, unless -q."""
        if not self.quiet:
            for line in lines:
                self.note(*self.err.sentence(f"note: {line}"))


class ProgressLine:
    """One line that is rewritten in place, shown only when something takes long, gone when it is done."""

    def __init__(self, channel: Channel, enabled: bool) -> None:
        self.channel = channel
        self.enabled = enabled
        self.began = time.monotonic()
        self.shown_at = 0.0
        self.visible = False

    def update(self, done: float, who: str, count: str) -> None:
        """`done` is 0.0 to 1.0; `count` is worth more than `who` where the line is short."""
        now = time.monotonic()
        early = now - self.began < PROGRESS_AFTER_SECONDS
        if not self.enabled or early or now - self.shown_at < PROGRESS_EVERY_SECONDS:
            return
        self.shown_at = now
        self.visible = True
        self.channel.write("\r\x1b[K" + progress_text(done, who, count, self.channel.width - 1))

    def ticks(self, who: str, tick: int, ticks: int, index: int = 0, works: int = 1) -> None:
        """A tick of one of several replays, all of one weight."""
        share = (index + tick / max(1, ticks)) / works
        self.update(share, who, f"tick {tick:,} of {ticks:,}")

    def teller(self, who: str, ticks: int) -> Callable[[int], None] | None:
        """What a lone replay tells its ticks; None when nobody watches."""
        return (lambda tick: self.ticks(who, tick, ticks)) if self.enabled else None

    def say(self, words: str) -> None:
        """Something that takes long and cannot be measured."""
        if self.enabled and time.monotonic() - self.began >= PROGRESS_AFTER_SECONDS:
            self.visible = True
            self.channel.write("\r\x1b[K" + (words if len(words) < self.channel.width else "..."))

    def clear(self) -> None:
        """Take the line away before something else is printed."""
        if self.visible:
            self.channel.write("\r\x1b[K")
            self.visible = False


def progress_text(done: float, who: str, count: str, width: int) -> str:
    """`[####------]  40% skirmish on fixed_point_16_16, tick 240 of 600`, or what of it fits whole into the width."""
    share = min(1.0, max(0.0, done))
    percent = f"{int(share * 100):3d}%"
    for words in (f"{who}, {count}", count):
        cells = min(PROGRESS_CELLS, width - len(f"[] {percent} {words}"))
        if cells >= PROGRESS_LEAST_CELLS:
            full = int(cells * share)
            return f"[{'#' * full}{'-' * (cells - full)}] {percent} {words}"
    short = f"{percent} {count}"
    return short if len(short) <= width else percent[: max(0, width)]
