#!/bin/sh
# warnings.sh: all C of src, of the unit tests and the oracle compiles without a warning under gcc and clang.
set -u
passed=0 failed=0
for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null; then
        echo "$compiler is not here; left out"
    elif $RUN_MAKE -k "MODE=strict-$compiler" objects; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
