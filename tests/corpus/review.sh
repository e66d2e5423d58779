#!/bin/sh
# review.sh: `crashlit review`: what changes of small models do, by hand; what is not known; its formats.
set -u
rm -rf "$WORK/review"
mkdir -p "$WORK/review"
work=$(cd "$WORK/review" && pwd)
python=${PYTHON:-python3}
. tests/corpus/cases.sh

cat >"$work/old.cat" <<'END'
ours "writes are durable in order, and a barrier stalls"
let ordered = po
let persist-before = ordered
let durable-before = [W]; po; [PB]
END
sed 's/^let ordered.*/let ordered = po; [PB]; po (* weaker *)/' "$work/old.cat" >"$work/new.cat"
cat >"$work/two.litmus" <<'END'
OPENCL two
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; *y = 1; }
crash ~exists (x = 0 /\ y = 1)
expect sc + new.cat : ok
END
cat >"$work/three.litmus" <<'END'
OPENCL three
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; *x = 2; *y = 1; }
crash exists (x = 0 /\ y = 1)
END
cat >"$work/barrier.litmus" <<'END'
OPENCL barrier
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; p_barrier(wi_scope); *y = 1; }
crash ~exists (x = 0 /\ y = 1)
END
bound=events=2,barriers=1

reviews() { # wanted status, models and others; by their names alone, which tests have as well
    wanted=$1
    shift
    (cd "$work" && timeout 600 "$program" review -m sc --bound $bound "$@") >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ]
    verdict $? "\`crashlit review $*\` leaves with $wanted (it was $status)"
}
program=$(cd "$(dirname "$CRASHLIT")" && pwd)/$(basename "$CRASHLIT")

# Without an order of x and y, y alone may be durable: of `two`, and of `three`, which has one access more. Behind a barrier
# old and new order alike. Two stores are the smallest program; a single one has nothing to be ordered with.
weaker() {
    reviews 1 old.cat new.cat three.litmus barrier.litmus two.litmus
    out_has '^  changed new.cat:2 ordered$'
    out_has '^    - let ordered = po$'
    out_has '^    + let ordered = po; \[PB\]; po$'
    out_has '^On tests new.cat contains old.cat; of 3 verdicts old.cat allows more in 0, new.cat in 2; 0 not known$'
    sed -n '/^Verdicts that changed/,/^sc/p' "$work/out" | sed -n '2,3s/;.*//p' >"$work/changed"
    printf '  two.litmus under sc: ok, now violated (expected ok)\n  three.litmus under sc: violated, now ok\n' | cmp -s - "$work/changed"
    verdict $? "the smaller of the two tests stands first, and of one it is said what is expected"
    out_has '^sc + old.cat allows nothing that sc + new.cat does not, up to the bound$'
    out_has '^sc + new.cat allows what sc + old.cat does not: 1 program of 2 operations, and none of fewer$'
    out_has '  persist-before'
    out_has '^Summary: old.cat → new.cat: changed: 2 of 3 verdicts, states of 0 more, new.cat alone has a state of a program of 2 operations; 1 definition differs; 3 tests$'
    cp "$work/out" "$work/single"
    reviews 1 -j 2 old.cat new.cat three.litmus barrier.litmus two.litmus
    cmp -s "$work/out" "$work/single"
    verdict $? "-j 2 prints the same bytes"
}

stronger() {
    reviews 1 new.cat old.cat two.litmus three.litmus
    out_has '^On tests new.cat contains old.cat; of 2 verdicts new.cat allows more in 2, old.cat in 0; 0 not known$'
    out_has '^  two.litmus under sc: violated, now ok; new.cat: 1 crash state more, x=0; y=1$'
}

# Another verdict of no test, and other states of one: the barrier of `barrier` stalls no more, so that x may be lost where
# its work-item has come to an end, which no condition asks.
states() {
    sed '/^let durable/d' "$work/old.cat" >"$work/free.cat"
    printf 'OPENCL stall\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; p_barrier(wi_scope); int ended = 1; }\ncrash exists (x = 1 /\\ 0:ended = 1)\n' >"$work/stall.litmus"
    reviews 1 old.cat free.cat stall.litmus
    out_has '^  removed old.cat:4 durable-before$'
    out_has '^Other states, and the same verdict$'
    out_has '^  stall.litmus under sc: ok; free.cat: 1 crash state more, '
    out_has ': 0 of 1 verdict, states of 1 more, '
}

same() {
    reviews 0 old.cat old.cat two.litmus
    out_has '^No definition differs$'
    sed 's/ = po$/   =  po  \/\/ as ever/' "$work/old.cat" >"$work/spaced.cat"
    reviews 0 old.cat spaced.cat two.litmus barrier.litmus
    out_has '^No definition differs$'
    out_has 'nothing changed: 0 of 2 verdicts, states of 0 more, no program up to the bound tells them apart; 0 definitions differ; 2 tests$'
    # A definition that nothing uses is a change of the text alone. Of equal rules nothing is left to a bound.
    (cat "$work/old.cat"; echo 'let spare = co') >"$work/spare.cat"
    reviews 0 old.cat spare.cat two.litmus
    out_has '^  added spare.cat:5 spare$'
    # The last of two definitions of a name counts.
    printf 'ours "empty"\nlet a = po\nlet a = 0\nlet persist-before = a\n' >"$work/first.cat"
    printf 'ours "po"\nlet a = 0\nlet a = po\nlet persist-before = a\n' >"$work/second.cat"
    reviews 1 first.cat second.cat two.litmus
    out_lines '^  moved second.cat:3 a$' 1
    out_has '^  two.litmus under sc: violated, now ok; first.cat: 1 crash state more, x=0; y=1$'
    # Of five that are in order but for one, that one moved: a, b, c, d keep theirs, x is the first now. And back.
    printf 'ours "end"\nlet a = po\nlet b = po\nlet c = po\nlet d = po\nlet x = po\nlet persist-before = po\n' >"$work/end.cat"
    printf 'ours "end"\nlet x = po\nlet a = po\nlet b = po\nlet c = po\nlet d = po\nlet persist-before = po\n' >"$work/front.cat"
    reviews 0 end.cat front.cat two.litmus
    out_lines '^  moved' 1
    out_has '^  moved front.cat:2 x$'
    reviews 0 front.cat end.cat two.litmus
    out_lines '^  moved' 1
    out_has '^  moved end.cat:6 x$'
    # Two pairs that changed places: one of each moved, and a new one between them is no move.
    printf 'ours "end"\nlet b = po\nlet a = po\nlet n = po\nlet d = po\nlet c = po\nlet x = po\nlet persist-before = po\n' >"$work/pairs.cat"
    reviews 0 end.cat pairs.cat two.litmus
    out_lines '^  moved' 2
    out_has '^  added pairs.cat:4 n$'
}

# What a statement is of is told, whatever its form, and of one that has others within it the lines that differ.
differs() { # the texts of two models, whose last line is the rule that both have
    printf 'ours "a"\n%b\nlet persist-before = po\n' "$1" >"$work/was.cat"
    printf 'ours "a"\n%b\nlet persist-before = po\n' "$2" >"$work/now.cat"
    (cd "$work" && "$program" review -m sc --bound events=1,barriers=0 was.cat now.cat two.litmus) >"$work/out" 2>"$work/err"
    sed -n '1,/^On tests/p' "$work/out" | sed '$d' >"$work/definitions"
}
shows() { # the lines below "Definitions", each after the other
    printf 'Definitions\n%b\n' "$1" | diff - "$work/definitions" >&2
    verdict $? "a change is shown as it is"
}
all_forms() {
    differs 'procedure p(r) = undefined_unless acyclic r end\ncall p(po)' 'procedure p(r) = undefined_unless empty r end\ncall p(po)'
    shows '  changed now.cat:2 p\n    - procedure p(r) = undefined_unless acyclic r end\n    + procedure p(r) = undefined_unless empty r end'
    differs 'if "v" let a = 0 else let a = po end' 'if not "v" let a = 0 else let a = po end'
    shows '  changed now.cat:2 if\n    - if "v" let a = 0 else let a = po end\n    + if not "v" let a = 0 else let a = po end'
    # Three lines, of which the second is another, and one more behind it.
    differs 'if "v"\n  let a = po\n  let b = po // here\nend' 'if "v"\n  let a = 0\n  let c = po\n  let b = po\nend'
    shows '  changed now.cat:3 if\n    - let a = po\n    + let a = 0 let c = po'
    differs 'if "v"\n  let a = po\nend' 'if "v"\n  let a = po\n  flag empty a as none\nend'
    shows '  changed now.cat:4 if\n    + flag empty a as none'
    differs "enum T = 'a || 'b" "enum T = 'a || 'c"
    shows "  changed now.cat:2 T\\n    - enum T = 'a || 'b\\n    + enum T = 'a || 'c"
    differs "instructions F['a || 'b]" "instructions F['a]"
    shows "  changed now.cat:2 F\\n    - instructions F['a || 'b]\\n    + instructions F['a]"
    differs "instructions F['pf]" ''
    shows "  removed was.cat:2 F\\n    - instructions F['pf]"
    # Comments of each kind, and blanks between words, are no change. What is in a string is one.
    differs 'if "v" let a = po|rf end # one\n' 'if "v" (* a *) let a =\n po | rf /* let a = 0 */ end // two'
    grep -q '^No definition differs$' "$work/definitions"
    verdict $? "comments and blanks are no difference"
    differs 'if "v//1" let a = po end' 'if "v//2" let a = po end'
    shows '  changed now.cat:2 if\n    - if "v//1" let a = po end\n    + if "v//2" let a = po end'
}

# P1 waits in vain, so no execution is complete, and that none ends is ok where a line says that it is meant: of the new model
# here, and it counts for the old one. Of two conditions the second changes; its execution is drawn.
meant() {
    cat >"$work/stuck.litmus" <<'END'
OPENCL stuck
{ nvm x = 0; nvm y = 0; atomic_int f = 0; }
P0@wg 0 (global int* x, global int* y) { *x = 1; *y = 1; }
P1@wg 0 (global atomic_int* f) { while (!f.load(mo_acq, wg_scope)); }
final ~exists (true)
crash ~exists (x = 0 /\ y = 1)
expect sc + spaced.cat : ok
expect sc + new.cat : ok
END
    reviews 0 old.cat spaced.cat stuck.litmus
    out_has ': nothing changed: 0 of 1 verdict, '
    reviews 1 --format html old.cat new.cat stuck.litmus
    [ "$(grep -o '<figure' "$work/out" | wc -l)" -eq 3 ]
    verdict $? "a picture of the test, and two of the program"
}

# Includes are part of a model.
included() {
    mkdir -p "$work/a" "$work/b"
    for side in a b; do printf 'ours "all is in the other file"\ninclude "own.cat"\n' >"$work/$side/ours.cat"; done
    sed 1d "$work/old.cat" >"$work/a/own.cat"
    sed 1d "$work/new.cat" >"$work/b/own.cat"
    reviews 1 a/ours.cat b/ours.cat two.litmus
    out_has '^  changed b/own.cat:1 ordered$'
}

# A test that is in another folder than the model has another path to it. Each verdict is that of `two`.
elsewhere() {
    mkdir -p "$work/team/models" "$work/team/tests"
    cp "$work/old.cat" "$work/new.cat" "$work/team/models"
    ln -sf ../models/new.cat "$work/team/tests/link.cat"
    for path in ../models/new.cat "$work/team/models/new.cat" link.cat; do
        sed "s|sc + new.cat : ok|sc + $path : violated|" "$work/two.litmus" >"$work/team/tests/there.litmus"
        (cd "$work/team" && "$program" review --allow-path . --bound $bound models/old.cat models/new.cat tests) >"$work/out" 2>"$work/err"
        [ $? -eq 1 ]
        verdict $? "the model is found in a test by $path"
        out_has '^  tests/there.litmus under sc: ok, now violated; '
    done
}

# The models are the user's, wherever they are; what a test names beside them is within its reach, or is not read.
reach() {
    mkdir -p "$work/far/tests"
    echo 'what nobody may see' >"$work/far/secret.cat"
    sed 's|sc + new.cat|../secret.cat + ../../new.cat|' "$work/two.litmus" >"$work/far/tests/peeks.litmus"
    (cd "$work" && "$program" review --bound $bound old.cat new.cat far/tests) >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && ! grep -q nobody "$work/out" "$work/err"
    verdict $? "a test does not see what is out of its reach"
    err_has "'far/tests/../secret.cat' is out of reach"
    printf 'vis "sequential"\nacyclic po | rf | co | fr as sc\n' >"$work/far/tests/near.cat"
    sed 's|sc + new.cat|near.cat + ../../new.cat|' "$work/two.litmus" >"$work/far/tests/peeks.litmus"
    (cd "$work" && "$program" review --bound $bound old.cat new.cat far/tests) >"$work/out" 2>"$work/err"
    out_has '^  far/tests/peeks.litmus under far/tests/near.cat: ok, now violated (expected ok); '
}

# What a test refines is asked under the model of the side. Without a barrier x and y are durable in order under old.cat alone,
# so of the same program under one model no state is new: ok, and ok. Under epoch it has one more than under old.cat, and none
# more than under new.cat, and no pair of the line is another.
sources() {
    sed '/^crash/,$d' "$work/two.litmus" >"$work/source.litmus"
    for path in new.cat ./new.cat old.cat; do
        (cat "$work/source.litmus"; printf 'crash refines "source.litmus" under sc + %s\nexpect sc + new.cat : ok\n' $path) >"$work/alike.litmus"
        reviews 1 old.cat new.cat alike.litmus
        out_has ': 0 of 1 verdict, states of 1 more, '
        out_has '^  alike.litmus under sc: ok; new.cat: 1 crash state more, '
    done
    (cat "$work/source.litmus"; printf 'crash refines "source.litmus" under sc + new.cat\nexpect sc + epoch : ok\n') >"$work/sole.litmus"
    (cd "$work" && "$program" review --bound $bound old.cat new.cat sole.litmus) >"$work/out" 2>"$work/err"
    out_has '^  sole.litmus under sc + epoch: violated, now ok$'
    (cd "$work" && "$program" review --bound $bound -f html new.cat old.cat sole.litmus) >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] && grep -q 'ok, now violated (expected ok)' "$work/out"
    verdict $? "what is expected of a pair that stays is told"
    # A source under another pair is as it was, and the test asks nothing of either.
    sed 's/new.cat/strict/' "$work/sole.litmus" >"$work/neither.litmus"
    (cd "$work" && "$program" review --bound $bound old.cat new.cat neither.litmus) >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q "no test asks anything of 'old.cat' or 'new.cat'" "$work/err"
    verdict $? "a source under another pair asks nothing"
}

refused() {
    printf 'vis "a visibility model"\nacyclic po | rf | co | fr as sc\n' >"$work/vis.cat"
    echo 'let broken = (' >"$work/bad.cat"
    reviews 2 old.cat vis.cat two.litmus
    err_has "'old.cat' is a persistency model and 'vis.cat' a visibility model; expected two of one kind"
    reviews 2 old.cat bad.cat two.litmus
    reviews 2 old.cat none.cat two.litmus
    reviews 2 sc+old.cat new.cat two.litmus
    reviews 2 -p epoch old.cat new.cat two.litmus
    reviews 2 old.cat new.cat none.litmus
    (cd "$work" && "$program" review old.cat new.cat three.litmus) >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q "no test asks anything of 'old.cat' or 'new.cat'; name what they go with, as in '-m sc'" "$work/err"
    verdict $? "tests that ask nothing are none"
    # `two` asks of new.cat, and both are asked; `three` asks of neither.
    (cd "$work" && "$program" review --bound $bound old.cat new.cat two.litmus three.litmus) >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] && grep -q '1 of 1 verdict, .*; 1 test, 1 ask nothing of the models$' "$work/out"
    verdict $? "a test that asks nothing of either model is counted"
    # What can be read counts, and the status says that not all could.
    echo 'OPENCL cut {' >"$work/cut.litmus"
    reviews 2 old.cat new.cat two.litmus cut.litmus
    out_has '1 of 1 verdict, .*; 1 test, 1 could not be read$'
}

# A test that takes minutes says nothing within a third of a second. What the others say counts; where they say nothing,
# that nothing changed is not known. The models have the same rules, or the test would have to be asked for longer.
limited() {
    write_long_test "$work/long.litmus"
    reviews 1 --timeout 0.3 old.cat new.cat long.litmus two.litmus
    out_has '^Not known$'
    out_has '^  long.litmus under sc: unknown; '
    out_has '^  two.litmus under sc: ok, now violated'
    out_has '^On tests, as far as known, new.cat contains old.cat; of 2 verdicts old.cat allows more in 0, new.cat in 1; 1 not known$'
    reviews 3 --timeout 0.3 old.cat spaced.cat long.litmus two.litmus
    out_has '^Summary: .*: unknown: 0 of 2 verdicts, states of 0 more, 1 not known, no program'
    reviews 3 --timeout 0.3 old.cat spaced.cat long.litmus
    out_has '^On tests, as far as known, old.cat and spaced.cat: nothing to compare; of 1 verdict '
    # An instruction that no program has, as the vocabulary is another one: nobody knows whether one tells the two apart.
    printf 'ours "a fence"\ninstructions F[%s]\nlet persist-before = po; [KEEPS]; po\n' "'keeps" >"$work/keeps.cat"
    sed 's/^let .*/let persist-before = po; [KEEPS]; po; [W]/' "$work/keeps.cat" >"$work/kept.cat"
    reviews 3 --vocabulary spb keeps.cat kept.cat two.litmus
    out_has 'whether a program tells them apart is not known; 1 definition differs'
    # Else programs have it. By hand: only writes are durable, so what is no write behind the fence orders nothing.
    reviews 0 keeps.cat kept.cat two.litmus
}

valid() {
    "$python" -W ignore -m jsonschema --base-uri "file://$(pwd)/tests/schemas/" -i "$1" tests/schemas/review.schema.json >/dev/null 2>&1
}

# HTML: a picture of the test whose verdict changed, of an execution of the program, and of what excludes it.
formats() {
    reviews 1 --format json --format md=comment --format html=page.html old.cat new.cat two.litmus barrier.litmus
    out_has '^{"schema":1,"definition":"ordered","change":"changed","old":{"file":"old.cat","line":2,"text":"let ordered = po"},"new":{'
    out_has '"beside":"sc","size":2,"changed":"verdict","was":"ok","verdict":"violated","expected":"ok","sides":'
    out_has '"review":"yes","direction":"contained","told_apart":"yes","definitions":{"changed":1,"added":0,"removed":0,"moved":0},"verdicts":2,"verdicts_changed":1,'
    while read -r line; do
        printf '%s\n' "$line" >"$work/line.json"
        valid "$work/line.json"
        verdict $? "a line of JSON conforms to its schema"
    done <"$work/out"
    sed -n 's/"change":"changed"/"change":"other"/p' "$work/out" | head -n 1 >"$work/line.json"
    ! valid "$work/line.json"
    verdict $? "and a change that is none does not"
    [ "$(grep -o '<figure' "$work/page.html" | wc -l)" -eq 3 ]
    verdict $? "HTML has three pictures"
    version=$("$program" version)
    grep -q "^<p class=\"path\">$version</p>$" "$work/page.html" && [ "$(tail -n 1 "$work/comment")" = "$version" ]
    verdict $? "HTML and Markdown have the version"
    head -n 1 "$work/comment" | grep -q '^Summary: old.cat → new.cat: changed: 1 of 2 verdicts'
    verdict $? "a comment begins with what it comes to"
}

# A sign that begins a line is a list's, so it stands with the text as code, and so do names that strangers give.
strangers() {
    cp "$work/two.litmus" "$work/a @you #1 \`a\`|*.litmus"
    reviews 1 --format md old.cat new.cat "a @you #1 \`a\`|*.litmus"
    out_has '^\* changed `new.cat:2` `ordered`$'
    out_has '^  \* `- let ordered = po`$'
    out_has '^  \* `+ let ordered = po; \[PB\]; po`$'
    out_has '^\* \*\*``a @you #1 `a`|\*.litmus``\*\* under `sc`: ok, now violated'
}

# 400 verdicts with names of some 200 characters do not fit into a comment.
large() {
    mkdir -p "$work/large"
    long=$(printf '%0180d' 0)
    i=0
    while [ $i -lt 400 ]; do cp "$work/two.litmus" "$work/large/$long-$i.litmus"; i=$((i + 1)); done
    reviews 1 -j 2 old.cat new.cat large --format md
    size=$(wc -c <"$work/out")
    [ "$size" -le 65536 ] && [ "$size" -gt 20000 ]
    verdict $? "a comment of 400 verdicts has at most 65536 bytes (it was $size)"
    shown=$(grep -c 'ok, now violated' "$work/out")
    grep -q "^$((400 - shown)) more verdicts do not fit in here$" "$work/out"
    verdict $? "what it lacks is counted"
    grep -q '^OPENCL second-only-1$' "$work/out"
    verdict $? "and it has the smallest program all the same"
}

weaker
stronger
states
same
all_forms
meant
included
elsewhere
reach
sources
refused
limited
formats
strangers
large
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
