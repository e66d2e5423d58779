# The order of the two stores follows from the waiting of the first; the same test with plain stores has the
# state that this one forbids.
set -eu
$CRASHLIT models | grep -q '^definitions waiting-store '
$CRASHLIT --format herd litmus/spb/waiting-store.litmus >"$WORK/out"
grep -q '^Summary: 1 as expected, 0 otherwise' "$WORK/out"
sed 's/store_and_wait(\([a-z]\), \([0-9]\))/*\1 = \2/' litmus/spb/waiting-store.litmus >"$WORK/plain.litmus"
! $CRASHLIT --format herd "$WORK/plain.litmus" >"$WORK/out"
grep -q '^Verdict waiting-store violated' "$WORK/out"
