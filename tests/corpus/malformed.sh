#!/bin/sh
# malformed.sh: inputs that must be refused, with the exact text of the refusal. In
# each folder of tests/malformed, with CASE.expected beside it:
#
#   CASE.litmus   `crashlit check CASE.litmus`
#   CASE.cat      `crashlit check -m CASE.cat tests/malformed/sample.litmus`
#   CASE.machine  `crashlit check -e machine --machine CASE.machine tests/malformed/sample.litmus`
#   CASE.args     `crashlit ARGUMENTS` as the first line of CASE.args has them
#
# Run from the top of the tree, all paths from there. Standard error must equal
# CASE.expected, the status must be 2 (or the number in CASE.status). Every id of
# src/base/diag_*.def must appear in some .expected. A file without one must be used by
# another case. PROMOTE=1 rewrites the .expected files instead; read the difference
# before it is committed.
set -u
mkdir -p "$WORK"
passed=0 failed=0
fault() { echo "$*"; failed=$((failed + 1)); }
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards

run_one() { # input file
    name=${1%.*}
    case $1 in
    *.litmus) timeout 60 "$CRASHLIT" check "$1" ;;
    *.cat) timeout 60 "$CRASHLIT" check -m "$1" tests/malformed/sample.litmus ;;
    *.machine)
        timeout 60 "$CRASHLIT" check -e machine --machine "$1" tests/malformed/sample.litmus
        ;;
    *.args) eval "timeout 60 \"\$CRASHLIT\" $(head -n 1 "$1")" ;;
    esac >"$WORK/malformed.out" 2>"$WORK/malformed.err" </dev/null
    status=$?
    if [ "${PROMOTE:-0}" = 1 ]; then
        cp "$WORK/malformed.err" "$name.expected"
        [ "$status" -eq 2 ] || echo "$status" >"$name.status"
    fi
    wanted=2
    [ ! -f "$name.status" ] || wanted=$(cat "$name.status")
    if ! diff "$name.expected" "$WORK/malformed.err"; then
        fault "$1: standard error differs"
    elif [ "$status" -ne "$wanted" ]; then
        fault "$1: status $status, expected $wanted"
    else
        passed=$((passed + 1))
    fi
}

used_by_another() { # input file
    grep -rqF "$(basename "$1")" --include='*.cat' --include='*.args' --include='*.litmus' "$(dirname "$1")"
}

for input in tests/malformed/*/*.litmus tests/malformed/*/*.cat \
    tests/malformed/*/*.machine tests/malformed/*/*.args; do
    [ -f "$input" ] || continue
    if [ -f "${input%.*}.expected" ]; then
        run_one "$input"
    elif used_by_another "$input"; then
        :
    elif [ "${PROMOTE:-0}" = 1 ]; then
        run_one "$input"
    else
        fault "$input: no ${input%.*}.expected with the expected text"
    fi
done
for id in $(sed -n 's/^DIAG([A-Z_]*, "\(.*\)",$/\1/p' src/base/diag_*.def); do
    if cat tests/malformed/*/*.expected | grep -qF "[$id]"; then
        passed=$((passed + 1))
    else
        fault "no malformed input provokes $id"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
