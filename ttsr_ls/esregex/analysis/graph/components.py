"""Strongly connected components: which states of an automaton lie on common cycles."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def cyclic_components(follow: Sequence[Collection[int]]) -> list[tuple[int, ...]]:
    """Returns the strongly connected components, without states that are on no cycle, in topological order.

    Tarjan's algorithm with an explicit stack, linear in the number of edges.
    """
    order: list[int] = [-1] * len(follow)
    lowest: list[int] = [0] * len(follow)
    on_stack: list[bool] = [False] * len(follow)
    stack: list[int] = []
    found: list[tuple[int, ...]] = []
    count = 0
    for root in range(len(follow)):
        if order[root] >= 0:
            continue
        order[root] = lowest[root] = count
        count += 1
        stack.append(root)
        on_stack[root] = True
        calls = [(root, iter(follow[root]))]
        while calls:
            state, others = calls[-1]
            for other in others:
                if order[other] < 0:
                    order[other] = lowest[other] = count
                    count += 1
                    stack.append(other)
                    on_stack[other] = True
                    calls.append((other, iter(follow[other])))
                    break
                if on_stack[other]:
                    lowest[state] = min(lowest[state], order[other])
            else:
                calls.pop()
                if calls:
                    caller = calls[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[state])
                if lowest[state] == order[state]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack[member] = False
                        component.append(member)
                        if member == state:
                            break
                    if len(component) > 1 or state in follow[state]:
                        found.append(tuple(sorted(component)))
    found.reverse()
    return found
