"""Explores the paths on which a pattern may match, each state once, within a budget of steps.

Backtracking as ECMA-262 defines it, with two additions. A state (an instruction, a position, and registers) is not
explored again (memoised backtracking, as in the bounded backtracker of `regex-automata`): without backreferences, the
work is proportional to the text, except for the lengths of consecutive runs of units. And a thread that fails only
because the known text ends is suspended: when more text arrives, exploration continues there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.esregex.program import program as op
from ttsr_ls.esregex.program.assertions import assertion_holds, looks_ahead
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.esregex.program.reference import AT_END, CaptureInterner, comparison_steps, match_reference
from ttsr_ls.esregex.search.needle import find_needle
from ttsr_ls.esregex.search.plan import Registers, SearchPlan
from ttsr_ls.esregex.search.thread import Found, Goal, KnownText, Root, Thread

_SLICE = 5_000
"""After how many steps the number of explored states is checked."""
_MAX_STATES = 20_000
"""How many explored states are kept, some 3 MB. Without them the result is the same, but takes more steps."""

_Stack = list[tuple[int, int, int, Registers]]
"""Choices: an instruction, the position to continue at, the last one of the other positions, and the registers."""
Visited = set[tuple[int, int, Registers]]
"""Explored states: instruction, position, and registers."""
_Covered = dict[tuple[int, Registers], tuple[int, int]]
"""By run of units and registers: the range of positions at which the instruction after the run was explored."""
_Look = tuple[int, int, Registers, int, _Stack, Visited, _Covered, bool]
"""An open lookaround: its instruction, position, and registers; the instruction after it if it is negated, else -1; the
choices and explored states around it; and whether the end of the text mattered there.
"""

_STEPS_PER_EMPTY_WINDOW = 100
"""The steps that a window of text without a possible start of a match costs."""
_REGISTERS_PER_STEP = 32
"""How many registers are copied or hashed in about the time of a step. A pattern of 60,000 units has thousands."""

_NOWHERE = (0, -1)
_BACKWARD = (op.TEXT_BACK, op.UNIT_BACK)
_RUNS, _SPLITS = (op.RUN, op.RUN_BACK), (op.SPLIT, op.SPLIT_LAZY)
_CAPTURES, _LOOPS = (op.OPEN, op.CLOSE, op.RESET), (op.LOOP_START, op.LOOP, op.LOOP_ENTER, op.LOOP_END)
_COPYING = frozenset((*_RUNS, *_SPLITS, *_CAPTURES, *_LOOPS))
"""The instructions that copy or hash the registers."""


def explore_states(
    plan: SearchPlan,
    known_text: KnownText,
    size: int,
    roots: Iterable[Root],
    budget: StepBudget,
    goal: Goal,
    suspended: dict[Thread, int] | None,
    captures: CaptureInterner | None,
    ends: set[int] | None,
    visited: Visited,
) -> SearchSteps[Found | None]:
    """Does the work of `explore`. `visited` receives the explored states."""
    program, needles, captures_in_looks = plan.program, plan.needles, plan.captures_in_looks
    code, classes, texts, runs, loops = program.code, program.classes, program.texts, program.runs, program.loops
    text = known_text.units
    captures = CaptureInterner() if captures is None else captures
    is_ordered, is_exhaustive = goal is Goal.FIRST or captures_in_looks, goal is Goal.LOWEST
    best: Found | None = None
    covered: _Covered = {}
    # A round of a counted loop copies and hashes the registers twice, even if they are few.
    copying = program.register_count // _REGISTERS_PER_STEP + bool(loops)
    steps = granted = min(budget.left, _SLICE)
    for start, (offset, position, regs, examined) in roots:
        if start < 0:
            steps -= _STEPS_PER_EMPTY_WINDOW
            continue
        stack: _Stack = []
        looks: list[_Look] = []
        met_end = False
        while True:
            steps -= 1
            if steps < 0:
                budget.left -= granted - steps
                while budget.left <= 0:
                    yield
                text = known_text.units
                steps = granted = min(budget.left, _SLICE)
                if len(visited) > _MAX_STATES:
                    visited.clear()
                    covered.clear()
            operation, first, second = code[offset]
            if copying and operation in _COPYING:
                steps -= copying
            failed = at_end = False
            after = offset + 1
            if operation == op.UNIT:
                if position < size and classes[first][text[position]]:
                    position += 1
                else:
                    failed, at_end = True, position >= size
            elif operation == op.TEXT:
                needle = texts[first]
                if text.startswith(needle, position, size):
                    position += len(needle)
                else:
                    failed = True
                    at_end = position + len(needle) > size and needle.startswith(text[position:size])
            elif operation in (op.RUN, op.RUN_BACK):
                run = runs[first]
                if not run.is_compiled:
                    steps -= run.steps_to_compile
                if operation == op.RUN:
                    stop = size if run.maximum is None else min(size, position + run.maximum)
                    minimum, last, single = position + run.minimum, max(position, examined), run.single
                    if single is None:
                        last = run.end_before(text, last, stop)
                        steps -= (last - max(position, examined)) >> 5
                    elif last < stop and single[text[last]]:
                        last += 1
                    if last == size and (run.maximum is None or size < position + run.maximum):
                        if looks:
                            met_end = True
                        elif suspended is not None and not regs[-1]:
                            # Without a maximum, all starts of the run are equivalent.
                            origin = size - run.minimum if run.maximum is None and minimum <= size else position
                            suspended.setdefault((offset, origin, regs, size), start)
                    minimum, examined = max(minimum, examined + 1), -1
                    lazy, failed = run.lazy, last < minimum
                else:
                    last, single = position - run.minimum, run.single
                    if single is None:
                        minimum = run.start(text, position)
                        steps -= (position - minimum) >> 4
                    else:
                        minimum = position - 1 if position > 0 and single[text[position - 1]] else position
                    lazy, failed = not run.lazy, last < minimum
                if failed:
                    pass
                elif is_ordered:
                    state = offset, position, regs
                    failed = state in visited
                    visited.add(state)
                else:
                    low, high = done = covered.get((offset, regs), _NOWHERE)
                    if done is _NOWHERE or minimum > high + 1 or last < low - 1 or (minimum < low and last > high):
                        covered[offset, regs] = minimum, last
                    else:
                        covered[offset, regs] = min(minimum, low), max(last, high)
                        if minimum >= low:
                            minimum = max(minimum, high + 1)
                        else:
                            last = low - 1
                        failed = last < minimum
                if not failed:
                    if last > minimum:
                        stack.append((after, minimum + 1, last, regs) if lazy else (after, last - 1, minimum, regs))
                    position = minimum if lazy else last
            elif operation >= op.AT_INPUT_START:
                if operation == op.MATCH:
                    if not is_exhaustive:
                        budget.left -= granted - steps
                        return start, position
                    if ends is not None:
                        ends.add(position)
                    if best is None or position < best[1]:
                        best = start, position
                    failed = True
                else:
                    failed = not assertion_holds(operation, text, position, size)
                    at_end = position == size and looks_ahead(operation)
            elif operation == op.JUMP:
                after = first
            elif operation in (op.SPLIT, op.SPLIT_LAZY):
                state = offset, position, regs
                failed = state in visited
                if not failed:
                    visited.add(state)
                    if operation == op.SPLIT:
                        stack.append((first, position, position, regs))
                    else:
                        stack.append((after, position, position, regs))
                        after = first
            elif operation == op.OPEN:
                regs = (*regs[:first], position, *regs[first + 1 :])
            elif operation == op.CLOSE:
                left, right = captures.intern(text, regs[second], position)
                low = 2 * first
                regs = (*regs[:low], left, right, *regs[low + 2 :])
                regs = (*regs[:second], -1, *regs[second + 1 :])
            elif operation == op.RESET:
                regs = (*regs[: 2 * first], *[-1] * (2 * (second - first)), *regs[2 * second :])
            elif operation in (op.REFERENCE, op.REFERENCE_BACK):
                reference = program.references[first]
                steps -= comparison_steps(reference, regs)
                moved = match_reference(reference, text, position, size, regs, operation == op.REFERENCE_BACK)
                failed, at_end = moved < 0, moved == AT_END
                position = position if failed else moved
            elif operation == op.LOOP_START:
                counter = loops[second].counter
                regs = (*regs[:counter], 0, -1, *regs[counter + 2 :])
            elif operation == op.LOOP:
                loop = loops[second]
                count = regs[loop.counter]
                state = offset, position, regs
                failed = state in visited
                if not failed:
                    visited.add(state)
                    left_regs = (*regs[: loop.counter], -1, -1, *regs[loop.counter + 2 :])
                    if count < loop.minimum:
                        pass
                    elif count == loop.maximum:
                        after, regs = first, left_regs
                    elif loop.lazy:
                        stack.append((after, position, position, regs))
                        after, regs = first, left_regs
                    else:
                        stack.append((first, position, position, left_regs))
            elif operation == op.LOOP_ENTER:
                loop = loops[second]
                count = regs[loop.counter] + 1
                if loop.maximum is None:
                    # All further rounds are equivalent.
                    count = min(count, loop.minimum + 1)
                regs = (*regs[: loop.counter], count, position, *regs[loop.counter + 2 :])
                if loop.end_capture > loop.first_capture:
                    low, high = 2 * loop.first_capture, 2 * loop.end_capture
                    regs = (*regs[:low], *[-1] * (high - low), *regs[high:])
            elif operation == op.LOOP_END:
                loop = loops[second]
                if regs[loop.counter + 1] == position and regs[loop.counter] > loop.minimum:
                    failed = True
                else:
                    after = first
                    regs = (*regs[: loop.counter + 1], -1, *regs[loop.counter + 2 :])
            elif operation in (op.LOOK_START, op.NOT_START):
                negated = first if operation == op.NOT_START else -1
                looks.append((offset, position, regs, negated, stack, visited, covered, met_end))
                stack, visited, covered, met_end = [], set(), {}, False
            elif operation in (op.LOOK_END, op.NOT_END):
                look, position, before, negated, stack, visited, covered, was_met = looks.pop()
                # The end of the text matters if this match depends on it, or if another match could capture other text.
                if regs[-1] > before[-1] or (met_end and captures_in_looks):
                    if looks:
                        was_met = True
                    elif suspended is not None and not before[-1]:
                        suspended.setdefault((look, position, before, -1), start)
                met_end = was_met
                failed = negated >= 0
            elif operation == op.UNIT_BACK:
                if position > 0 and classes[first][text[position - 1]]:
                    position -= 1
                else:
                    failed = True
            elif text.endswith(texts[first], 0, position):  # TEXT_BACK
                position -= len(texts[first])
            else:
                failed = True
            if at_end:
                if looks:
                    met_end = True
                elif suspended is not None and not regs[-1]:
                    suspended.setdefault((offset, position, regs, -1), start)
                regs = (*regs[:-1], 1)
            offset = after
            while failed:
                if stack:
                    offset, value, last, regs = stack.pop()
                    wanted = needles[offset] if value != last else None
                    if wanted is not None:
                        possible = find_needle(text, size, wanted, value, last, code[offset][0] in _BACKWARD)
                        if possible < 0:
                            steps -= (abs(last - value) >> 5) + 1
                            continue
                        steps -= abs(possible - value) >> 5
                        value = possible
                    position = value
                    if value < last:
                        stack.append((offset, value + 1, last, regs))
                    elif value > last:
                        stack.append((offset, value - 1, last, regs))
                    failed = False
                elif looks:
                    look, position, regs, negated, stack, visited, covered, was_met = looks.pop()
                    if met_end:
                        if looks:
                            was_met = True
                        elif suspended is not None and not regs[-1]:
                            suspended.setdefault((look, position, regs, -1), start)
                        regs = (*regs[:-1], 1)
                    met_end = was_met
                    if negated >= 0:
                        offset, failed = negated, False
                else:
                    break
            if failed:
                break
    budget.left -= granted - steps
    return best
