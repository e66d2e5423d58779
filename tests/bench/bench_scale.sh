#!/bin/sh
# bench_scale.sh: families of tests that grow (scale.awk, and the B+tree of btree.awk), under
# hrf-direct + epoch. Each size is checked with no option but its limits, and beside that decided by each
# engine alone.
#
#   SCALE          which of A to H and btree (all); NAME-broken is the family without what makes it ok
#   SCALE_SIZES    in place of each family's own; of F a number N is NxN
#   SCALE_ENGINES  who decides alone (enum smt machine)
#   SCALE_LIMIT    seconds for a test (60)
#   SCALE_MEMORY   MiB for a test (4096)
#   SCALE_FLAGS    further options of crashlit, of all runs
#   SCALE_TURNS    runs of what ends within a second, the fastest of which counts against the bound (3)
#
# A line for each size: seconds, MiB and verdict of each, and for the first also which engine decided.
# Who did not decide a size is not asked for a larger one of the family (`-`). `refused` is a test
# larger than the language lets it be. Last, what issues ask of the first column: the seconds within
# which a size is to be decided; and the rows where it took more processor time than the best engine
# alone, by more than a fifth and 10 ms. Where engines ran against each other it takes that of both.
#
# Leaves with 1 when a verdict is not the family's, whichever engine gives it, or a run fails; unknown
# is no failure. Leaves with 2 when there is no such family.
set -u
families=${SCALE:-A B C D E F G H btree}
engines=${SCALE_ENGINES-enum smt machine}
limit=${SCALE_LIMIT:-60}
memory=${SCALE_MEMORY:-4096}
flags=${SCALE_FLAGS:-}
turns=${SCALE_TURNS:-3}
failed=0 answered=0

mkdir -p "$WORK"
: >"$WORK/scale.targets"
: >"$WORK/scale.times"

# ---- Families ----

sizes_of() {
    case ${1%-broken} in
    A) echo 12 64 256 1024 ;;
    B) echo 16 64 256 ;;
    C) echo 6 8 16 32 ;;
    D) echo 32 64 256 1024 ;;
    E) echo 16 20 64 256 1024 ;;
    F) echo 3x5 8x8 12x12 ;;
    G) echo 2 4 8 ;;
    H) echo 5 6 8 16 ;;
    btree) echo 8 64 256 1024 ;;
    esac
}
# Seconds within which a size is to be decided with no option.
target_of() { # family, size
    case $1-$2 in
    E-1024) echo 1 ;;
    F-8x8) echo 5 ;;
    A-1024 | B-256 | C-32 | D-1024 | G-8 | H-16) echo 10 ;;
    F-12x12 | btree-1024) echo 60 ;;
    esac
}
# scale.awk and btree.awk have the derivations.
expected_of() {
    case $1 in
    [A-H] | btree) echo ok ;;
    [A-H]-broken | btree-broken) echo violated ;;
    *) return 1 ;;
    esac
}
generate() { # family, size
    broken=
    [ "${1%-broken}" = "$1" ] || broken=1
    case $1 in
    btree) awk -v scope=kr -v n="$2" -f tests/bench/btree.awk ;;
    btree-broken) awk -v scope=wi -v n="$2" -f tests/bench/btree.awk ;;
    F*) awk -v family=F -v n="${2%x*}" -v m="${2#*x}" -v broken=$broken -f tests/bench/scale.awk ;;
    *) awk -v family="${1%-broken}" -v n="$2" -v broken=$broken -f tests/bench/scale.awk ;;
    esac
}

# ---- Runs ----

fail() {
    echo "failed: $*"
    head -n 5 "$WORK/scale.err"
    failed=1
}
# Of the record: a field of words.
field() { sed -n 's/.*"'"$1"'":"\([a-z]*\)".*/\1/p' "$WORK/scale.json" | head -n 1; }
verdict_of() { # how the run ended
    case $1 in
    limit) echo unknown ;;
    0 | 1 | 3) field verdict ;;
    2) echo refused ;;
    *) echo "status-$*" ;;
    esac
}
# One run. Sets figures: seconds, MiB, verdict; and decided_by.
# shellcheck disable=SC2086
try() { # who, family, size, options
    who=$1 family=$2 size=$3
    figures="- - -" decided_by=-
    case $gone in *" $who "*) return ;; esac
    shift 3
    : >"$WORK/scale.json"
    measured=$(run "$WORK/scale.json" "$@")
    verdict=$(verdict_of ${measured#* * * })
    decided_by=$(field decided_by)
    judge
    time_again "$@"
    set -- $measured
    figures="$1 $(($3 / 1024)) ${verdict:-nothing}"
    [ "$who" != default ] || target ${1%.*}
}
# shellcheck disable=SC2086
run() { # record, options; a grace of ten seconds, for a process that does not keep its own limit
    record=$1
    shift
    "$MEASURE" -t $((limit + 10)) "$CRASHLIT" check "$@" $flags --timeout "$limit" --memory "$memory" \
        --format json="$record" "$WORK/scale-$family-$size.litmus" 2>"$WORK/scale.err"
}
# Of what was decided: the least processor time of some runs.
time_again() { # options
    [ "$verdict" = "$(expected_of "$family")" ] || return 0
    {
        echo "$measured"
        turn=1
        while [ "$turn" -lt "$turns" ] && [ "${measured%%.*}" -lt 1 ]; do
            run /dev/null "$@"
            turn=$((turn + 1))
        done
    } | sort -n -k 2 | head -n 1 | sed "s/^[^ ]* \([^ ]*\) .*/$family $size $who ${decided_by:--} \1/" >>"$WORK/scale.times"
}
over_the_bound() {
    awk '{ row = $1 " " $2 }
        $3 == "default" { default_took[row] = $5; by[row] = $4; order[++count] = row; next }
        !(row in best) || $5 < best[row] { best[row] = $5; engine[row] = $3 }
        END {
            for (i = 1; i <= count; i++) {
                row = order[i]
                if (!(row in best) || default_took[row] <= 1.2 * best[row] + 0.010) continue
                split(row, name)
                if (!over++) printf "%-12s %-6s %10s %-10s %10s %s\n", "over", "size", "default-s", "by", "best-s", "of"
                printf "%-12s %-6s %10s %-10s %10s %s\n", name[1], name[2], default_took[row], by[row], best[row], engine[row]
            }
            printf "over the bound: %d of %d\n", over, count
        }' "$WORK/scale.times"
}
judge() {
    case $verdict in
    unknown | refused) gone="$gone$who " ;;
    "$(expected_of "$family")") answered=$((answered + 1)) ;;
    *)
        fail "$family, $size, $who: ${verdict:-no verdict}, expected $(expected_of "$family")"
        gone="$gone$who "
        ;;
    esac
}
target() { # whole seconds that the default took
    wanted=$(target_of "$family" "$size")
    [ -n "$wanted" ] || return 0
    met=no
    [ "$verdict" != "$(expected_of "$family")" ] || [ "$1" -ge "$wanted" ] || met=yes
    echo "$family $size $wanted ${figures%% *} $met" >>"$WORK/scale.targets"
}

cells() { # seconds, MiB, verdict
    printf ' %9s %6s %-8s' "$@"
}
head_line() { # family
    printf '%-12s %-6s %9s %6s %-8s %-8s' "$1" size seconds MiB verdict engine
    for engine in $engines; do cells "$engine-s" MiB verdict; done
    echo
}
# shellcheck disable=SC2086
run_family() { # name
    gone=" "
    echo
    head_line "$1"
    for size in ${SCALE_SIZES:-$(sizes_of "$1")}; do
        case $1-$size in F*x*) ;; F*) size=${size}x$size ;; esac
        generate "$1" "$size" >"$WORK/scale-$1-$size.litmus"
        try default "$1" "$size"
        printf '%-12s %-6s %9s %6s %-8s %-8s' "" "$size" $figures "${decided_by:--}"
        for alone in $engines; do
            try "$alone" "$1" "$size" --decide -e "$alone"
            cells $figures
        done
        echo
    done
}

for name in $families; do
    expected_of "$name" >/dev/null || {
        echo "$name: no such family; there are A to H and btree, each also NAME-broken" >&2
        exit 2
    }
done
echo "$("$CRASHLIT" --version | head -n 1); no option but these: --timeout $limit --memory $memory $flags;" \
    "each engine alone: --decide as well"
for name in $families; do
    run_family "$name"
done
echo
[ ! -s "$WORK/scale.targets" ] || {
    printf '%-12s %-6s %10s %10s\n' wanted size within decided
    awk '{ printf "%-12s %-6s %10s %10s\n", $1, $2, $3 " s", $5 }' "$WORK/scale.targets"
}
over_the_bound
echo "answers as derived: $answered"
exit "$failed"
