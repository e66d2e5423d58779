# The rows of the table of engines, a line each; it takes no names, and help has it.
set -eu
$CRASHLIT engines >"$WORK/out"
for engine in enum smt machine auto all; do [ "$(grep -c "^$engine " "$WORK/out")" -eq 1 ]; done
status=0
$CRASHLIT engines enum 2>"$WORK/err" || status=$?
[ "$status" -eq 2 ]
$CRASHLIT --help | grep -q '^  crashlit engines '
$CRASHLIT help --words | grep -qx 'engines'
grep -q 'fBengines' man/crashlit.1
