#!/bin/sh
# exhaustive.sh PROGRAM ORACLE [few]: every program that `crashlit generate` lists up to a bound, by the rows of exhaustive.list:
# the solver, machines and the oracle to the enumerator, and models of other tools, loaded as they are, to ours. `few` takes the
# small bounds.
#
# SHARD=I/N has one program in N, I from 0 on. A row that came to its end is not asked again as long as the programs are the same when
# RESUME=1. ROWS='PATTERN' takes the rows that it matches. Other tools' files are in OTHERS, ../shared/peers/cat unless said.
set -u
program=$1 oracle=$2 extent=${3:-all} shard=${SHARD:-0/1} others=${OTHERS:-../shared/peers/cat}
work=$WORK/exhaustive
[ "${RESUME:-0}" = 1 ] || rm -rf "$work"
mkdir -p "$work/cat" "$work/rows"
passed=0 failed=0 skipped=0 compared=0

sum=$(cat "$program" "$oracle" "$CRASHLIT" | cksum | tr ' ' -)
[ ! -d "$others" ] || cp "$others"/*.cat tests/corpus/peers-*.cat "$work/cat"

# What is left of a row whose fields are in "$@": options and pairs.
ask() { # how, pair, bound, who, exactness
    case $1 in
    oracle)
        "$program" -s "$shard" -l -V "$2" -b "$3" >"$work/lines"
        "$oracle" --binary "$CRASHLIT" --given --workdir "$work/oracle" <"$work/lines" &&
            echo "$(wc -l <"$work/lines") programs, $(wc -l <"$work/lines") agree, 0 differ, 0 open, all pairs of the oracle"
        return
        ;;
    smt) set -- -e smt -b "$3" "$2" ;;
    machine) set -- -e machine -M "$4" ${5:+-x} -b "$3" "$2" ;;
    other)
        dialect=OPENCL
        [ "$2" != ptx ] || dialect=PTX
        set -- -V spb -d $dialect -b "$3,memory=volatile,families=ld:st:lda:sta:rmw:fence:bar" "$2+none" "$work/cat/$4.cat+none"
        ;;
    esac
    "$program" -s "$shard" "$@"
}

# Programs on which all agree have passed; any that differ, or are open, fail.
row() { # the fields
    case $1 in
    other) [ -e "$work/cat/$4.cat" ] || { skipped=$((skipped + 1)); return; } ;;
    esac
    name=$(echo "$shard $*" | tr '/ ,=:' '_____')
    out=$work/rows/$name
    [ -e "$out.$sum" ] || { ask "$@" >"$out" 2>&1; mv "$out" "$out.$sum"; }
    told=$(tail -n 1 "$out.$sum")
    echo "$*: $told"
    agree=$(echo "$told" | sed -n 's/^[1-9][0-9]* programs, \([0-9]*\) agree, 0 differ, 0 open, .*/\1/p')
    compared=$((compared + 1))
    if [ "${agree:-0}" -gt 0 ]; then
        passed=$((passed + agree))
    else
        failed=$((failed + 1))
        cat "$out.$sum"
        rm "$out.$sum" # asked again
    fi
}

# What differs would be seen: a state that is missing, a machine with a fault, another model.
sees() { # arguments
    ! "$program" -v 0 "$@" >"$work/out" 2>&1 && grep -q '[1-9][0-9]* differ' "$work/out"
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: what differs is not seen: $*"
        tail -n 3 "$work/out"
    fi
}

sees -f -e smt -b events=2,barriers=0 sc+epoch
sees -f -b events=2,barriers=0 sc+epoch sc+epoch
sees -b events=2,barriers=1 sc+epoch sc+buffered-epoch
sees -e machine -M gpm -F await-passes -b events=1,barriers=1 sc+gpm
sees -e machine -M px86 -x -b events=1,barriers=1 sc+px86
while read -r how pair few all who exact; do
    case $how in '#' | '') continue ;; esac
    bound=$all
    [ "$extent" = all ] || bound=$few
    [ "$bound" != - ] || continue
    case "$how $pair $bound $who $exact" in ${ROWS:-*}) row "$how" "$pair" "$bound" "$who" "$exact" ;; esac
done <tests/corpus/exhaustive.list
[ "$skipped" -eq 0 ] || echo "$skipped rows are left out: there is no $others"
echo "$compared rows"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$compared" -gt 0 ]
