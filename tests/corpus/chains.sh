#!/bin/sh
# chains.sh ORACLE VERIFY [COUNT]: the chains of crashes and recoveries that each engine gives,
# replayed run by run: on every test of litmus/recovery, and on COUNT seeded random programs with a
# recovery (of the program ORACLE). Then flaws are put into them, which must show.
set -u
oracle=$1 verify=$2 count=${3:-60} seed=${SEED:-1}
work=$WORK/chains
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/random"

# Every true chain counts as passed; there must be some.
replay() { # title, arguments of VERIFY
    title=$1
    shift
    summed "$title" "$verify" "$@"
    # shellcheck disable=SC2086
    set -- $numbers
    passed=$((passed + ${1:-0}))
    if [ "$status" -ne 0 ] || [ "${1:-0}" -eq 0 ]; then
        failed=$((failed + ${2:-1} + ${3:-1}))
        head -n 20 "$work/out"
    fi
}

# Of the chains that have a flaw put into them, none is taken for a true one.
catch() { # flaw, files
    flaw=$1
    shift
    "$verify" -b "$flaw" "$@" >"$work/out" 2>&1
    if grep -q '^0 true, [1-9][0-9]* false,' "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: the flaw $flaw is not found: $(tail -n 1 "$work/out")"
    fi
}

number=0
while [ "$number" -lt "$count" ]; do
    "$oracle" --recovery --print "$number" --seed "$seed" >"$work/random/$number.litmus"
    number=$((number + 1))
done
replay "tests of litmus/recovery" litmus/recovery/*.litmus
replay "$count random programs (seed $seed)" "$work"/random/*.litmus
replay "the same under sc" -m sc -p buffered-epoch "$work"/random/*.litmus
for flaw in start end read short; do
    catch $flaw litmus/recovery/add-pending-restarted.litmus
done
catch lost litmus/recovery/torn-entry.litmus
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
