# dependencies.awk (after draw.awk) -v seed=N: a random test of two work-items whose runs part and meet again, and on each
# part depend on other reads. Each stores what the other reads.
function statement(depth,    kind) {
    kind = draw(depth ? 9 : 6)
    if (kind == 0) return "v = r" draw(3) ";"
    if (kind == 1) return "v = v + r" draw(3) ";"
    if (kind == 2) return "r" draw(3) " = *" pick(mine) ";"
    if (kind == 3) return "*" pick(others) " = " pick("1 v") ";"
    if (kind == 4) return pick("r2 v") " = s[r" draw(3) " & 1];"
    if (kind == 5) return "s[r" draw(3) " & 1] = v;"
    if (kind == 6 && !loops++) return "for (int i = 0; i < 2; i++) { if (s[i]) { " statement(depth - 1) " } }"
    return "if (" pick("r0 r1 r2 v") ") { " statement(depth - 1) " " (draw(2) ? statement(depth - 1) " " : "") "}" \
        (draw(2) ? " else { " statement(depth - 1) " }" : "")
}
function thread(number, reads, stores,    i) {
    mine = reads; others = stores; loops = 0
    printf "P%d@wg %d (global int* x, global int* y, global int* z, global int* s) { int r0 = *%s; int r1 = *%s; int r2 = 0; int v = 1;",
        number, number, pick(mine), pick("z " mine)
    for (i = 1 + draw(2); i > 0; i--) printf " %s", statement(2)
    printf " *%s = v; }\n", pick(others)
}
BEGIN {
    start_drawing(seed)
    print "OPENCL dependencies" seed "\n{ nvm x = 0; y = 0; z = 0; s[2]; }"
    thread(0, "x", "y")
    thread(1, "y", "x z")
    print "locations [0:r0; 0:v; 1:r0; 1:v; x; z]"
}
