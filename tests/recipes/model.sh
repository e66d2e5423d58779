# What the model forbids and what it allows are in two tests, of which each tells it from epoch or from
# buffered-epoch; the derivations stand in them.
set -eu
$CRASHLIT models | grep -q '^persistency epoch-wide '
$CRASHLIT litmus/spb/flag-narrow-barrier.litmus litmus/spb/flag-wide-barrier.litmus >"$WORK/out"
grep -q '^Summary: 4 as expected, 0 otherwise' "$WORK/out"
