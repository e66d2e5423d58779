#!/bin/sh
# symmetry.sh VERIFY [COUNT]: the enumerator with the symmetry of programs against the enumerator
# without, on the tests below litmus/ that take no time and on COUNT seeded random programs whose
# work-items are interchangeable, or nearly so. Then flaws are put into the symmetry, which must
# show.
set -u
verify=$1 count=${2:-100} seed=${SEED:-1}
work=$WORK/symmetry
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/random"

# Comparisons that agree count as passed; a few may meet a limit.
compare() { # title, fewest tests with a symmetry, files
    title=$1 fewest=$2
    shift 2
    rm -f "$work"/portion.*
    # shellcheck disable=SC2016 # the inner shell's own words
    printf '%s\n' "$@" | xargs -n 25 -P "$(nproc)" sh -c 'portion=$0.$$
        "$@" >"$portion" 2>&1 || echo failed >>"$portion"' "$work/portion" "$verify"
    sum=$(cat "$work"/portion.* | awk '
        / agree, .* of them$/ { agree += $1; differ += $3; open += $5; symmetric += $7; all += $9; few += $11 }
        /^failed$/ { broken++ }
        END {
            if (!differ) differ = broken
            printf "%d agree, %d differ, %d open, %d symmetric, %d executions, %d of them\n",
                agree, differ, open, symmetric, all, few
        }')
    echo "$title: $sum"
    # shellcheck disable=SC2046
    set -- $(echo "$sum" | sed 's/[^0-9 ]//g')
    passed=$((passed + ${1:-0}))
    if [ "${2:-1}" -gt 0 ] || [ "${3:-1}" -gt $((${1:-0} / 20)) ] || [ "${4:-0}" -lt "$fewest" ] ||
        [ "${6:-0}" -ge "${5:-0}" ]; then
        failed=$((failed + (${2:-0} > 0 ? $2 : 1)))
        cat "$work"/portion.* | grep -v ' agree, .* of them$' | head -n 20
    fi
}

# A flaw must be found.
catch() { # flaw, files
    if "$verify" -b "$@" >"$work/out" 2>&1 || ! grep -q ' agree, [1-9][0-9]* differ,' "$work/out"; then
        failed=$((failed + 1))
        echo "failed: the flaw $1 is not found"
        tail -n 3 "$work/out"
    else
        passed=$((passed + 1))
    fi
}

number=0
while [ "$number" -lt "$count" ]; do
    awk -v seed=$((seed * 100000 + number)) -f tests/corpus/draw.awk -f tests/corpus/symmetry.awk >"$work/random/$number.litmus"
    number=$((number + 1))
done
compare "tests of litmus/" 10 litmus/locks/*.litmus litmus/spb/*.litmus litmus/hrf-relaxed/*.litmus litmus/opencl/*.litmus
compare "$count random programs (seed $seed)" $((count / 2)) "$work"/random/*.litmus
for flaw in first place line constant; do
    catch "$flaw" "$work"/random/*.litmus
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
