"""YAML that PyYAML writes, in every style, is read as by PyYAML."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.text import Span

STRINGS = st.text(
    st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029\ufeff", exclude_categories=["Cc", "Cs"])
)
AWKWARD = ["a: b", "yes", "null", "it's", '"', "#x", "a #b", "@x", "%", "two\nlines\n"]
# YAML 1.1, which PyYAML writes, and 1.2 do not agree on which texts are numbers (`0E0`).
SCALARS = (STRINGS | st.sampled_from(AWKWARD)).filter(
    lambda text: not text[:1].isdecimal() and not text.startswith(("+", "-", "."))
)
KEYS = st.from_regex(r"[a-z][a-zA-Z_-]{0,8}", fullmatch=True).filter(
    lambda key: key not in {"y", "n", "on", "off", "yes", "no"}
)
# In a forced style, PyYAML writes tags before values that are no strings (`!!null 'null'`), which rules do not need.
STYLED = ["'", '"', "|", ">"]


def documents(scalars: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    values = st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
    )
    return st.dictionaries(KEYS, values, min_size=1, max_size=5)


@given(
    st.tuples(documents(SCALARS | st.booleans() | st.none() | st.integers(-(10**9), 10**9)), st.none())
    | st.tuples(documents(SCALARS), st.sampled_from(STYLED)),
    st.sampled_from([None, True, False]),
    st.sampled_from([10, 80, 10_000]),
)
def test_yaml_written_by_pyyaml_is_read_as_by_pyyaml(
    styled: tuple[dict[str, object], str | None], flow: bool | None, width: int
) -> None:
    document, style = styled
    text = yaml.safe_dump(document, default_style=style, default_flow_style=flow, width=width, allow_unicode=True)
    # Compared with what PyYAML reads, not with `document`: at narrow widths, PyYAML does not always write the same
    # value.
    assert plain(parse_yaml(MappedText.verbatim(text, Span(0, len(text))))) == yaml.safe_load(text)


def plain(value: Value) -> object:
    match value:
        case ScalarValue():
            return value.data
        case ListValue():
            return [plain(item) for item in value.items]
        case MapValue():
            return {entry.key: plain(entry.value) for entry in value.entries}
