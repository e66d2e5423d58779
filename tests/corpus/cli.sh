#!/bin/sh
# The command line as users and CI meet it: exit statuses, messages, JSON lines, shards.
# Each `expect` says what interface.md promises. Ends with `N passed, N failed`.
set -u
crashlit=${CRASHLIT:-build/crashlit}
work=${WORK:-build/work}/cli
rm -rf "$work" && mkdir -p "$work/empty" "$work/two"
passed=0
failed=0

# run STATUS ARGUMENT...: runs crashlit and compares its exit status.
run() {
    wanted=$1
    shift
    "$crashlit" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -eq "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: crashlit $* exits $status, expected $wanted"
        sed 's/^/    /' "$work/err" | head -n 5
    fi
}
# says FILE TEXT: the last run wrote TEXT.
says() {
    if grep -qF -e "$2" "$work/$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: expected '$2' in $1:"
        sed 's/^/    /' "$work/$1" | head -n 5
    fi
}
# lines FILE COUNT
lines() {
    found=$(wc -l <"$work/$1")
    if [ "$found" -eq "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: expected $2 lines in $1, found $found"
    fi
}

cat >"$work/two/ok.litmus" <<'END'
OPENCL ok
{ nvm x = 0; }
P0 (global int* x) { *x = 1; }
crash exists (x = 1)
END
cat >"$work/two/violated.litmus" <<'END'
OPENCL violated
{ nvm x = 0; }
P0 (global int* x) { *x = 1; }
crash ~exists (x = 1)
END
cat >"$work/bad.litmus" <<'END'
OPENCL bad
{ nvm x = 0; }
P0 (global int* x) { *x = ; }
crash exists (x = 1)
END
# Meets the bound: x is 3, so three rounds are needed and two are looked at.
cat >"$work/bound.litmus" <<'END'
OPENCL bound
{ atomic_int x = 3; }
P0 (global atomic_int* x) {
  int r = 1;
  while (r > 0) { r = atomic_fetch_sub_explicit(x, 1, memory_order_relaxed, memory_scope_device); }
}
exists (0:r = 0)
END
cat >"$work/recovered.litmus" <<'END'
OPENCL recovered
{ nvm x = 0; }
P0 (global int* x) { *x = 1; }
recovery (global int* x) { *x = 2; }
recovered forall (x = 2)
END
printf 'two/ok.litmus\n# a comment\n\ntwo/violated.litmus\n' >"$work/list"
printf '# nothing\n' >"$work/nothing"

# Statuses: as expected, differs, unreadable, unknown; the largest wins.
run 0 "$work/two/ok.litmus"
run 1 "$work/two/violated.litmus"
run 1 "$work/two"
run 1 "@$work/list"
run 2 "$work/two/ok.litmus" "$work/bad.litmus"
says err "bad.litmus:3:27: error:"
says out "Verdict ok ok, expected ok"
run 3 "$work/bound.litmus"
says out "Reason a loop met its unroll bound"
run 0 --unroll 4 "$work/bound.litmus"
run 3 "$work/bad.litmus" "$work/bound.litmus"
run 3 "$work/recovered.litmus"
says out "Reason recovery programs are parsed and checked but not run yet"

# Bad input, each a message and status 2.
run 2
says err "[E-cli-no-input]"
run 2 --modell sc "$work/two/ok.litmus"
says err "did you mean '--model'?"
run 2 -m nosuch "$work/two/ok.litmus"
says err "nosuch"
run 2 -m hrf-dirct "$work/two/ok.litmus"
says err "hrf-direct"
run 2 -p "$work/none.cat" "$work/two/ok.litmus"
says err "none.cat"
run 2 "$work/none.litmus"
says err "none.litmus': No such file"
run 2 "$work/empty"
says err "[E-cli-no-tests]"
run 2 "@$work/nothing"
says err "[E-cli-no-tests]"
run 2 "@$work/nolist"
says err "[E-file-read]"
run 2 --unroll many "$work/two/ok.litmus"
says err "[E-cli-option-value]"
run 2 --shard 3/2 "$work/two/ok.litmus"
says err "--shard wants K/N"
run 2 --engine smt "$work/two/ok.litmus"
says err "[E-cli-unsupported]"
run 2 --format html "$work/two/ok.litmus"
says err "[E-cli-unsupported]"
run 2 --crash later "$work/two/ok.litmus"
run 2 --timeout 0 "$work/two/ok.litmus"
run 2 --model
says err "wants a value"

# JSON Lines: one whole line a test and pair, none for a test that cannot be read.
run 2 --format json "$work/two/ok.litmus" "$work/bad.litmus" "$work/two/violated.litmus"
lines out 2
says out '"crash_states":[{"x":0},{"x":1}]'
says out '"conditions":[{"kind":"crash","text":"exists (x=1)","verdict":"ok","positive":1,"negative":1}]'

# --crash end: every event executed, nothing more durable than needed: x is 0 or 1.
run 0 --crash end --format json "$work/two/ok.litmus"
says out '"crash":"end"'

# The same output whatever the number of jobs.
"$crashlit" -j 1 "$work/two" "$work/bound.litmus" >"$work/one" 2>&1
"$crashlit" -j 4 "$work/two" "$work/bound.litmus" >"$work/four" 2>&1
if cmp -s "$work/one" "$work/four"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: -j 1 and -j 4 print different things"
fi

# Shards: together everything, once; --shard counts from 1, the environment from 0.
run 0 --shard 1/2 --format json "$work/two"
says out '"test":"ok"'
lines out 1
run 1 --shard 2/2 --format json "$work/two"
says out '"test":"violated"'
lines out 1
TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=1 TEST_SHARD_STATUS_FILE=$work/touched \
    "$crashlit" --format json "$work/two" >"$work/out" 2>"$work/err"
says out '"test":"violated"'
if [ -f "$work/touched" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: TEST_SHARD_STATUS_FILE was not touched"
fi

# What is built in.
run 0 models
says out "hrf-direct"
says out "buffered-epoch-individual"
run 0 machines
run 0 --help
says out "--persistency NAME|FILE.cat"
run 0 --version

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
