#!/bin/sh
# layout.sh FILE...: is each laid out as .clang-format says? Releases of clang-format differ in what
# they make of it, so it is one, LAYOUT; `make format` mends.
set -u
command -v "$LAYOUT" >/dev/null || {
    echo "skipped: there is no $LAYOUT"
    echo "0 passed, 0 failed"
    exit 0
}
passed=0 failed=0
for file in "$@"; do
    if "$LAYOUT" "$file" | cmp -s - "$file"; then
        passed=$((passed + 1))
    else
        echo "$file: not as $LAYOUT lays it out; make format"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
