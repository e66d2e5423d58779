# contended.awk (after draw.awk) -v seed=N -v count=N -v folder=F: small random tests F/SEED-I.litmus whose work-items
# contend for one location or two by read-modify-writes of different orders: exchanges, sums, and compare-exchanges that may
# fail; what these read is often fixed by where a run goes on. Some have work-items that are alike. All that can be seen of
# an execution is in a state.

function order() { return "mo_" (draw(4) ? pick(orders) : pick("rlx acq rel acq_rel sc")) }
function failing() { return "mo_" pick("rlx acq sc") }
function scope() { return pick("dev_scope dev_scope dev_scope wg_scope") }
function location() { return two && draw(3) == 0 ? "u" : "t" }
function value() { return pick("0 0 1 1 1 2") }

# A read-modify-write, as an expression.
function taker(    form, l)
{
    form = draw(8)
    l = location()
    if (form < 3)
        return "atomic_compare_exchange_strong_explicit(" l ", " value() ", " pick("1 1 2 3") ", " order() ", " failing() ", " scope() ")"
    if (form < 6)
        return l ".exchange(" pick("1 1 1 2 3") ", " order() ", " scope() ")"
    return l "." pick("fetch_add fetch_add fetch_or fetch_xor") "(1, " order() ", " scope() ")"
}

# `room`: for how many more read-modify-writes.
function statement(    form, r)
{
    form = draw(room > 0 ? 14 : 4)
    if (form == 0)
        return location() ".store(" pick("0 1 2") ", mo_" pick("rlx rel sc") ", " scope() ");"
    if (form <= 2)
        return "r" (r = registers++) " = " location() ".load(mo_" pick("rlx acq sc") ", " scope() ");"
    if (form == 3)
        return pick("*x~=~1; *x~=~2; atomic_thread_fence(mo_sc,dev_scope);")
    room--
    if (form <= 7)
        return "r" (r = registers++) " = " taker() ";"
    if (form <= 9)
        return "r" (r = registers++) " = atomic_compare_exchange_strong_explicit(" location() ", " value() ", " pick("1 2 2 3") ", " order() ", " failing() ", dev_scope);"
    return "r" (r = registers++) " = " taker() "; if (r" r " " pick("== == == !=") " " value() ") { " \
           (draw(3) ? "*x = " pick("1 2") ";" : draw(2) ? "crash;" : statement()) " }"
}

function body(length_,    text, i)
{
    registers = 0
    for (i = 0; i < length_; i++)
        text = text " " statement()
    gsub(/~/, " ", text)
    for (i = 0; i < registers; i++)
        text = " int r" i " = 0;" text
    return text
}

function print_item(t, code)
{
    used[t] = registers
    print "P" t "@wg " (draw(3) ? t : 0) ", dev 0 (global atomic_int* t, global atomic_int* u, global int* x) {" code " }" > file
}

function atom(    t)
{
    t = draw(items)
    return used[t] && draw(3) ? t ":r" draw(used[t]) " " pick("= = = !=") " " value() : \
           pick("t t t u x") " " pick("= = = !=") " " pick("0 1 1 2 3")
}

function condition(nvm,    when, text, i)
{
    when = nvm == "" || draw(2) ? "final" : "crash"
    text = (draw(4) ? "" : "~") "(" (when == "final" ? atom() : pick("t u x") " = " value()) ")"
    for (i = draw(3); i > 0; i--)
        text = text pick(" /\\ /\\ \\/") " (" (when == "final" ? atom() : pick("t u x") " = " value()) ")"
    return when " " pick("exists exists ~exists forall") " (" text ")"
}

# One read-modify-write of t by each work-item: the first of another order than the others, of the value that these
# look for.
function take_turns(    t, l)
{
    items = draw(6) ? 3 : 4
    for (t = 0; t < items; t++) {
        registers = 1
        l = "mo_" (draw(8) == 0 ? pick("rlx acq rel acq_rel sc") : pick_at(orders, t ? 1 : 2)) ", "
        if (t == 0 && draw(3))
            print_item(t, " int r0 = t." pick("exchange fetch_add") "(1, " l "dev_scope);")
        else if (draw(2))
            print_item(t, " int r0 = atomic_compare_exchange_strong_explicit(t, " pick("0 1 1 1") ", " pick("2 2 3 1") ", " l failing() ", dev_scope);")
        else
            print_item(t, " int r0 = t." pick("exchange(2 exchange(3 fetch_add(1") ", " l "dev_scope); if (r0 == " pick("0 1 1 1") ") { *x = 1; }")
    }
}

function pick_at(list, number,    words)
{
    split(list, words, " ")
    return words[number]
}

function contend(    t, code, alike)
{
    two = draw(3) == 0
    alike = draw(3) == 0
    items = draw(5) ? 3 : alike ? 2 + 2 * draw(2) : 2
    room = alike ? 1 : 4
    code = body(1 + draw(items > 2 ? 2 : 3))
    for (t = 0; t < items; t++) {
        if (t && (!alike || t == items - 1 && draw(2))) {
            room = alike || items > 2 && draw(2) ? 1 : 2
            code = body(1 + draw(items > 2 ? draw(3) : 3))
        }
        print_item(t, code)
    }
}

function write_test(    i, t, r, nvm, seen)
{
    nvm = draw(3) ? "" : "nvm "
    print "OPENCL contended" > file
    print "{ " nvm "atomic_int t = " pick("0 0 0 0 1") "; " nvm "atomic_int u = 0; " nvm "x = 0; }" > file
    if (draw(6) < (taking_turns ? 4 : 2)) take_turns(); else contend()
    for (i = 2 + draw(5); i >= 0; i--)
        print condition(nvm) > file
    for (t = 0; t < items; t++)
        for (r = 0; r < used[t]; r++)
            seen = seen t ":r" r "; "
    print "locations [" seen "t; u; x]" > file
    close(file)
}

BEGIN {
    start_drawing(seed)
    orders = pick("rlx rlx acq") " " pick("sc sc acq_rel rel") # mostly these, as the model of this seed has them
    taking_turns = draw(3)                                     # (contended_model.awk), and whether it says who comes first
    for (number = 0; number < count; number++) {
        file = folder "/" seed "-" number ".litmus"
        write_test()
    }
}
