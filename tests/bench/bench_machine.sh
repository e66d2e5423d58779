#!/bin/sh
# bench_machine.sh: the explorer of machines: states a second, bytes a state, and what the
# reduction leaves of them, on the tests of litmus/spb, or of its mechanism, and on families that grow
# (machine_families.awk). A run that met a limit is marked; its ratio is a lower bound.
#
#   BENCH_LIMIT     seconds a run may take (2; the corpus: ten times that)
#   BENCH_STATES    most states kept (4000000)
#   BENCH_MACHINES  which machines (nvw-fifo nvw-fifo-small bpfs ideal-sc spb-pipeline lin-wpq kiln gpm-window
#                   sbrp strand chen-helper px86)
#   BENCH_FAMILIES  which groups of work-items (one each), none leaves the families out
#   BENCH_MOST      most work-items and stores of a family (4)
#
# Leaves with 1 when a test cannot be explored.
set -u
limit=${BENCH_LIMIT:-2}
states=${BENCH_STATES:-4000000}
machines=${BENCH_MACHINES:-nvw-fifo nvw-fifo-small bpfs ideal-sc spb-pipeline lin-wpq kiln gpm-window sbrp strand chen-helper px86}
families=${BENCH_FAMILIES:-one each}
most=${BENCH_MOST:-4}
failed=0

mkdir -p "$WORK"
explore() { # options and files
    "$STATES" -s "$states" "$@" || failed=1
}
folder_of() {
    case $1 in
        gpm* | lin* | kiln* | sbrp* | px86* | strand*) echo "litmus/${1%%-*}" ;;
        chen*) echo litmus/helper-warps ;;
        *) echo litmus/spb ;;
    esac
}
heads() {
    printf '%-26s %10s %9s %7s %7s %10s %9s %9s\n' "$1" states states/s bytes "+table" reduced \
        states/s ratio
}
# Joins the lines of a run without and with the reduction; the sum comes last. A state's bytes
# are its sections' numbers and its share of their contents.
table() { # most rows
    paste -d ' ' "$WORK/whole" "$WORK/reduced" | awk -v most="$1" '
    function per(a, b) { return b > 0 ? a / b : 0 }
    function rate(n, sec) { return sec >= 0.001 ? sprintf("%.0fk", n / sec / 1000) : "-" }
    function row(name, s, b, t, sec, lim, r, rsec, rlim) {
        return sprintf("%-26s %10d%s %8s %7.1f %7.1f %9d%s %8s %s%.1f", name, s, lim ? "+" : " ",
            rate(s, sec), per(b, s), per(b + t, s), r, rlim ? "+" : " ", rate(r, rsec),
            rlim ? "?" : lim ? ">" : "", per(s, r))
    }
    {
        lim = $7 != "whole"; rlim = $14 != "whole"
        sub(/\.litmus$/, "", $1)
        lines[NR] = row($1, $2, $4, $5, $6, lim, $9, $13, rlim)
        size[NR] = $2
        S += $2; B += $4; T += $5; SEC += $6; LIM = LIM || lim
        R += $9; RSEC += $13; RLIM = RLIM || rlim
    }
    END {
        for (k = 1; k <= most && k <= NR; k++) {
            best = 0
            for (i = 1; i <= NR; i++) if (i in size && (!best || size[i] > size[best])) best = i
            print lines[best]
            delete size[best]
        }
        print row("sum of " NR, S, B, T, SEC, LIM, R, RSEC, RLIM)
    }'
}

echo "limits: $limit s a run, $states states; +: a limit was met"
for machine in $machines; do
    echo
    folder=$(folder_of "$machine")
    heads "$machine, $folder"
    explore -m "$machine" -t $((10 * limit)) "$folder"/*.litmus >"$WORK/whole"
    explore -r -m "$machine" -t $((10 * limit)) "$folder"/*.litmus >"$WORK/reduced"
    table 5
done
[ "$families" = none ] && exit "$failed"
for machine in $machines; do
    echo
    heads "$machine, work-items-stores"
    : >"$WORK/whole"
    : >"$WORK/reduced"
    for groups in $families; do
        for n in 2 3 4; do
            for s in 2 3 4; do
                [ "$n" -le "$most" ] && [ "$s" -le "$most" ] || continue
                test=$WORK/$n-$s-$groups.litmus
                awk -v n="$n" -v s="$s" -v groups="$groups" -f tests/bench/machine_families.awk >"$test"
                explore -m "$machine" -t "$limit" "$test" >>"$WORK/whole"
                explore -r -m "$machine" -t "$limit" "$test" >>"$WORK/reduced"
            done
        done
    done
    table 18
done
exit "$failed"
