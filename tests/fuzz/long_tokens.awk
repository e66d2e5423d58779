# long_tokens.awk: inputs whose tokens are longer than a scanner's first buffers, of each kind and size.
#
#     awk -v out=FOLDER [-v sizes="16390 20000"] -f tests/fuzz/long_tokens.awk
#
# Writes FOLDER/KIND-SIZE.litmus and FOLDER/KIND-SIZE.cat. Prints a line for each file: its name, the
# status that the command leaves with, and the id of the diagnostic that it must have, or `-`.

function rep(text, n,    s) {
    for (s = text; length(s) < n; s = s s)
        ;
    return substr(s, 1, n)
}

function put(kind, language, status, id, text,    file) {
    file = out "/" kind "-" size "." language
    printf "%s", text >file
    close(file)
    print kind "-" size "." language, status, id
}

# Around the token: a test that holds.
function opencl(kind, status, id, name, initial, body, conditions) {
    put(kind, "litmus", status, id, "OPENCL " name "\n{" initial " nvm x = 0; }\nP0 (global int* x) {" body " *x = 1; }\n" \
        conditions "\ncrash exists (x = 1)\n")
}
function ptx(kind, status, id, title, cell, label) {
    put(kind, "litmus", status, id, "PTX t\n" title "{ nvm x = 0; }\n P0@cta 0,gpu 0 ;\n" cell " st.weak x, 1 ;\n " label \
        "\ncrash exists (x = 1)\nexpect sc + epoch : ok\n")
}
function model(kind, status, id, text) {
    put(kind, "cat", status, id, text "\nacyclic po | rf | co | fr as sc\n")
}

BEGIN {
    n = split(sizes ? sizes : "16390 20000 100000", each, " ")
    for (i = 1; i <= n; i++) {
        size = each[i]
        x = rep("x", size); blanks = rep(" ", size); lines = rep("\n", size); zeros = rep("0", size)

        put("comment-first", "litmus", 0, "-", "/*" x "*/ OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n")
        opencl("comment", 0, "-", "t", "/*" x "*/")
        opencl("comment-code", 0, "-", "t", "", "/*" x "*/")
        opencl("comment-line", 0, "-", "t", "//" x "\n")
        opencl("comment-nested", 0, "-", "t", "(* " x " (* " x " *)" x " *)")
        opencl("comment-stars", 0, "-", "t", "/*" rep("*", size) "*/ (*" rep("*", size) "*)", "/*" rep("*", size) "*/")
        opencl("comment-row", 0, "-", "t", "", "(*" x "*)")
        opencl("blanks", 0, "-", "t", blanks, blanks, blanks)
        opencl("newlines", 0, "-", "t", lines, lines, lines)
        opencl("name-test", 0, "-", x)
        opencl("title", 0, "-", "t\n\"" x "\"")
        opencl("title-open", 2, "E-lit-unclosed", "t\n\"" x)
        opencl("name", 0, "-", "t", " int " x x "; ", "int r" x " = 1;", "exists (0:r" x " = 1)")
        opencl("name-unknown", 2, "E-lit-unbound", "t", "", "int r = " x "z;")
        opencl("number", 2, "E-lit-number", "t", "y = " rep("9", size) ";")
        opencl("number-zeros", 0, "-", "t", "y = " zeros "1;")
        opencl("number-hex", 2, "E-lit-number", "t", "", "int r = 0x" rep("f", size) ";")
        opencl("number-odd", 2, "E-lit-number", "t", "", "int r = 1" x ";")
        opencl("thread", 2, "E-lit-number", "t", "", "", "exists (P1" zeros ":r = 0)")
        opencl("thread-zeros", 0, "-", "t", "", "int r = 1;", "exists (P" zeros ":r = 1)")
        opencl("thread-apart", 0, "-", "t", "", "int r = 1;", "exists (\nP0" blanks ":r = 1)")
        put("thread-head", "litmus", 0, "-", "OPENCL t\n{ nvm x = 0; }\nP" zeros blanks lines "(global int* x) { *x = 1; }\ncrash exists (x = 1)\n")
        put("thread-brace", "litmus", 2, "E-lit-syntax", "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1;\nP" zeros "1" blanks "(global int* x) { *x = 1; }\n")
        opencl("crash-label", 0, "-", "t", "", "*x = 1; crash \"" x "\";")
        opencl("not-exists", 0, "-", "t", "", "int r = 1;", "~" blanks lines "exists (0:r = 2)")
        opencl("atomic-of", 0, "-", "t", "atomic" blanks "<int> f = 0;")
        opencl("bytes", 2, "E-lit-character", "t", rep("\303\251", size))
        opencl("expect", 2, "E-cli-expect-model", "t", "", "", "expect " x " + none : ok")
        opencl("expect-blanks", 0, "-", "t", "", "", "expect" blanks "sc" blanks "+ (*" x "*) epoch : ok")
        put("dialect", "litmus", 2, "E-lit-dialect", x " t\n{ }\n")

        ptx("table-comment", 0, "-", "", "(* " x " *)")
        ptx("table-comment-plain", 0, "-", "", "/*" x "*/")
        ptx("table-comment-line", 0, "-", "", "//" x "\n")
        ptx("table-blanks", 0, "-", "", blanks lines)
        ptx("table-title", 0, "-", "\"" x "\n" x "\"\n")
        ptx("table-word", 2, "E-lit-function", "", x " ;\n")
        ptx("table-word-parts", 2, "E-lit-function", "", "ld" rep(".weak", size) " r1, x ;\n")
        ptx("table-number", 2, "E-lit-number", "", " st.weak x, " rep("9", size) " ;\n")
        ptx("table-label", 0, "-", "", "", "L" x ": ;")
        ptx("table-string", 0, "-", "", " st.weak x, 1 ;\n crash \"" x "\" ;\n")
        ptx("table-string-open", 2, "E-lit-unclosed", "", " crash \"" x " ;\n")
        ptx("table-crash", 0, "-", "", "", "\ncrash" blanks "~" blanks "exists (x = 2)\ncrash" blanks "exists (x = 1)")

        model("comment", 0, "-", "(* " x " (* " x " *) *)")
        model("comment-plain", 0, "-", "/*" x "*/")
        model("comment-line", 0, "-", "//" x "\n#" x)
        model("blanks", 0, "-", blanks lines)
        model("title", 0, "-", "\"" x "\"")
        model("title-open", 2, "E-cat-unclosed", "\"" x)
        model("name", 0, "-", "let " x " = po")
        model("name-unknown", 2, "E-cat-unbound", "acyclic " x "z")
        model("tag", 2, "E-cat-", "let r = '" x)
        model("number", 2, "E-cat-character", "let r = " rep("9", size))
        model("not-empty", 0, "-", "~" blanks lines "empty _ as some")
        model("bytes", 2, "E-cat-character", rep("\303\251", size))
        model("include", 2, "E-cat-include", "include \"" x "\"")
    }
}
