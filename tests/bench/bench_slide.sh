#!/bin/sh
# bench_slide.sh [record]: what runs cost, beside what they cost when that was last recorded, in tests/bench/recorded.txt;
# `record` writes that file instead. No times: these are of one machine and one hour.
#
#   instructions  of the library on one thread, as valgrind counts them; left out without valgrind
#   ratio         processor time of the program to that of a yardstick, the two in turn: the median of BENCH_PAIRS pairs (9)
#
# What costs more than recorded by MORE_INSTRUCTIONS (3) or MORE_RATIO (25) percent is a warning, with the figures. Nothing fails:
# whoever meant it records it, whoever did not looks for the cause.
set -u
pairs=${BENCH_PAIRS:-9} recorded=tests/bench/recorded.txt now=$WORK/slide.now
mkdir -p "$WORK"
: >"$now"

# What both are measured with: arithmetic and texts, some 60 ms of it.
# shellcheck disable=SC2016
yardstick() { "$MEASURE" -- awk 'BEGIN { for (i = 0; i < 300000; i++) { s += i % 7; if (i % 16 == 0) t[i % 512] = t[i % 512] "x" } }'; }

ratio() { # name, arguments of the program
    name=$1 pair=0
    shift
    while [ "$pair" -lt "$pairs" ]; do
        echo "$("$MEASURE" -- "$CRASHLIT" "$@" 2>/dev/null) $(yardstick)"
        pair=$((pair + 1))
    done | awk '$6 > 0 { print $2 / $6 }' | sort -n |
        awk -v name="$name" '{ v[NR] = $1 } END { if (NR) printf "ratio %s %.3f\n", name, v[int((NR + 1) / 2)] }' >>"$now"
}

instructions() { # name, files
    name=$1
    shift
    command -v valgrind >/dev/null || return
    valgrind --tool=callgrind --callgrind-out-file="$WORK/slide.callgrind" "$COUNTED" "$@" >/dev/null 2>&1
    awk -v name="$name" '$1 == "totals:" { printf "instructions %s %d\n", name, $2 }' "$WORK/slide.callgrind" >>"$now"
}

awk -v count=1000 -v seed=1 -v folder="$WORK/slide" -f tests/bench/corpus.awk
ratio litmus-spb check --format json litmus/spb
ratio litmus-c11 check --format json litmus/c11
ratio generated-1000 check --format json "$WORK/slide"
instructions kv-insert litmus/spb/kv-insert.litmus
instructions c11 litmus/c11/*.litmus

if [ "${1:-}" = record ]; then
    cp "$now" "$recorded"
    cat "$recorded"
    exit 0
fi
awk -v instructions="${MORE_INSTRUCTIONS:-3}" -v ratio="${MORE_RATIO:-25}" '
    NR == FNR { was[$1 " " $2] = $3; next }
    BEGIN { printf "%-14s %-16s %12s %12s %8s\n", "kind", "what", "recorded", "now", "percent" }
    !(($1 " " $2) in was) { printf "%-14s %-16s %12s %12s\n", $1, $2, "-", $3; next }
    {
        old = was[$1 " " $2]
        more = old > 0 ? 100 * ($3 / old - 1) : 0
        slid = more > ($1 == "ratio" ? ratio : instructions)
        printf "%-14s %-16s %12s %12s %+8.1f%s\n", $1, $2, old, $3, more, slid ? "  warning: costs more than recorded" : ""
    }' "$recorded" "$now"
