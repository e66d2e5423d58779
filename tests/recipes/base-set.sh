# Groups {P0, P1} and {P2}: only P0 and P2 are first. The model has no execution in which another than a first one
# writes NVRAM: none, then, of a test where P1 does; all four crash states of one where P0 and P2 do.
set -eu
cat >"$WORK/lead.cat" <<'END'
lead "only the first of a group writes NVRAM"
let persist-before = 0
let durable-before = 0
empty W & NVM \ (IW | LEAD) as led
END
write() { # work-item that writes x
    printf 'OPENCL t\n{ nvm x = 0; nvm y = 0; z = 0; }\n'
    for p in 'P0@wg 0' 'P1@wg 0' 'P2@wg 1'; do
        to=z
        [ "${p%@*}" != "$1" ] || to=x
        [ "$p" != 'P2@wg 1' ] || to=y
        [ "$to" = z ] && echo "$p () { }" || echo "$p (global int* $to) { *$to = 1; }"
    done
    echo 'crash exists (x = 1 /\ y = 1)'
}
for engine in enum smt; do
    write P0 >"$WORK/first.litmus"
    $CRASHLIT --format herd -e $engine -m sc -p "$WORK/lead.cat" "$WORK/first.litmus" | grep -q '^Crash states 4$'
    write P1 >"$WORK/second.litmus"
    $CRASHLIT --format herd -e $engine -m sc -p "$WORK/lead.cat" "$WORK/second.litmus" | grep -q '^Crash states 0$'
done
$UNIT exec_path
