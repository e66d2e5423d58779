#!/bin/sh
# bench.sh: whole-process figures, printed as tables.
#
#   BENCH_LIMIT     seconds a run may take (10); a family ends at its first run over it
#   BENCH_FAMILIES  which families (all)
#   BENCH_RUNS      runs of the corpus, of which the fastest counts (5)
set -u
limit=${BENCH_LIMIT:-10}
families=${BENCH_FAMILIES:-sb mp 2+2w persist epochs}
runs=${BENCH_RUNS:-5}
mkdir -p "$WORK"

echo "corpus: all of litmus/ in one process, fastest of $runs"
printf '%-18s %10s %10s %10s %8s\n' jobs seconds cpu peak-KiB status
for jobs in 1 2; do
    i=0
    while [ "$i" -lt "$runs" ]; do
        "$MEASURE" -t 600 "$CRASHLIT" check -j $jobs --format json litmus
        i=$((i + 1))
    done | sort -n | head -n 1 | while read -r wall cpu peak status; do
        printf '%-18s %10s %10s %10s %8s\n' "$jobs" "$wall" "$cpu" "$peak" "$status"
    done
done
echo "tests: $(find litmus -name '*.litmus' | wc -l)," \
    "results: $("$CRASHLIT" check --format json litmus 2>/dev/null | wc -l)"

for family in $families; do
    echo
    printf '%-18s %10s %10s %10s %8s %12s %12s\n' "$family, n" seconds cpu peak-KiB status \
        candidates consistent
    # By ones while it matters, then in larger steps.
    for n in 2 3 4 5 6 7 8 9 10 11 12 14 16 20 24 32 48 64 96 128 256; do
        test=$WORK/$family-$n.litmus
        awk -v family="$family" -v n="$n" -f tests/bench/families.awk >"$test"
        figures=$("$MEASURE" -t "$limit" "$CRASHLIT" check --format json "$test" 2>"$WORK/messages")
        # shellcheck disable=SC2086
        set -- $figures
        counts=
        if [ "$4" != limit ]; then
            counts=$("$CRASHLIT" check --format json "$test" 2>/dev/null |
                sed -n 's/.*"candidates": *\([0-9]*\).*"consistent": *\([0-9]*\).*/\1 \2/p')
        fi
        # shellcheck disable=SC2086
        printf '%-18s %10s %10s %10s %8s %12s %12s\n' "$n" "$1" "$2" "$3" "$4" ${counts:-- -}
        if [ "$4" = limit ] || [ "$4" = 2 ] || [ "$4" -gt 3 ]; then
            head -n 3 "$WORK/messages"
            break
        fi
    done
done
