# symmetry.awk: a random litmus test in which work-items are interchangeable, or nearly so.
#
#   awk -v seed=N [-v groups=N] [-v mechanism=tx|drawn] -f draw.awk -f symmetry.awk
#
# Two to four units of one or two work-items run the same code, each unit on locations of its own
# (a, b) and on shared ones (c, q, tail, l, x). Units share a work-group, or have one each, or two
# share one. Some tests have a stranger beside them, or one thing that tells a unit apart: a first
# value, a constant, a line, a scope. Conditions name one unit, all, or some. With `groups` there are so many
# work-groups of one work-item, whose code is the shorter the more they are, with barriers that all meet at. With a `mechanism`
# there are transactions, and with `drawn` all that random pipelines (pipeline_draw.py) have rules for.

function scope() { return pick("dev_scope dev_scope wg_scope") }
function constant() { return draw(3) ? "1" : "@V" }

# One statement; `@` is the unit's number and `@V` a value of its own.
function statement(depth,    kind) {
    if (groups && !draw(5)) return pick("p_barrier_kr; p_barrier_kr; sync_barrier_kr;")
    if (mechanism == "drawn" && !draw(3))
        return pick("__fence{a}; __fence{b}; __fence{c}; __cm{m}(a@); __cm{m}(x); __store{s}(a@,1); __store{s}(x," constant() "); p_barrier_wg;")
    if (mechanism && !draw(3)) return "*x = " constant() ";"
    kind = draw(depth ? 11 : 15)
    if (kind < 2) return "*a@ = " constant() ";"
    if (kind == 2) return "p_barrier_wi;"
    if (kind == 3) return "c.fetch_add(1, mo_acq_rel, " scope() ");"
    if (kind == 4) return "c.store(" constant() ", mo_rel, " scope() ");"
    if (kind == 5) return "b@.store(" constant() ", mo_rel, " scope() ");"
    if (kind == 6) return "*a@ = 2;"
    if (kind == 7) return "q[" draw(2) "] = " constant() ";"
    if (kind == 8) return draw(2) ? "crash \"here\";" : "p_barrier_wi;"
    if (kind == 9) return draw(4) ? "b@.store(1, mo_rlx, " scope() ");" : "*x = " constant() ";"
    if (kind == 10) return "b@.fetch_add(1, mo_rlx, " scope() ");"
    if (kind == 11) { registers++; return "int r" registers " = " (draw(4) ? pick("c b@") ".load(mo_acq, " scope() ");" : "*a@;") }
    if (kind == 12) { registers++; return "int r" registers " = c.fetch_add(1, mo_acq_rel, " scope() ");" }
    if (kind == 13 && registers) return "if (r" 1 + draw(registers) " == " draw(3) ") { " statement(1) " }"
    if (kind == 14 && !takes++) return "int s = tail.fetch_add(1, mo_acq_rel, dev_scope); p_barrier_wi; q[s] = @V;"
    return draw(3) ? "p_barrier_wg;" : "*a@ = 1; p_barrier_wi;"
}
function body(    i, text) {
    registers = 0; takes = 0
    for (i = 1 + draw(groups ? 6 - groups : mechanism ? 2 : 3); i > 0; i--) text = text " " statement(0)
    if (mechanism && draw(4))
        text = text " __fence{tx_begin}; " statement(1) " " statement(1) " __fence{" pick("tx_end tx_end tx_end tx_abort") "};"
    if (apart == 3) text = text " *a@ = 1; c.store(1, mo_rel, dev_scope);"
    if (!draw(6)) text = " while (l.exchange(1, mo_acq, dev_scope)) { }" text " l.store(0, mo_rel, dev_scope);"
    return text
}
function of_unit(text, unit) {
    gsub(/@V/, apart == 1 && unit == 0 ? "5" : unit + 1, text)
    gsub(/@/, unit, text)
    return text
}
function print_thread(number, unit, code,    wg) {
    wg = places == 0 ? 0 : places == 1 ? unit : int(unit / 2)
    if (apart == 2 && unit == 0) wg = 7
    printf "P%d@wg %d, dev 0 (global int* a%d, global atomic_int* b%d, global atomic_int* c, global int* q, global atomic_int* tail, global atomic_int* l, global int* x) {%s }\n",
        number, wg, unit, unit, of_unit(code, unit)
}
function atom(unit,    kind) {
    kind = draw(5)
    if (kind < 2) return "a" unit " = " draw(3)
    if (kind == 2) return "b" unit " = " draw(3)
    if (kind == 3 && seen) return unit * width ":r1 = " draw(2)
    return pick("c tail q[0] q[1]") " = " draw(4)
}
function of_all(like, joint,    u, text) {
    for (u = 0; u < units; u++) text = text (u ? joint : "") of_unit(like, u)
    return "(" text ")"
}
function between(    either) {
    either = draw(2)
    return other(3) ? (either ? " /\\ " : " \\/ ") : " => "
}
function proposition(    kind, like) {
    kind = draw(4)
    like = pick("a@_=_0 a@_=_1 b@_=_1 a@_=_@V" (seen ? " @R:r1_=_0" : ""))
    if (width > 1 && like ~ /@R/) like = "a@_=_1"
    gsub(/@R/, "@", like); gsub(/_/, " ", like)
    if (kind == 0) return atom(0)
    if (kind == 1) return of_all(like, draw(2) ? " /\\ " : " \\/ ")
    if (kind == 2) return of_all(like, " /\\ ") between() atom(draw(units))
    return (other(4) ? "" : "~") "(" atom(0) ")" between() atom(draw(units))
}
BEGIN {
    start_drawing(seed)
    width = draw(3) ? 1 : 2
    units = width == 2 ? 2 : 2 + draw(2)
    places = draw(3)
    if (groups) { width = places = 1; units = groups }
    if (mechanism && other(3)) { width = 1; units = 2 }
    apart = draw(8) # 0: a first value, 1: a constant, 2: a scope, 3: a line, else nothing
    printf "OPENCL symmetry%d\n{", seed
    for (u = 0; u < units; u++)
        printf " nvm a%d = %d; nvm atomic_int b%d = 0;", u, apart == 0 && u == 0 ? 3 : 0, u
    printf " nvm atomic_int c = 0; nvm q[4] = {0,0,0,0}; nvm atomic_int tail = 0; atomic_int l = 0; nvm x = 0;"
    if (apart == 3) printf " line {a0, c};"
    print " }"
    for (i = 0; i < width; i++) code[i] = body()
    seen = code[0] ~ /int r1/ && code[0] !~ /\{[^}]*int r1/
    for (u = 0; u < units; u++)
        for (i = 0; i < width; i++) print_thread(u * width + i, u, code[i])
    if (!draw(4))
        print_thread(units * width, draw(units), body())
    if (!draw(5)) {
        printf "recovery (global int* a0, global int* a1, global int* x) { int g = *a0; int h = *a1; if (%s) { %s } }\n",
            other_pick("g==h g==h g>h g<h h==1"), other(4) ? "*x = 2;" : "while (*x == 0);"
        print "recovered " pick("exists forall") " (x = 2)"
    }
    for (i = draw(2); i >= 0; i--)
        print pick("crash crash final") " " pick("exists ~exists forall") " (" proposition() ")"
    if (seen && !draw(2)) { # registers of all, or of one
        printf "locations ["
        for (u = 0; u < (draw(2) ? units : 1); u++) printf "%s%d:r1", u ? "; " : "", u * width
        print "]"
    }
}
