# With persist-before both ways between a work-item's two writes they are durable together, 2 of the 4 images, as with
# `r | r^-1`; closed and in a recursion too.
set -eu
printf 'OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\ncrash exists (x = 1 /\\ y = 1)\n' \
    >"$WORK/two.litmus"
for both in 'between^=' '(between | between^-1)' 'between^=+ \ id' 'again'; do
    cat >"$WORK/both.cat" <<END
both "writes of a work-item are durable together"
let NVW = W & NVM \\ IW
let between = [NVW]; po; [NVW]
let rec again = between | again^=
let persist-before = $both
let durable-before = 0
END
    for engine in enum smt; do
        $CRASHLIT --format herd -e $engine -m sc -p "$WORK/both.cat" "$WORK/two.litmus" >"$WORK/out" 2>"$WORK/err"
        [ "$(sed -n '/^Crash states/,/^Ok/p' "$WORK/out" | tr '\n' ' ')" = 'Crash states 2 x=0; y=0; *>x=1; y=1; Ok ' ]
    done
done
$CRASHLIT explain -m sc -p "$WORK/both.cat" "$WORK/two.litmus" >"$WORK/out" 2>"$WORK/err"
grep -q '^Holds: a state ' "$WORK/out"
$UNIT cat_bounds
