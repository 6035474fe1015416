"""Checks rule files: the catalogue of finding codes, the checks, and the fixes.

- `engine` runs all checks on a file; `context` is what a check knows besides the file.
- `catalogue` is the table of codes. `finding` defines `Finding` and `Fix`.
- `checks/` has the checks of omp's rules by subject, `dialect_checks/` those of other dialects, `case_files/` those
  of rule test files; `problem_findings` converts the problems of reading.
- `fixes/` makes common edits and decides whether a fix is safe. `regex/` answers questions about conditions.
- `config/` is the configuration, `locations/` the locations of rule files, `suppressions/` comments and baselines;
  `selection`, `consequences` and `limit_findings` choose the findings that are reported.
"""
