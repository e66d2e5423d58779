# long_lines.awk: lines of very many words, of which some are looked at once more or ask where their line begins.
#
#     awk -v out=FOLDER [-v sizes="3900000"] -f tests/fuzz/write.awk -f tests/fuzz/long_lines.awk

# A test with this line in its code.
function line(kind, status, id, text) {
    put(kind, "litmus", status, id, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n" text "\n}\ncrash exists (x = 1)\n")
}

BEGIN {
    n = split(sizes ? sizes : "3900000", each, " ")
    for (i = 1; i <= n; i++) {
        size = each[i]
        line("indented-blocks", 2, "E-lit-too-large", rep(" ", size / 2) rep("{}", size / 2))
        line("words-of-threads", 2, "E-lit-syntax", rep("P0 (", size))
        line("questions", 2, "E-lit-too-deep", "*x = " rep("1 ? ", size / 2) "1" rep(" : 1", size / 2) ";")
    }
}
