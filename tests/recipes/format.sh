# One test as expected, one that is not (x may be 1), and one that cannot be read, read by a reader that is not ours.
set -eu
mkdir -p "$WORK/csv"
printf 'OPENCL good\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n' >"$WORK/csv/1-good.litmus"
sed 's/good/bad/; s/exists/~exists/' "$WORK/csv/1-good.litmus" >"$WORK/csv/2-\"bad\".litmus"
printf 'OPENCL broken\n{ nvm x = ; }\n' >"$WORK/csv/3-broken.litmus"
status=0
$CRASHLIT --format csv -m sc -p epoch "$WORK/csv" >"$WORK/report.csv" 2>"$WORK/err" || status=$?
[ "$status" -eq 2 ]
python3 -c 'import csv, os, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=""), strict=True))
print(*(os.path.basename(r["file"]) + ":" + r["result"] for r in rows))' "$WORK/report.csv" >"$WORK/read"
[ "$(cat "$WORK/read")" = '1-good.litmus:passed 2-"bad".litmus:failed 3-broken.litmus:error' ]
$CRASHLIT check --help | grep -q 'csv'
