"""The environment variables that name a judge model if the arguments do not."""

JUDGE_VARIABLE = "TTSR_LS_JUDGE"

JUDGE_VARIABLES = {
    "judge": JUDGE_VARIABLE,
    "judge_provider": "TTSR_LS_JUDGE_PROVIDER",
    "judge_base_url": "TTSR_LS_JUDGE_BASE_URL",
    "judge_key_variable": "TTSR_LS_JUDGE_KEY_VARIABLE",
}
"""The variables, by the argument of `ttsr-ls agent` that each replaces."""
