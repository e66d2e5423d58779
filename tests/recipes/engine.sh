# Every expectation of SPB's figures holds for it as for the enumerator, which it is held against; it is an engine of
# `all`, and the layers know its folder.
set -eu
$CRASHLIT -e steady litmus/spb/fig*.litmus >"$WORK/out"
grep -q '^Summary: [1-9][0-9]* as expected, 0 otherwise, 0 files' "$WORK/out"
$CRASHLIT crosscheck -e steady litmus/spb/fig*.litmus litmus/recovery/add-pending*.litmus >"$WORK/out"
grep -q '^Summary: [1-9][0-9]* agree, 0 disagree, 0 not compared' "$WORK/out"
$CRASHLIT -e all --format json -m sc -p epoch litmus/spb/def1.litmus | grep -q '"engine":"steady"'
sh tools/layers.sh | tail -n 1 | grep -q ' passed, 0 failed$'
