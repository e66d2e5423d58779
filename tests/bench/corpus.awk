# corpus.awk -v count=N -v seed=S -v folder=F: N small tests in F/000/00000.litmus and on, 100 in a
# folder. Each has one to three work-items in one or two work-groups, with one to three statements
# each: stores to three NVM locations, persist barriers of any scope, a flag that is raised or read. All
# it takes is a Lehmer generator, so the tests are the same everywhere.
function draw(below) {
    state = state * 48271 % 2147483647
    return int(state / 2147483647 * below)
}
function statement(thread, k,   kind) {
    kind = draw(6)
    if (kind <= 2) return sprintf("  *%s = %d;", name[draw(3)], 1 + draw(2))
    if (kind == 3) return sprintf("  p_barrier_%s;", scope[draw(2)])
    if (kind == 4) return sprintf("  f.store(1, mo_rel, %s_scope);", level[draw(2)])
    return sprintf("  int r%d = f.load(mo_acq, %s_scope);", k, level[draw(2)])
}
function test(   i, k, threads, text) {
    text = "{ nvm x = 0; nvm y = 0; nvm z = 0; atomic_int f = 0; }\n"
    threads = 1 + draw(3)
    for (i = 0; i < threads; i++) {
        text = text sprintf("P%d@wg %d (global int* x, global int* y, global int* z, global atomic_int* f) {\n",
                            i, draw(2))
        for (k = draw(3); k >= 0; k--)
            text = text statement(i, k) "\n"
        text = text "}\n"
    }
    return text sprintf("crash %s (%s = %d /\\ %s = 0)\n", draw(2) ? "exists" : "~exists", name[draw(3)],
                        1 + draw(2), name[draw(3)])
}
BEGIN {
    split("x y z", list); for (i = 0; i < 3; i++) name[i] = list[i + 1]
    scope[0] = "wi"; scope[1] = "wg"
    level[0] = "wg"; level[1] = "dev"
    state = (seed * 7919) % 2147483646 + 1
    for (n = 0; n < count; n++) {
        if (n % 100 == 0) {
            part = sprintf("%s/%03d", folder, n / 100)
            system("mkdir -p '" part "'")
        }
        file = sprintf("%s/%05d.litmus", part, n)
        printf "OPENCL g%05d\n%s", n, test() > file
        close(file)
    }
}
