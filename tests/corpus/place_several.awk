# place_several.awk: a small program, drawn from `seed` and `number`, whose repair may need several statements in a row: of
# `mechanism` lin, gpm, or epoch, where work-items meet.
function draw(n) {
    state = (state * 1103515245 + 12345) % 2147483648
    return int(state / 65536) % n
}
function pick(words,    list, n) {
    n = split(words, list, " ")
    return list[draw(n) + 1]
}
BEGIN {
    state = (seed * 7919 + number * 104729 + 12345) % 2147483647
    for (i = 0; i < 10; i++)
        draw(2)
    between = mechanism == "lin" ? "clwb(x) clwb(x) clwb(y) l2wb() *x=2" : "gpm_persist_end() gpm_persist() *x=2"
    printf "OPENCL several-%s-%d\n", mechanism, number
    if (mechanism != "epoch")
        printf "uses \"%s.def\"\n", mechanism
    print "{ nvm x = 0; nvm y = 0; }\nP0@wg 0 (global int* x, global int* y) {\n  *x = 1;"
    if (mechanism == "epoch" || draw(4) == 0)
        print "}\nP1@wg 0 (global int* x, global int* y) {"
    else
        printf "  %s;\n", pick(between)
    printf "  %s;\n}\n", pick("*y=1 *y=1 *y=1 *x=2")
    print "crash ~exists (" pick("y=1/\\x=0 y=1/\\x=0 x=1/\\y=0") ")"
    if (draw(2))
        print "crash exists (y=1)"
}
