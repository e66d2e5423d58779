#!/bin/sh
# certify.sh COUNT SEED [all]: certificates that the enumerator writes, and crashlit-check accepts.
#
# On every eighth test of litmus/, on all in the long run: each certificate is accepted, with the verdict that crashlit gives, but
# those of tests that show by their text that they are outside, or that tests/corpus/certify.known has with the reason (certify.py). COUNT
# false claims made of them are not accepted. `--certified` makes what is not accepted unknown. Without OCaml the step is left
# out, with a word.
set -u
count=$1 seed=$2 all=${3:-}
if [ ! -x "$CHECKER" ]; then
    echo "skipped: there is no OCaml (Debian: ocaml-nox) to build crashlit-check"
    echo "0 passed, 0 failed"
    exit 0
fi
mkdir -p "$WORK"
work=$WORK
. tests/corpus/cases.sh

find litmus -name '*.litmus' | sort | awk -v all="$all" 'all != "" || NR % 8 == 1' >"$work/tests"
rm -rf "$work/certificates"
xargs "$CRASHLIT" check -e enum --states --timeout 60 --certify "$work/certificates" -f json <"$work/tests" >"$work/records" 2>"$work/err"
find "$work/certificates" -name '*.cert' | sort | xargs cat >"$work/all"
timeout 1800 "$CHECKER" --states "$work/all" >"$work/checked" 2>"$work/err"
python3 tests/corpus/certify.py verdicts "$work/records" "$work/checked" tests/corpus/certify.known
verdict $? "certificates are accepted with the verdicts that were given"
python3 tests/corpus/checker.py lists "$work/checked" "$work/records"
verdict $? "and with the states and flags that were listed"

python3 tests/corpus/certify.py certified "$work/all" "$work/checked" >"$work/true"
python3 tests/corpus/checker.py lies "$CHECKER" "$work/true" "$count" "$seed" "$work"
verdict $? "no false claim is accepted"

grep -q '^also ' "$work/all"
verdict $? "memories that recovery sees alike share a section"

# Every one is accepted in a run, too, and counted.
"$CRASHLIT" check -e enum --certified litmus/spb/fig4-*.litmus >"$work/out"
verdict $? "fig4 is certified"
grep -q '0 otherwise.* certified, 0 not$' "$work/out"
verdict $? "and said to be"

# A loop that reads by what writes back what it has read: both leave out its failing iterations.
for call in "add(0" "sub(0" "or(0" "xor(0" "and(-1" "and(0xffffffff" "add(0u"; do
    cat >"$work/loop.litmus" <<END
OPENCL loop
{ atomic_int x = 0; y = 0; }
P0@wg 0 (global atomic_int* x, global int* y) { while (x.fetch_$call, mo_acq, dev_scope) == 0); int r = *y; }
P1@wg 0 (global atomic_int* x, global int* y) { *y = 1; x.store(1, mo_rel, dev_scope); }
final forall (0:r = 1)
END
    "$CRASHLIT" check -m opencl -p epoch --certified "$work/loop.litmus" >"$work/out"
    verdict $? "a loop that waits by fetch_$call) is certified"
done
# The checker is the one beside the program, and so are its models: of the folder where a run begins, and of PATH, nothing is
# taken. The stranger's checker would leave a trace; under his models, which say nothing of persists, no certificate of ours is one.
stranger() {
    folder=$(cd "$work" && pwd)/stranger root=$PWD
    case $CRASHLIT in /*) program=$CRASHLIT ;; *) program=$PWD/$CRASHLIT ;; esac
    case $CHECKER in /*) checker=$CHECKER ;; *) checker=$PWD/$CHECKER ;; esac
    rm -rf "$folder"
    mkdir -p "$folder/checker"
    cp -r models "$folder/models"
    find "$folder/models" -name '*.cat' | while read -r model; do echo '"says nothing"' >"$model"; done
    for name in crashlit-check checker/crashlit-check; do
        printf '#!/bin/sh\n: >"%s/asked"\nexec "%s" "$@"\n' "$folder" "$checker" >"$folder/$name"
        chmod +x "$folder/$name"
    done
    find "$work/certificates" -name '*.cert' | head -n 1 >"$folder/certificate"
    xargs "$folder/crashlit-check" --states <"$folder/certificate" >"$folder/said"
    [ -e "$folder/asked" ] && grep -q '^certified' "$folder/said"
    verdict $? "the stranger's checker leaves a trace"
    xargs "$checker" --models "$folder/models" --states <"$folder/certificate" >"$folder/said"
    [ -s "$folder/said" ] && ! grep -q '^certified' "$folder/said"
    verdict $? "and with his models nothing is accepted"
    rm -f "$folder/asked"
    (cd "$folder" && PATH=$folder:$PATH "$program" check -e enum --certified "$root"/litmus/spb/fig4-*.litmus) >"$work/out"
    verdict $? "in his folder and with his PATH, fig4 is certified"
    grep -q '0 otherwise.* certified, 0 not$' "$work/out" && [ ! -e "$folder/asked" ]
    verdict $? "by our own checker"
}
stranger

# A checker beside the program whose strict is epoch, which does not keep two stores in order: it says violated where strict is
# ok. So the run leaves with 4, and so does who reads its records.
disputed() {
    folder=$work/disputed
    rm -rf "$folder"
    mkdir -p "$folder/bin" "$folder/share/crashlit"
    cp "$CRASHLIT" "$folder/bin/crashlit"
    cp "$CHECKER" "$folder/bin/crashlit-check"
    cp -r models "$folder/share/crashlit/models"
    cp models/persistency/epoch.cat "$folder/share/crashlit/models/persistency/strict.cat"
    printf 'OPENCL two\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\ncrash ~exists (x = 0 /\\ y = 1)\n' >"$folder/two.litmus"
    "$folder/bin/crashlit" check -e enum --certified -f json -m sc -p strict "$folder/two.litmus" >"$folder/records.jsonl"
    [ $? -eq 4 ]
    verdict $? "who has other models disputes the answer"
    for command in merge report; do leaves 4 $command "$folder/records.jsonl"; done
}
disputed
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
