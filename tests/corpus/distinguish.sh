#!/bin/sh
# distinguish.sh: `crashlit distinguish` and `crashlit lattice`: known distances between models, each derived by
# hand; figures that can be counted by hand; limits, parts and what is written.
set -u
rm -rf "$WORK/distinguish"
mkdir -p "$WORK/distinguish"
work=$(cd "$WORK/distinguish" && pwd)
. tests/corpus/cases.sh

# What it says of "A allows what B does not": the size of the smallest, or nothing.
more() { # A, B, how many operations
    out_has "^$1 allows what $2 does not: .* of $3 operations, and none of fewer"
}
no_more() { # A, B
    out_has "^$1 allows nothing that $2 does not, up to the bound$"
}
holds_test() { # line of the program, line of its state
    grep -A 1 -F "$1" "$work/out" | grep -qF "$2"
    verdict $? "'$1' is shown, by $2"
}

# A chain: each contains the one before, and has more.
#   strict has each write durable before anything behind it executes; epoch only at a barrier: one write and a
#   read behind it tell, or two writes. One operation tells nothing: the write is durable or not under both.
#   buffered-epoch has nobody wait: behind `st x; p_barrier` x may be lost. One of the two alone tells nothing.
#   none orders nothing: x is lost and y durable behind `st x; p_barrier; st y`. Two operations do not do: without
#   a write on either side of the barrier buffered-epoch orders nothing.
chain() {
    leaves 0 distinguish strict epoch
    no_more 'sc + strict' 'sc + epoch'
    more 'sc + epoch' 'sc + strict' 2
    leaves 0 distinguish epoch buffered-epoch
    no_more 'sc + epoch' 'sc + buffered-epoch'
    more 'sc + buffered-epoch' 'sc + epoch' 2
    holds_test 'x* | P0: st x; p_barrier.wi' 'crash state x = 0 /\ 0:ended = 1'
    leaves 0 distinguish --defined buffered-epoch none
    no_more 'sc + buffered-epoch' 'sc + none'
    more 'sc + none' 'sc + buffered-epoch' 3
    holds_test 'x* y* | P0: st x; p_barrier.wi; st y' 'crash state x = 0 /\ y = 1'
    out_has 'persist-before builtin:persistency/buffered-epoch.cat:.*W x at line 4 is durable before P0.s W y at line 6 is'
    # The order of the names is no part of the answer.
    leaves 0 distinguish --defined none buffered-epoch
    no_more 'sc + buffered-epoch' 'sc + none'
    more 'sc + none' 'sc + buffered-epoch' 3
}

# Collectively a barrier of the work-group has all of it come: who comes alone waits for ever, which is
# undefined. Where all come, each has waited for the writes of all; individually for those that happen before its
# own barrier. P0, which only comes, is seen by its end; P1 writes x. To wait in vain takes the barrier and somebody
# else, who has a store here. No barrier waits under none.
collective() {
    for other in epoch-individual none; do
        leaves 0 distinguish epoch $other
        more 'sc + epoch' "sc + $other" 2
        holds_test 'x | P0: st x | P1: p_barrier.wg' "undefined under sc + epoch alone, so that anything may happen"
    done
    leaves 0 distinguish epoch epoch-individual
    out_has 'barrier-divergence'
    more 'sc + epoch-individual' 'sc + epoch' 3
    holds_test 'p_barrier.wg | P1: p_barrier.wg' 'crash state x = 0 /\ 1:ended = 1'
    # Without what is undefined one contains the other.
    leaves 0 distinguish --defined epoch epoch-individual
    no_more 'sc + epoch' 'sc + epoch-individual'
}

# Each has an instruction that the other gives no meaning to. SBRP's dFence waits, so two operations tell;
# buffered epochs never wait, so two writes are needed there.
mechanisms() {
    leaves 0 distinguish sbrp buffered-epoch-individual
    more 'sc + sbrp' 'sc + buffered-epoch-individual' 3
    more 'sc + buffered-epoch-individual' 'sc + sbrp' 2
    holds_test 'x* | P0: st x; dFence' 'crash state x = 0 /\ 0:ended = 1'
    # A fence covers what was only read: P0 has read P1's write, so that is durable behind the fence. With a write
    # of its own in place of the read both cover it.
    leaves 0 distinguish gpm gpm-cumulative
    more 'sc + gpm' 'sc + gpm-cumulative' 3
    holds_test 'x* | P0: ld x; gpm_persist | P1: st x' 'crash state x = 0 /\ 0:r0 = 1 /\ 0:ended = 1'
    no_more 'sc + gpm-cumulative' 'sc + gpm'
    # PersistBarrier orders, and nobody waits at it: epoch gives it no meaning, strand none to p_barrier.
    leaves 0 distinguish --defined epoch strand
    more 'sc + epoch' 'sc + strand' 3
    holds_test 'x* y* | P0: st x; PersistBarrier; st y' 'crash state x = 0 /\ y = 1'
    more 'sc + strand' 'sc + epoch' 2
}

# Of one write, or one read, nothing differs: none up to the bound, with figures. Programs by hand: `st x` with x
# non-volatile is the only one of one operation that tells anything; x is 0 or 1 at a crash and 1 in the end: 3
# states under each of two models.
none_found() {
    leaves 1 distinguish --bound events=1,barriers=0 strict none
    no_more 'sc + strict' 'sc + none'
    no_more 'sc + none' 'sc + strict'
    out_has ': 1 programs up to symmetry, 6 states compared, engine auto$'
}

# A model of one's own, of no rules.
own_model() {
    printf 'own "nothing is ordered"\n\n' >"$work/own.cat"
    leaves 0 distinguish --defined buffered-epoch "sc+$work/own.cat"
    no_more 'sc + buffered-epoch' "sc + $work/own.cat"
    holds_test 'x* y* | P0: st x; p_barrier.wi; st y' 'crash state x = 0 /\ y = 1'
    out_has "^// sc + $work/own.cat: ok$"
    # Alone it is what it defines: with a name of the contract a persistency model, over sc, else a visibility
    # model. The rules are buffered-epoch's, so nothing tells it from that. A misspelt name is told as the kind
    # that it resembles.
    printf 'Own "waits for nobody"\ninclude "collective.cat"\nlet persist-before = [NVW]; pmo; [NVW]\n' >"$work/stalls.cat"
    leaves 1 distinguish "$work/stalls.cat" buffered-epoch
    no_more "sc + $work/stalls.cat" 'sc + buffered-epoch'
    leaves 0 compare --models "epoch,$work/stalls.cat" litmus/spb/kv-insert-bare.litmus
    out_has "^test .* hrf-direct + epoch *hrf-direct + $work/stalls.cat$"
    printf 'Own "coherence"\nacyclic po-loc | rf | co | fr as coherence\n' >"$work/sees.cat"
    leaves 1 distinguish --bound events=1,barriers=0 "$work/sees.cat" none
    no_more "$work/sees.cat + none" 'sc + none'
    leaves 2 distinguish buffered-epohc none
    err_has "no built-in persistency model 'buffered-epohc'; did you mean 'buffered-epoch'?"
}

# What no engine decides in time is open, and then the answer is not "none".
limits() {
    leaves 3 distinguish --timeout 0.000001 --bound events=2,barriers=1 epoch buffered-epoch
    out_has '^Whether sc + epoch allows what sc + buffered-epoch does not is not known: no test was found; [1-9]'
    leaves 3 distinguish --total 0.000001 buffered-epoch none
    next=$(sed -n 's/^Summary: .*--from \([0-9]*\)$/\1/p' "$work/out")
    [ -n "$next" ]
    verdict $? "it says where to go on"
    leaves 0 distinguish --from "$next" buffered-epoch none
    holds_test 'x* y* | P0: st x; p_barrier.wi; st y' 'crash state x = 0 /\ y = 1'
}

# Nothing was looked at: no "none", no equality. A program has an access, and no fence is one: of fences alone there is no
# program. One part in 400 of a search of fewer units has none.
nothing_looked_at() {
    leaves 3 distinguish --bound families=fence epoch none
    for pair in 'epoch allows what sc + none' 'none allows what sc + epoch'; do
        out_has "^Whether sc + $pair does not is not known: no test was found; there is no program up to the bound$"
    done
    leaves 3 distinguish --format json --bound families=fence epoch none
    out_lines '"found":"unknown","open":0,"doubt":"there is no program up to the bound"' 1
    leaves 3 lattice --bound families=fence epoch none strict
    out_lines ' = ' 0
    out_has '^  whether epoch has more than none: there is no program up to the bound$'
    out_has '; 6 open$'
    leaves 3 lattice --shard 400/400 --bound events=2 epoch none strict
    out_lines ' = ' 0
    leaves 3 distinguish --shard 400/400 --bound events=2 epoch none
    leaves 3 lattice --total 0.000001 sc+epoch hrf-direct+none
    out_lines ' = ' 0
    out_has '^  whether sc + epoch has more than hrf-direct + none: the search did not come to its end$'
    out_has '; 2 open; the search did not come to its end$'
    leaves 3 lattice --total 0.000001 --format json sc+epoch hrf-direct+none
    out_has '"more":"unknown","doubt":"the search did not come to its end"'
    out_has '"classes":\[\["sc + epoch"\],\["hrf-direct + none"\]\]'
}

# Instructions of one's own: no vocabulary has them, so that nothing was found is no answer, of either direction and of
# no order. By hand: a model that is none but for such an instruction differs from none by programs with it alone.
blind() { # reason
    out_lines "^Whether .* does not is not known: no test was found; $1" 2
    out_lines 'allows nothing' 0
}
own_instructions() {
    printf 'Own "a fence of its own"\ninstructions F[%s]\nlet persist-before = [W & NVM]; po; [KEEPS]; po; [W & NVM]\n' "'keeps" >"$work/keeps.cat"
    leaves 3 distinguish --vocabulary spb "$work/keeps.cat" none
    blind "sc + $work/keeps.cat looks at the instruction tag 'keeps, which no program of the vocabulary has$"
    leaves 3 lattice --vocabulary spb "$work/keeps.cat" none
    out_lines ' = ' 0
    out_has "'keeps, which no program of the vocabulary has$"
    # Declared alone it is nothing: that model is none.
    printf 'Own "says nothing of it"\ninstructions F[%s]\nlet durable-before = 0\n' "'keeps" >"$work/says.cat"
    leaves 1 distinguish "$work/says.cat" none
    # Nor is there anything to find between a model and its copy.
    cp "$work/keeps.cat" "$work/copy.cat"
    leaves 1 distinguish "$work/keeps.cat" "$work/copy.cat"
    # What was found is found: this one orders by persist barriers as well, as none does not.
    sed 's/^let persist-before = /let persist-before = [W \& NVM]; po; [PB]; po; [W \& NVM] | /' "$work/keeps.cat" >"$work/both.cat"
    leaves 0 distinguish --vocabulary spb "$work/both.cat" none
    more 'sc + none' "sc + $work/both.cat" 3
    out_has "^Whether sc + $work/both.cat allows .* is not known: .* 'keeps, which"
    # Instructions of a mechanism are there when its vocabulary is, and those of SPB else. By hand, as gpm-cumulative above: what
    # one has of gpm's rules is told from these by a read, a fence and a write of another.
    cp models/gpm-base.cat "$work" && cp models/persistency/gpm-cumulative.cat "$work/own-gpm.cat"
    leaves 0 distinguish --vocabulary gpm --bound events=3,barriers=1 gpm "$work/own-gpm.cat"
    more 'sc + gpm' "sc + $work/own-gpm.cat" 3
    no_more "sc + $work/own-gpm.cat" 'sc + gpm'
    leaves 3 distinguish --vocabulary spb gpm "$work/own-gpm.cat"
    blind "sc + $work/own-gpm.cat looks at the .* tag '.*, which no program of the vocabulary has$"
    # A location's tag, of which there is none.
    printf 'Own "kept locations"\ninstructions LOC[%s]\nlet durable-before = [KEPT & W]; po; [W]\n' "'kept" >"$work/kept.cat"
    leaves 3 distinguish "$work/kept.cat" none
    blind "sc + $work/kept.cat looks at the location tag 'kept, which no program of the vocabulary has$"
    # Of a mapping's source.
    printf 'everywhere { }\n' >"$work/keeps.map"
    leaves 3 distinguish --vocabulary spb --map "$work/keeps.map" "sc+$work/keeps.cat" "sc+$work/keeps.cat"
    out_has "^Whether .* is not known: no test was found; .* 'keeps, which"
    # And of its target, which inserts no such instruction.
    leaves 3 distinguish --map "$work/keeps.map" sc+none "sc+$work/keeps.cat"
    out_has "^Whether .* is not known: no test was found; .* 'keeps, which"
    # Rules of what no program up to the bound has: an RMW is of no family that is looked at unless it is named.
    printf 'Own "exchanges are durable in order"\nlet persist-before = [W & RMW & NVM]; po; [W & NVM]\n' >"$work/rmw.cat"
    leaves 3 distinguish "$work/rmw.cat" none
    blind 'no program up to the bound has what their rules differ in$'
    leaves 0 distinguish --bound events=2,families=rmw:st "$work/rmw.cat" none
    more 'sc + none' "sc + $work/rmw.cat" 2
}

# Definitions of one's own. By hand: under pair a store, a flush of its line and a fence make it durable, three operations that none
# does not order, and none of them can be spared; what is weaker than pair by its flush differs from it by a store and a fence alone.
# A fence whose tag the model does not know tells nothing. The files are beside each other, and a test finds them with -I.
out_first() {
    head -n 1 "$work/out" | grep -q -e "$1"
    verdict $? "its output begins with a line with $1"
}
derived() {
    rm -rf "$work/derived" && mkdir -p "$work/derived"
    printf 'waits() { __fence{waits}; }\nsends(X) { __cm{sends}(X); }\nboth(X) { sends(X); waits(); }\nidle(S) { __fence{idle, S}; }\nholds(T) { __fence{waits}(T); }\n' >"$work/derived/own.def"
    printf 'Pair "a flush and a fence"\ninstructions F[%s]\ninstructions CM[%s]\nlet durable-before = [W & NVM]; (po & line); [SENDS]; po; [WAITS]\n' "'waits" "'sends" >"$work/derived/pair.cat"
    printf 'Fence "a fence alone"\ninstructions F[%s]\nlet durable-before = [W & NVM]; po; [WAITS]\n' "'waits" >"$work/derived/fence.cat"
    leaves 0 distinguish --uses "$work/derived/own.def" -o "$work/derived/tests" "$work/derived/pair.cat" none
    out_first "^Left out of the search: 'both' (it is no single instruction), 'holds' (it takes a token)\$"
    more 'sc + none' "sc + $work/derived/pair.cat" 3
    holds_test 'x* | P0: st x; sends x; waits' 'crash state x = 0 /\ 0:ended = 1'
    leaves 0 check -I "$work/derived" "@$work/derived/tests/MANIFEST"
    leaves 0 distinguish --uses "$work/derived/own.def" --format json "$work/derived/pair.cat" none
    out_has "\"left_out\":\"'both' (it is no single instruction), 'holds' (it takes a token)\""
    leaves 0 lattice --uses "$work/derived/own.def" "$work/derived/pair.cat" "$work/derived/fence.cat" none
    out_has "^  .*pair.cat contains .*fence.cat: test 1\$"
    # Without the file: primitives of what is declared. What PTX has no word for is left out there, and nothing is equal for that.
    leaves 0 distinguish "$work/derived/pair.cat" none
    holds_test 'x* | P0: st x; sends x; waits' 'crash state x = 0 /\ 0:ended = 1'
    leaves 3 distinguish "ptx+$work/derived/pair.cat" ptx+none
    out_first "^Left out of the search: 'waits' (the dialect has no word for it), 'sends' (the dialect has no word for it)\$"
    leaves 0 distinguish --uses "$work/derived/own.def" --bound events=1 "ptx+$work/derived/pair.cat" ptx+none
    more 'ptx + none' "ptx + $work/derived/pair.cat" 3
    # A family that is left out by the bound is no answer.
    leaves 3 distinguish --uses "$work/derived/own.def" --bound families=ld:st:waits "$work/derived/pair.cat" none
    leaves 3 distinguish --uses "$work/derived/own.def" --bound barriers=0 "$work/derived/fence.cat" none
    # Tags of SBRP's are the file's where that has them.
    printf 'stop() { __fence{dfence}; }\n' >"$work/derived/stop.def"
    printf 'Stop "a fence that waits"\ninstructions F[%s]\nlet durable-before = [W & NVM]; po; [DFENCE]\n' "'dfence" >"$work/derived/stop.cat"
    leaves 0 distinguish --uses "$work/derived/stop.def" "$work/derived/stop.cat" none
    out_has '^Summary: stop: '
    holds_test 'x* | P0: st x; stop' 'crash state x = 0 /\ 0:ended = 1'
    leaves 0 distinguish "$work/derived/stop.cat" none
    out_has '^Summary: sbrp: '
    holds_test 'x* | P0: st x; dFence' 'crash state x = 0 /\ 0:ended = 1'
    # Records are of the file's text.
    leaves 0 distinguish --uses "$work/derived/own.def" --format json "$work/derived/pair.cat" none
    cp "$work/out" "$work/derived/records"
    leaves 0 distinguish --uses "$work/derived/own.def" --resume "$work/derived/records" "$work/derived/pair.cat" none
    more 'sc + none' "sc + $work/derived/pair.cat" 3
    echo 'more() { __fence{more}; }' >>"$work/derived/own.def"
    leaves 0 distinguish --uses "$work/derived/own.def" --resume "$work/derived/records" "$work/derived/pair.cat" none
    err_has 'is of another search'
    # What is said of them in a vocabulary, and what no test could name.
    printf 'vocabulary mine\nuses own.def\nwaits : own persistency\nsends : own persistency\n' >"$work/derived/mine.vocabulary"
    leaves 0 distinguish --vocabulary "$work/derived/mine.vocabulary" "$work/derived/pair.cat" none
    out_has '^Summary: mine: '
    more 'sc + none' "sc + $work/derived/pair.cat" 3
    # Shapes of them: behind the fence x is durable, so what y's write tells of is.
    for words in "--uses $work/derived/own.def" "--vocabulary $work/derived/mine.vocabulary"; do
        # shellcheck disable=SC2086 # two words
        leaves 0 generate $words --shape 'sends waits PodWW Crash' --expect "sc+$work/derived/pair.cat"
        out_has '^  sends(x);$'
        out_has '^// sc + .*/pair.cat : ok$'
    done
    # A mapping that keeps all keeps these; what it uses is beside it.
    printf 'everywhere { }\n' >"$work/derived/keeps.map"
    leaves 1 distinguish --uses "$work/derived/own.def" --bound events=2,barriers=1 --map "$work/derived/keeps.map" "sc+$work/derived/pair.cat" "sc+$work/derived/pair.cat"
    # A vocabulary that is built in has the built-in file, whatever the user's of its name is. By hand: under px86 persists are
    # asynchronous, so that of one store alone nothing is ordered.
    printf 'clwb(X) { __cm{clwb}(X); }\n' >"$work/derived/px86.def"
    leaves 1 distinguish --uses "$work/derived/px86.def" --vocabulary px86 --bound events=1,barriers=2 px86 none
    leaves 0 distinguish --uses "$work/derived/px86.def" --bound events=1,barriers=2 px86 "$work/derived/pair.cat"
    more "sc + px86" "sc + $work/derived/pair.cat" 3
    mkdir -p "$work/derived/other" && cp "$work/derived/own.def" "$work/derived/other"
    leaves 2 distinguish --uses "$work/derived/own.def" --uses "$work/derived/other/own.def" "$work/derived/pair.cat" none
    err_has "names two files called 'own.def'"
    cp "$work/derived/own.def" "$work/derived/my own.def"
    leaves 2 distinguish --uses "$work/derived/my own.def" "$work/derived/pair.cat" none
    err_has 'no test could name that'
    leaves 2 distinguish --uses "$work/derived/none.def" "$work/derived/pair.cat" none
    err_has 'cannot read the definition file'
}

# Orders of memory are looked at where a model of one's own does, whatever the visibility model is called. By hand: where a
# release is durable after what is before it, a write and a release tell; one operation does not.
own_orders() {
    printf 'Own "a release is durable last"\nlet persist-before = [W & NVM]; po; [W & REL & NVM]\n' >"$work/release.cat"
    leaves 0 distinguish --bound events=2,barriers=0 "$work/release.cat" none
    more 'sc + none' "sc + $work/release.cat" 2
    out_has '  second-only-1: x\* y\* | P0: st x; sta.rel.* y$'
    out_has 'orders=na:acq:rel,.*families=ld:st:lda:sta:p_barrier,'
    # A vocabulary that is named is there where visibility models differ, too.
    leaves 0 distinguish --vocabulary gpm --bound events=1,barriers=1 sc+gpm tso+none
    out_has 'families=ld:st:lda:sta:bar:gpm_persist:'
    more 'tso + none' 'sc + gpm' 2
}

programs() { sed -n 's/^Summary: .*: \([0-9]*\) programs.*/\1/p' "$work/out"; }
# The parts have the programs of the whole between them; the same answer whatever the jobs.
parts() {
    leaves 0 distinguish --defined --bound events=2 buffered-epoch none
    cp "$work/out" "$work/whole"
    whole=$(programs)
    leaves 0 distinguish -j 2 --defined --bound events=2 buffered-epoch none
    cmp -s "$work/whole" "$work/out"
    verdict $? "two jobs say the same"
    sum=0
    "$CRASHLIT" lattice --defined --bound events=2 buffered-epoch none >"$work/out"
    all=$(programs)
    for part in 1 2 3; do
        "$CRASHLIT" lattice --shard $part/3 --defined --bound events=2 buffered-epoch none >"$work/out"
        out_has "part $part of 3"
        sum=$((sum + $(programs)))
    done
    [ "$sum" -eq "$all" ] && [ "$all" -ge "$whole" ]
    verdict $? "three parts have $sum programs, the whole $all"
}

# A run that was killed and taken up, and parts that were put together, say what the whole says, byte by byte but for
# the engine's records; however often it is killed, and wherever its last line is cut off.
kill_after() { # lines that it has written, process
    while kill -0 "$2" 2>/dev/null; do
        if [ "$(wc -l <"$work/more")" -ge "$1" ]; then
            kill -KILL "$2"
            return
        fi
        sleep 0.01
    done 2>/dev/null
}
taken_up() {
    : >"$work/records"
    kills=0
    for lines in 1 2 4 8 100000; do
        "$CRASHLIT" distinguish -j 2 --format json --resume "$work/records" $asked >"$work/more" 2>"$work/err" &
        process=$!
        kill_after "$lines" "$process" &
        wait "$process" 2>/dev/null
        [ $? -eq 137 ] && kills=$((kills + 1))
        # A line that was cut off is the last of its file: the next run's records go behind the whole ones.
        grep '}$' "$work/more" | cat "$work/records" - >"$work/both"
        mv "$work/both" "$work/records"
        grep -q '"ended":true' "$work/more" && break
    done
    [ "$kills" -gt 0 ]
    verdict $? "a run of \`distinguish $asked\` was killed ($kills times)"
}
resumed() {
    asked='--bound events=4 strict epoch'
    # shellcheck disable=SC2086 # words of a command line
    leaves 0 distinguish $asked
    cp "$work/out" "$work/whole"
    taken_up
    # shellcheck disable=SC2086
    leaves 0 distinguish --resume "$work/records" $asked
    cmp -s "$work/whole" "$work/out"
    verdict $? "a run that was killed and taken up says the same"
    # Cut off in a line: what was begun is looked at again.
    head -c 3000 "$work/records" >"$work/cut"
    # shellcheck disable=SC2086
    leaves 0 distinguish --resume "$work/cut" $asked
    cmp -s "$work/whole" "$work/out"
    verdict $? "and with its records cut off"
    # Parts: none of them has all, and one of two alone is no whole.
    for part in 1 2 3; do
        # shellcheck disable=SC2086
        "$CRASHLIT" distinguish --shard $part/3 --format json $asked >"$work/part-$part" 2>"$work/err"
    done
    leaves 0 merge "$work/part-3" "$work/part-1" "$work/part-2"
    cp "$work/out" "$work/merged"
    leaves 0 merge "$work/part-2" "$work/merged"
    cmp -s "$work/merged" "$work/out"
    verdict $? "what is put together twice is the same"
    # shellcheck disable=SC2086
    leaves 0 distinguish --resume "$work/merged" $asked
    cmp -s "$work/whole" "$work/out"
    verdict $? "three parts put together say the same"
    # A part that takes up the whole is of its own units alone.
    # shellcheck disable=SC2086
    leaves 0 distinguish --shard 1/3 $asked
    cp "$work/out" "$work/part"
    # shellcheck disable=SC2086
    leaves 0 distinguish --shard 1/3 --resume "$work/merged" $asked
    cmp -s "$work/part" "$work/out"
    verdict $? "a part that takes up the whole says what the part says"
    leaves 2 merge "$work/part-1" "$work/part-3"
    err_has 'part 2 of 3 did not come to its end'
    sed 's/"programs":1,/"programs":7,/' "$work/part-2" >"$work/false"
    leaves 4 merge "$work/part-1" "$work/part-2" "$work/part-3" "$work/false"
    err_has 'contradicts each other'
    # The order of all pairs has records as well; of another question none counts.
    leaves 0 lattice --format json buffered-epoch none epoch
    grep '"unit"' "$work/out" | head -n 60 >"$work/order"
    leaves 0 lattice buffered-epoch none epoch
    cp "$work/out" "$work/whole"
    leaves 0 lattice --resume "$work/order" buffered-epoch none epoch
    cmp -s "$work/whole" "$work/out"
    verdict $? "an order that is taken up is the same"
    leaves 0 lattice --resume "$work/order" buffered-epoch none strict
    err_has 'is of another search'
    # What no run has written.
    printf '%s\n' '{"schema":1,"search":"0000000000000000","unit":-1}' >"$work/hostile"
    leaves 2 distinguish --resume "$work/hostile" buffered-epoch none
    sed 's/"number":[0-9]*/"number":99999/' "$work/part-1" >"$work/hostile"
    # shellcheck disable=SC2086
    leaves 2 distinguish --resume "$work/hostile" $asked
    err_has 'that is none of this search'
    for false in 's/"state":"x/"state":"x = 1 )) /' 's/"operations":3/"operations":2/' 's/"programs":[0-9]*,"alike"/"programs":100000,"alike"/; s/"number":[0-9]*/"number":99999/'; do
        sed "$false" "$work/merged" >"$work/hostile"
        # shellcheck disable=SC2086
        leaves 2 distinguish --resume "$work/hostile" $asked
        err_has 'whose test is none of this search'
    done
    echo '{}' >"$work/hostile"
    leaves 2 distinguish --resume "$work/hostile" buffered-epoch none
    err_has 'line 1: found no line that crashlit distinguish'
}

# The time for the whole ends a search however many units are left; strict allows nothing that epoch does not.
time_out() {
    leaves 0 distinguish --total 1 --bound events=12,barriers=4 strict epoch
    out_has '^Whether sc + strict allows what sc + epoch does not is not known: no test was found; the search did not come to its end$'
    out_has '; to go on with --from [1-9][0-9]*$'
}

# A mapping: counterexample B of docs/models/mappings.md. SPB's order carries on what was read, GPM's persist waits for its own
# work-item's writes; the cumulative variant carries it on. Three accesses and the barrier: without the read, its
# consequence or the barrier the source does not order either. A mapping of pragmas is refused.
mapped() {
    leaves 0 distinguish --map spb-gpm sc+epoch sc+gpm -o "$work/mapped"
    out_has '^what spb-gpm makes of a program, under sc + gpm, allows what the program, under sc + epoch, does not: 1 program of 4 operations, and none of fewer$'
    holds_test 'x* y* | P0: ld x; p_barrier.wi; ctrl:0 st y | P1: st x' 'crash state x = 0 /\ y = 1'
    leaves 0 check "$work/mapped/mapped-only-1.litmus" "$work/mapped/mapped-only-1-target.litmus"
    leaves 1 refines "$work/mapped/mapped-only-1.litmus" --map spb-gpm --under sc+epoch --under sc+gpm
    leaves 1 distinguish --map spb-gpm sc+epoch sc+gpm-cumulative
    # Mistakes. Who does not meet at a barrier of the group may write before the other does: a write on either side, and
    # two barriers. Who drops a work-item's barrier loses the order of a write before it and one behind it, under the
    # same pair on both sides, too.
    sed 's/gpm_persist(); sync_barrier_wg/gpm_persist/' models/mappings/spb-gpm.map >"$work/apart.map"
    leaves 0 distinguish --map "$work/apart.map" sc+epoch sc+gpm-cumulative
    out_has 'does not: 2 programs of 4 operations, and none of fewer$'
    out_has '^  mapped-only-1: .* | P0: st x; p_barrier.wg | P1: p_barrier.wg; st [xy]$'
    printf 'everywhere { instead of p_barrier_wi : ; }\n' >"$work/drops.map"
    leaves 0 distinguish --map "$work/drops.map" sc+epoch sc+epoch
    out_has 'does not: 1 program of 3 operations, and none of fewer$'
    holds_test 'x* y* | P0: st x; p_barrier.wi; st y' 'crash state x = 0 /\ y = 1'
    printf 'everywhere { }\n' >"$work/keeps.map"
    leaves 1 distinguish --map "$work/keeps.map" sc+epoch sc+epoch
    # What a mapping uses is beside it, wherever the question is asked from. A fence that no model gives a meaning to
    # orders nothing, so this drops the barrier as well. Records and the folder are of the same tests.
    mkdir -p "$work/apart"
    printf 'nothing() { __fence{nothing}; }\n' >"$work/apart/own.def"
    printf 'uses "own.def"\neverywhere { instead of p_barrier_wi : nothing(); }\n' >"$work/apart/own.map"
    leaves 0 distinguish --map "$work/apart/own.map" -o "$work/apart/out" sc+epoch sc+epoch
    out_has 'does not: 1 program of 3 operations, and none of fewer$'
    holds_test 'x* y* | P0: st x; p_barrier.wi; st y' 'crash state x = 0 /\ y = 1'
    cp "$work/out" "$work/whole"
    leaves 0 check -I "$work/apart" "$work/apart/out/mapped-only-1.litmus" "$work/apart/out/mapped-only-1-target.litmus"
    leaves 0 distinguish --map "$work/apart/own.map" --format json sc+epoch sc+epoch
    cp "$work/out" "$work/records"
    leaves 0 distinguish --map "$work/apart/own.map" --resume "$work/records" sc+epoch sc+epoch
    cmp -s "$work/out" "$work/whole"
    verdict $? "what is taken up says the same"
    leaves 2 distinguish --map lin sc+strict sc+lin-wpq
    err_has "generated programs have no pragmas"
}

# The test that is written says of both pairs what check finds.
written() {
    leaves 0 distinguish -o "$work/tests" buffered-epoch none
    "$CRASHLIT" check --format herd "$work/tests/second-only-1.litmus" >"$work/checked"
    verdict $? "what is written is as it says"
    grep -q '^Summary: 2 as expected, 0 otherwise' "$work/checked"
    verdict $? "and that is of both pairs"
    for what in allowed forbidden; do
        xmllint --noout "$work/tests/second-only-1-$what.svg"
        verdict $? "a picture of what is $what"
    done
    for format in html svg; do
        "$CRASHLIT" distinguish --format $format buffered-epoch none >"$work/page"
        xmllint --noout "$work/page"
        verdict $? "$format of distinguish is well-formed"
        "$CRASHLIT" lattice --format $format epoch buffered-epoch none >"$work/page"
        xmllint --noout "$work/page"
        verdict $? "$format of lattice is well-formed"
    done
    # By hand: none contains epoch, so neither of two classes lacks what the other has; sc + epoch alone is one class.
    for format in text html; do
        "$CRASHLIT" lattice --defined --bound events=2 --format $format epoch none >"$work/page"
        [ "$(grep -c 'none contains epoch' "$work/page")" = 1 ] && ! grep -q "Neither contains" "$work/page"
        verdict $? "$format of lattice has no list without items"
    done
}

# What is in the folder and not of an earlier run stays, and then nothing is written; a run takes the place of an earlier
# one, with all that this wrote. By hand: one test of buffered-epoch and none has a name, second-only-1, and two pictures.
foreign() {
    rm -rf "$work/foreign" && mkdir -p "$work/foreign"
    for file in second-only-1.litmus second-only-1-allowed.svg; do
        echo mine >"$work/foreign/$file"
        leaves 2 distinguish --defined -o "$work/foreign" buffered-epoch none
        err_has "'.*/foreign/$file' is there, and no MANIFEST beside it names it; .*: name another folder, or remove the file"
        [ "$(cat "$work/foreign/$file")" = mine ] && [ "$(ls "$work/foreign")" = "$file" ]
        verdict $? "$file stays, alone"
        rm "$work/foreign/$file"
    done
    echo mine >"$work/foreign/second-only.litmus"
    leaves 0 distinguish --all --defined -o "$work/foreign" buffered-epoch none
    [ -e "$work/foreign/second-only-3-forbidden.svg" ]
    verdict $? "three tests, each with pictures"
    leaves 0 distinguish --defined -o "$work/foreign" buffered-epoch none
    [ "$(ls "$work/foreign" | tr '\n' ' ')" = 'MANIFEST second-only-1-allowed.svg second-only-1-forbidden.svg second-only-1.litmus second-only.litmus ' ]
    verdict $? "one is left: $(ls "$work/foreign" | tr '\n' ' ')"
    leaves 0 check "@$work/foreign/MANIFEST"
    out_has '^Summary: 2 as expected, 0 otherwise'
    # A suite of another command has a place of its own.
    leaves 2 generate --shape 'PodWW Rfe Crash' -o "$work/foreign"
    err_has "is no list of tests of 'crashlit generate'; name another folder"
}

# Several formats of one run: each file has what that format alone prints, and standard output what it has without
# them. What the run reads stays, as does what is there when the run fails.
files() {
    # shellcheck disable=SC2086 # words of a command line
    for case in 'distinguish:html md svg dot tex:buffered-epoch none' 'lattice:html md svg dot tex:epoch buffered-epoch none' \
        'compare:html svg md tex json:--models epoch,none litmus/spb/def1.litmus'; do
        command=${case%%:*} words=${case##*:} shapes=${case#*:} written=
        for shape in ${shapes%:*}; do written="$written --format $shape=$work/written.$shape"; done
        leaves 0 $command $words
        cp "$work/out" "$work/whole"
        leaves 0 $command $written $words
        cmp -s "$work/whole" "$work/out"
        verdict $? "$command prints what it prints without files"
        for shape in ${shapes%:*}; do
            leaves 0 $command --format "$shape" $words
            cmp -s "$work/out" "$work/written.$shape"
            verdict $? "$command has its $shape in the file"
        done
        leaves 2 $command $written --format "html=$work/written.svg" $words
        err_has 'twice; give each report a file of its own'
        leaves 2 $command --format "html=$work/none/x.html" $words
        err_has 'which cannot be written'
        leaves 2 $command --format "text=$work/x" $words
    done
    # Slides beside a file that is of no pictures.
    leaves 0 compare --layout slide --format "md=$work/beside-md" --format "svg=$work/beside.svg" --models epoch,none litmus/spb/def1.litmus
    leaves 2 distinguish --format "html=$work/records" --resume "$work/records" buffered-epoch none
    err_has 'which is the earlier run that --resume reads'
    leaves 2 lattice --format "json=$work/x.json" epoch none
    err_has 'json goes to standard output'
    cp "$work/written.html" "$work/stays"
    leaves 2 lattice --format "html=$work/written.html" epoch nosuch
    cmp -s "$work/stays" "$work/written.html"
    verdict $? "what is there stays when models cannot be loaded"
}

# In its picture no edge runs behind a box, also where it passes over rows: of what is defined none contains strand, and buffered-epoch
# and epoch stand in the rows between.
picture() {
    "$CRASHLIT" lattice --defined --format svg strict epoch buffered-epoch none strand >"$work/rows.svg"
    "$CRASHLIT" lattice --defined --bound events=2,barriers=1 --format svg >"$work/all.svg"
    python3 tests/corpus/lattice_picture.py "$work/rows.svg" "$work/all.svg" >"$work/faults"
    verdict $? "edges run between boxes: $(cat "$work/faults")"
    # On slides, too. Of three classes in a row names and words are of 18 pixels and more, on the page of 1280 x 720; of all
    # that are built in letters are smaller as a whole, on a page that is larger and of the same shape. Tests stand there,
    # once each, if their number is at an edge: under "none" the chain has one for each of its two edges, and the third,
    # by which none has more than strict, is none of these, as that edge follows from the two.
    "$CRASHLIT" lattice --defined --layout slide --format "svg=$work/three-slide.svg" strict epoch none >"$work/said"
    "$CRASHLIT" lattice --layout slide --defined --bound events=2,barriers=1 --format svg >"$work/all-slide.svg"
    python3 tests/corpus/lattice_picture.py "$work/three-slide.svg" "$work/all-slide.svg" >"$work/faults"
    verdict $? "edges run between boxes on slides: $(cat "$work/faults")"
    python3 tests/corpus/picture_facts.py slides "$work/three-slide.svg" | grep -q ' 18[.]0 *$'
    verdict $? "a slide of three models has the shape of one, and letters that are large"
    [ "$(python3 tests/corpus/picture_facts.py slides "$work/all-slide.svg" | awk '{ print $4 }')" = small ]
    verdict $? "one of all models is whole, and small"
    for test in $(sed -n 's/^  .* contains .*: test //p' "$work/said"); do
        grep -q ">$test: x" "$work/three-slide.svg"
        verdict $? "test $test of an edge stands on the slide"
    done
    [ "$(grep -c '>[0-9]*: ' "$work/three-slide.svg")" -eq 2 ]
    verdict $? "two tests stand on the slide"
    leaves 2 lattice --layout slide strict none
    err_has 'layout slide is for pictures: add --format svg'
}

# The order of the chain, and of the individual models, which are below none and above the collective ones where
# nothing is undefined.
order() {
    leaves 0 lattice --defined strict epoch buffered-epoch epoch-individual buffered-epoch-individual none
    for pair in 'epoch contains strict' 'buffered-epoch contains epoch' 'epoch-individual contains epoch' \
        'buffered-epoch-individual contains buffered-epoch' 'none contains buffered-epoch-individual'; do
        out_has "^  $pair: test [0-9]*$"
    done
    # What follows is no edge.
    ! grep -q 'none contains epoch\|none contains strict' "$work/out"
    verdict $? "what follows from others is left out"
    leaves 0 lattice strict epoch strand-stores
    leaves 2 lattice epoch
    err_has "found 'epoch' alone"
    leaves 2 lattice nosuch epoch
    err_has "no built-in visibility model 'nosuch'"
    ! grep -q alone "$work/err"
    verdict $? "of two names one is not alone"
    leaves 2 distinguish epoch
    leaves 2 distinguish epoch sc+epoch
    err_has 'twice'
}

chain
collective
mechanisms
none_found
nothing_looked_at
own_instructions
derived
own_orders
own_model
limits
parts
resumed
time_out
mapped
written
foreign
files
picture
order
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
