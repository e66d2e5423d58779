#!/bin/sh
# checker.sh COUNT SEED [all]: crashlit-check, which shares nothing with crashlit, on the tests of litmus/.
#
# Each test that it decides has the verdict that the test expects and the states that crashlit lists. Certificates that
# it has written are accepted, COUNT false claims made of them are not. A model with a mistake gives other verdicts.
# Certificates are of every eighth test, of all in the long run. Without OCaml the step is left out, with a word.
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

find litmus -name '*.litmus' | sort >"$work/tests"
# Tests of more nodes than this are not small, and are counted as outside.
naive() { xargs timeout 600 "$CHECKER" --nodes "${nodes:-3000}" "$@"; }

naive --states --naive <"$work/tests" >"$work/naive"
verdict $? "every test is decided or said to be outside"
grep -v '^ ' "$work/naive" >"$work/answers"
said() { grep -c "^$1	" "$work/answers"; }
decided=$(said agrees)
echo "verdicts: $decided decided as expected, $(said outside) outside, $(said unknown) up to a bound"
grep '^outside' "$work/answers" | cut -f 4 | sort | uniq -c | sort -rn
grep -e '^differs' -e '^fault' -e '^unknown' "$work/answers"
[ "$(said differs)" -eq 0 ]
verdict $? "no verdict differs from the one that is expected"
[ "$(said fault)" -eq 0 ]
verdict $? "every test is read"
[ "$decided" -ge 4500 ]
verdict $? "it decides most of the tests (4500 verdicts or more)"

"$CRASHLIT" check -e enum --states --format json litmus >"$work/records" 2>"$work/err"
python3 tests/corpus/checker.py lists "$work/naive" "$work/records"
verdict $? "the states are those that crashlit lists"

awk -v all="$all" 'all != "" || NR % 8 == 1' "$work/tests" >"$work/some"
naive --make <"$work/some" >"$work/certificates" 2>"$work/err"
"$CHECKER" "$work/certificates" >"$work/checked"
verdict $? "certificates of true claims are accepted"
certified=$(grep -c '^certified' "$work/checked")
[ "$certified" -eq "$(grep -c '^certificate' "$work/certificates")" ] && [ "$certified" -gt 100 ]
verdict $? "each of them, and there are many ($certified)"
# What a certificate shows is what was decided.
cut -f 2-5 "$work/checked" | sort >"$work/shown"
grep '^agrees' "$work/answers" | cut -f 2-5 | sort | comm -13 - "$work/shown" | grep -v "	error	" >"$work/other"
[ ! -s "$work/other" ]
verdict $? "with the verdicts and the numbers of states that were decided: $(head -n 2 "$work/other")"

python3 tests/corpus/checker.py lies "$CHECKER" "$work/certificates" "$count" "$seed" "$work"
verdict $? "no false claim is accepted"

python3 tests/corpus/checker.py hand "$CHECKER" tests/corpus/lies/lies "$work"
verdict $? "claims made by hand are answered, each for its reason"
"$CHECKER" --naive tests/corpus/lies/*.litmus >"$work/answers"
! grep -v -e '^agrees' -e '	unknown$' -e '^outside	[^	]*marks' -e '^outside	[^	]*thin-plus-one' "$work/answers"
verdict $? "the tests that they are of have the verdicts that they expect"
# Tests that say in their first line how they are answered: what is wrong in them crashlit refuses as well.
for test in tests/corpus/lies/faults/*.litmus; do
    said=$("$CHECKER" --naive "$test" | tr '\t' ' ')
    word=$(sed -n '1s,^// ,,p' "$test")
    case $said in "${word%% *} $test "*"${word#* }"*) true ;; *) false ;; esac
    verdict $? "$test is answered: $word"
    "$CRASHLIT" check -e enum "$test" >"$work/out" 2>&1
    status=$?
    [ "${word%% *}" = outside ] || [ "$status" -eq 2 ]
    verdict $? "and crashlit refuses it, if it is wrong"
done

# A tree as deep as a million nodes, and a line without an end, are answered at once.
{
    sed -n '/^certificate/,/^path 1/p;/^path 1/q' tests/corpus/lies/lies
    awk 'BEGIN { printf "tree 0.0 1.0 :"; for (i = 0; i < 1000000; i++) printf " r 1.0 1 i:f"; print " k\ndone" }'
    sed -n '/^certificate/,/^path 1/p;/^path 1/q' tests/corpus/lies/lies
    awk 'BEGIN { printf "tree"; for (i = 0; i < 1000000; i++) printf " 0.0"; print "\ndone" }'
} >"$work/deep"
timeout 60 "$CHECKER" "$work/deep" >"$work/checked" 2>"$work/err"
[ $? -eq 1 ] && [ "$(grep -c '^refused' "$work/checked")" -eq 2 ]
verdict $? "a tree may be deep, and a line long"

# A planted mistake: sequential consistency without communication; and coherence that nothing keeps.
for mistake in 's/acyclic po | com | exec-bar/acyclic po | exec-bar/' 's/let com = rf | co | fr/let com = rf/'; do
    rm -rf "$work/models"
    cp -r models "$work/models"
    sed "$mistake" models/visibility/sc.cat >"$work/models/visibility/sc.cat"
    find litmus/spb -name '*.litmus' | naive --models "$work/models" --naive >"$work/mistaken"
    grep -q '^differs' "$work/mistaken"
    verdict $? "a mistake in a model shows: $mistake"
done
# The mistaken model's certificates are refused under the right one.
find litmus/spb -name '*.litmus' | naive --models "$work/models" --make >"$work/wrong" 2>"$work/err"
"$CHECKER" "$work/wrong" >"$work/checked"
[ $? -eq 1 ] && grep -q '^refused' "$work/checked"
verdict $? "and its certificates are refused under the right one"
head -c 3000 "$work/certificates" >"$work/cut"
"$CHECKER" "$work/cut" >"$work/checked" 2>"$work/err"
[ $? -eq 1 ]
verdict $? "a certificate that is cut off is refused"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
