#!/bin/sh
# layers.sh: who may include whom in src/, what scanners may not need, documents that are
# named, and file names unique in the tree.
#
# A folder includes itself, folders of a lower rank, and the system; docs/inside/architecture.md has the ranks too.
# Generated headers carry no folder; they belong to the folder of their grammar.
# Last line: N passed, N failed (checked files count).
set -u
ranks='base 0
rel 1
mdd 1
litmus 1
cat 2
ptx 2
mapping 2
exec 3
sketch 3
engine 4
certify 4
enumerate 5
smt 5
machine 5
report 5
answer 6
pipeline 6
fifo 6
explore 7
picture 7
session 8
document 8
place 9
generate 9
format 9
hw 9
run 10
ask 11
lsp 12
cli 13
api 13'

passed=0 failed=0
fault() { echo "$*"; failed=$((failed + 1)); }

# Of each file, what it includes that its folder may not.
includes=$(awk -v ranks="$ranks" '
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
        if (!(folder in rank)) print file ": the folder " folder " has no rank"
        else print bad == "" ? "good" : file ": " folder " may not include" bad
    }
    BEGIN {
        count = split(ranks, parts, "[ \n]")
        for (i = 1; i < count; i += 2) rank[parts[i]] = parts[i + 1] + 0
    }
    FNR == 1 {
        if (file != "") judge()
        file = FILENAME
        folder = folder_of(file)
        bad = ""
    }
    /^[[:space:]]*#[[:space:]]*include[[:space:]]*"/ {
        split($0, parts, "\"")
        of = layer_of(parts[2])
        if (of != folder && !((of in rank) && rank[of] < rank[folder])) bad = bad " " parts[2]
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

# The independent checker shares nothing with the program, nor the program with it.
for shared in $(grep -lE '(src|grammar|build/gen)/' checker/*) $(grep -rl 'checker/' src grammar); do
    fault "$shared: the independent checker and the program have nothing in common"
done
passed=$((passed + 1))

# Documents that are named are there (FILE.md names none).
for document in $(grep -rhoE --exclude-dir=build --exclude-dir=.git --exclude-dir=seeds '\<[a-z0-9][a-z0-9_-]*\.md\>' . | sort -u); do
    if [ -n "$(find . -path ./build -prune -o -name "$document" -print)" ]; then
        passed=$((passed + 1))
    else
        fault "$document is named, and is not there"
    fi
done

twice=$(find . -path ./build -prune -o -path ./.git -prune -o -path '*/seeds/*' -prune -o -path './litmus/*' -prune -o -path './examples/mechanisms/*' -prune -o -type f ! -name '*.expected' -print |
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
