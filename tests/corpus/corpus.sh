#!/bin/sh
# corpus.sh FOLDER: every expectation of every test below the folder, of the enumerator and of
# machines, and that the output depends neither on the number of jobs nor on sharding (left out with ONCE=1). As text
# they are all printed, or those of FOLDER$TEXT_FOLDER.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
folder=$1
mkdir -p "$WORK"
. tests/corpus/cases.sh
# Time and memory differ from run to run.
steady() { sed 's/"seconds":[^,}]*/"seconds":0/; s/"peak_kib":[^,}]*/"peak_kib":0/' "$@"; }

"$CRASHLIT" check --format json "$folder" >"$WORK/corpus.json" 2>"$WORK/corpus.err"
verdict $? "\`crashlit check $folder\` leaves with status 0"
"$CRASHLIT" check --engine machine --format json "$folder" \
    >"$WORK/corpus.machine" 2>>"$WORK/corpus.err"
verdict $? "\`crashlit check --engine machine $folder\` leaves with status 0"
# These show what it is that recovery finds in memory that a crash has lost, or a store that a crash tears. A warning has three lines: what, the text
# and its mark, which are indented.
warned="btree/logged-list-lost published/cache-index published/srad-two-iterations px86/wide-declared px86/wide-flushed px86/wide-read px86/wide-recovery
    px86/wide-struct px86/wide-torn recovery/livelock"
for name in $warned; do
    [ ! -f "$folder/$name.litmus" ] || echo "$folder/$name.litmus [E-lit-lost]"
done >"$WORK/corpus.warned"
sed -n 's/^\([^ ]*\):[0-9]*:[0-9]*: warning: .*\(\[E-[a-z-]*\]\)$/\1 \2/p; t
        /^ /!p' "$WORK/corpus.err" | sort -u >"$WORK/corpus.said"
cmp -s "$WORK/corpus.warned" "$WORK/corpus.said"
verdict $? "standard error warns of those alone that are meant so: $(head -n 20 "$WORK/corpus.said")"

cat "$WORK/corpus.json" "$WORK/corpus.machine" >"$WORK/corpus.both"
# File names hold no blanks: they are test names.
# shellcheck disable=SC2046
"$VERIFY" "$WORK/corpus.both" $(find "$folder" -name '*.litmus' | sort) >"$WORK/corpus.verify"
sed '$d' "$WORK/corpus.verify"
sum=$(tail -n 1 "$WORK/corpus.verify")
good=${sum%% passed,*} bad=${sum#* passed, } bad=${bad% failed}
passed=$((passed + ${good:-0})) failed=$((failed + ${bad:-1}))

# The comparison itself: two tests of two pairs, of which machines promise one; one of them asks about the other all
# the same. Enum has four answers, a machine three, each as expected; and one too few shows.
mkdir -p "$WORK/labels"
for name in plain labelled; do
    printf 'OPENCL %s\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n' $name
    printf 'expect %s : ok\n' 'hrf-direct + epoch' 'sc + strict'
done | awk -v folder="$WORK/labels/" '/^OPENCL/ { name = $2 } { print >(folder name ".litmus") }'
echo 'expect sc + strict [machine] : ok' >>"$WORK/labels/labelled.litmus"
for engine in enum machine; do "$CRASHLIT" check -e $engine --format json "$WORK/labels" 2>/dev/null; done >"$WORK/labels/all"
"$VERIFY" "$WORK/labels/all" "$WORK"/labels/*.litmus >"$WORK/labels/verify"
verdict $? "labelled lines ask a machine for themselves alone: $(tail -n 3 "$WORK/labels/verify")"
for line in 1 2 3 4 5 6 7; do
    sed ${line}d "$WORK/labels/all" >"$WORK/labels/fewer"
    ! "$VERIFY" "$WORK/labels/fewer" "$WORK"/labels/*.litmus >/dev/null
    verdict $? "without answer $line something lacks"
done

# The same answers in words; those of TEXT_FOLDER where that is set.
"$CRASHLIT" check --format herd -v "$folder${TEXT_FOLDER:-}" >"$WORK/corpus.text" 2>&1
verdict $? "text format leaves with status 0"
grep -q '^Test ' "$WORK/corpus.text"
verdict $? "text format names its tests"

depends_on_tests_alone() {
    steady "$WORK/corpus.json" >"$WORK/corpus.one"
    "$CRASHLIT" check -j 2 --format json "$folder" | steady | cmp - "$WORK/corpus.one"
    verdict $? "two jobs print what one prints"
    for shard in 1 2 3; do
        "$CRASHLIT" check --shard $shard/3 --format json "$folder"
    done | steady | sort >"$WORK/corpus.shards"
    sort "$WORK/corpus.one" | cmp - "$WORK/corpus.shards"
    verdict $? "three shards together print every result once"
}
if [ -z "${ONCE:-}" ]; then depends_on_tests_alone; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
