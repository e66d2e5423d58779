# place_rendezvous.awk: a sketch of two or three work-items that meet at barriers or miss each other, drawn from `seed` and
# `number`: some barriers stand there, some may, of one scope or another, some behind a branch or in a loop.
function draw(n) {
    state = (state * 1103515245 + 12345) % 2147483648
    return int(state / 65536) % n
}
function pick(words,    list, n) {
    n = split(words, list, " ")
    return list[draw(n) + 1]
}
function barrier(    kind) {
    kind = draw(10)
    if (kind < 3 || fillings > 200)
        return kind == 0 || draw(2) ? "sync_barrier_kr;" : kind == 1 ? pick("p_barrier_kr; p_barrier_wg;") : ";"
    if (kind < 5) {
        fillings *= 2
        return "?{ " pick("sync_barrier_kr; p_barrier_kr; p_barrier_kr; sync_barrier_wg;") " }"
    }
    if (kind < 7) {
        fillings *= 2
        return "?{ p_barrier_kr; sync_barrier_kr; }"
    }
    if (kind == 7) { # the same choice wherever it stands
        fillings *= 2
        return "?a{ p_barrier_kr; }"
    }
    fillings *= 3
    return "?slot in {" pick("p_barrier_wg p_barrier_wi") ", " pick("p_barrier_kr sync_barrier_kr") "}"
}
function statement(t) {
    if (draw(5) == 0)
        return "if (" (t == 0 ? "*x" : "*y") ") { " barrier() " }"
    if (draw(7) == 0)
        return "for (int i = 0; i < 2; i++) { " barrier() " }"
    return barrier()
}
BEGIN {
    state = (seed * 7919 + number * 104729 + 12345) % 2147483647
    for (i = 0; i < 10; i++)
        draw(2)
    fillings = 1
    printf "OPENCL rendezvous-%d\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n", number
    threads = 2 + (draw(4) == 0)
    for (t = 0; t < threads; t++) {
        printf "P%d@wg %d (global int* x, global int* y, global int* z) {\n", t, draw(2)
        if (t == 0)
            print "  *x = 1;"
        for (i = 1 + draw(3); i > 0; i--) {
            printf "  %s\n", statement(t)
            if (draw(3) == 0)
                printf "  *%s = %d;\n", t == 0 ? "x" : t == 1 ? "y" : "z", 1 + draw(2)
        }
        print t == 1 ? "  *y = 1;\n}" : "}"
    }
    print "crash " "~exists (" pick("y=1/\\x=0 y=1/\\x=0 x=1") ")"
    if (draw(2))
        print "crash exists (y = 1)"
}
