#!/bin/sh
# bench_engines.sh: the engines enum and smt on the same tests, one after the other, each
# deciding the condition (--decide). A family grows in n; an engine that ran out of time or
# of its bounds is not asked for a larger n of that family.
#
#   BENCH_LIMIT     seconds a run may take (60)
#   BENCH_FAMILIES  which of btree-kr, btree-wi, those of c_families.awk (all of these) and those
#                   of log.awk, whose recovery may crash and is looked at for two rounds
#   BENCH_MOST      largest n tried (64, what a test may have of work-items)
#   BENCH_FLAGS     further options of crashlit
#
# Leaves with 1 when an engine gives another answer than the rules do, or fails; an unknown
# is no failure. Leaves with 2 when there is no such family, with 0 otherwise.
set -u
limit=${BENCH_LIMIT:-60}
families=${BENCH_FAMILIES:-btree-kr btree-wi sb iriw 2+2w mp count}
most=${BENCH_MOST:-64}
flags=${BENCH_FLAGS:-}
failed=0 answered=0

mkdir -p "$WORK"
: >"$WORK/summary"
echo "$("$CRASHLIT" --version | head -n 1), --decide; options: ${flags:-none}; limit: $limit seconds"

# ---- Families ----

# By small steps where the enumerator's growth shows, then by doubling.
sizes_of() {
    case $1 in
    btree-*) echo 4 5 6 7 8 10 16 32 64 ;;
    log-*) echo 2 4 6 8 10 12 16 ;;
    *) echo 4 8 16 32 64 ;;
    esac
}
models_of() {
    case $1 in
    btree-*) echo "-m hrf-direct -p epoch" ;;
    log-*) echo "-m hrf-direct -p epoch --rounds 2" ;;
    *) echo "-m rc11 -p none" ;;
    esac
}
# The verdict that every n has, from the rules.
expected_of() {
    case $1 in
    btree-kr) echo ok ;;       # btree.awk has the derivation of both
    btree-wi) echo violated ;;
    log-barriers | log-epoch) echo ok ;; # log.awk says why
    sb) echo ok ;;             # po; fr round the ring: RC11 forbids it of SC accesses alone
    iriw) echo ok ;;           # a reader's fr to a writer is no hb, and no access is SC
    2+2w) echo ok ;;           # po; co round the ring: as for sb
    mp) echo violated ;;       # rel-acq rf on each flag is sw: data = 1 hb the read of 0
    count) echo violated ;;    # nothing is co-between what an RMW reads and writes: c ends with n
    *) return 1 ;;
    esac
}
generate() { # family, n
    case $1 in
    btree-*) awk -v scope="${1#btree-}" -v n="$2" -f tests/bench/btree.awk ;;
    log-*) awk -v family="$1" -v n="$2" -f tests/bench/log.awk ;;
    *) awk -v family="$1" -v n="$2" -f tests/bench/c_families.awk ;;
    esac
}

# ---- Runs ----

fail() {
    echo "failed: $*"
    failed=1
}
# What a run said: the verdict it printed, unknown when it was ended, else how it ended.
verdict_of() { # status, the number of a signal
    said=$(sed -n 's/^Verdict [^ ]* \([a-z]*\), .*/\1/p' "$WORK/out")
    case $1 in
    limit) echo unknown ;;
    0 | 1 | 3) echo "${said:-nothing}" ;;
    *) echo "status-$1${2:+-$2}" ;;
    esac
}
# One engine at one n. Sets figures: seconds, peak KiB, verdict.
# shellcheck disable=SC2046,SC2086
try() { # engine, family, n
    figures="- - -"
    eval "[ \$going_$1 = 1 ]" || return
    : >"$WORK/out"
    measured=$("$MEASURE" -t "$limit" -o "$WORK/out" -- "$CRASHLIT" check --format herd --decide -e "$1" \
        $(models_of "$2") $flags "$WORK/$2-$3.litmus" 2>"$WORK/err")
    verdict=$(verdict_of ${measured#* * * })
    set -- "$@" $measured
    figures="$4 $6 $verdict"
    [ "$verdict" != unknown ] || eval "going_$1=0"
    judge "$@"
}
judge() { # engine, family, n, seconds, cpu, peak, status...; and $verdict
    case $verdict in
    unknown) ;;
    "$(expected_of "$2")")
        answered=$((answered + 1))
        echo "$2 $1 $3 $4 $6" >>"$WORK/summary"
        ;;
    *)
        fail "$2, n = $3, -e $1: $verdict, expected $(expected_of "$2")"
        head -n 5 "$WORK/err"
        ;;
    esac
}

row() { printf '%-12s %4s %10s %10s %10s %10s %10s %10s\n' "$@"; }
# shellcheck disable=SC2034,SC2086
family() { # name
    going_enum=1 going_smt=1
    echo
    row "$1" n enum-s KiB verdict smt-s KiB verdict
    for n in $(sizes_of "$1"); do
        [ "$n" -le "$most" ] || break
        [ $((going_enum + going_smt)) -gt 0 ] || break
        generate "$1" "$n" >"$WORK/$1-$n.litmus"
        try enum "$1" "$n"
        of_enum=$figures
        try smt "$1" "$n"
        row "" "$n" $of_enum $figures
    done
}

# ---- The summary ----

# The last answer of each engine in each family, and the factor by which its time grew when n
# did by one, between its last two answers: an exponential keeps it, a polynomial
# approaches 1.
summarize() {
    printf '%-12s %-6s %10s %10s %10s %14s\n' family engine "largest n" seconds KiB "growth per n"
    awk '{
        key = $1 " " $2
        if (key in n && $4 > 0 && seconds[key] > 0)
            growth[key] = sprintf("%.2f", ($4 / seconds[key]) ^ (1 / ($3 - n[key])))
        if (!(key in n)) order[++count] = key
        n[key] = $3; seconds[key] = $4; kib[key] = $5
    } END {
        for (i = 1; i <= count; i++) {
            split(order[i], name)
            key = order[i]
            printf "%-12s %-6s %10d %10.2f %10d %14s\n", name[1], name[2], n[key], seconds[key],
                kib[key], key in growth ? growth[key] : "-"
        }
    }' "$WORK/summary"
}

for name in $families; do
    expected_of "$name" >/dev/null || {
        echo "$name: no such family; there are btree-kr btree-wi sb iriw 2+2w mp count" \
            "log-barriers log-epoch" >&2
        exit 2
    }
done
for name in $families; do
    family "$name"
done
echo
echo "the largest n that each engine answered within $limit seconds"
summarize
echo "answers as derived: $answered"
exit "$failed"
