# conservative.awk OUTPUT...: what `crashlit crosscheck -v -e machine --machine M` printed, an output a
# machine in the order of the columns, as the table of docs/models/machines-conservative.md.
BEGIN {
    split("nvw-fifo nvw-fifo-small nvw-fifo-one-unit bpfs bpfs-no-wait", names)
    columns = 5
}
FNR == 1 { column++ }
/^litmus\/spb\/[^:]*: .* under / {
    test = $2
    if (!(test in seen))
        tests[++count] = test
    seen[test] = 1
}
/^  machine / && /never shown/ && test != "" {
    for (i = 1; i < NF; i++)
        if ($i == "shown:") {
            never[test, column] = $(i + 1)
            allowed[test, column] = $(i + 3)
            lacks[column] += $(i + 1)
            total[column] += $(i + 3)
        }
}
/^  machine / { test = "" }
END {
    if (column != columns) {
        print "conservative.awk: expected the outputs of " columns " machines, found " column
        exit 1
    }
    print "| test | `epoch` | `nvw-fifo` | `-small` | `-one-unit` | `buffered-epoch` | `bpfs` |" \
        " `-individual` | `bpfs-no-wait` |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        row("`" tests[i] "`", tests[i])
    printf "| all | %d |", total[1]
    for (c = 1; c <= columns; c++) {
        if (c > 3)
            printf " %d |", total[c]
        printf " %s |", shown(total[c], lacks[c])
    }
    print ""
}
function shown(all, lack) { return lack ? "**" all - lack "**" : all "" }
function cell(test, c) {
    return (test, c) in allowed ? shown(allowed[test, c], never[test, c]) : "–"
}
function row(title, test, c, model) {
    printf "| %s |", title
    for (c = 1; c <= columns; c++) {
        model = (test, c) in allowed ? allowed[test, c] : "–"
        if (c == 1 || c > 3)
            printf " %s |", model
        printf " %s |", cell(test, c)
    }
    print ""
}
