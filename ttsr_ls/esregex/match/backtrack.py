"""The backtracking matcher: implements the semantics of ECMA-262 exactly for every pattern, within a limit of steps.

It is the specification that faster matchers are tested against. It keeps its own stack, which no pattern and no text
can exhaust. A search costs at most `step_limit` instructions and undone changes.
"""

from __future__ import annotations

from ttsr_ls.checkpoint import checkpoint
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import STEP_LIMIT
from ttsr_ls.esregex.program import program as op
from ttsr_ls.esregex.program.assemble import assemble
from ttsr_ls.esregex.program.assertions import assertion_holds
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.esregex.program.prepare_program import prepare_program
from ttsr_ls.esregex.program.program import Program
from ttsr_ls.esregex.program.reference import comparison_steps, match_reference
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.text import Span

_NO_MORE = -1
_CHECKPOINT = 2_000  # Steps between checkpoints: about half a millisecond.


class BacktrackMatcher:
    """Matches a pattern by trying its alternatives one after the other, in the order of ECMA-262."""

    __slots__ = ("_budget", "_capture_count", "_first", "_program", "_step_limit")

    def __init__(self, pattern: Pattern, step_limit: int = STEP_LIMIT) -> None:
        self._budget: StepBudget | None = None
        self._step_limit = step_limit
        self._capture_count = pattern.capture_count
        self._program, self._first = prepare_program(pattern)

    @staticmethod
    def recording_captures(pattern: Pattern, step_limit: int = STEP_LIMIT) -> BacktrackMatcher:
        """Returns a matcher that records all groups. Other matchers omit the groups that no backreference refers to."""
        matcher = BacktrackMatcher.__new__(BacktrackMatcher)
        matcher._budget, matcher._step_limit, matcher._capture_count = None, step_limit, pattern.capture_count
        matcher._program, matcher._first = assemble(pattern.root, pattern.capture_count), None
        return matcher

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

    def test_counting_steps(self, units: str) -> tuple[bool, int]:
        """Returns whether there is a match, and the number of steps of the search. Raises `MatchLimitExceeded`."""
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

    def with_budget(self, budget: StepBudget) -> BacktrackMatcher:
        shared = BacktrackMatcher.__new__(BacktrackMatcher)
        shared._budget, shared._step_limit = budget, self._step_limit
        shared._program, shared._first = self._program, self._first
        shared._capture_count = self._capture_count
        return shared

    def captures(self, units: str, start: int) -> tuple[Span | None, ...]:
        """Returns the spans of the groups 1, 2, … of the match that begins at `start`; None for an unused group.

        Needs a matcher of `recording_captures`. Empty if no match begins there. Raises `MatchLimitExceeded`.
        """
        attempt = _Attempt(self._program, units, self._step_limit)
        return () if attempt.match(start) is None else attempt.captured(self._capture_count)

    def count_steps(self, units: str, start: int) -> int:
        """Returns the number of steps of a match attempt at `start`. Raises `MatchLimitExceeded` at `step_limit`.

        Other backtracking engines take about as many, so a text that is slow here is slow for them, too.
        """
        attempt = _Attempt(self._program, units, self._step_limit)
        attempt.match(start)
        return self._step_limit - attempt.steps


class _Attempt:
    """One search: registers, the stack of choices and changes, and the remaining steps.

    An entry of the stack is a choice, `(target, position, last)`: continue at `target` with each position from
    `position` to `last`; or a change, `(~register, value, _)`, which is undone when the search backtracks.
    """

    __slots__ = ("_program", "_registers", "_text", "steps")

    def __init__(self, program: Program, text: str, steps: int) -> None:
        self._program = program
        self._text = text
        self.steps = steps
        self._registers = [-1] * program.register_count

    def captured(self, count: int) -> tuple[Span | None, ...]:
        """Returns the captures 1 to `count` of the last match."""
        pairs = zip(self._registers[2 : 2 * count + 2 : 2], self._registers[3 : 2 * count + 3 : 2], strict=True)
        return tuple(Span(start, end) if start >= 0 else None for start, end in pairs)

    def match(self, start: int) -> int | None:
        """Returns the end of the first match that begins at `start`. One loop, because calls would double its cost."""
        program, text, registers = self._program, self._text, self._registers
        code, classes, texts, runs, loops = program.code, program.classes, program.texts, program.runs, program.loops
        size = len(text)
        steps = self.steps
        checked = max(0, steps - _CHECKPOINT)
        stack: list[tuple[int, int, int]] = []
        push = stack.append
        offset, position = 0, start
        while True:
            steps -= 1
            if steps < checked:
                checked = self._check(steps)
            operation, first, second = code[offset]
            offset += 1
            failed = False
            if operation == op.UNIT:
                if position < size and classes[first][text[position]]:
                    position += 1
                else:
                    failed = True
            elif operation == op.TEXT:
                if text.startswith(texts[first], position):
                    position += len(texts[first])
                else:
                    failed = True
            elif operation == op.RUN:
                run, one = runs[first], runs[first].single
                last = run.end(text, position) if one is None else position + (position < size and one[text[position]])
                steps -= (last - position) >> 4
                minimum = position + run.minimum
                if last < minimum:
                    failed = True
                elif last == minimum:
                    position = last
                elif run.lazy:
                    push((offset, minimum + 1, last))
                    position = minimum
                else:
                    push((offset, last - 1, minimum))
                    position = last
            elif operation >= op.AT_INPUT_START:
                if operation == op.MATCH:
                    self.steps = steps
                    return position
                failed = not assertion_holds(operation, text, position, size)
            elif operation == op.SPLIT:
                push((first, position, position))
            elif operation == op.SPLIT_LAZY:
                push((offset, position, position))
                offset = first
            elif operation == op.JUMP:
                offset = first
            elif operation == op.OPEN:
                push((~first, registers[first], _NO_MORE))
                registers[first] = position
            elif operation == op.CLOSE:
                left, right = sorted((registers[second], position))
                push((~(2 * first), registers[2 * first], _NO_MORE))
                push((~(2 * first + 1), registers[2 * first + 1], _NO_MORE))
                registers[2 * first], registers[2 * first + 1] = left, right
            elif operation == op.RESET:
                steps -= self._reset(stack, first, second)
            elif operation in (op.REFERENCE, op.REFERENCE_BACK):
                reference = program.references[first]
                steps -= comparison_steps(reference, registers)
                moved = match_reference(reference, text, position, size, registers, operation == op.REFERENCE_BACK)
                failed = moved < 0
                position = position if failed else moved
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
                    offset = first
                elif loop.lazy:
                    push((offset, position, position))
                    offset = first
                else:
                    push((first, position, position))
            elif operation == op.LOOP_ENTER:
                loop = loops[second]
                counter = loop.counter
                push((~counter, registers[counter], _NO_MORE))
                push((~(counter + 1), registers[counter + 1], _NO_MORE))
                registers[counter] += 1
                registers[counter + 1] = position
                steps -= self._reset(stack, loop.first_capture, loop.end_capture)
            elif operation == op.LOOP_END:
                loop = loops[second]
                if registers[loop.counter + 1] == position and registers[loop.counter] > loop.minimum:
                    failed = True
                else:
                    offset = first
            elif operation == op.LOOK_START:
                push((~first, registers[first], _NO_MORE))
                push((~(first + 1), registers[first + 1], _NO_MORE))
                registers[first] = len(stack)
                registers[first + 1] = position
            elif operation == op.LOOK_END:
                height = registers[first]
                steps -= len(stack) - height
                stack[height:] = [entry for entry in stack[height:] if entry[0] < 0]
                position = registers[first + 1]
            elif operation == op.NOT_START:
                push((~second, registers[second], _NO_MORE))
                registers[second] = len(stack)
                push((first, position, position))
            elif operation == op.NOT_END:
                height = registers[first]
                steps -= len(stack) - height
                self._undo(stack, height)
                failed = True
            elif operation == op.UNIT_BACK:
                if position > 0 and classes[first][text[position - 1]]:
                    position -= 1
                else:
                    failed = True
            elif text.endswith(texts[first], 0, position):  # TEXT_BACK
                position -= len(texts[first])
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
                        # Skips all positions that this text does not follow: most of the choices of a long run.
                        wanted = texts[code[target][1]]
                        index = text.rfind(wanted, last, value + len(wanted))
                        if index < 0:
                            steps -= value - last + 1
                            if steps < 0:
                                break
                            continue
                        steps -= value - index
                        value = index
                    offset, position = target, value
                    if value < last:
                        push((target, value + 1, last))
                    elif value > last:
                        push((target, value - 1, last))
                    break
                else:
                    self.steps = steps
                    return None

    def _check(self, steps: int) -> int:
        """Returns the number of remaining steps below which this is to be called again. Raises `MatchLimitExceeded`."""
        if steps < 0:
            self.steps = 0
            raise MatchLimitExceeded("The search exceeded its step limit")
        checkpoint()
        return max(0, steps - _CHECKPOINT)

    def _reset(self, stack: list[tuple[int, int, int]], first: int, end: int) -> int:
        """Forgets the captures from `first` to before `end`. Returns the number of steps that this counts as."""
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
