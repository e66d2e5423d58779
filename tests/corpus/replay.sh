#!/bin/sh
# replay.sh PROGRAM...: each replay program on its target's seeds, file by file, and
# on every test and model of the tree.
set -u
passed=0 failed=0
for program in "$@"; do
    target=${program##*/replay_}
    for input in "tests/fuzz/seeds/${target#fuzz_}"/* litmus/*/*.litmus models/*.cat models/*/*.cat \
        tests/malformed/*/*.litmus tests/malformed/*/*.cat; do
        [ -f "$input" ] || continue
        if timeout 60 "$program" "$input" >/dev/null; then
            passed=$((passed + 1))
        else
            echo "$target fails on $input"
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
