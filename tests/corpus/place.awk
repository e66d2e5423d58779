# place.awk: the sketch of a number, for place.sh: up to three work-items that write non-volatile
# locations, pass flags on and meet at barriers, with a few things left open, and conditions on crash,
# final and recovered states, most of which some order keeps. Each ninth is a spin lock.
#
#     awk -v number=N -v seed=S -v most=FILLINGS -f place.awk
function draw(n) {
    state = (state * 16807) % 2147483647
    return int(state / 7) % n
}
function pick(text,    words) { return words[1 + draw(split(text, words, " "))] }
# A hole of `count` values, where there is room for it; else one of its words.
function open(text, count, plain) {
    if (fillings * count > most || draw(3) == 0)
        return plain
    fillings *= count
    holes++
    return text
}
function scope(    name) {
    name = ""
    if (draw(3) == 0 && named["s"]) # the same choice once more
        return "?s"
    if (draw(4) == 0) {
        name = open("?s in {wi, wg, dev}", 3, pick("wi_scope wg_scope dev_scope"))
        if (name ~ /^\?s/)
            named["s"] = 1
        return named["s"] ? "?s" : name
    }
    return open("? in {wi, wg}", 2, open("? in {wg, kr, dev}", 3, pick("wi_scope wg_scope kr_scope dev_scope")))
}
function access_scope() { return open("? in {wg, dev}", 2, pick("wg_scope dev_scope")) }
function store_order() { return open("? in {rlx, rel}", 2, pick("mo_rlx mo_rel")) }
function load_order() { return open("? in {rlx, acq}", 2, pick("mo_rlx mo_acq")) }
function barrier(    kind) {
    kind = draw(8)
    if (kind < 3)
        return open("?slot in {p_barrier_wi, p_barrier_wg}", 3, "p_barrier_wi;")
    if (kind < 5)
        return open("?{ p_barrier_wi; }", 2, "p_barrier_wi;")
    if (kind == 5)
        return open("?{ p_barrier(? in {wi, wg}); }", 4, "p_barrier_wg;")
    if (kind == 6)
        return "p_barrier(" scope() ");"
    return open("?{ atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ? in {acq_rel, sc}, ? in {wg, dev}); }", 8, "")
}
function write() { return "*" pick("x y z") " = " (1 + draw(2)) ";" }
function statement(t,    kind) {
    kind = draw(10)
    if (kind < 4)
        return write()
    if (kind < 8)
        return barrier()
    if (kind == 8)
        return t % 2 ? "int r" lines " = f.load(" load_order() ", " access_scope() ");" : "f.store(1, " store_order() ", " access_scope() ");"
    return "if (f.load(" load_order() ", " access_scope() ")) { " write() " }"
}
# No hole that stands for statements stands right behind another one.
function thread(t, count,    i, text) {
    text = ""
    printf "P%d@wg %d (global int* x, global int* y, global int* z, global atomic_int* f) {\n", t, draw(2)
    for (i = 0; i < count; i++) {
        lines++
        text = text ~ /^\?/ ? write() : statement(t)
        printf "  %s\n", text
    }
    print "}"
}
# The shapes that persistency is about: data, something, flag; the other one goes on from the flag.
function publish(t) {
    if (t == 0) {
        printf "P0@wg 0 (global int* x, global int* y, global int* z, global atomic_int* f) {\n  *x = 1;\n  %s\n  f.store(1, %s, %s);\n}\n", barrier(), store_order(), access_scope()
    } else {
        printf "P1@wg %d (global int* x, global int* y, global int* z, global atomic_int* f) {\n  %s\n    %s\n    *y = 1;\n  }\n}\n", draw(2), draw(2) ? "while (!f.load(" load_order() ", " access_scope() ")); {" : "if (f.load(" load_order() ", " access_scope() ")) {", barrier()
    }
}
# Messages and store buffering by atomics alone: what is forbidden depends on orders and scopes.
function fence() { return open("?{ atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ? in {acq_rel, sc}, dev); }", 4, "") }
function litmus(    buffering) {
    buffering = draw(2)
    printf "P0@wg 0 (global atomic_int* f, global atomic_int* g) {\n  g.store(1, mo_rlx, dev_scope);\n  %s\n", fence()
    printf buffering ? "  int r = f.load(%s, %s);\n}\n" : "  f.store(1, %s, %s);\n}\n", buffering ? load_order() : store_order(), access_scope()
    printf buffering ? "P1@wg 1 (global atomic_int* f, global atomic_int* g) {\n  f.store(1, %s, %s);\n" : "P1@wg 1 (global atomic_int* f, global atomic_int* g) {\n  int r = f.load(%s, %s);\n", buffering ? store_order() : load_order(), access_scope()
    printf "  %s\n  int s = g.load(mo_rlx, dev_scope);\n}\n", fence()
    print buffering ? "final ~exists (0:r = 0 /\\ 1:s = 0)" : "final ~exists (1:r = 1 /\\ 1:s = 0)"
}
# A lock, taken by whatever updates it, about what is to be durable in order.
function take(    kind) {
    kind = draw(4)
    if (kind == 0)
        return "while (!f.compare_exchange_strong(0, 1, " load_order() ", mo_rlx, " access_scope() "));"
    if (kind == 1)
        return "while (f.exchange(1, " load_order() ", " access_scope() "));"
    if (kind == 2)
        return "while (1) { while (f.load(mo_rlx, dev_scope)); if (!f.exchange(1, " load_order() ", " access_scope() ")) break; }"
    return "int e = 0; while (!f.compare_exchange_weak(&e, 1, mo_acq, " load_order() ", " access_scope() ")) { e = 0; }"
}
function lock(    t) {
    for (t = 0; t < 2; t++) {
        printf "P%d@wg %d (global int* x, global int* y, global atomic_int* f) {\n  %s\n", t, t * draw(2), take()
        printf "  int r = *x;\n  *x = r + 1;\n  %s\n  *y = r + 1;\n  f.store(0, %s, %s);\n}\n", barrier(), store_order(), access_scope()
    }
    print draw(2) ? "final forall (x = 2 /\\ y = 2)" : "final ~exists (x = 1)"
    print draw(2) ? "crash ~exists (y > x)" : "crash exists (x = 2 /\\ y = 1)"
}
function condition(    kind) {
    kind = draw(8)
    if (kind < 4)
        return "crash ~exists (" pick("y z") " = 1 /\\ x = 0)"
    if (kind == 4)
        return "crash forall (z = 0 \\/ y > 0)"
    if (kind == 5)
        return "final exists (x = 1)"
    if (kind == 6)
        return "crash exists (y = 1 /\\ x = 0)"
    return "final ~exists (x = 0 /\\ y = 1)"
}
BEGIN {
    state = (seed * 7919 + number * 104729 + 12345) % 2147483647
    for (i = 0; i < 10; i++)
        draw(2)
    fillings = 1
    shape = draw(6)
    printf "OPENCL sketch-%d\n{ nvm x = 0; nvm y = 0; nvm z = 0; atomic_int f = 0; atomic_int g = 0; }\n", number
    if (number % 9 == 7) {
        lock()
        exit
    }
    if (shape == 5) { # a level of a tree above another one, of two work-items
        printf "P0@wg 0 (global int* x, global int* y) {\n  *x = 1;\n  %s\n  sync_barrier_wg;\n  %s\n  *y = 1;\n}\n", barrier(), barrier()
        printf "P1@wg %d (global int* z) {\n  *z = 1;\n  %s\n  sync_barrier_wg;\n  %s\n}\n", draw(3) == 0, barrier(), barrier()
        print "crash ~exists (y = 1 /\\ (x = 0 \\/ z = 0))"
        exit
    }
    if (shape == 4) {
        litmus()
        exit
    }
    if (shape == 0) {
        publish(0)
        publish(1)
    } else if (shape == 1) {
        thread(0, 5)
    } else if (shape == 2) {
        thread(0, 3)
        thread(1, 3)
    } else {
        printf "P0@wg 0 (global int* x, global int* y, global int* z, global atomic_int* f) {\n  *x = 1;\n  %s\n  *y = 1;\n  %s\n  *z = 1;\n}\n", barrier(), barrier()
        if (draw(2))
            thread(1, 2)
    }
    if (draw(5) == 0) {
        recovery = 1
        printf "recovery%s (global int* x, global int* y, global int* z) {\n  if (*y == 1) {\n    *z = 2;\n    %s\n    *x = 2;\n  }\n}\n", draw(3) ? "" : " restartable", barrier()
    }
    print condition()
    if (draw(2))
        print condition()
    if (recovery)
        print "recovered ~exists (" pick("y z") " = 2 /\\ x = 0)"
}
