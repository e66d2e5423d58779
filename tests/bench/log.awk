# log.awk: prints an undo log of n entries with a recovery program that scans all of them.
#
#   awk -v family=log-barriers|log-epoch -v n=N -f log.awk
#
#   log-barriers  a persist barrier behind each store, in recovery too: about 3n crash states
#   log-epoch     a persist barrier between log, data, status and freed entries: about 3 * 2^n
#
# An entry is 8 bytes, its epoch above the old data, as in litmus/recovery/undo-log: a changed
# datum has its entry, a complete status all data, a freed entry the status. So recovery undoes
# all or nothing, and both are `ok` under every model, however often recovery itself crashes.
function sweep(body) { printf "  for (int i = 0; i < n; i++) { %s%s }\n", body, each }
function all_of(value,    i) {
    for (i = 0; i < n; i++) printf "%sd[%d] = %d", i ? " /\\ " : "", i, value
}
BEGIN {
    each = family == "log-barriers" ? " p_barrier_wi;" : ""
    between = each ? "" : "  p_barrier_wi;\n"
    printf "OPENCL %s-%d\n\"scaling family\"\nconst n = %d, tag = 1;\n", family, n, n
    print "{ nvm d[n] = 1; nvm long log[n]; nvm long est = 0; }"
    print "P0@wg 0, kr 0, dev 0 (global int* d, global long* log, global long* est) {"
    sweep("log[i] = ((long)tag << 32) | d[i];")
    printf "%s", between
    sweep("d[i] = 2;")
    printf "%s  *est = tag;\n  p_barrier_wi;\n", between
    sweep("log[i] = 0;")
    print "}\nrecovery restartable (global int* d, global long* log, global long* est) {"
    print "  long complete = *est;"
    sweep("if (log[i] >> 32 > complete) { d[i] = (int)log[i]; }")
    printf "%s", between
    sweep("log[i] = 0;")
    printf "}\nrecovered forall ((est = 0 => "
    all_of(1)
    printf ") /\\ (est = tag => "
    all_of(2)
    print "))"
}
