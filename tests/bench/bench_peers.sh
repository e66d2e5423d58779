#!/bin/sh
# bench_peers.sh: herd7 and crashlit on the same files, one after the other. Without
# herd7 on PATH it says so and measures crashlit alone.
#
#   BENCH_LIMIT     seconds a run of a family may take (60)
#   BENCH_FAMILIES  which of c_families.awk, or "none" (all)
#   BENCH_RUNS      runs of a suite, in turn where there are two tools; medians count (5)
#   BENCH_MOST      most threads tried (64, what a test may have)
#   PEERS           folder of other tools' tests (../shared/peers)
#   HERD7_FLAGS, CRASHLIT_FLAGS  further options of the two
#
# Leaves with 1 when the two tools answer one question differently, 0 otherwise.
set -u
limit=${BENCH_LIMIT:-60}
families=${BENCH_FAMILIES:-sb iriw 2+2w mp count}
runs=${BENCH_RUNS:-5}
most=${BENCH_MOST:-64}
peers=${PEERS:-../shared/peers}
herd_flags="-model rc11.cat ${HERD7_FLAGS:-}"
crashlit_flags=${CRASHLIT_FLAGS:-}
differ=0 compared=0 have_herd7=0

mkdir -p "$WORK"
if command -v herd7 >/dev/null; then
    have_herd7=1
    echo "herd7 $(herd7 -version | head -n 1), model rc11.cat; options: ${HERD7_FLAGS:-none}"
else
    echo "herd7 is skipped: it is not on PATH"
fi
echo "$("$CRASHLIT" --version | head -n 1), model rc11; options: ${crashlit_flags:-none}"

# Flags are several words. The output of a run is in $WORK/out.TOOL.
# shellcheck disable=SC2086
run_herd7() { # seconds, files...
    run_seconds=$1
    shift
    "$MEASURE" -t "$run_seconds" -o "$WORK/out.herd7" -- herd7 $herd_flags "$@" 2>"$WORK/err.herd7"
}
# shellcheck disable=SC2086
run_crashlit() { # seconds, files...
    run_seconds=$1
    shift
    "$MEASURE" -t "$run_seconds" -o "$WORK/out.crashlit" -- \
        "$CRASHLIT" check --format herd -m rc11 -p none $crashlit_flags "$@" 2>"$WORK/err.crashlit"
}

# ---- Suites, in one process ----

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }
middle() { sort -n | awk '{ line[NR] = $0 } END { print line[int((NR + 1) / 2)] }'; }
repeat() { # a command that prints a line of measure
    repeated=0
    while [ "$repeated" -lt "$runs" ]; do
        "$@"
        repeated=$((repeated + 1))
    done
}
# The line of the run with the median time: seconds, cpu, peak, status.
median_of() { repeat "$@" | middle; }
row() { printf '%-10s %12s %12s %12s %8s\n' "$@"; }

# shellcheck disable=SC2086,SC2317
all_by_crashlit() { # answers, model
    "$MEASURE" -t 600 -- "$CRASHLIT" peers --expected "$1" -m "$2" $crashlit_flags "$peers" \
        2>"$WORK/err.crashlit"
}
# shellcheck disable=SC2046,SC2317
all_by_herd7() { run_herd7 600 $(cat "$WORK/readable"); }

compare() { # file, answer of herd7, answer of crashlit
    [ -n "$2" ] && [ -n "$3" ] || return
    compared=$((compared + 1))
    [ "$2" != "$3" ] || return
    echo "different: $1: herd7 $2, crashlit $3"
    differ=1
}
answer() { grep -m 1 -x -e Ok -e No "$1"; }
observation() { sed -n '/^Observation [^ ]* Unknown /d; s/^Observation [^ ]* \([A-Z][a-z]*\) .*/\1/p' "$1"; }
# What is compared: Always, Sometimes or Never, which races leave alone; but a tool that
# was told not to list all states has only its answer.
result() { if [ -n "${HERD7_FLAGS:-}$crashlit_flags" ]; then answer "$1"; else observation "$1"; fi; }
# Each test in a process of its own. Notes what herd7 can read, and the times.
each_alone() {
    for list in readable readable.csv alone out.herd7; do
        : >"$WORK/$list"
    done
    while read -r line; do
        file=$peers/${line%,*}
        theirs='0 '
        if [ "$have_herd7" = 1 ]; then
            theirs=$(run_herd7 60 "$file")
            [ -n "$(observation "$WORK/out.herd7")" ] || continue
        fi
        echo "$file" >>"$WORK/readable"
        echo "$line" >>"$WORK/readable.csv"
        echo "${theirs%% *} $(run_crashlit 60 "$file")" >>"$WORK/alone"
        compare "$file" "$(result "$WORK/out.herd7")" "$(result "$WORK/out.crashlit")"
    done <"$peers/expected/RC11.csv"
}

# A machine that is slower for a while is so for both, and a ratio is of one turn.
in_turn() {
    turn=0
    while [ "$turn" -lt "$runs" ]; do
        theirs='- - - -'
        [ "$have_herd7" = 0 ] || theirs=$(all_by_herd7)
        echo "$theirs $(all_by_crashlit "$WORK/readable.csv" rc11)"
        turn=$((turn + 1))
    done
}
columns() { for column; do awk -v c="$column" '{ print $c }' "$WORK/turns" | middle; done; }
ratio_of() {
    awk -v a="$1" -v b="$2" '$b > 0 { print $a / $b }' "$WORK/turns" | middle |
        awk '{ printf "%.1f", $1 }'
}

suite_c11() {
    each_alone
    echo
    echo "C11: $(wc -l <"$WORK/readable") of $(wc -l <"$peers/expected/RC11.csv") tests" \
        "(those that herd7 reads, when it is there), one process each, in turn, medians of $runs"
    row "" seconds cpu peak-KiB status
    in_turn >"$WORK/turns"
    # shellcheck disable=SC2046
    row herd7 $(columns 1 2 3 4)
    # shellcheck disable=SC2046
    row crashlit $(columns 5 6 7 8)
    [ "$have_herd7" = 0 ] || row ratio "$(ratio_of 1 5)" "$(ratio_of 2 6)" "$(ratio_of 3 7)" ""
    echo "a process for each test, mean seconds: $(awk '{ theirs += $1; ours += $2 }
        END { if (theirs) printf "herd7 %.4f, ", theirs / NR; if (NR) printf "crashlit %.4f", ours / NR
              if (theirs && ours) printf ", ratio %.1f", theirs / ours }' "$WORK/alone")"
    echo "answers compared with those of herd7: $compared"
}

suite_ptx() {
    echo
    if ! "$CRASHLIT" models | grep -q '^visibility *ptx '; then
        echo "PTX: skipped, there is no model ptx"
        return
    fi
    echo "PTX: $(wc -l <"$peers/expected/PTXv6_0.csv") tests, one process, median of $runs"
    row "" seconds cpu peak-KiB status
    # shellcheck disable=SC2046
    row crashlit $(median_of all_by_crashlit "$peers/expected/PTXv6_0.csv" ptx)
}

if [ -d "$peers/expected" ]; then
    suite_c11
    suite_ptx
else
    echo "suites: skipped, there is no $peers"
fi

# ---- Families: the most threads within the limit ----

# Why a run does not count, or nothing. A witness found before a doubt arose decides the
# verdict, but the states are not all there.
fault_of() { # tool, status
    case $1,$2 in
    herd7,0 | crashlit,0 | crashlit,1)
        if [ -z "$(answer "$WORK/out.$1")" ]; then
            echo unanswered
        elif grep -q '^Doubt ' "$WORK/out.$1"; then
            echo doubt
        fi
        ;;
    *) echo "$2" ;;
    esac
}
# One tool at one n. Sets figures, and of the tool: going_, n_, seconds_ and kib_.
try() { # tool, n, file
    figures="- -"
    : >"$WORK/out.$1"
    eval "[ \$going_$1 = 1 ]" || return
    measured=$("run_$1" "$limit" "$3")
    # shellcheck disable=SC2086
    set -- "$1" "$2" $measured
    fault=$(fault_of "$1" "$6")
    figures="${fault:-$3} $5"
    if [ -z "$fault" ]; then
        eval "n_$1=$2 seconds_$1=$3 kib_$1=$5"
    else
        eval "going_$1=0"
    fi
}
step_of() { [ "$1" = iriw ] && echo 2 || echo 1; }
# With a + when no run went over the limit, so that more might do.
most_of() { # tool
    eval "echo \$n_$1\$([ \$going_$1 = 0 ] || echo +) \$seconds_$1 \$kib_$1"
}
# shellcheck disable=SC2034
family() { # name
    going_herd7=$have_herd7 going_crashlit=1
    n_herd7=0 seconds_herd7=- kib_herd7=- n_crashlit=0 seconds_crashlit=- kib_crashlit=-
    n=$((2 * $(step_of "$1")))
    echo
    printf '%-12s %12s %12s %12s %12s\n' "$1, threads" herd7-s herd7-KiB crashlit-s crashlit-KiB
    while [ $((going_herd7 + going_crashlit)) -gt 0 ] && [ "$n" -le "$most" ]; do
        file=$WORK/c-$1-$n.litmus
        awk -v family="$1" -v n="$n" -f tests/bench/c_families.awk >"$file"
        try herd7 "$n" "$file"
        theirs=$figures
        try crashlit "$n" "$file"
        # shellcheck disable=SC2086
        printf '%-12s %12s %12s %12s %12s\n' "$n" $theirs $figures
        compare "$file" "$(answer "$WORK/out.herd7")" "$(answer "$WORK/out.crashlit")"
        n=$((n + $(step_of "$1")))
    done
    echo "$1 $(most_of herd7) $(most_of crashlit) $(ratio "$n_crashlit" "$n_herd7")" >>"$WORK/summary"
}

[ "$families" != none ] || exit "$differ"
: >"$WORK/summary"
for name in $families; do
    family "$name"
done
echo
echo "most threads within $limit seconds and that run's figures; + where none of up to $most took longer"
{
    echo "family herd7-n seconds KiB crashlit-n seconds KiB n-ratio"
    cat "$WORK/summary"
} | while read -r a b c d e f g h; do
    printf '%-8s %8s %10s %10s %11s %10s %10s %8s\n' "$a" "$b" "$c" "$d" "$e" "$f" "$g" "$h"
done
echo "answers compared with those of herd7: $compared"
exit "$differ"
