import pytest

from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import ContextMode, JudgeMode, RepeatMode, Settings
from ttsr_ls.rules.stream import Source


def test_default_settings_equal_the_reference() -> None:
    settings = Settings()
    assert settings.enabled
    assert settings.judge is JudgeMode.AUTO
    assert settings.context_mode is ContextMode.DISCARD
    assert settings.interrupt_mode is InterruptMode.ALWAYS
    assert settings.repeat_mode is RepeatMode.ONCE
    assert settings.repeat_gap == 10
    assert settings.builtin_rules
    assert settings.disabled_rules == ()


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (InterruptMode.NEVER, [False, False, False]),
        (InterruptMode.PROSE_ONLY, [True, True, False]),
        (InterruptMode.TOOL_ONLY, [False, False, True]),
        (InterruptMode.ALWAYS, [True, True, True]),
    ],
)
def test_the_interrupt_mode_of_a_rule_overrides_the_setting(mode: InterruptMode, expected: list[bool]) -> None:
    for setting in InterruptMode:
        settings = Settings(interrupt_mode=setting)
        assert [settings.interrupts(mode, source) for source in Source] == expected
    assert [Settings(interrupt_mode=mode).interrupts(None, source) for source in Source] == expected
