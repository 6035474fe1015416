"""Broken AST patterns: those that have a syntax error with every stand-in for their metavariables."""

from __future__ import annotations

import pytest

from ttsr_ls.matching.ast.ast_grep import ParsedText, shape_of
from ttsr_ls.matching.ast.search import PatternShape

# Common patterns, many of which are only a part of a construct.
# fmt: off
USABLE = {
    "java": (
        "class $A { $$$ }", "$A.foo($$$)", "public class $A { $$$ }", "public void $F($$$) { $$$ }", "@Override",
        "try { $$$ } catch ($E $e) { $$$ }", "catch (Exception $E) { $$$ }", "new $A($$$)", "System.out.println($$$)",
        "if ($A == null) { $$$ }", "List<$T> $A = new ArrayList<>()", "$T $A = $B;", "import $A;",
        "interface $A { $$$ }", "switch ($A) { $$$ }", "return $A;", "@Autowired private $T $F;",
    ),
    "go": (
        "if err != nil { $$$ }", "$A, err := $B", "func ($R $T) $F($$$) $$$ { $$$ }", "type $A struct { $$$ }",
        "interface{}", "defer $A", "go func() { $$$ }()", "fmt.Println($$$)", "for { $$$ }", "select { $$$ }",
        "switch $A { $$$ }", "func $F($$$) error { $$$ }", "map[string]$T", "case $A: $$$", "panic($A)", "$A.($T)",
        'import "$A"', "var $A $T",
    ),
    "rust": (
        "impl $A { $B }",
        "$A.unwrap()", "fn $F($$$) { $$$ }", "impl $A for $B { $$$ }", "unsafe { $$$ }", "println!($$$)",
        "match $A { $$$ }", "let $A = $B;", "#[derive($$$)]", "pub fn $F($$$) -> $R { $$$ }", "struct $A { $$$ }",
        "use $A;", "enum $A { $$$ }", "$A?", "if let Some($A) = $B { $$$ }", "trait $T { $$$ }", "mod tests { $$$ }",
        "todo!()", "vec![$$$]", "$A as $T", "async fn $F($$$) { $$$ }",
    ),
    "c": (
        "if ($A) { $$$ }", "struct $A { $$$ };", "int $F($$$) { $$$ }", "$A = malloc($B);", "#define $A $B",
        "while ($A) $B", "$T *$A;", "typedef struct { $$$ } $A;", "switch ($A) { $$$ }", "goto $A;",
    ),
    "cpp": (
        "class $A { $$$ };", "new $T($$$)", "std::cout << $A", "template <typename $T> $$$", "delete $A;",
        "auto $A = $B;", "for (auto $A : $B) { $$$ }", "namespace $A { $$$ }", "$A->$B($$$)", "using namespace std;",
        "catch (...) { $$$ }", "try { $$$ } catch (...) { $$$ }",
    ),
    "csharp": (
        "class $A { $$$ }", "public async Task $F($$$) { $$$ }", "async void $F($$$) { $$$ }", "$A.Result",
        "new HttpClient()", "try { $$$ } catch { $$$ }", "using ($A) { $$$ }", "var $A = $B;",
        "Console.WriteLine($$$)", "[HttpGet]", "foreach (var $A in $B) { $$$ }", "$A?.$B", "lock ($A) { $$$ }",
    ),
    "typescript": (
        "class $A { $$$ }", "$A as any", "interface $A { $$$ }", "type $A = $B", "const $A: any = $B",
        "function $F($$$): any { $$$ }", "enum $A { $$$ }", "try { $$$ } catch ($E) { $$$ }", "try { $$$ } catch { }",
        "@Component($$$)", "class $A { constructor($$$) { $$$ } }", 'import $A from "$B"', 'import { $$$ } from "$B"',
        "export default $A", "useEffect($$$)", "async ($$$) => { $$$ }", "switch ($A) { $$$ }", "if ($A) $B", "$A!",
        "new Promise(async ($$$) => { $$$ })", "for (const $A of $B) { $$$ }", "abstract class $A { $$$ }",
        "export const $A = ($$$) => $B", "({ $A: $B })", "{ $A: $B }", "$A satisfies $T", "let $A: $T", "<T>$A",
        "$A ?? $B", "throw $A", "while (true) { $$$ }", "$A ? $B : $C", "class $A extends $B { $$$ }",
        "class $A { $F($$$) { $$$ } }", "class $A { private $F: $T; $$$ }",
    ),
    "tsx": (
        "<div $$$>$$$</div>", "<$A />", "<img $$$ />", "<div style={$A}>$$$</div>", "dangerouslySetInnerHTML={$A}",
        "<>$$$</>", '<div className="$A">$$$</div>', "<Foo {...$A} />", "<$C onClick={() => $A} />",
        "useState<$T>($A)", "const $A = () => { return <div>$$$</div> }",
    ),
    "python": (
        "def $F($$$): $$$", "class $A: $$$", "class $A($B): $$$", "try:\n    $$$\nexcept: $$$", "except: $$$",
        "import $A", "from $A import $$$", "print($$$)", "with open($A) as $B: $$$", "for $A in $B: $$$",
        "lambda $A: $B", "@$D\ndef $F($$$): $$$", "async def $F($$$): $$$", "$A == None", "[$A for $B in $C]",
        "raise $E", "assert $A", "if $A: $$$", "while True: $$$", "def $F($A=[]): $$$", "def $F($A={}): $$$",
        "$A: $T = $B", 'f"$A"', "global $A", "except Exception as $E:\n    pass",
        "try:\n    $$$A\nexcept $E:\n    pass", "def $F($$$) -> $R: $$$", "subprocess.run($$$, shell=True, $$$)",
        "open($A, $$$)", '{"$A": $B}', "type($A) == $B", "return $A", "yield $A", "match $A:\n    case $B: $$$",
        "del $A", "x = $A if $B else $C", "print $A", "exec $A",
    ),
    "kotlin": (
        "fun $F($$$) { $$$ }", "class $A { $$$ }", "$A!!", "val $A = $B", "println($$$)", "when ($A) { $$$ }",
        "GlobalScope.launch { $$$ }", "try { $$$ } catch (e: Exception) { $$$ }", "object $A { $$$ }",
    ),
    "swift": (
        "func $F($$$) { $$$ }", "try! $A", "$A!", "class $A { $$$ }", "guard let $A = $B else { $$$ }", "let $A = $B",
        "print($$$)", "struct $A: View { $$$ }", "DispatchQueue.main.async { $$$ }",
    ),
    "ruby": (
        "def $A($$$)\n  $$$\nend", "class $A\n $$$\nend", "puts $A", "$A.each do |$B|\n $$$\nend", "binding.pry",
        "rescue => e", "begin\n $$$\nrescue\n $$$\nend", "if $A\n $$$\nend", "$A.map { $$$ }",
    ),
    "php": (
        "eval($A)", "var_dump($$$)", "<?php $A", "function $F($$$) { $$$ }", "class $A { $$$ }", "$A->$B($$$)",
        "new $A($$$)", "echo $A;",
    ),
    "bash": (
        "rm -rf $A", "eval $A", "if [ $A ]; then $$$ fi", "$(echo $A)",
    ),
    "scala": (
        "def $F($$$) = $A", "class $A { $$$ }", "object $A { $$$ }", "$A.get", "var $A = $B", "println($$$)",
    ),
    "lua": (
        "print($$$)", "local $A = $B", "function $F($$$) $$$ end", "if $A then $$$ end",
    ),
    "elixir": (
        "IO.inspect($$$)", "def $F($$$) do $$$ end", "defmodule $A do $$$ end", "$A |> $B",
    ),
    "haskell": (
        "undefined", "$A = $B", "head $A",
    ),
    "css": (
        "$A { $$$ }", "color: $A;", "color: red", ".foo { color: $C; }",
    ),
    "html": (
        "<div>$$$</div>", '<img src="$A">', "<script>$$$</script>",
    ),
    "json": (
        '{"a": $A}', '"a": $A',
    ),
    "yaml": (
        "a: $A", "- $A",
    ),
    "javascript": (
        "var $A = $B", "$A == $B", "require($A)", "module.exports = $A", "debugger", "label: $A", "with ($A) { $$$ }",
        "`$A`", "async function $F($$$) { $$$ }", "function* $F($$$) { $$$ }", "import($A)", "({ $$$ }) => $A",
        "[$$$]", "delete $A.$B", "for (var $A in $B) $$$", "class $A { static $B = $C }", "get $A() { $$$ }",
    ),
}
# fmt: on

# Each with code that its author intends to match, and that it does not match.
BROKEN = (
    ("python", "class $$$($$$): { $$$ is_active = $_ $$$ }", "class A(B):\n    is_active = x\n"),
    ("python", "$A && $B", "a and b"),
    ("python", "const $A = $B", "a = b"),
    ("typescript", "if ($A) $B else $C", "if (a) b(); else c();"),
    ("go", "for $A in $B { $$$ }", "package a\nfunc f() { for range b { c() } }"),
    ("rust", "var $A = $B", "fn f() { let a = b; }"),
)


@pytest.mark.parametrize("language", USABLE)
def test_usual_pattern_is_not_broken(language: str) -> None:
    assert [pattern for pattern in USABLE[language] if shape_of(pattern, language) is PatternShape.BROKEN] == []


@pytest.mark.parametrize(("language", "pattern", "code"), BROKEN)
def test_error_within_a_pattern_makes_it_broken(language: str, pattern: str, code: str) -> None:
    assert shape_of(pattern, language) is PatternShape.BROKEN
    parsed = ParsedText(code, language)
    assert not parsed.has_errors
    assert parsed.find_all(pattern, 1) == ()
