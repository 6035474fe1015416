"""The backtracking matcher: exactly ECMA-262's semantics for every pattern, within a bound of steps.

It is the specification that faster matchers are tested against. It keeps its own stack, so that neither the depth of
a pattern nor the length of a text is a danger; a search costs at most `step_limit` instructions and undone changes.
"""

from __future__ import annotations

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import STEP_LIMIT
from ttsr_ls.esregex.program import program as op
from ttsr_ls.esregex.program.assemble import assemble
from ttsr_ls.esregex.program.assertions import holds
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.esregex.program.prepare_program import prepare_program
from ttsr_ls.esregex.program.program import Program
from ttsr_ls.esregex.program.reference import follow, steps_of
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.text import Span

_NO_MORE = -1


class BacktrackMatcher:
    """Matches a pattern by trying its ways one after the other, in the order that ECMA-262 gives them."""

    __slots__ = ("_budget", "_capture_count", "_first", "_program", "_step_limit")

    def __init__(self, pattern: Pattern, step_limit: int = STEP_LIMIT) -> None:
        self._budget: StepBudget | None = None
        self._step_limit = step_limit
        self._capture_count = pattern.capture_count
        self._program, self._first = prepare_program(pattern)

    @staticmethod
    def with_captures(pattern: Pattern, step_limit: int = STEP_LIMIT) -> BacktrackMatcher:
        """A matcher that knows all groups: otherwise those are left out that nothing in the pattern refers to."""
        made = BacktrackMatcher.__new__(BacktrackMatcher)
        made._budget, made._step_limit, made._capture_count = None, step_limit, pattern.capture_count
        made._program, made._first = assemble(pattern.root, pattern.capture_count), None
        return made

    def search(self, units: str, start: int = 0) -> Span | None:
        """Raises `MatchLimitExceeded` after `step_limit` steps."""
        budget = self._budget
        steps = self._step_limit if budget is None else max(0, min(self._step_limit, budget.left))
        attempt = _Attempt(self._program, units, steps)
        try:
            return self._search(attempt, units, start)
        finally:
            if budget is not None:
                budget.left -= steps - attempt.steps

    def counted_test(self, units: str) -> tuple[bool, int]:
        """Whether there is a match, and how many steps the answer took; raises `MatchLimitExceeded`."""
        attempt = _Attempt(self._program, units, self._step_limit)
        return self._search(attempt, units, 0) is not None, self._step_limit - attempt.steps

    def _search(self, attempt: _Attempt, units: str, start: int) -> Span | None:
        while start <= len(units):
            if self._first is not None:
                possible = self._first.search(units, start)
                if possible is None:
                    return None
                start = possible.start()
            end = attempt.match(start)
            if end is not None:
                return Span(start, end)
            start += 1
        return None

    def test(self, units: str) -> bool:
        return self.search(units) is not None

    def sharing(self, budget: StepBudget) -> BacktrackMatcher:
        shared = BacktrackMatcher.__new__(BacktrackMatcher)
        shared._budget, shared._step_limit = budget, self._step_limit
        shared._program, shared._first = self._program, self._first
        shared._capture_count = self._capture_count
        return shared

    def captures(self, units: str, start: int) -> tuple[Span | None, ...]:
        """The texts of the groups 1, 2, … of the match that begins at `start`; None for a group that took no part.

        Needs a matcher `with_captures`. Empty where no match begins there. Raises `MatchLimitExceeded` after
        `step_limit` steps.
        """
        attempt = _Attempt(self._program, units, self._step_limit)
        return () if attempt.match(start) is None else attempt.captured(self._capture_count)

    def effort(self, units: str, start: int) -> int:
        """How many steps it takes to try a match that begins at `start`; raises `MatchLimitExceeded` at `step_limit`.

        Any backtracking engine takes about as many, so this shows on which texts they all are slow.
        """
        attempt = _Attempt(self._program, units, self._step_limit)
        attempt.match(start)
        return self._step_limit - attempt.steps


class _Attempt:
    """One search: registers, the stack of choices and changes, and the steps that are left.

    An entry of the stack is `(target, place, last)`, a choice: go on at `target` with `place`, and if `last` is another
    place then with every place up to it; or `(~register, value, _)`: a change to be undone on the way back.
    """

    __slots__ = ("_program", "_registers", "_text", "steps")

    def __init__(self, program: Program, text: str, steps: int) -> None:
        self._program = program
        self._text = text
        self.steps = steps
        self._registers = [-1] * program.register_count

    def captured(self, count: int) -> tuple[Span | None, ...]:
        """The captures 1 to `count` of the match that was found last."""
        pairs = zip(self._registers[2 : 2 * count + 2 : 2], self._registers[3 : 2 * count + 3 : 2], strict=True)
        return tuple(Span(start, end) if start >= 0 else None for start, end in pairs)

    def match(self, start: int) -> int | None:
        """Where the first match that begins at `start` ends. One loop, since calls would double its cost."""
        program, text, registers = self._program, self._text, self._registers
        code, classes, texts, runs, loops = program.code, program.classes, program.texts, program.runs, program.loops
        size = len(text)
        steps = self.steps
        stack: list[tuple[int, int, int]] = []
        push = stack.append
        at, place = 0, start
        while True:
            steps -= 1
            if steps < 0:
                self.steps = 0
                raise MatchLimitExceeded("Matching took more steps than it may")
            operation, first, second = code[at]
            at += 1
            failed = False
            if operation == op.UNIT:
                if place < size and classes[first][text[place]]:
                    place += 1
                else:
                    failed = True
            elif operation == op.TEXT:
                if text.startswith(texts[first], place):
                    place += len(texts[first])
                else:
                    failed = True
            elif operation == op.RUN:
                run = runs[first]
                last = run.end(text, place)
                steps -= (last - place) >> 4
                least = place + run.minimum
                if last < least:
                    failed = True
                elif last == least:
                    place = last
                elif run.lazy:
                    push((at, least + 1, last))
                    place = least
                else:
                    push((at, last - 1, least))
                    place = last
            elif operation >= op.AT_INPUT_START:
                if operation == op.MATCH:
                    self.steps = steps
                    return place
                failed = not holds(operation, text, place, size)
            elif operation == op.SPLIT:
                push((first, place, place))
            elif operation == op.SPLIT_LAZY:
                push((at, place, place))
                at = first
            elif operation == op.JUMP:
                at = first
            elif operation == op.OPEN:
                push((~first, registers[first], _NO_MORE))
                registers[first] = place
            elif operation == op.CLOSE:
                left, right = sorted((registers[second], place))
                push((~(2 * first), registers[2 * first], _NO_MORE))
                push((~(2 * first + 1), registers[2 * first + 1], _NO_MORE))
                registers[2 * first], registers[2 * first + 1] = left, right
            elif operation == op.RESET:
                steps -= self._reset(stack, first, second)
            elif operation in (op.REFERENCE, op.REFERENCE_BACK):
                reference = program.references[first]
                steps -= steps_of(reference, registers)
                moved = follow(reference, text, place, size, registers, operation == op.REFERENCE_BACK)
                failed = moved < 0
                place = place if failed else moved
            elif operation == op.LOOP_START:
                counter = loops[second].counter
                push((~counter, registers[counter], _NO_MORE))
                registers[counter] = 0
            elif operation == op.LOOP:
                loop = loops[second]
                count = registers[loop.counter]
                if count < loop.minimum:
                    pass
                elif count == loop.maximum:
                    at = first
                elif loop.lazy:
                    push((at, place, place))
                    at = first
                else:
                    push((first, place, place))
            elif operation == op.LOOP_ENTER:
                loop = loops[second]
                counter = loop.counter
                push((~counter, registers[counter], _NO_MORE))
                push((~(counter + 1), registers[counter + 1], _NO_MORE))
                registers[counter] += 1
                registers[counter + 1] = place
                steps -= self._reset(stack, loop.first_capture, loop.end_capture)
            elif operation == op.LOOP_END:
                loop = loops[second]
                if registers[loop.counter + 1] == place and registers[loop.counter] > loop.minimum:
                    failed = True
                else:
                    at = first
            elif operation == op.LOOK_START:
                push((~first, registers[first], _NO_MORE))
                push((~(first + 1), registers[first + 1], _NO_MORE))
                registers[first] = len(stack)
                registers[first + 1] = place
            elif operation == op.LOOK_END:
                height = registers[first]
                steps -= len(stack) - height
                stack[height:] = [entry for entry in stack[height:] if entry[0] < 0]
                place = registers[first + 1]
            elif operation == op.NOT_START:
                push((~second, registers[second], _NO_MORE))
                registers[second] = len(stack)
                push((first, place, place))
            elif operation == op.NOT_END:
                height = registers[first]
                steps -= len(stack) - height
                self._undo(stack, height)
                failed = True
            elif operation == op.UNIT_BACK:
                if place > 0 and classes[first][text[place - 1]]:
                    place -= 1
                else:
                    failed = True
            elif text.endswith(texts[first], 0, place):  # TEXT_BACK
                place -= len(texts[first])
            else:
                failed = True
            if failed:
                while stack:
                    target, value, last = stack.pop()
                    if target < 0:
                        steps -= 1
                        registers[~target] = value
                        continue
                    if value > last and code[target][0] == op.TEXT:
                        # Most of what a long run tries: all the places where something else stands, at once.
                        wanted = texts[code[target][1]]
                        found = text.rfind(wanted, last, value + len(wanted))
                        if found < 0:
                            steps -= value - last + 1
                            if steps < 0:
                                break
                            continue
                        steps -= value - found
                        value = found
                    at, place = target, value
                    if value < last:
                        push((target, value + 1, last))
                    elif value > last:
                        push((target, value - 1, last))
                    break
                else:
                    self.steps = steps
                    return None

    def _reset(self, stack: list[tuple[int, int, int]], first: int, end: int) -> int:
        """Forget the captures from `first` to before `end`; the number of steps that this is worth."""
        registers = self._registers
        for register in range(2 * first, 2 * end):
            if registers[register] >= 0:
                stack.append((~register, registers[register], _NO_MORE))
                registers[register] = -1
        return end - first

    def _undo(self, stack: list[tuple[int, int, int]], height: int) -> None:
        while len(stack) > height:
            target, value, _ = stack.pop()
            if target < 0:
                self._registers[~target] = value
