#!/bin/sh
# reduce.sh ORACLE VERIFY [COUNT]: machines with their reduction against whole explorations, on every
# test of litmus/spb and on COUNT seeded random programs (of the program ORACLE), racy ones too, on
# all built-in machines in all crash modes; and pipelines on the tests of their mechanisms. Then
# flaws are put into the reduction, which must show on each machine.
set -u
oracle=$1 verify=$2 count=${3:-40} seed=${SEED:-1}
work=$WORK/reduce
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/random"

# Comparisons that agree count as passed; a few may meet a limit.
compare() { # title, spare, arguments of VERIFY
    title=$1 spare=$2
    shift 2
    summed "$title" "$verify" "$@"
    # shellcheck disable=SC2086
    set -- $numbers
    passed=$((passed + ${1:-0}))
    if [ "$status" -ne 0 ] || [ "${1:-0}" -eq 0 ] || [ "${3:-1}" -gt "$spare" ]; then
        failed=$((failed + (${2:-0} > 0 ? $2 : 1)))
        head -n 20 "$work/out"
    fi
}

# A flaw must be found.
catch() { # flaw, machine, files
    if "$verify" -b "$@" >"$work/out" 2>&1 || ! grep -q ' agree, [1-9][0-9]* differ,' "$work/out"; then
        failed=$((failed + 1))
        echo "failed: the flaw $1 is not found on $3"
    else
        passed=$((passed + 1))
    fi
}

number=0
while [ "$number" -lt "$count" ]; do
    "$oracle" --print "$number" --seed "$seed" >"$work/random/$number.litmus"
    ! grep -q __cm "$work/random/$number.litmus" || rm "$work/random/$number.litmus" # no machine has it
    number=$((number + 1))
done
compare "tests of litmus/spb" 0 litmus/spb/*.litmus
compare "$count random programs (seed $seed)" $((count / 20)) "$work"/random/*.litmus
# Pipelines, each on the tests of its mechanism.
for pair in gpm:gpm gpm-ddio:gpm gpm-eadr:gpm gpm-window:gpm lin-adr:lin lin-wpq:lin kiln:kiln sbrp:sbrp strand:strand \
    strand-stores:strand px86:px86 px86-eadr:px86 chen-baseline:helper-warps chen-helper:helper-warps \
    chen-per-block:helper-warps; do
    compare "tests of litmus/${pair#*:} on ${pair%:*}" 0 -m "${pair%:*}" litmus/"${pair#*:}"/*.litmus
done
for flaw in hasty eager forgetful; do
    for pair in gpm:gpm lin-wpq:lin kiln:kiln sbrp:sbrp strand:strand px86:px86 chen-helper:helper-warps; do
        # shellcheck disable=SC2046
        catch $flaw -m "${pair%:*}" $(ls litmus/"${pair#*:}"/*.litmus | head -n 40)
    done
done
for flaw in hasty eager forgetful; do
    for machine in nvw-fifo nvw-fifo-one-unit nvw-fifo-small ideal-sc bpfs bpfs-no-wait; do
        catch $flaw -m $machine litmus/spb/def*.litmus litmus/spb/flag*.litmus \
            litmus/spb/fig4*.litmus litmus/spb/rmw-count*.litmus litmus/spb/undo-log*.litmus
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
