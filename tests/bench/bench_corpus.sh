#!/bin/sh
# bench_corpus.sh: tests a second over a corpus of generated small tests (corpus.awk), in one and in
# two worker processes, whose outputs have to be the same but for time and memory.
#
#   BENCH_COUNT   tests (10000)
#   BENCH_REPEAT  runs of each kind, of which the median is given (3)
#
# Leaves with 1 when the outputs differ or a run fails.
set -u
count=${BENCH_COUNT:-10000} repeat=${BENCH_REPEAT:-3} failed=0
rm -rf "$WORK/corpus"
mkdir -p "$WORK/corpus"
awk -v count="$count" -v seed=1 -v folder="$WORK/corpus/tests" -f tests/bench/corpus.awk
steady() { sed 's/"seconds":[^,}]*//; s/"peak_kib":[^,}]*//'; }

# Wall seconds, processor seconds, peak in KiB (of the largest process) and status of one run.
run() { # jobs
    "$MEASURE" -t 600 -o "$WORK/corpus/out.$1" -- "$CRASHLIT" check --format json -j "$1" "$WORK/corpus/tests"
}

for jobs in 1 2; do
    number=0
    while [ "$number" -lt "$repeat" ]; do
        run "$jobs"
        number=$((number + 1))
    done | sort -n >"$WORK/corpus/times"
    awk -v jobs="$jobs" -v count="$count" '
        { wall[NR] = $1; if ($3 > peak) peak = $3; if ($4 != 0 && $4 != 1) bad = $4 }
        END {
            middle = wall[int((NR + 1) / 2)]
            printf "%d tests, -j %d: %.2f s, %.0f tests a second, peak of a process %.1f MiB%s\n", count, jobs, middle,
                count / middle, peak / 1024, bad ? ", status " bad : ""
            exit bad != ""
        }' "$WORK/corpus/times" || failed=1
done
steady <"$WORK/corpus/out.1" >"$WORK/corpus/one"
steady <"$WORK/corpus/out.2" | cmp - "$WORK/corpus/one" || failed=1
[ "$(wc -l <"$WORK/corpus/one")" -eq "$count" ] || failed=1
[ "$failed" -eq 0 ] && echo "output is the same with one worker and with two"
exit "$failed"
