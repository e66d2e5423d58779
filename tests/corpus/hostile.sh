#!/bin/sh
# hostile.sh: inputs that somebody made to break the program: each has an outcome that is known, and soon.
set -u
sample=tests/malformed/sample.litmus
mkdir -p "$WORK/hostile"
work=$(cd "$WORK/hostile" && pwd)
. tests/corpus/cases.sh

error_has() { grep -q -e "$1" "$work/err"; verdict $? "its messages have a line with $1"; }
is_utf8() { cat "$work/out" "$work/err" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1; verdict $? "$1 is UTF-8"; }

# Inputs that a script writes, and the outcome of each, within so many seconds.
outcomes() { # the script, seconds
    folder=$work/$(basename "$1" .awk)
    rm -rf "$folder"
    mkdir -p "$folder"
    LC_ALL=C awk -v out="$folder" -f tests/fuzz/write.awk -f "$1" >"$work/outcomes" || verdict 1 "$1 writes its inputs"
    while read -r file wanted id; do
        case $file in
        *.cat) timeout "$2" "$CRASHLIT" check -m "$folder/$file" -p epoch "$sample" >"$work/out" 2>"$work/err" </dev/null ;;
        *) timeout "$2" "$CRASHLIT" check "$folder/$file" >"$work/out" 2>"$work/err" </dev/null ;;
        esac
        status=$?
        [ "$status" -eq "$wanted" ]
        verdict $? "$file leaves with $wanted (it was $status)"
        [ "$id" = - ] || grep -q "\[$id" "$work/err"
        verdict $? "$file is answered with $id"
    done <"$work/outcomes"
}

# A byte order mark is no part of the text: places are counted behind it.
marks() {
    mark='\357\273\277'
    body='{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n'
    printf "${mark}OPENCL marked\n$body" >"$work/marked.litmus"
    printf "${mark}OPENCL marked $\n{ nvm x = \$; }\n" >"$work/fault.litmus"
    printf "${mark}#no\n$work/marked.litmus\n" >"$work/marked.list"
    printf "$mark$work/marked.litmus,1\n" >"$work/marked.csv"
    printf "${mark}acyclic po | rf | co | fr\n" >"$work/marked.cat"
    printf "${mark}acyclic po | nothing\n" >"$work/fault.cat"
    { printf "$mark"; cat tests/corpus/narrow.machine; } >"$work/marked.machine"
    printf "${mark}nothing = 1\n" >"$work/fault.machine"
    leaves 0 check "$work/marked.litmus"
    leaves 0 check "@$work/marked.list"
    leaves 0 check -m "$work/marked.cat" -p epoch "$work/marked.litmus"
    leaves 0 check -e machine --machine "$work/marked.machine" "$work/marked.litmus"
    leaves 0 peers --expected "$work/marked.csv" -m sc /
    leaves 2 check "$work/fault.litmus"
    error_has 'fault.litmus:2:11: error: found .\$'
    leaves 2 check -m "$work/fault.cat" -p epoch "$work/marked.litmus"
    error_has 'fault.cat:1:14: error: unknown name'
    leaves 2 check -e machine --machine "$work/fault.machine" "$work/marked.litmus"
    error_has 'fault.machine:1:1: error'
}

# Bytes that are no UTF-8 are shown as escapes, in messages, in the lines they show, and in every format.
bytes() {
    printf 'OPENCL t\377\351x\n"title \377 \303"\n{ nvm x = 0; int y = 0; }\n' >"$work/bytes.litmus"
    printf 'P0 (global int* x, global int* y) { *x = 1; crash "a\377b\300"; *y = 1; }\n' >>"$work/bytes.litmus"
    printf 'P1@wg 1 (global int* y) { int r = *y; }\ncrash ~exists (x = 1)\nexists (1:r = 1)\n' >>"$work/bytes.litmus"
    printf 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; \303\251\302\233 /* \303\251 \377\033 */ *z = 2; }\n' >"$work/bad-bytes.litmus"
    printf '"m\377"\nflag ~empty po as po // \377\nlet q = /* \377 */ zz\n' >"$work/bad-bytes.cat"
    for format in text herd json junit tap sarif html svg dot; do
        leaves 1 check -m hrf-direct -p epoch --format $format "$work/bytes.litmus"
        is_utf8 "format $format"
        leaves 2 check --format $format "$work/bad-bytes.litmus"
        is_utf8 "format $format of a broken test"
    done
    for command in explain 'check --dump-ast' 'check --dump-exec' crosscheck trace; do
        # shellcheck disable=SC2086 # a command and its option
        timeout 120 "$CRASHLIT" $command "$work/bytes.litmus" >"$work/out" 2>"$work/err" </dev/null
        is_utf8 "$command"
    done
    # The barrier is wider than needed; its line and the next one have what no report may have.
    printf 'OPENCL t\377\n"title \377 \303"\n{ nvm x = 0; nvm y = 0; }\n' >"$work/wide-bytes.litmus"
    printf 'P0@wg 0 (global int* x, global int* y) { *x = 1; // \303\n p_barrier_wg; // \377\001\033[31m\n *y = 1; /* \302\233 */ }\n' >>"$work/wide-bytes.litmus"
    printf 'crash ~exists (y = 1 /\\ x = 0)\n' >>"$work/wide-bytes.litmus"
    for format in text json sarif html svg dot; do
        leaves 0 place --narrow -m hrf-direct -p epoch --format $format "$work/wide-bytes.litmus"
        is_utf8 "format $format of place"
        ! grep -q "$(printf '[\001\033]')" "$work/out"
        verdict $? "format $format of place has no control character"
    done
    leaves 2 check "$work/bad-bytes.litmus"
    error_has 'found byte 0xc3'
    error_has ' \*x = 1; é\\xc2\\x9b /\* é \\xff  \*/ \*z = 2'
    # Before z: 4 blanks, 29 characters, the é, 8 columns of \xc2\x9b, 6, 4 of \xff, a blank for ESC, 5.
    grep -qx ' \{58\}^' "$work/err"
    verdict $? "a mark stands under what it means"
    leaves 2 check -m "$work/bad-bytes.cat" -p epoch "$sample"
    error_has 'let q = /\* .xff \*/ zz'
    is_utf8 "a model's fault"
}

# What commands a terminal (C0, DEL, and C1, such as CSI) is escaped wherever a name, title or label stands.
commands_nothing() { # arguments
    timeout 120 "$CRASHLIT" "$@" >"$work/out" 2>"$work/err" </dev/null
    [ -s "$work/out" ]
    verdict $? "\`crashlit $1 $2 $3\` prints something"
    ! cat "$work/out" "$work/err" | tr -d '\n\t' | LC_ALL=C grep -q "$(printf '[\001-\037\177]\|\302[\200-\237]')"
    verdict $? "\`crashlit $1 $2 $3\` prints no control character"
}
controls() {
    mkdir -p "$work/controls"
    odd=$(printf '%s/controls/a\033[31m\177\302\23331m' "$work")
    printf 'OPENCL t\n"title \033[31m \177 \302\23331m"\n{ nvm x = 0; }\n' >"$odd.litmus"
    printf 'P0 (global int* x) { *x = 1; crash "\033\177\302\233"; *x = 2; }\n' >>"$odd.litmus"
    printf 'crash ~exists (x = 1)\nexists (x = 1)\n' >>"$odd.litmus"
    cp models/visibility/sc.cat "$odd.cat"
    for format in text herd json junit tap sarif html svg dot; do
        commands_nothing check --format $format -m "$odd.cat" -p epoch "$odd.litmus"
    done
    for format in text json svg dot; do commands_nothing explain --format $format "$odd.litmus"; done
    for command in 'check --dump-ast' 'check --dump-exec' 'trace --condition 1'; do
        # shellcheck disable=SC2086 # a command and its option
        commands_nothing $command "$odd.litmus"
    done
    commands_nothing compare --models "$odd.cat+epoch,sc+strict" "$odd.litmus"
    # Records of another writer have such characters as they are.
    timeout 60 "$CRASHLIT" check --format json "$odd.litmus" | sed 's/\\u009b/\xc2\x9b/g; s/\\u007f/\x7f/g' >"$work/raw"
    commands_nothing merge "$work/raw" "$work/raw"
    sed 's/"violated"/"ok"/' "$work/raw" >"$work/raw-new"
    commands_nothing diff "$work/raw" "$work/raw-new"
}

# A chain of 8,100 definitions, which make 16,200 of the 20,000 expressions that a model may have, each the operand of the next: programs are
# compared under it. The two models are the same but for their titles, so neither allows more.
deep() {
    for name in deep deeper; do
        awk -v name="$name" 'BEGIN {
            printf "\"%s\"\nlet a0 = po\n", name
            for (i = 1; i < 8100; i++) printf "let a%d = a%d; rf | co\n", i, i - 1
            print "acyclic a8099 | rf as deep" }' >"$work/$name.cat"
    done
    leaves 1 distinguish -j 1 --bound events=1 "$work/deep.cat+none" "$work/deeper.cat+none"
    out_lines 'allows nothing that .* does not, up to the bound$' 2
    ! grep -q signal "$work/err"
    verdict $? "no worker is ended"
}

# Each definition calls the one before it twice: the last has one tag, by 2^40 ways.
doubling() {
    awk 'BEGIN { print "F0(X) { __fence{mine}; }"; for (i = 1; i <= 40; i++) printf "F%d(X) { F%d(X); F%d(X); }\n", i, i - 1, i - 1 }' >"$work/doubling.def"
    printf 'OPENCL doubling\nuses "doubling.def"\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n' >"$work/doubling.litmus"
    leaves 0 check -m sc -p epoch "$work/doubling.litmus"
}

# Each load of a[i] is one of any of 3,900 elements, and others have much code: that is looked at once, not for each
# element of each load, so that the test is read long before its worker is stopped.
elements() {
    many() { awk -v n="$1" -v text="$2" 'BEGIN { while (n-- > 0) printf "%s", text; print " }" }'; }
    begin() {
        printf 'OPENCL elements\nuses "cuda.def"\n{ int a[3900]; nvm out = 0; }\n'
        for i in 0 1 2 3 4 5 6 7 8 9; do printf 'P%d { ' $i; many 1000 '*out = 1; '; done
    }
    { begin; printf 'recovery { int i = *out; int s = 0; '; many 400 's = a[i]; '; echo 'recovered exists (true)'; } >"$work/loads.litmus"
    { begin; printf 'P10 { __threadfence(); int i = *out; '; many 100 'while (a[i] == 0); '; echo 'crash exists (true)'; } >"$work/loops.litmus"
    for file in loads loops; do
        leaves 3 check --timeout 0.01 -m sc -p none "$work/$file.litmus"
        grep -q 'time limit ran out (condition 1, line ' "$work/out"
        verdict $? "$file of many elements are read soon"
    done
}

outcomes tests/fuzz/long_tokens.awk 60
outcomes tests/fuzz/long_chains.awk 60
outcomes tests/fuzz/long_lines.awk 20
marks
deep
doubling
elements
bytes
controls
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
