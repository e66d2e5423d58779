#!/bin/sh
# place.sh VERIFY [COUNT] [MOST]: place against trying every filling (place_verify.c), on COUNT seeded random sketches
# (place.awk), each under one of the model pairs below; and each box that was learnt on the way against the fillings
# that it holds. Then flaws are put into the boxes, which must show. Then tests of litmus/ narrowed and repaired, of
# MOST fillings at most.
set -u
verify=$1 count=${2:-400} most=${3:-1500} seed=${SEED:-1}
work=$WORK/place
. tests/corpus/cases.sh
rm -rf "$work"
pairs='hrf-direct+epoch hrf-direct+strict hrf-indirect+buffered-epoch sc+epoch-individual rc11+buffered-strict
    c11+epoch opencl+strand hrf-direct-relaxed+sbrp tso+buffered-epoch-individual ptx+epoch'
# shellcheck disable=SC2086
set -- $pairs
number=0 steps=0 agree=0 over=0 fillings=0 tried=0 boxes=0 held=0
sketch() { # number, file
    mkdir -p "${2%/*}"
    awk -v number="$1" -v seed="$seed" -v most=96 -f tests/corpus/place.awk >"$2"
}
while [ "$number" -lt "$count" ]; do
    pair=$1
    shift
    set -- "$@" "$pair"
    sketch "$number" "$work/$pair/$number.litmus"
    number=$((number + 1))
done

# All sketches of each pair; a portion without a sum counts as one that differs.
# shellcheck disable=SC2016 # the inner shell's own words
printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" sh -c '"$0" -m "${2%%+*}" -p "${2#*+}" "$1/$2"/*.litmus >"$1/$2.out" 2>&1 ||
    echo failed >>"$1/$2.out"' "$verify" "$work"
for pair; do
    sum=$(sed -n '/ agree, .* passed over$/p' "$work/$pair.out")
    echo "$pair: ${sum:-no sum}"
    # shellcheck disable=SC2046
    set -- $(echo "$sum" | sed 's/[^0-9 ]//g')
    passed=$((passed + ${1:-0}))
    agree=$((agree + ${1:-0})) over=$((over + ${3:-0})) fillings=$((fillings + ${4:-0})) tried=$((tried + ${5:-0}))
    boxes=$((boxes + ${6:-0})) held=$((held + ${7:-0})) steps=$((steps + ${8:-0}))
    if [ "${2:-1}" -gt 0 ] || [ "${1:-0}" -eq 0 ]; then
        failed=$((failed + (${2:-0} > 0 ? $2 : 1)))
        grep -v ' agree, .* passed over$' "$work/$pair.out" | head -n 20
    fi
done
# Of all pairs, as a few sketches of one may have no box: few are open, few fillings asked about, and boxes larger than these.
[ "$over" -le $((agree / 10)) ] && [ "$tried" -lt $((fillings / 2)) ] && [ "$held" -gt "$boxes" ]
verdict $? "$over of $agree are open, $tried of $fillings fillings asked about, $boxes boxes hold $held"
# Some answers must have something below them.
if [ "$steps" -eq 0 ]; then
    failed=$((failed + 1))
    echo "failed: no answer has a step"
fi

# A flaw must be found, in forty sketches however many there are above.
for number in $(seq 0 10 390); do sketch "$number" "$work/flawed/$number.litmus"; done
for flaw in wide whole; do
    if "$verify" -b $flaw -m hrf-direct -p epoch "$work"/flawed/*.litmus >"$work/out" 2>&1 ||
        ! grep -q 'a box holds a filling that is ok' "$work/out"; then
        failed=$((failed + 1))
        echo "failed: the flaw $flaw is not found"
    else
        passed=$((passed + 1))
    fi
done
# Repairs with several statements at a point: mechanism, pair, the two that may be added. Some answer must have a row.
several() {
    for number in 1 2 4 7; do
        awk -v number=$number -v seed="$seed" -v mechanism="$1" -f tests/corpus/place_several.awk >"$work/several-$1-$number.litmus"
    done
    "$verify" -v -r -q -l 2401 -m "${2%%+*}" -p "${2#*+}" -k "$3" "$work"/several-"$1"-*.litmus >"$work/out" 2>&1
    agree=$(awk '/ agree, .* passed over$/ { print $1 }' "$work/out")
    echo "several statements at a point, $2: ${agree:-0} agree"
    passed=$((passed + ${agree:-0}))
    [ "${agree:-0}" -eq 4 ] || { failed=$((failed + 1)); grep -v '^    with' "$work/out" | head -n 20; }
    case $1 in lin | epoch)
        grep -q '^  minimal: .*); \|^  minimal: .*p_barrier_wi; sync' "$work/out"
        verdict $? "a minimal filling of $1 has several statements at a point" ;;
    esac
}
several lin sc+lin-wpq 'sfence(), pcommit()'
several gpm sc+gpm-window 'gpm_persist_begin(), gpm_persist()'
several epoch hrf-direct+epoch 'p_barrier_wi, sync_barrier_wg'
# Repairs with two stores in each other's place: three stores in each order, without a barrier or with one between two of them. The first
# condition wants x before z, the second y before z; where the barrier stands behind two others than z some answer has a swap.
for order in 'x y z' 'x z y' 'y x z' 'y z x' 'z x y' 'z y x'; do
    for barrier in '' 1 2; do
        echo "$order" | awk -v barrier="$barrier" '{
            print "OPENCL swapped\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\nP0 (global int* x, global int* y, global int* z) {"
            for (i = 1; i <= 3; i++) {
                print "  *" $i " = 1;"
                if (i == barrier)
                    print "  p_barrier_wi;"
            }
            print "}\ncrash ~exists (z = 1 /\\ x = 0)\ncrash ~exists (z = 1 /\\ y = 0)" }' >"$work/swapped-$(echo "$order" | tr -d ' ')-$barrier.litmus"
    done
done
for pair in hrf-direct+epoch sc+strict; do
    "$verify" -v -r -w -m "${pair%%+*}" -p "${pair#*+}" "$work"/swapped-*.litmus >"$work/out" 2>&1
    agree=$(awk '/ agree, .* passed over$/ { print $1 }' "$work/out")
    echo "stores in each other's place, $pair: $(tail -n 1 "$work/out")"
    passed=$((passed + ${agree:-0}))
    [ "${agree:-0}" -eq 18 ] || { failed=$((failed + 1)); grep -v '^    with' "$work/out" | head -n 20; }
    grep -q '^  minimal: .*\*z = 1 and \*[xy] = 1 change places' "$work/out"
    verdict $? "a minimal filling has z and another store in each other's place under $pair"
done
# Work-items that meet at barriers, as many in each, or miss each other.
number=0
while [ "$number" -lt $((count / 5)) ]; do
    awk -v number="$number" -v seed="$seed" -f tests/corpus/place_rendezvous.awk >"$work/rendezvous-$number.litmus"
    number=$((number + 1))
done
for pair in hrf-direct+epoch sc+buffered-epoch; do
    "$verify" -l 1000 -m "${pair%%+*}" -p "${pair#*+}" "$work"/rendezvous-*.litmus >"$work/out" 2>&1
    agree=$(awk '/ agree, .* passed over$/ { print $1 }' "$work/out")
    echo "rendezvous, $pair: $(tail -n 1 "$work/out")"
    passed=$((passed + ${agree:-0}))
    [ "${agree:-0}" -ge $((count / 5 * 9 / 10)) ] && ! grep -q ' differs, ' "$work/out" || { failed=$((failed + 1)); head -n 20 "$work/out"; }
done
# Folder and pair; the fewest tests that have to be compared, of both kinds together; the most fillings of one.
# The verifier writes no persist barriers with a number (ptx/pbar-*).
sites() {
    fewest=$3 agree=0 few=${4:-$most}
    for aim in -n -r; do
        printf '%s\n' litmus/"$1"/*.litmus | grep -v /pbar- | xargs -n 20 -P "$(nproc)" "$verify" $aim -l "$few" -m "${2%%+*}" -p "${2#*+}" \
            >"$work/out" 2>&1 || failed=$((failed + 1))
        grep -v ' agree, .* passed over$' "$work/out" | head -n 20
        agree=$((agree + $(awk '/ agree, .* passed over$/ { sum += $1 } END { print sum + 0 }' "$work/out")))
    done
    echo "$1 narrowed and repaired, $2: $agree agree"
    passed=$((passed + agree))
    [ "$agree" -ge "$fewest" ] || failed=$((failed + 1))
}
sites spb hrf-direct+epoch 80
sites ptx ptx+buffered-epoch 60
sites gpm sc+gpm 40
sites sbrp sc+sbrp 25
sites px86 tso+px86 38 4000
sites lin sc+lin-adr 36
sites strand sc+strand 12
sites recovery sc+buffered-epoch 55
sites refines sc+lin-wpq 14
sites refines sc+epoch 14
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
