#!/bin/sh
# replay.sh PROGRAM...: each replay program on its target's seeds, file by file, on every
# test and model of the tree, and on inputs with long tokens.
set -u
long=$WORK/replay
mkdir -p "$long"
LC_ALL=C awk -v out="$long" -f tests/fuzz/write.awk -f tests/fuzz/long_tokens.awk >"$long/outcomes" || { echo "0 passed, 1 failed"; exit 1; }
passed=0 failed=0
for program in "$@"; do
    target=${program##*/replay_}
    for input in "tests/fuzz/seeds/${target#fuzz_}"/* litmus/*/*.litmus models/*.cat models/*/*.cat \
        tests/malformed/*/*.litmus tests/malformed/*/*.cat "$long"/*.litmus "$long"/*.cat; do
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
