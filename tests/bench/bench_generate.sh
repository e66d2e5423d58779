#!/bin/sh
# bench_generate.sh: how long the minimal tests of model pairs take, with two jobs. The bound is 4 accesses, 2 barriers, 2 work-items, 2
# locations and 2 scopes; the second list has atomic accesses besides.
set -u
crashlit=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

measure() { # pair, bound
    start=$(date +%s%N)
    "$crashlit" generate -j 2 --comprehensive "$1" ${2:+--bound "$2"} >"$out/tests" 2>"$out/summary"
    status=$?
    end=$(date +%s%N)
    printf '%-28s %7.2f s  %s (status %d)  %s\n' "$1" "$(echo "($end - $start) / 1000000000" | bc -l)" \
        "$(tail -n 1 "$out/summary")" "$status" "${2:-}"
}

for pair in sc+strict sc+epoch sc+buffered-epoch hrf-direct+epoch ptx+epoch sc+strand sc+sbrp sc+kiln; do
    measure $pair ""
done
atomics=orders=acq:rel,scopes=wi:wg,deps=ctrl,families=ld:st:lda:sta:p_barrier
for pair in hrf-direct+epoch ptx+epoch; do
    measure $pair $atomics
done
