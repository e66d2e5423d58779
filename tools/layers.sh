#!/bin/sh
# layers.sh: who may include whom in src/, what scanners may not need, documents that are
# named, and file names unique in the tree.
#
# The table is that of docs/inside/architecture.md. A folder may include itself, what its
# row names, and the system. Generated headers carry no folder; they belong to the
# layer of their grammar. Last line: N passed, N failed (checked files count).
set -u
table='base:
rel: base
cat: base rel
litmus: base
exec: base rel cat litmus
engine: base rel cat litmus exec
enumerate: base rel cat litmus exec engine
smt: base rel cat litmus exec engine
machine: base rel cat litmus exec engine
report: base rel cat litmus exec engine
session: base rel cat litmus exec engine enumerate smt machine
place: base rel cat litmus exec engine enumerate smt machine session
generate: base rel cat litmus exec engine enumerate smt machine session
run: base rel cat litmus exec engine report session
ask: base rel cat litmus exec engine enumerate smt machine report session place generate run
lsp: base rel cat litmus exec engine enumerate smt machine report session place generate run ask
cli: base rel cat litmus exec engine enumerate smt machine report session place generate run ask lsp
api: base rel cat litmus exec engine enumerate smt machine report session place generate run ask'

passed=0 failed=0
fault() { echo "$*"; failed=$((failed + 1)); }

# Of each file, what it includes that its folder may not.
includes=$(awk -v table="$table" '
    function folder_of(file, parts) {
        split(file, parts, "/")
        if (parts[1] == "grammar") return parts[2] ~ /^cat/ ? "cat" : "litmus"
        return parts[2]
    }
    function layer_of(header) {
        if (header == "crashlit.h") return "api" # of include/
        if (header ~ "/") return substr(header, 1, index(header, "/") - 1)
        if (header ~ /^litmus.*[.](tab|lex)[.]h$/) return "litmus"
        if (header ~ /^cat.*[.](tab|lex)[.]h$/) return "cat"
        if (header == "run_filter.h") return "run" # tools/sandbox_filter.c
        return "(no folder)"
    }
    function judge() {
        if (!(folder in row)) print file ": the folder " folder " is not in the table"
        else print bad == "" ? "good" : file ": " folder " may not include" bad
    }
    BEGIN {
        count = split(table, rows, "\n")
        for (i = 1; i <= count; i++) {
            name = substr(rows[i], 1, index(rows[i], ":") - 1)
            row[name] = " " name substr(rows[i], length(name) + 2) " "
        }
    }
    FNR == 1 {
        if (file != "") judge()
        file = FILENAME
        folder = folder_of(file)
        bad = ""
    }
    /^[[:space:]]*#[[:space:]]*include[[:space:]]*"/ {
        split($0, parts, "\"")
        if ((folder in row) && index(row[folder], " " layer_of(parts[2]) " ") == 0) bad = bad " " parts[2]
    }
    END { judge() }' src/*/*.[ch] src/*/*.def grammar/*.[ly])
passed=$(echo "$includes" | grep -cx good)
includes=$(echo "$includes" | grep -vx good)
[ -z "$includes" ] || { echo "$includes"; failed=$(echo "$includes" | wc -l); }

# A library that only one file may know. (No file yet is also fine.)
only_one() { # header, most files
    users=$(grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$1" -r src tests tools | sort)
    count=$(printf '%s\n' "$users" | grep -c .)
    if [ "$count" -gt "$2" ]; then
        fault "<$1> is included by more than $2: $users"
    else
        passed=$((passed + 1))
    fi
}
only_one z3.h 1
only_one seccomp.h 1
only_one uthash.h 1
only_one CUnit/CUnit.h 1

# Memory has a header (base/guard.h): what others allocated is freed by a function that says so.
freed=$(grep -nE '(^|[^_a-zA-Z0-9])free\(' -r src grammar | grep -v '^src/base/guard.c:')
if [ -n "$freed" ]; then
    fault "free where base_free is meant: $freed"
else
    passed=$((passed + 1))
fi

# flex gives a scanner that needs REJECT (for trailing context of variable length on both sides) a
# state buffer of fixed size, which a longer token overruns.
for file in grammar/*.l; do
    scanner=$(flex -t "$file") || { fault "$file: flex cannot read it"; continue; }
    case $scanner in
    *yy_state_buf* | *yy_full_match*) fault "$file: its scanner needs REJECT, so a long token writes past its state buffer" ;;
    *) passed=$((passed + 1)) ;;
    esac
done

# Documents that are named are there (FILE.md names none).
for document in $(grep -rhoE --exclude-dir=build --exclude-dir=.git --exclude-dir=seeds '\<[a-z0-9][a-z0-9_-]*\.md\>' . | sort -u); do
    if [ -n "$(find . -path ./build -prune -o -name "$document" -print)" ]; then
        passed=$((passed + 1))
    else
        fault "$document is named, and is not there"
    fi
done

twice=$(find . -path ./build -prune -o -path ./.git -prune -o -path '*/seeds/*' -prune -o -path './litmus/*' -prune -o -type f ! -name '*.expected' -print |
    sed 's|.*/||' | grep -vx -e README.md -e Makefile -e '.gitignore' \
        -e package.json -e package-lock.json -e grammar.js -e highlights.scm | # names that tools ask for
    sort | uniq -d)
if [ -n "$twice" ]; then
    fault "file names used twice: $twice"
else
    passed=$((passed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
