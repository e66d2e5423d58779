#!/bin/sh
# editors.sh: the language server, with a scripted editor. Last line: N passed, N failed.
set -u
work=$WORK/editors
rm -rf "$work"
mkdir -p "$work/session"
work=$(cd "$work" && pwd)
passed=0 failed=0

# Takes the last line of a part, and shows what stands before it.
part() { # name, command
    name=$1
    shift
    "$@" >"$work/$name.log" 2>&1
    status=$?
    sed '$d' "$work/$name.log"
    line=$(tail -n 1 "$work/$name.log")
    case $line in
    *[0-9]" passed, "*[0-9]" failed")
        passed=$((passed + ${line%% *}))
        line=${line#*, }
        failed=$((failed + ${line%% *}))
        ;;
    *)
        echo "failed: $name left with $status: $line"
        failed=$((failed + 1))
        ;;
    esac
}
export PYTHONDONTWRITEBYTECODE=1
part session python3 tests/editors/lsp_session.py "$work/session"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
