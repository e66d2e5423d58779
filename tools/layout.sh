#!/bin/sh
# layout.sh FILE...: is each laid out as .clang-format says? Releases of clang-format differ in what
# they make of it, so it is one, LAYOUT; `make format` mends.
set -u
command -v "$LAYOUT" >/dev/null || {
    echo "skipped: there is no $LAYOUT"
    echo "0 passed, 0 failed"
    exit 0
}
# A warning a place, "FILE:LINE:COLUMN: ..", of all files at once: starting it takes as long as reading a file.
said=$("$LAYOUT" --dry-run -Werror "$@" 2>&1)
status=$?
failed=0
for file in $(echo "$said" | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: .*/\1/p' | sort -u); do
    echo "$file: not as $LAYOUT lays it out; make format"
    failed=$((failed + 1))
done
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
    echo "$said"
    failed=$#
fi
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
