#!/bin/sh
# symmetry.sh VERIFY [COUNT [all]]: the enumerator with and without what spares it executions (symmetry_verify.c), on the tests
# of some folders of litmus/ (some that take most of the time with `all` alone); on COUNT seeded random programs whose
# work-items are interchangeable, or nearly so; and on some of both under random models, one for each ten of COUNT. Then
# flaws are put into the symmetry, which must show: 60 programs are enough for all, 40 are not.
set -u
verify=$1 count=${2:-100} extent=${3:-} seed=${SEED:-1}
work=$WORK/symmetry
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/random" "$work/groups" "$work/tx" "$work/drawn"

# Comparisons that agree count as passed; a few may meet a limit.
add_up() { # title, fewest tests with a symmetry, how many times fewer may meet a limit, are states asked for
    sum=$(cat "$work"/portion.* | awk '
        / agree, .* that are none$/ {
            agree += $1; differ += $3; open += $5; symmetric += $7
            all += $9; few += $11; usual += $14; bounded += $16; present += $19; absent += $23
        }
        /^failed$/ { broken++ }
        END {
            if (!differ) differ = broken
            printf "%d agree, %d differ, %d open, %d symmetric, %d executions, %d of them, %d candidates, %d of them, %d states asked for, %d that are none\n",
                agree, differ, open, symmetric, all, few, usual, bounded, present, absent
        }')
    echo "$1: $sum"
    fewest=$2 times=$3 asked=$4
    # shellcheck disable=SC2046
    set -- $(echo "$sum" | sed 's/[^0-9 ]//g')
    passed=$((passed + ${1:-0}))
    if [ "${2:-1}" -gt 0 ] || [ "${3:-1}" -gt $((${1:-0} / times)) ] || [ "${4:-0}" -lt "$fewest" ] ||
        [ "${6:-0}" -ge "${5:-0}" ] || [ "${8:-0}" -ge "${7:-0}" ] ||
        { [ "$asked" = yes ] && { [ "${9:-0}" -eq 0 ] || [ "${10:-0}" -eq 0 ]; }; }; then
        failed=$((failed + (${2:-0} > 0 ? $2 : 1)))
        cat "$work"/portion.* | grep -v ' agree, .* that are none$' | head -n 20
    fi
    rm -f "$work"/portion.*
}
compare() { # title, fewest tests with a symmetry, as add_up, as add_up, arguments that are no files, or -; files
    title=$1 fewest=$2 times=$3 asked=$4 options=$5
    shift 5
    # shellcheck disable=SC2016,SC2046 # the inner shell's own words
    printf '%s\n' "$@" | xargs -n 25 -P "$(nproc)" sh -c 'portion=$0.$$
        "$@" >"$portion" 2>&1 || echo failed >>"$portion"' "$work/portion" "$verify" $(echo "$options" | sed 's/^-$//')
    add_up "$title" "$fewest" "$times" "$asked"
}

# A flaw must be found.
catch() { # flaw, files
    if "$verify" -b "$@" >"$work/out" 2>&1 || ! grep -q ' agree, [1-9][0-9]* differ,' "$work/out"; then
        failed=$((failed + 1))
        echo "failed: the flaw $1 is not found"
        tail -n 3 "$work/out"
    else
        passed=$((passed + 1))
    fi
}

draw_model() { # file of tests/corpus, number
    awk -v seed=$((seed * 100000 + $2)) -v tag_names="sfence clwb st_wt swap_wt board cpu" -f tests/corpus/draw.awk \
        -f tests/corpus/tags.awk -f "tests/corpus/$1.awk" >"$work/random/$2.$1.cat"
}

number=0
while [ "$number" -lt "$count" ]; do
    awk -v seed=$((seed * 100000 + number)) -f tests/corpus/draw.awk -f tests/corpus/symmetry.awk >"$work/random/$number.litmus"
    number=$((number + 1))
done
# Each work-item may come first, and last: conditions that tell another one apart each, and one that all are alike to.
{
    echo 'OPENCL apart'
    echo '{ atomic_int c = 0; }'
    for thread in 0 1 2; do
        echo "P$thread@wg $thread (global atomic_int* c) { int r = c.fetch_add(1, mo_acq_rel, dev_scope); }"
    done
    echo 'final exists (0:r = 2)'
    echo 'final exists (1:r = 0)'
    echo 'final ~exists (0:r = 1 /\ 1:r = 1)'
    echo 'final exists (c = 3)'
} >"$work/random/apart.litmus"
slow='litmus/locks/ptx-cas-4.litmus litmus/locks/ptx-cas-scope.litmus litmus/locks/ptx-exch-4.litmus litmus/locks/ttas-4.litmus litmus/locks/ttas-scope.litmus
    litmus/locks/tas-4.litmus litmus/locks/cas-4.litmus litmus/locks/backoff-3.litmus'
for test in litmus/locks/*.litmus litmus/spb/*.litmus litmus/hrf-relaxed/*.litmus litmus/opencl/*.litmus litmus/recovery/*.litmus \
    litmus/contract/*.litmus litmus/tags/*.litmus; do
    case " $slow " in *" $test "*) [ "$extent" = all ] || continue ;; esac
    echo "$test"
done >"$work/corpus"
# shellcheck disable=SC2046 # names hold no blanks
compare "tests of litmus/" 10 20 yes - $(cat "$work/corpus")
compare "$count random programs (seed $seed)" $((count / 2)) 20 yes - "$work"/random/*.litmus
number=0
while [ "$number" -lt $((count / 10)) ]; do
    draw_model models "$number"
    draw_model published "$number"
    # shellcheck disable=SC2086
    "$verify" -m "$work/random/$number.models.cat" -p "$work/random/$number.published.cat" litmus/c11/lb-rlx.litmus \
        litmus/opencl/barrier-local.litmus litmus/spb/await-stuck.litmus litmus/spb/kv-insert.litmus \
        litmus/ptx/coherence-partial.litmus litmus/tags/places.litmus "$work/random/"*"$number".litmus \
        >"$work/portion.$number" 2>&1 || echo failed >>"$work/portion.$number"
    number=$((number + 1))
done
add_up "$((count / 10)) random models" $((count / 20)) 5 yes # which may leave nearly all open, and so many executions
# Machines: of many random programs they have more states than are kept.
compare "tests of litmus/locks on nvw-fifo" 4 1 no "-M nvw-fifo" litmus/locks/*.litmus
# shellcheck disable=SC2046
compare "random programs on machines" $((count / 20)) 1 no "-M all" \
    $(seq -f "$work/random/%g.litmus" 0 $((count / 10 - 1)))
# Work-groups that have a compute unit each, or share two, on the machines with caches; with L1s that go with them.
number=0
while [ "$number" -lt "$count" ]; do
    awk -v seed=$((seed * 100000 + number)) -v groups=$((2 + number % 3)) -f tests/corpus/draw.awk -f tests/corpus/symmetry.awk \
        >"$work/groups/$number.litmus"
    number=$((number + 1))
done
for machine in nvw-fifo nvw-fifo-small bpfs bpfs-no-wait; do
    compare "random work-groups on $machine" $((count / 4)) 1 no "-M $machine" "$work"/groups/*.litmus
done
# Each one's marker pushes out what its own L1 has of x: its a is durable after x.
{
    echo 'OPENCL shared'
    echo '{ nvm x = 0; nvm a0 = 0; nvm a1 = 0; }'
    for group in 0 1; do
        echo "P$group@wg $group (global int* x, global int* a$group) { *x = 1; p_barrier_wi; *a$group = 1; }"
    done
    echo 'crash exists (a0 = 1 /\ a1 = 1)'
} >"$work/groups/shared.litmus"
compare "a location of two L1s" 1 1 no "-M nvw-fifo" "$work/groups/shared.litmus"
catch units -M nvw-fifo "$work/groups/shared.litmus"
# Transactions, on the machines that have them; and on random pipelines all that these have rules for.
number=0
while [ "$number" -lt "$count" ]; do
    for mechanism in tx drawn; do
        awk -v seed=$((seed * 100000 + number)) -v mechanism=$mechanism -f tests/corpus/draw.awk -f tests/corpus/symmetry.awk \
            >"$work/$mechanism/$number.litmus"
    done
    number=$((number + 1))
done
# Who holds the lock of transactions: a store beside a transaction waits for another's, not for one of its own work-item.
{
    echo 'OPENCL held'
    echo '{ nvm x = 0; }'
    echo 'P0@wg 0 (global int* x) { *x = 1; }'
    echo 'P1@wg 0 (global int* x) { __fence{tx_begin}; *x = 5; __fence{tx_end}; }'
    echo 'P2@wg 1 (global int* x) { *x = 1; }'
    echo 'P3@wg 1 (global int* x) { __fence{tx_begin}; *x = 2; __fence{tx_end}; }'
    echo 'crash exists (x = 5)'
    echo 'crash exists (x = 2)'
} >"$work/tx/held.litmus"
for machine in kiln chen-baseline chen-helper chen-per-block; do
    compare "random transactions on $machine" $((count / 4)) 1 no "-M $machine" "$work"/tx/*.litmus
done
python3 tests/corpus/pipeline.py asked "$work/asked" $((count / 25 + 16)) 1 "$seed" # 20 of the quick run, 136 of the long one
for machine in "$work"/asked/machines/*.machine; do
    # shellcheck disable=SC2046
    compare "random programs on ${machine##*/}" $((count / 20)) 1 no "-M $machine" \
        $(seq -f "$work/drawn/%g.litmus" 0 $((count / 4 - 1)))
done
# The set of P0 comes to the queue before that of P1: a1 is durable after a0.
{
    echo '# Transactions that end together.'
    printf 'machine = pipeline\npromises = sc + none\nstage QUEUE per device order fifo group\ndurable\n'
    printf 'on tx_begin : begin\non tx_end : enqueue\non p_barrier : meet ; enqueue\n'
} >"$work/together.machine"
together() { # the work-groups of two work-items
    echo 'OPENCL together'
    echo '{ nvm a0 = 0; nvm a1 = 0; }'
    for item in 0 1; do
        echo "P$item@wg $1 (global int* a$item) { __fence{tx_begin}; *a$item = 1; p_barrier_wg; __fence{tx_end}; }"
        shift
    done
    echo 'crash exists (a0 = 1 /\ a1 = 1)'
}
together 0 0 >"$work/together.litmus"
together 0 1 >"$work/asunder.litmus"
compare "transactions that end in work-groups of their own" 1 1 no "-M $work/together.machine" "$work/asunder.litmus"
catch order -M "$work/together.machine" "$work/together.litmus"
if ! "$verify" -M "$work/together.machine" "$work/together.litmus" >"$work/out" 2>&1; then
    failed=$((failed + 1))
    cat "$work/out"
fi
for flaw in first place line constant; do
    catch "$flaw" "$work"/random/*.litmus
done
for flaw in names field first constant; do
    for machine in nvw-fifo ideal-sc spb-pipeline; do
        catch $flaw -M $machine "$work"/random/*.litmus
    done
    catch $flaw -M chen-per-block "$work"/tx/*.litmus
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
