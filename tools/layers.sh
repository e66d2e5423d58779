#!/bin/sh
# layers.sh: who may include whom in src/, what scanners may not need, documents that are
# named, and file names unique in the tree.
#
# The table is that of docs/architecture.md. A folder may include itself, what its
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

# The row of a folder, itself added.
allowed() { echo "$table" | sed -n "s/^$1:/$1 /p"; }

check_file() { # file, its folder
    row=$(allowed "$2")
    [ -n "$row" ] || { fault "$1: the folder $2 is not in the table"; return; }
    bad=$(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$1" |
        while read -r header; do
            case $header in
            crashlit.h) layer=api ;; # of include/
            */*) layer=${header%%/*} ;;
            litmus*.tab.h | litmus*.lex.h) layer=litmus ;;
            cat*.tab.h | cat*.lex.h) layer='cat' ;;
            run_filter.h) layer=run ;; # tools/sandbox_filter.c
            *) layer="(no folder)" ;;
            esac
            case " $row " in *" $layer "*) ;; *) printf '%s ' "$header" ;; esac
        done)
    if [ -n "$bad" ]; then
        fault "$1: $2 may not include $bad"
    else
        passed=$((passed + 1))
    fi
}

for file in src/*/*.[ch] src/*/*.def; do
    [ -f "$file" ] || continue
    folder=${file#src/}
    check_file "$file" "${folder%%/*}"
done
for file in grammar/*.[ly]; do
    [ -f "$file" ] || continue
    case $file in grammar/cat*) check_file "$file" cat ;; *) check_file "$file" litmus ;; esac
done

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
