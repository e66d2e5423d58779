# What a line of results says, without figures, in an order that does not depend on the search.
# Checks whose names end in `c`, and lands-before-cycle, are about cycles, of which each engine may name another.
{
    sub(/,"stats":.*/, "")
    gsub(/"engine":"[a-z]*",/, "") # also of what was asked
    gsub(/"kind":"(k[0-9]*c|lands-before-cycle)","events":\[[^]]*\]/, "&#")
    gsub(/,"events":\[[^]]*\]#/, "")
    if (!match($0, /"undefined":\[.*\],"flags"/)) {
        print
        next
    }
    before = substr($0, 1, RSTART - 1)
    after = substr($0, RSTART + RLENGTH)
    count = split(substr($0, RSTART + 13, RLENGTH - 22), found, /},{"kind":/)
    for (i = 1; i <= count; i++) {
        sub(/^[{]"kind":/, "", found[i])
        sub(/]}$/, "]", found[i])
        sub(/}$/, "", found[i])
        for (j = i - 1; j > 0 && found[j] > found[j + 1]; j--) {
            swap = found[j]
            found[j] = found[j + 1]
            found[j + 1] = swap
        }
    }
    printf "%s\"undefined\":[", before
    for (i = 1; i <= count; i++)
        if (i == 1 || found[i] != found[i - 1])
            printf "%s ", found[i]
    print "]" after
}
