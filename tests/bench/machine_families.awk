# machine_families.awk: prints a test of n work-items, each of which makes s stores to locations
# of its own in NVRAM with a persist barrier between two.
#
#   awk -v n=WORK-ITEMS -v s=STORES -v groups=one|each -f machine_families.awk
#
# `groups`: all in one work-group, or each in its own.
BEGIN {
    printf "OPENCL stores-%d-%d-%s\n{", n, s, groups
    for (i = 0; i < n; i++)
        for (j = 0; j < s; j++) printf " nvm x%d%d = 0;", i, j
    print " }"
    for (i = 0; i < n; i++) {
        printf "P%d@wg %d (", i, groups == "each" ? i : 0
        for (j = 0; j < s; j++) printf "%sglobal int* x%d%d", j ? ", " : "", i, j
        printf ") {"
        for (j = 0; j < s; j++) printf "%s *x%d%d = 1;", j ? " p_barrier_wi;" : "", i, j
        print " }"
    }
    print "crash exists (x00 = 1)"
}
