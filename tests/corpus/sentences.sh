#!/bin/sh
# sentences.sh: what `crashlit check` prints of one test, to sentences written by hand. Each test stands with why its
# states are what they are.
set -u
mkdir -p "$WORK/sentences"
work=$(cd "$WORK/sentences" && pwd)
. tests/corpus/cases.sh
case $CRASHLIT in /*) ;; *) CRASHLIT=$PWD/$CRASHLIT ;; esac
cd "$work" || exit 1

# The test is in NAME.litmus, what is to be said of it comes on standard input.
says() { # status, name, options
    wanted=$1 name=$2
    shift 2
    cat >wanted
    "$CRASHLIT" "$@" "$name.litmus" >out 2>err </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] && cmp -s out wanted
    verdict $? "crashlit $* $name.litmus leaves with $wanted ($status) and says what is wanted"
    diff wanted out
    [ ! -s err ]
    verdict $? "and nothing on standard error"
}

# The first two lines of what is said, which may have been wrapped.
head_of() { # name, first line, second line, options
    name=$1 first=$2 second=$3
    shift 3
    "$CRASHLIT" "$@" "$name.litmus" >out 2>err </dev/null
    said=$(sed -n '/^$/q; p' out | tr '\n' ' ' | sed 's/  */ /g')
    [ "$said" = "$first $second " ] && [ ! -s err ]
    verdict $? "crashlit $* $name.litmus says: $first $second ($said)"
}

# What two tests are told of the state that breaks condition 1.
lost='A crash can leave 4 states:
    key=0, val=0
    key=0, val=42
  ! key=1, val=0    breaks condition 1
    key=1, val=42

How key=1, val=0 comes about:
  P0 executes lines 3 and 4, then power fails.
  P0'\''s W key at line 4 is durable, P0'\''s W val at line 3 is lost.
  Nothing makes P0'\''s W val at line 3 durable before P0'\''s W key at line 4: no
    fence, flush or persist barrier stands between them.'

# No order between the two stores: each subset of them may be durable.
violated() {
    printf 'OPENCL kv\n{ nvm key = 0; nvm val = 0; }\nP0 { *val = 42;\n     *key = 1; }\ncrash ~exists (key = 1 /\\ val = 0)\n' >kv.litmus
    says 1 kv <<END
Violated: a crash can leave key=1, val=0 (condition 1, line 5).
Test kv, models hrf-direct + epoch.

$lost

Why, and what would help: crashlit explain kv.litmus
END
    # A forall is broken by what does not have it, and an exists is satisfied: val = 42 is a state of the four.
    sed '$d' kv.litmus >three.litmus
    printf 'crash forall (key = 0 \\/ val = 42)\ncrash exists (val = 42)\nfinal exists (key = 0)\n' >>three.litmus
    says 1 three -p epoch <<'END'
Violated: a crash can leave key=1, val=0, which breaks forall (key=0 \/ val=42)
  (condition 1, line 5).
Test kv, models hrf-direct + epoch.

  1 violated (line 5): a crash can leave key=1, val=0, which breaks forall
    (key=0 \/ val=42)
  2 holds (line 6): a crash can leave val=42
  3 violated (line 7): no run ends with key=0

A crash can leave 4 states:
    key=0, val=0
  + key=0, val=42   satisfies condition 2
  ! key=1, val=0    breaks condition 1
  + key=1, val=42   satisfies condition 2
A run can end in 1 state:
    key=1

How key=1, val=0 comes about:
  P0 executes lines 3 and 4, then power fails.
  P0's W key at line 4 is durable, P0's W val at line 3 is lost.
  Nothing makes P0's W val at line 3 durable before P0's W key at line 4: no
    fence, flush or persist barrier stands between them.

Why, and what would help: crashlit explain -m hrf-direct -p epoch three.litmus
END
}

# Relaxed accesses of different locations are not ordered under ptx, so each work-item may read what the other one
# stores behind its own read. Of that execution no work-item is first: no order of the two may be told.
mutual() {
    printf 'OPENCL lb\n{ x = 0; y = 0; }\n' >mutual.litmus
    printf 'P0@wg 0 (atomic_int* x, atomic_int* y) {\n  int r = x->load(mo_rlx, dev_scope);\n  y->store(1, mo_rlx, dev_scope);\n}\n' >>mutual.litmus
    printf 'P1@wg 1 (atomic_int* x, atomic_int* y) {\n  int r = y->load(mo_rlx, dev_scope);\n  x->store(1, mo_rlx, dev_scope);\n}\n' >>mutual.litmus
    printf 'final ~exists (0:r = 1 /\\ 1:r = 1)\n' >>mutual.litmus
    says 1 mutual -m ptx -p gpm <<'END'
Violated: a run can end with 0:r=1, 1:r=1 (condition 1, line 11).
Test lb, models ptx + gpm.

A run can end in 4 states:
    0:r=0, 1:r=0
    0:r=0, 1:r=1
    0:r=1, 1:r=0
  ! 0:r=1, 1:r=1   breaks condition 1

How 0:r=1, 1:r=1 comes about:
  P0 executes lines 4 and 5, P1 lines 8 and 9, in no one order
    (executes-before has a cycle).
  P0's R x at line 4 reads 1 from P1's W x at line 9; P1's R y at line 8 reads 1
    from P0's W y at line 5.

Why, and what would help: crashlit explain -m ptx -p gpm mutual.litmus
END
}

# A crash between the two stores leaves 1 and 0, so it is possible. A test that expects something says what it wants, and
# one among several is of a corpus.
possible() {
    sed 's/~exists/exists/' kv.litmus >possible.litmus
    hint="'exists' asks whether it is possible; '~exists' asks that it never is"
    leaves 0 check possible.litmus
    [ "$(tail -n 1 out)" = "$hint" ]
    verdict $? "a lone 'crash exists' that holds is told what it asks: $(tail -n 1 out)"
    { cat possible.litmus && echo 'expect hrf-direct + epoch : ok'; } >wanted.litmus
    sed 's/^crash/final/; s/val = 0)$/val = 42)/' possible.litmus >ends.litmus
    sed 's#exists (.*#exists (val = 0 \\/ val = 42)#' possible.litmus >idle.litmus
    for hinted in "kv.litmus:1" "wanted.litmus:0" "ends.litmus:0" "idle.litmus:0" "possible.litmus wanted.litmus:0"; do
        leaves "${hinted#*:}" check ${hinted%:*}
        ! grep -q 'asks whether it is possible' out
        verdict $? "and ${hinted%:*} is not"
    done
}

# What stands between the two goes by its name in the program's language. A fence of P0 says nothing of P1's write,
# which happens before it by the barrier: part[1] may be lost when valid is durable.
between() {
    cat >blocks.litmus <<'END'
OPENCL blocks
uses "cuda.def"
{ nvm part[2] = {0, 0}; nvm valid = 0; }
P0@wg 0 (global int* part, global int* valid) {
  part[0] = 7;
  __syncthreads();
  __threadfence_system();
  *valid = 1;
}
P1@wg 0 (global int* part) {
  part[1] = 7;
  __syncthreads();
}
crash ~exists (valid = 1 /\ part[1] = 0)
expect ptx + gpm : violated
END
    leaves 0 check blocks.litmus
    sed -n '/^  Nothing makes/,/^$/p' out >got
    # GPM 3.1: the fence has what its own work-item wrote durable.
    printf "%s\n" "  Nothing makes P1's W part[1] at line 11 durable before P0's W valid at line 8:" \
        "    P0's __threadfence_system at line 7 does not order them: it orders writes of" \
        "    P0 before it, such as W part[0] at line 5, and not P1's W part[1] at line" \
        "    11." "" >wanted
    cmp -s got wanted
    verdict $? "the fence that does not order them is named, and why"
    # Under epoch no rule of persistency has a fence.
    cat >seen.litmus <<'END'
OPENCL seen
uses "cuda.def"
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; __threadfence_system(); *y = 1; }
crash ~exists (y = 1 /\ x = 0)
expect ptx + epoch : violated
END
    leaves 0 check seen.litmus
    tr '\n' ' ' <out | tr -s ' ' | grep -q "does not order them: it orders what work-items see, and not what becomes durable; a persist barrier in its place would\."
    verdict $? "a fence of visibility is said to be one"
    sed 's/^  __threadfence_system();$//' blocks.litmus >barrier.litmus
    leaves 0 check barrier.litmus
    grep -q "^    P[01]'s __syncthreads at line [0-9]* does not order them\.$" out
    verdict $? "where there is no fence, the barrier is named"
}

# Each round stores a[i] and then n, and nothing orders the two: n = 2 may be durable while a[1] is lost. Both rounds' stores
# to n are of line 3, and so go by their values.
rounds() {
    printf 'OPENCL rounds\n{ nvm a[2]; nvm n = 0; }\nP0 { for (int i = 0; i < 2; i++) { a[i] = 1; *n = i + 1; } }\ncrash ~exists (n = 2 /\\ a[1] = 0)\nexpect hrf-direct + epoch : violated\n' >rounds.litmus
    leaves 0 check rounds.litmus
    sed -n '/^  P0 executes/,/^$/p' out >got
    grep -q "P0's W n = 1 at line 3" got && grep -q "W n = 2 at line 3" got
    verdict $? "writes of one statement go by their values"
}

# The barrier orders them: key = 1 has val = 42.
holds() {
    printf 'OPENCL kv\n{ nvm key = 0; nvm val = 0; }\nP0 { *val = 42;\n     p_barrier_wi;\n     *key = 1; }\ncrash ~exists (key = 1 /\\ val = 0)\n' >mended.litmus
    says 0 mended <<'END'
Holds: no crash leaves key=1 /\ val=0 (condition 1, line 6).
Test kv, models hrf-direct + epoch.

A crash can leave 3 states:
    key=0, val=0
    key=0, val=42
    key=1, val=42

What keeps it so: crashlit explain mended.litmus
END
    says 0 mended --decide <<'END'
Holds: no crash leaves key=1 /\ val=0 (condition 1, line 6).
Test kv, models hrf-direct + epoch.

The states were not listed; --states lists them.

What keeps it so: crashlit explain mended.litmus
END
}

# Two accesses that nothing orders, neither of them atomic; of different work-groups.
undefined() {
    printf 'OPENCL race\n{ x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\nP1@wg 1 (global int* x) { int r = *x; }\nexists (1:r = 1)\n' >race.litmus
    says 1 race <<'END'
Undefined: race: P0's W x at line 3 and P1's R x at line 4.
Test race, models hrf-direct + epoch.

So nothing is promised: any state may be the result, until that is mended.
As if it were defined, a run can end in 2 states:
    1:r=0
  + 1:r=1   satisfies condition 1

More: crashlit explain race.litmus
END
}

# The loop waits for nobody's store: no run ends within any bound.
unknown() {
    printf 'OPENCL spin\n{ nvm a = 0; atomic_int f = 0; }\nP0@wg 0 (global atomic_int* f) { while (f.load(mo_acq, dev_scope) != 1); }\nfinal forall (a = 0)\n' >spin.litmus
    says 3 spin <<'END'
Not known: no execution runs to its end, so there is no final state
  (condition 1, line 4); P0 never gets past its loop at line 3: it waits for f
  to be 1, and no work-item stores to f.
Test spin, models hrf-direct + epoch.
END
    # Where an expect line has foreseen it, that is said.
    { cat spin.litmus; echo 'expect hrf-direct + epoch : unknown'; } >foreseen.litmus
    says 3 foreseen <<'END'
Not known: no execution runs to its end, so there is no final state
  (condition 1, line 4); P0 never gets past its loop at line 3: it waits for f
  to be 1, and no work-item stores to f.
Test spin, models hrf-direct + epoch, as line 5 expects.
END
}

# strict orders both stores by program order, epoch without a barrier does not; the second line is wrong of it.
pairs() {
    { cat kv.litmus; printf 'expect hrf-direct + strict : ok\nexpect hrf-direct + epoch : ok\nexpect sc + epoch : violated\nexpect hrf-indirect + strict : ok\n'; } >pairs.litmus
    says 1 pairs <<END
Test kv, 4 pairs of models, 1 not as expected: 2 ok, 2 violated.

Violated: a crash can leave key=1, val=0 (condition 1, line 5).
Not as expected: line 7 says ok of hrf-direct + epoch.

$lost

Why, and what would help: crashlit explain -m hrf-direct -p epoch pairs.litmus

Holds: no crash leaves key=1 /\ val=0 (condition 1, line 5).
Under hrf-direct + strict; hrf-indirect + strict, as expected.

A crash can leave 3 states:
    key=0, val=0
    key=0, val=42
    key=1, val=42

Violated: a crash can leave key=1, val=0 (condition 1, line 5).
Under sc + epoch, as expected.

A crash can leave 4 states:
    key=0, val=0
    key=0, val=42
  ! key=1, val=0    breaks condition 1
    key=1, val=42
END
}

# What recovery adds is added again when the power fails before `done`: 10 is in no state that was meant.
recovery() {
    printf 'OPENCL twice\n{ nvm acc = 0; nvm todo = 0; }\nP0 { *todo = 5; }\nrecovery (global int* acc, global int* todo) {\n  *acc = *acc + *todo; }\nrecovered ~exists (acc = 5)\n' >twice.litmus
    says 1 twice <<'END'
Violated: recovery can leave acc=5 (condition 1, line 6).
Test twice, models hrf-direct + epoch.

A crash can leave 2 states:
    acc=0, todo=0
    acc=0, todo=5
Recovery can leave 2 states:
    acc=0, todo=0
  ! acc=5, todo=5   breaks condition 1

How acc=5 comes about:
  A crash leaves acc=0, todo=5.
  Recovery then leaves acc=5, todo=5.

Why, and what would help: crashlit explain twice.litmus
END
    # 10 takes a crash behind the store of 5 in recovery, and todo once more.
    sed 's/acc = 5)/acc = 10)/' twice.litmus >ten.litmus
    says 0 ten <<'END'
Holds: recovery never leaves acc=10 (condition 1, line 6).
Test twice, models hrf-direct + epoch.

A crash can leave 2 states:
    acc=0, todo=0
    acc=0, todo=5
Recovery can leave 2 states:
    acc=0, todo=0
    acc=5, todo=5

What keeps it so: crashlit explain ten.litmus
No crash came into recovery; --recovery-crash asks that, too
END
    "$CRASHLIT" check --recovery-crash ten.litmus >out
    [ $? -eq 1 ] && ! grep -q 'No crash came' out
    verdict $? "which is violated, and no longer said"
}

# Without a condition there is nothing to be met; a tag of Lin's means nothing to the models that nobody named. It is declared for
# CM in gpm-base.cat, lin.cat and px86-order.cat: gpm's, Lin's (the shortest name first is lin-adr) and px86's know it.
asides() {
    printf 'OPENCL bare\nuses "lin.def"\n{ nvm x = 0; }\nP0 { *x = 1;\n     clwb(x); }\n' >bare.litmus
    says 0 bare <<'END'
Nothing is asked: the test has no condition; write one, such as crash exists
  (x = 1).
Test bare, models hrf-direct + epoch.

Without meaning in these models: clwb; clwb has one under -p gpm, lin-adr, px86.
Remark: no conditions: nothing is judged but whether the behaviour is defined
  (line 1).

A crash can leave 2 states:
    x=0
    x=1
A run can end in 1 state:
    x=1
END
}

# The condition to write says that what is stored last is there, and what is stored first is not.
unasked() {
    printf 'OPENCL kv\n{ nvm key = 0; nvm val = 7; c = 0; }\nP0 { *val = 42; *key = 1; *c = 1; }\n' >kv.litmus
    "$CRASHLIT" kv.litmus | head -n 2 | tr -s '\n ' '  ' |
        grep -q '^Nothing is asked: the test has no condition; write one, such as crash ~exists (key = 1 /\\ val = 7)\. $'
    verdict $? "a condition is named that may be written"
    # 256 is 0 in a uchar, which x has from the start, and 4294967295 is what -1 is in a uint.
    printf 'OPENCL t\n{ nvm uint u = 5; nvm uchar x = 0; }\nP0 { *u = -1; *x = 256; }\n' >wrapped.litmus
    "$CRASHLIT" wrapped.litmus | head -n 2 | tr -s '\n ' '  ' | grep -q 'such as crash exists (u = 4294967295)\. $'
    verdict $? "with a value that the location may have"
}

# A definition file names the models of tests that use it: of the user's file strict keeps the order of the two stores,
# epoch does not. A line of the test, -m and -p count more; with one of these two the other is the file's.
named() {
    printf 'PUT(X, V) { *X = V; }\nmodels sc + strict // as they come\n' >mine.def
    printf 'OPENCL kv\nuses "mine.def"\n{ nvm key = 0; nvm val = 0; }\nP0 { PUT(val, 42);\n     PUT(key, 1); }\ncrash ~exists (key = 1 /\\ val = 0)\n' >used.litmus
    head_of used "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 6)." "Test kv, models sc + strict, named by mine.def."
    head_of used "Violated: a crash can leave key=1, val=0 (condition 1, line 6)." "Test kv, models sc + epoch." -p epoch
    head_of used "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 6)." "Test kv, models tso + strict." -m tso
    { cat used.litmus; echo 'expect sc + epoch : violated'; } >expects.litmus
    head_of expects "Violated: a crash can leave key=1, val=0 (condition 1, line 6)." \
        "Test kv, models sc + epoch, as line 7 expects."
    grep -v '^uses' used.litmus >unused.litmus
    head_of unused "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 5)." "Test kv, models sc + strict, named by mine.def." --uses mine.def
    "$CRASHLIT" --format json used.litmus | grep -q '"asked":{"engine":"auto","models_by":"mine.def"}'
    verdict $? "a record says who names the models"
    # A path is that of a file beside the definition file, not beside the test.
    mkdir -p folder
    printf 'models sc + ./kept.cat\n' | cat mine.def - | grep -v strict >folder/mine.def
    printf 'Kept "as strict"\ninclude "strict.cat"\n' >folder/kept.cat
    head_of unused "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 5)." "Test kv, models sc + folder/kept.cat, named by mine.def." --uses folder/mine.def
    # CUDA's are ptx and gpm, where a fence of the system waits until the store is durable: so no crash has y alone.
    printf 'OPENCL kv\nuses "cuda.def"\n{ nvm key = 0; nvm val = 0; }\nP0 { *val = 42;\n     __threadfence_system(); *key = 1; }\ncrash ~exists (key = 1 /\\ val = 0)\n' >cuda.litmus
    head_of cuda "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 6)." "Test kv, models ptx + gpm, named by cuda.def."
    # x86's names are for x86, whose flush orders the two stores.
    printf 'OPENCL kv\nuses "px86.def"\n{ nvm key = 0; nvm val = 0; }\nP0 { *val = 42; clwb(val); sfence();\n     *key = 1; }\ncrash ~exists (key = 1 /\\ val = 0)\n' >x86.litmus
    head_of x86 "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 6)." "Test kv, models tso + px86, named by px86.def."
    # GPM has no persist barriers: its model names none.
    sed 's/__threadfence_system();/p_barrier_wi;/' cuda.litmus >barrier.litmus
    head_of barrier "Violated: a crash can leave key=1, val=0 (condition 1, line 6)." "Test kv, models ptx + gpm, named by cuda.def."
    "$CRASHLIT" barrier.litmus | grep -qx 'Without meaning in these models: persist barriers.'
    verdict $? "GPM has no persist barriers, and the answer says so"
    ! "$CRASHLIT" -p epoch barrier.litmus | grep -q 'Without meaning'
    verdict $? "under epoch they have a meaning, and nothing is said"
    # A file of the user's that names the same two built-in models names no other pair.
    printf 'models ptx + gpm\n' >same.def
    sed 's/^uses.*/&\nuses "same.def"/' cuda.litmus >both.litmus
    head_of both "Holds: no crash leaves key=1 /\\ val=0 (condition 1, line 7)." "Test kv, models ptx + gpm, named by cuda.def."
}

# Nobody stores 41, so no order can matter; and without `crash` before it a condition is about the end.
not_asked() {
    sed 's/val = 0)/val = 41)/' kv.litmus >typo.litmus
    says 0 typo <<'END'
Holds, but nothing is asked: no values that the program stores meet it
  (val is only ever 0 or 42), whatever is ordered (condition 1, line 5).
Test kv, models hrf-direct + epoch.

A crash can leave 4 states:
    key=0, val=0
    key=0, val=42
    key=1, val=0
    key=1, val=42

What keeps it so: crashlit explain typo.litmus
END
    # Nobody stores to flag: P1 never comes to valid = 1. The other condition is about what P0 does.
    printf 'OPENCL vain\n{ nvm data = 0; nvm valid = 0; atomic_int flag = 0; }\nP0@wg 0 { *data = 42; }\nP1@wg 1 {\n  while (flag.load() != 1);\n  *valid = 1; }\ncrash ~exists (data = 7)\ncrash exists (valid = 1)\n' >vain.litmus
    says 1 vain <<'END'
Violated: no crash leaves valid=1 (condition 2, line 8); P1 never gets past its
  loop at line 5: it waits for flag to be 1, and no work-item stores to flag.
Test vain, models hrf-direct + epoch.

  1 holds (line 7): no crash leaves data=7
  2 violated (line 8): no crash leaves valid=1

Remark: crash ~exists (data=7) is vacuous: no values that the program stores
  meet it (data is only ever 0 or 42), whatever is ordered (line 7).

A crash can leave 2 states:
    data=0, valid=0
    data=42, valid=0

Why, and what would help: crashlit explain vain.litmus
END
    sed 's/^crash/final/' kv.litmus >final.litmus
    says 0 final <<'END'
Holds: no run ends with key=1 /\ val=0 (condition 1, line 5); what a crash
  leaves is not asked.
Test kv, models hrf-direct + epoch.

A run can end in 1 state:
    key=1, val=42

What keeps it so: crashlit explain final.litmus
END
}

violated
mutual
possible
between
rounds
holds
named
not_asked
undefined
unknown
pairs
recovery
asides
unasked
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
