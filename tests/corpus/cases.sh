# cases.sh: what scripts that try the program as a command share; they set `work`, a folder
# of their own, and read `passed` and `failed` at their end.
# shellcheck shell=sh disable=SC2034,SC2154
passed=0 failed=0

verdict() { # status, what was checked
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "failed: $2"
        failed=$((failed + 1))
    fi
}
# Runs the program and holds its status against the wanted one.
leaves() { # wanted status, arguments
    wanted=$1
    shift
    timeout 120 "$CRASHLIT" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ]
    verdict $? "\`crashlit $*\` leaves with $wanted (it was $status)"
}
out_has() { grep -q -e "$1" "$work/out"; verdict $? "its output has a line with $1"; }
out_lines() { # pattern, how many lines
    count=$(grep -c -e "$1" "$work/out")
    [ "$count" -eq "$2" ]
    verdict $? "its output has $2 lines with $1 (there were $count)"
}
