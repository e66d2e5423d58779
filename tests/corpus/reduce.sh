#!/bin/sh
# reduce.sh ORACLE VERIFY [COUNT]: machines with their reduction against whole explorations, on every
# test of litmus/spb and on COUNT seeded random programs (of the program ORACLE), racy ones too, on
# all built-in machines in all crash modes; and pipelines on the tests of their mechanisms, and, with random ones, on random
# programs (pipeline_draw.py); and on programs of which a part concerns nobody else (apart_draw.py). Then flaws are put into the reduction, which must show on each machine.
set -u
oracle=$1 verify=$2 count=${3:-40} seed=${SEED:-1}
work=$WORK/reduce
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/random"

# Comparisons that agree count as passed; a few may meet a limit. VERIFY has a portion of the files each time,
# as many at once as there are processors; a portion without a sum counts as one that differs.
compare() { # title, spare, arguments of VERIFY that are no files, or -; files
    title=$1 spare=$2 options=$3
    shift 3
    rm -f "$work"/portion.*
    # shellcheck disable=SC2016,SC2046 # the inner shell's own words
    printf '%s\n' "$@" | xargs -n 4 -P "$(nproc)" sh -c 'portion=$0.$$
        "$@" >"$portion" 2>&1 || echo failed >>"$portion"' "$work/portion" "$verify" $(echo "$options" | sed 's/^-$//')
    sum=$(awk '
        function end_portion() { if (portion != "" && !whole) differ++ }
        FNR == 1 { end_portion(); portion = FILENAME; whole = 0 }
        / agree, .* kept$/ { agree += $1; differ += $3; open += $5; states += $7; kept += $9; whole = 1 }
        /^failed$/ { broken++ }
        END {
            end_portion()
            if (!differ) differ = broken
            printf "%d agree, %d differ, %d open, %d states, %d kept\n", agree, differ, open, states, kept
        }' "$work"/portion.*)
    echo "$title: $sum"
    # shellcheck disable=SC2046
    set -- $(echo "$sum" | sed 's/[^0-9 ]//g')
    passed=$((passed + ${1:-0}))
    if [ "${2:-1}" -gt 0 ] || [ "${1:-0}" -eq 0 ] || [ "${3:-1}" -gt "$spare" ]; then
        failed=$((failed + (${2:-0} > 0 ? $2 : 1)))
        cat "$work"/portion.* | grep -v ' agree, .* kept$' | head -n 20
    fi
}

# A flaw must be found.
catch() { # flaw, machine, files
    if "$verify" -b "$@" >"$work/out" 2>&1 || ! grep -q ' agree, [1-9][0-9]* differ,' "$work/out"; then
        failed=$((failed + 1))
        echo "failed: the flaw $1 is not found on $3"
    else
        passed=$((passed + 1))
    fi
}

number=0
while [ "$number" -lt "$count" ]; do
    "$oracle" --print "$number" --seed "$seed" >"$work/random/$number.litmus"
    ! grep -q __cm "$work/random/$number.litmus" || rm "$work/random/$number.litmus" # no machine has it
    number=$((number + 1))
done
compare "tests of litmus/spb" 0 - litmus/spb/*.litmus
compare "$count random programs (seed $seed)" $((count / 20)) - "$work"/random/*.litmus
# Pipelines, each on the tests of its mechanism.
for machine in $(pipelines); do
    folder=$(folders_of "$machine")
    compare "tests of litmus/${folder%% *} on $machine" 0 "-m $machine" litmus/"${folder%% *}"/*.litmus
done
# Random programs, of which conditions ask for a part, on these and on random pipelines.
python3 tests/corpus/pipeline.py asked "$work/asked" "$((count / 2))" "$((count / 10))" "$((seed + 1))"
for machine in $(pipelines); do
    compare "random programs on $machine" 1 "-m $machine" "$work/asked/$machine"/*.litmus
done
for machine in nvw-fifo nvw-fifo-small bpfs bpfs-no-wait bpfs-small ideal-sc; do
    compare "random programs on $machine" 1 "-m $machine" "$work"/asked/spb-pipeline/*.litmus
done
for machine in "$work"/asked/machines/*.machine; do
    compare "random programs on ${machine##*/}" 1 "-m $machine" "$work"/asked/drawn/*.litmus
done
# Programs of which a part concerns nobody else; those that are large are left out.
python3 tests/corpus/apart_draw.py "$work/apart" "$((count / 2))" "$((seed + 2))"
printf '# False sharing.\nmachine = nvw-fifo\nline_words = 2\n' >"$work/pairs.machine"
printf '# Entries of others force lines on.\nmachine = nvw-fifo\nline_words = 2\nl1_sfifo = 1\n' >"$work/outstanding.machine"
printf '# FIFOs fill.\nmachine = nvw-fifo\nl1_fifo = 2\nl2_fifo = 3\n' >"$work/short.machine"
for machine in nvw-fifo nvw-fifo-one-unit "$work/pairs.machine" "$work/outstanding.machine" "$work/short.machine" bpfs; do
    compare "random programs apart on ${machine##*/}" "$((count * 3))" "-m $machine -n 20000" "$work"/apart/*.litmus
done
for flaw in hasty eager forgetful careless; do
    for machine in gpm lin-wpq kiln sbrp px86 chen-helper $([ $flaw = careless ] || echo strand); do
        folder=$(folders_of "$machine")
        # shellcheck disable=SC2046
        catch $flaw -m "$machine" $(ls litmus/"${folder%% *}"/*.litmus | head -n 40)
    done
done
for flaw in hasty eager forgetful; do
    for machine in nvw-fifo nvw-fifo-one-unit nvw-fifo-small ideal-sc bpfs bpfs-no-wait; do
        catch $flaw -m $machine litmus/spb/def*.litmus litmus/spb/flag*.litmus \
            litmus/spb/fig4*.litmus litmus/spb/rmw-count*.litmus litmus/spb/undo-log*.litmus
    done
done
# A marker of P2's, whom nobody asks about, moves x = 1 on to the L2 and leaves it in the L1, where P0 reads it after P1 has written over it.
cat >"$work/moved.litmus" <<'end'
OPENCL moved
{ nvm atomic_int x = 0; nvm y = 0; nvm p = 0; atomic_int f = 0; }
P0@wg 0 (global atomic_int* x, global int* y, global atomic_int* f) {
  x.store(1, mo_rlx, wg_scope);
  if (f.load(mo_rlx, dev_scope)) { int r = x.load(mo_rlx, wg_scope); if (r == 1) { *y = 1; } }
}
P1@wg 1 (global atomic_int* x, global atomic_int* f) {
  int s = x.load(mo_rlx, dev_scope);
  if (s) { x.store(2, mo_rlx, dev_scope); f.store(1, mo_rlx, dev_scope); }
}
P2@wg 2 (global int* p) { *p = 1; p_barrier_wi; }
crash exists (y=1)
end
for machine in nvw-fifo "$work/pairs.machine"; do
    compare "a marker of somebody else on ${machine##*/}" 0 "-m $machine" "$work/moved.litmus"
    catch aloof -m "$machine" "$work/moved.litmus"
done
# Nobody asks about y, for which P1's access waits: what P0 stores meanwhile P1 reads, or stores behind, and does not hand on.
late() { # P1's access, another work-item, condition
    cat <<end
OPENCL late
uses "gpm.def"
{ nvm atomic_int x = 0; nvm atomic_int y = 0; nvm atomic_int z = 0; nvm atomic_int w = 0; }
P0@wg 0 { y.store(2, mo_rlx, all_scope); w.store(1, mo_rlx, all_scope); x.store(5, mo_rlx, all_scope); }
P1@wg 0 { $1 z.store(1, mo_rlx, all_scope); }
$2
crash exists ($3 /\\ z=1 /\\ w=0)
end
}
late 'int r0 = x.fetch_add(4, mo_sc, all_scope);' '' '1:r0=5' >"$work/late-rmw.litmus"
late 'x.store(9, mo_rel, all_scope);' 'P2@wg 0 { int r1 = x.load(mo_rlx, all_scope); int r2 = x.load(mo_rlx, all_scope); }' \
    '2:r1=5 /\ 2:r2=9' >"$work/late-store.litmus"
for machine in $(pipelines | grep '^gpm'); do
    compare "what an access misses on $machine" 0 "-m $machine" "$work"/late-*.litmus
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
