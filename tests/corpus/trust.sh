#!/bin/sh
# trust.sh: what a test or model of a stranger may name, what the user's own names may be, and what no
# report writes over (docs/using/security.md). Run from the top of the tree.
set -u
work=$(mkdir -p "$WORK" && cd "$WORK" && pwd)/trust
case $CRASHLIT in /*) ;; *) CRASHLIT=$PWD/$CRASHLIT ;; esac
root=$PWD
rm -rf "$work"
mkdir -p "$work"
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE
. tests/corpus/cases.sh

# What must not be told, wherever it comes from.
secret=hush-hush-4711
export CRASHLIT_TRUST_SECRET=$secret
mkdir -p "$work/home" "$work/repo/sub"
printf '%s\n' "$secret" >"$work/home/secret"
printf 'let %s = oops\n' "$secret" >"$work/home/secret.cat"
printf 'C secret\n{ x = 0; }\n%s\n' "$secret" >"$work/home/secret.litmus"
test_of() { # name, expect lines
    printf 'C %s\n{ x = 0; }\nP0 (int* x) { *x = 1; }\nexists (x = 1)\n' "$1"
    shift
    for line in "$@"; do printf 'expect %s : ok\n' "$line"; done
}
silent() { # standard output and error, of what
    ! grep -q "$secret" "$work/out" "$work/err"
    verdict $? "nothing is quoted: $1"
}
# An error that is the same whatever stands there, or does not; all formats.
unreachable() { # file that names it, as tests name it, what is not to be told apart
    for format in text herd json junit tap sarif html svg; do
        leaves 2 check --format $format "$1"
        silent "$2 as $format"
    done
    grep -q 'is out of reach: expected a file that ends in .cat.*--allow-path FOLDER \[E-file-reach\]' "$work/err"
    verdict $? "the message about $2 says how to permit it"
    leaves 2 explain "$1"
    silent "$2 by explain"
}
text_of_refusal() { sed -n 's/.*is out of reach: //p' "$work/err"; }

# ---- What tests and models name ----

tests_name() {
    ln -s ../home/secret.cat "$work/repo/link.cat"
    ln -s ../home "$work/repo/folder"
    ln -s ../home/absent.cat "$work/repo/dangling.cat"
    ln -s ../home/secret "$work/repo/other.cat"
    for name in /proc/self/environ /etc/passwd ../home/secret ../home/secret.cat ../home/absent.cat \
        "$work/home/secret.cat" ./link.cat folder/secret.cat folder/absent.cat ./dangling.cat ./other.cat; do
        test_of t "$name + epoch" >"$work/repo/t.litmus"
        unreachable "$work/repo/t.litmus" "expect $name"
        text_of_refusal >"$work/refusal"
        [ -f "$work/words" ] || cp "$work/refusal" "$work/words"
        cmp -s "$work/refusal" "$work/words"
        verdict $? "$name is refused in the same words as all"
        printf 'include "%s"\n' "$name" >"$work/repo/m.cat"
        test_of t "./m.cat + epoch" >"$work/repo/t.litmus"
        unreachable "$work/repo/t.litmus" "include $name"
        leaves 2 check -m "$work/repo/m.cat" "$sample" # the user's model, all the same
        silent "include $name, by -m"
        leaves 2 models -v "$work/repo/m.cat"
        silent "include $name, by models -v"
    done
    test_of t "sc + ../home/secret.cat" >"$work/repo/t.litmus"
    unreachable "$work/repo/t.litmus" "a persistency model"
    # Nor does it help to lie in the folder: what is read are cat files. A pipe has no content to wait for.
    mkdir -p "$work/repo/.git"
    printf '%s\n' "$secret" >"$work/repo/.git/config"
    test_of t "./.git/config + epoch" >"$work/repo/t.litmus"
    unreachable "$work/repo/t.litmus" "expect ./.git/config"
    mkfifo "$work/repo/pipe.cat"
    test_of t "./pipe.cat + epoch" >"$work/repo/t.litmus"
    leaves 2 check --timeout 1 "$work/repo/t.litmus"
    grep -q "cannot read the visibility model '.*pipe.cat': is a pipe" "$work/err"
    verdict $? "a pipe is named as such"
}

# Beside the test and below it, seen from the test wherever the program runs; links within are followed.
tests_may_name() {
    mkdir -p "$work/good/sub/deep"
    cp models/visibility/sc.cat "$work/good/sub/own.cat"
    printf 'include "deep/part.cat"\n' >"$work/good/sub/chain.cat"
    printf 'include "sc.cat"\nlet part = po\n' >"$work/good/sub/deep/part.cat"
    ln -s sub/own.cat "$work/good/alias.cat"
    test_of t "sub/own.cat + epoch" "./sub/chain.cat + epoch" "./alias.cat + sub/../none.cat" \
        "$work/good/sub/own.cat + strict" >"$work/good/t.litmus"
    printf '"own"\n' >"$work/good/none.cat"
    leaves 0 check --format herd "$work/good/t.litmus"
    out_lines "^Models $work/good/sub/own.cat + epoch" 1
    (cd "$work/good" && leaves 0 check t.litmus && echo "$failed" >"$work/inside")
    is "$(cat "$work/inside")" "$failed" "failures inside the folder"
    leaves 0 check "$work/good"
    # What the user names by -m is one model with what the test names.
    leaves 0 check -m "$work/good/sub/own.cat" -p epoch --format json "$work/good/t.litmus"
    sed -i 's/own.cat + epoch : ok/own.cat + epoch : violated/' "$work/good/t.litmus"
    leaves 1 check -m "$work/good/sub/own.cat" -p epoch --format json "$work/good/t.litmus"
    out_has '"expected":"violated"'
    # Not upwards, not from a model's own folder either.
    printf 'include "../own.cat"\n' >"$work/good/sub/deep/part.cat"
    leaves 2 check "$work/good/t.litmus"
}

# Definition files: the same for what ends in .def, in a test.
tests_use() {
    mkdir -p "$work/def/sub" "$work/elsewhere"
    printf 'PUT(X) { *X = 1; }\n// %s\nBROKEN(\n' "$secret" >"$work/home/secret.def"
    printf 'PUT(X) { *X = 1; }\n' >"$work/def/sub/own.def"
    cp "$work/def/sub/own.def" "$work/elsewhere/far.def"
    ln -s ../home/secret.def "$work/def/link.def"
    ln -s sub/own.def "$work/def/alias.def"
    ln -s ../home/absent.def "$work/def/dangling.def"
    test_using() { # files
        echo "C t"
        for file in "$@"; do echo "uses \"$file\""; done
        printf '{ x = 0; }\nP0 (int* x) { PUT(x); }\nexists (x = 1)\n'
    }
    rm -f "$work/words"
    for name in /proc/self/environ ../home/secret ../home/secret.def ../home/absent.def "$work/home/secret.def" \
        link.def dangling.def ./t.litmus; do
        test_using "$name" >"$work/def/t.litmus"
        leaves 2 check "$work/def/t.litmus"
        silent "uses $name"
        sed -n 's/.*is out of reach: //p' "$work/err" >"$work/refusal"
        [ -s "$work/refusal" ] && { [ -f "$work/words" ] || cp "$work/refusal" "$work/words"; }
        cmp -s "$work/refusal" "$work/words"
        verdict $? "$name is refused in the same words as all"
    done
    for name in sub/own.def ./sub/own.def alias.def "$work/def/sub/own.def"; do
        test_using "$name" >"$work/def/t.litmus"
        leaves 0 check -j 2 "$work/def/t.litmus" "$work/def/t.litmus"
    done
    test_using ../elsewhere/far.def >"$work/def/t.litmus"
    leaves 2 check "$work/def/t.litmus"
    leaves 0 check --allow-path "$work/elsewhere" "$work/def/t.litmus"
    test_using far.def >"$work/def/t.litmus"
    leaves 2 check "$work/def/t.litmus"
    leaves 0 check -I "$work/elsewhere" "$work/def/t.litmus"
    # The user's may be anywhere, and counts for tests that use nothing.
    test_using >"$work/def/t.litmus"
    leaves 2 check "$work/def/t.litmus"
    leaves 0 check --uses "$work/elsewhere/far.def" "$work/def/t.litmus"
    leaves 2 check --uses "$work/elsewhere/far.def" --format "json=$work/elsewhere/far.def" "$work/def/t.litmus"
    cmp -s "$work/elsewhere/far.def" "$work/def/sub/own.def"
    verdict $? "no report takes the place of a definition file"
    rm -f "$work/words"
}

# Models that a definition file names: files of its own folder and below, also where the user names the definition file.
definitions_name() {
    mkdir -p "$work/named/sub" "$work/named/test"
    cp models/visibility/sc.cat "$work/named/sub/own.cat"
    cp models/visibility/sc.cat "$work/named/test/own.cat"
    printf '// %s\nBROKEN(\n' "$secret" >"$work/home/secret.cat"
    ln -sf ../../home/secret.cat "$work/named/sub/link.cat"
    printf 'C t\n{ x = 0; }\nP0 (int* x) { *x = 1; }\nexists (x = 1)\n' >"$work/named/test/t.litmus"
    sed '1a uses "../sub/mine.def"' "$work/named/test/t.litmus" >"$work/named/test/used.litmus"
    for name in /proc/self/environ.cat ../../home/secret.cat "$work/home/secret.cat" ./link.cat ../test/own.cat; do
        printf 'models %s + none\n' "$name" >"$work/named/sub/mine.def"
        leaves 2 check --uses "$work/named/sub/mine.def" "$work/named/test/t.litmus"
        silent "models $name"
        grep -q 'is out of reach: ' "$work/err"
        verdict $? "models $name is refused"
        # A model of the user's beside it opens no path of the file's.
        leaves 0 check -p epoch --uses "$work/named/sub/mine.def" "$work/named/test/t.litmus"
    done
    printf 'models ./own.cat + none\n' >"$work/named/sub/mine.def"
    leaves 0 check --uses "$work/named/sub/mine.def" "$work/named/test/t.litmus"
    leaves 2 check "$work/named/test/used.litmus"
    leaves 0 check --allow-path "$work/named" "$work/named/test/used.litmus"
}

permitted() {
    mkdir -p "$work/lib/herd" "$work/user"
    cp models/visibility/sc.cat "$work/lib/herd/weak.cat"
    printf 'include "weak.cat"\n' >"$work/user/mine.cat"
    test_of t "../lib/herd/weak.cat + epoch" >"$work/user/t.litmus"
    leaves 2 check "$work/user/t.litmus"
    leaves 2 check --allow-path "$work/home" "$work/user/t.litmus"
    leaves 0 check --allow-path "$work/home" --allow-path "$work/lib" "$work/user/t.litmus"
    leaves 0 check --allow-path "$work/home" --allow-path "$work/lib" -j 2 "$work/user/t.litmus" "$work/user/t.litmus"
    # -I: included files, models of tests, models of the command line; one's own comes first.
    leaves 2 check -m "$work/user/mine.cat" "$sample"
    leaves 0 check -m "$work/user/mine.cat" -I "$work/lib/herd" -p strict "$sample"
    test_of t "weak.cat + epoch" "herd/weak.cat + strict" >"$work/user/t.litmus"
    leaves 2 check "$work/user/t.litmus"
    leaves 0 check --format herd -I "$work/lib" --include "$work/lib/herd" "$work/user/t.litmus"
    out_lines "^Models $work/lib/herd/weak.cat + epoch" 1
    leaves 0 check -I "$work/lib/herd" -m weak.cat -p strict "$sample"
    leaves 2 check -m weak.cat -p strict "$sample"
    mkdir -p "$work/own" "$work/second"
    printf 'let oops = nothing-of-the-kind\n' >"$work/second/weak.cat"
    cp models/visibility/sc.cat "$work/own/weak.cat"
    leaves 0 check -I "$work/own" -I "$work/second" -m "$work/user/mine.cat" -p strict "$sample"
    leaves 2 check -I "$work/second" -I "$work/own" -m "$work/user/mine.cat" -p strict "$sample"
    cp models/visibility/sc.cat "$work/user/weak.cat"
    leaves 0 check -I "$work/second" -m "$work/user/mine.cat" -p strict "$sample"
    # A built-in file comes last, but for those of herd's library that are built in whatever lies there.
    printf 'let oops = nothing-of-the-kind\n' >"$work/second/cos.cat"
    printf 'include "cos.cat"\nacyclic po | ca as t\n' >"$work/user/cos-user.cat"
    leaves 0 check -I "$work/second" -m "$work/user/cos-user.cat" -p strict "$sample"
    # Out of such a folder leads no way.
    printf 'include "../home/secret.cat"\n' >"$work/user/mine.cat"
    leaves 2 check -I "$work/second" -m "$work/user/mine.cat" "$sample"
    silent "a path out of a folder of -I"
}

# A table of known answers names what is in the folder beside it on the command line.
tables() {
    mkdir -p "$work/table/sub" "$work/table/.git"
    printf '%s\n' "$secret" >"$work/table/.git/config"
    test_of t | tee "$work/table/t.litmus" >"$work/table/sub/u.litmus"
    ln -s sub/u.litmus "$work/table/u.litmus"
    ln -s ../home/secret "$work/table/s.litmus"
    ln -s ../home/secret.litmus "$work/table/e.litmus"
    ln -s .git/config "$work/table/g.litmus"
    ln -s /nowhere "$work/table/n.litmus"
    ln -s ../home "$work/table/out"
    printf '%s,1\n' t.litmus sub/u.litmus u.litmus sub/../t.litmus >"$work/known.csv"
    leaves 0 peers --expected "$work/known.csv" "$work/table"
    out_has '^4 agree, 0 differ, 0 could not be read'
    # The tests before it stand in the same folder, or in one that the next line leaves: what was seen of it says nothing.
    for name in s.litmus e.litmus g.litmus n.litmus absent.litmus ../home/secret.litmus ../home/absent.litmus out/secret.litmus; do
        printf '%s,1\n' t.litmus "$name" sub/u.litmus sub/../t.litmus >"$work/known.csv"
        leaves 2 peers --expected "$work/known.csv" "$work/table"
        out_has '^3 agree, 0 differ, 1 could not be read'
        silent "$name in a table"
        grep -q "/$name' is no file ending in .litmus in '.*/table', or below; .*--allow-path FOLDER" "$work/err"
        verdict $? "$name in a table is refused in the same words as all"
    done
    mkdir -p "$work/others"
    test_of t >"$work/others/o.litmus"
    ln -s ../others/o.litmus "$work/table/o.litmus"
    printf 'o.litmus,1\n' >"$work/known.csv"
    leaves 2 peers --expected "$work/known.csv" "$work/table"
    leaves 0 peers --allow-path "$work/others" --expected "$work/known.csv" "$work/table"
}

# A record that asks for a machine's file has it read by merge.
records_name() {
    cp models/machines/nvw-fifo.machine "$work/own.machine"
    ln -s home/secret "$work/link.machine"
    ln -s /nowhere "$work/nowhere.machine"
    "$CRASHLIT" check --format json -e machine --machine "$work/own.machine" "$sample" >"$work/whole"
    leaves 0 merge --manifest "$sample" "$work/whole"
    for name in "$work/home/secret" /proc/self/environ "$work/link.machine" "$work/nowhere.machine" "$work/absent.machine"; do
        sed "s|\"asked\":{[^}]*}|\"asked\":{\"engine\":\"machine\",\"machine\":\"$name\"}|" "$work/whole" >"$work/records"
        leaves 2 merge --manifest "$sample" "$work/records"
        silent "$name in a record"
        grep -q "records', line 1: the machine '$name' is no file ending in .machine; .*--allow-path FOLDER" "$work/err"
        verdict $? "$name in a record is refused in the same words as all"
    done
    cp "$work/own.machine" "$work/user.txt"
    "$CRASHLIT" check --format json -e machine --machine "$work/user.txt" "$sample" >"$work/whole"
    leaves 2 merge --manifest "$sample" "$work/whole"
    leaves 0 merge --allow-path "$work" --manifest "$sample" "$work/whole"
}

# What has no worker has a worker's guards itself, while it reads.
worker_guarded() { worker=$(children $run) && [ -n "$worker" ] && grep -qs '^Seccomp:.2' "/proc/$worker/status"; }
guarded() {
    "$CRASHLIT" --version -v | grep -q 'under seccomp' || return 0
    mkfifo "$work/slow"
    "$CRASHLIT" check /dev/stdin <"$work/slow" >"$work/out" 2>"$work/err" &
    run=$!
    exec 9>"$work/slow"
    await "a worker is under seccomp" worker_guarded
    exec 9>&-
    wait $run
    for command in merge diff; do
        "$CRASHLIT" $command /dev/stdin /dev/stdin <"$work/slow" >"$work/out" 2>"$work/err" &
        exec 9>"$work/slow"
        await "$command is under seccomp" grep -q '^Seccomp:.2' "/proc/$!/status"
        exec 9>&-
        wait $!
    done
}

# Z3 is in no process that enumerates. A worker under seccomp cannot map it, and yet an explanation needs it: the
# first process opens it, and starts the worker anew.
solver() {
    "$CRASHLIT" --version -v | grep -q 'under seccomp' || return 0
    mkfifo "$work/asked"
    for engine in enum smt; do
        "$CRASHLIT" check -e $engine /dev/stdin <"$work/asked" >"$work/out" 2>"$work/err" &
        run=$!
        exec 9>"$work/asked"
        await "a worker is under seccomp" worker_guarded
        ! grep -q libz3 "/proc/$run/maps" "/proc/$worker/maps"
        absent=$?
        exec 9>&-
        wait $run
        [ $engine,$absent = enum,0 ] || [ $engine,$absent = smt,1 ]
        verdict $? "-e $engine: Z3 is loaded when it is asked, and only then"
    done
    leaves 0 explain --condition 1 -j 2 litmus/spb/kv-insert.litmus litmus/spb/kv-insert-bare.litmus
}

# ---- What the user names ----

at_once() { # what is named, arguments
    named=$1
    shift
    timeout 5 "$CRASHLIT" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 2 ] && grep -q 'error: ' "$work/err"
    verdict $? "$named is an error at once (status $status)"
}
is() { # found, wanted, what
    [ "$1" = "$2" ]
    verdict $? "$3: $1, expected $2"
}
users_name() {
    mkfifo "$work/pipe" "$work/pipe.litmus"
    printf '%s\n' "$work/pipe" >"$work/list.of.pipe"
    test_of one >"$work/one.litmus"
    for name in "$work/pipe" /dev/zero /dev/null "$work"; do
        [ "$name" = "$work" ] || at_once "a test $name" check --timeout 1 "$name"
        [ "$name" = "$work" ] || at_once "two tests $name" check --timeout 1 -j 2 "$name" "$sample"
        at_once "a list $name" check "@$name"
        at_once "a model $name" check -m "$name/" "$sample"
        [ "$name" = "$work" ] || at_once "a model $name" check -m "$name" "$sample"
        at_once "a model $name" check -p "$name" "$sample"
        at_once "a machine $name" check -e machine --machine "$name" "$sample"
        at_once "earlier records $name" check --resume "$name" "$sample"
        at_once "records $name" merge "$name"
        at_once "records $name" diff "$name" "$name"
        at_once "known answers $name" peers --expected "$name" "$work/good"
        at_once "a manifest $name" merge --manifest "@$name" "$name"
        [ "$name" = "$work" ] || at_once "explain $name" explain "$name"
        at_once "models $name" models -v "$name.cat"
    done
    at_once "a list of a pipe" check "@$work/list.of.pipe"
    # Nor is it opened: who waits to write into it goes on waiting.
    sh -c 'echo >"$0" && echo >"$0.opened"' "$work/pipe" &
    leaves 2 check "$work/pipe"
    sleep 0.1
    [ ! -e "$work/pipe.opened" ]
    verdict $? "a pipe is not opened"
    timeout 60 cat "$work/pipe" >"$work/out"
    wait $!
    # A regular file whose size is not told, and one without end in its lines.
    timeout 20 "$CRASHLIT" merge /proc/self/pagemap >"$work/out" 2>"$work/err"
    is $? 2 "the status of records without lines"
    # Standard input, when it is asked for.
    "$CRASHLIT" check /dev/stdin <"$work/one.litmus" >"$work/out" 2>&1
    is $? 0 "the status of a test from a file as standard input"
    cat "$work/one.litmus" | "$CRASHLIT" check /dev/stdin >"$work/out" 2>&1
    is $? 0 "the status of a test from a pipe as standard input"
    echo "$work/one.litmus" | "$CRASHLIT" check @/dev/stdin >"$work/out" 2>&1
    is $? 0 "the status of a list from a pipe as standard input"
    timeout 5 "$CRASHLIT" check /dev/stdin </dev/zero >"$work/out" 2>"$work/err"
    is $? 2 "the status of a test without end as standard input"
    grep -q 'larger than 4 MiB' "$work/err"
    verdict $? "what is wrong with it is said"
}

# ---- What is below a folder ----

folders() {
    mkdir -p "$work/walk/in/sub"
    test_of a >"$work/walk/in/a.litmus"
    test_of b >"$work/walk/in/sub/b.litmus"
    ln -s sub/b.litmus "$work/walk/in/b-too.litmus"
    ln -s sub "$work/walk/in/sub-too"
    ln -s . "$work/walk/in/again"
    leaves 0 check --format json "$work/walk/in"
    out_lines '"verdict":"ok"' 4
    for target in /proc/self/environ /etc/passwd "$work/home/secret" "$work/home/secret.litmus" \
        ../../../home/secret.litmus "$work/home" /nowhere/at/all; do
        ln -sfn "$target" "$work/walk/in/z.litmus"
        leaves 2 check --format json "$work/walk/in"
        silent "a link to $target"
        out_lines '"verdict":"ok"' 4 # all others are answered
        grep -q "z.litmus' is a link that leads out of '.*/in', or nowhere; .* \[E-file-reach\]" "$work/err"
        verdict $? "a link to $target is refused by name"
        leaves 2 check --format html "$work/walk/in"
        silent "a link to $target in html"
    done
    # A shell's pattern names it on the command line: it may be a test anywhere, and nothing else.
    for target in /proc/self/environ "$work/home/secret" /nowhere; do
        ln -sfn "$target" "$work/walk/in/z.litmus"
        leaves 2 check "$work/walk/in/a.litmus" "$work/walk/in/z.litmus"
        silent "a named link to $target"
        leaves 2 check "$work/walk/in/*.litmus"
        silent "a link to $target that a pattern found"
    done
    ln -sfn "$work/one.litmus" "$work/walk/in/z.litmus"
    leaves 0 check "$work/walk/in/z.litmus"
    leaves 2 check "$work/walk/in"
    leaves 0 check --allow-path "$work" "$work/walk/in"
    rm "$work/walk/in/z.litmus"
    ln -s nowhere "$work/walk/in/data" # might have been a folder of tests
    leaves 2 check "$work/walk/in"
    rm "$work/walk/in/data"
    mkfifo "$work/walk/in/z.litmus"
    leaves 2 check "$work/walk/in"
    grep -q "z.litmus': is a pipe" "$work/err"
    verdict $? "a pipe below a folder is named as such"
    rm "$work/walk/in/z.litmus"
    # The manifest of merge is read in the same way.
    "$CRASHLIT" check --format json "$work/walk/in" >"$work/records"
    leaves 0 merge --manifest "$work/walk/in" "$work/records"
    ln -s /nowhere "$work/walk/in/z.litmus"
    leaves 2 merge --manifest "$work/walk/in" "$work/records"
    rm "$work/walk/in/z.litmus"
    # Folders that cannot be read, or not be searched. Root may do all that, and others not be where the
    # program is.
    unprivileged=
    [ "$(id -u)" -ne 0 ] || unprivileged="setpriv --reuid 65534 --regid 65534 --clear-groups"
    open=/tmp/crashlit-trust.$$
    mkdir -p "$open/unread" "$open/unsearched"
    cp "$CRASHLIT" "$open/program"
    test_of a | tee "$open/a.litmus" "$open/unread/b.litmus" >"$open/unsearched/c.litmus"
    chmod 311 "$open/unread"
    chmod 644 "$open/unsearched"
    (cd / && $unprivileged "$open/program" check --format json "$open") >"$work/out" 2>"$work/err"
    is $? 2 "the status of folders that cannot be read or searched"
    out_lines '"verdict":"ok"' 1
    grep -q "cannot read folder '$open/unread': Permission denied" "$work/err" &&
        grep -q "cannot read '$open/unsearched/c.litmus': Permission denied" "$work/err"
    verdict $? "both are named"
    chmod 755 "$open/unread" "$open/unsearched"
    rm -r "$open"
}

# Three folders: a hundred links in the first to the second, as many there to the third, which has as many files
# and a link to the first: a million paths, of few entries, and without end where a folder counts anew inside of itself.
link_mazes() {
    mkdir -p "$work/maze/d1" "$work/maze/d2" "$work/maze/d3"
    number=0
    while [ "$number" -lt 100 ]; do
        ln -s ../d2 "$work/maze/d1/l$number"
        ln -s ../d3 "$work/maze/d2/l$number"
        : >"$work/maze/d3/f$number"
        number=$((number + 1))
    done
    ln -s ../d1 "$work/maze/d3/l"
    test_of a >"$work/maze/a.litmus"
    timeout -s KILL 240 "$CRASHLIT" check --format json "$work/maze" >"$work/out" 2>"$work/err"
    is $? 2 "the status of a maze of links"
    out_lines '"verdict":"ok"' 1
    grep -q "more than 1000000 files and folders, as links, lists and patterns count them" "$work/err"
    verdict $? "and why it ends is said"
}

# Few bytes that name very many tests, or none. By hand: 26 lists that name the next twice read 2^26 lists, 30 times `*/../`
# over 2 folders is 2^30 paths; each is past what is looked at. Nothing takes more than 2 GB.
bounded() { # wanted status, arguments
    wanted=$1
    shift
    (
        # A sanitizer reserves more memory, and takes several times as long.
        [ -n "${MEMORY_UNBOUNDED:-}" ] || ulimit -v 2000000
        exec timeout -s TERM -k 6 $((${MEMORY_UNBOUNDED:-0} ? 600 : 60)) "$CRASHLIT" "$@"
    ) >"$work/out" 2>"$work/err"
    is $? "$wanted" "the status of \`$1\` within its bounds of memory and time"
}
list_mazes() {
    mkdir -p "$work/mazes/q/a" "$work/mazes/q/b"
    level=1
    while [ "$level" -le 26 ]; do
        printf '@l%d\n@l%d\n' $((level + 1)) $((level + 1)) >"$work/mazes/l$level"
        level=$((level + 1))
    done
    test_of kv >"$work/mazes/kv.litmus"
    cp "$work/mazes/kv.litmus" "$work/mazes/q/a"
    echo kv.litmus >"$work/mazes/l27"
    for command in check explain crosscheck trace; do
        bounded 2 "$command" "@$work/mazes/l1"
        grep -q "mazes/l[0-9]*': more than 10000 lists, each as often as it is named: check them in parts" "$work/err"
        verdict $? "$command says which list it is"
        out_lines '"verdict"' 0
    done
    pattern="$work/mazes/q/" level=0
    while [ "$level" -lt 30 ]; do pattern="$pattern*/../" level=$((level + 1)); done
    bounded 2 check "$pattern*/kv.litmus"
    grep -q "kv.litmus': more than 1000000 files and folders, as links, lists and patterns count them" "$work/err"
    verdict $? "which pattern it is is said"
    # Names of 20,000 bytes, 20,000 of them, are 400 MB.
    awk 'BEGIN { for (i = 0; i < 1250; i++) name = name "0123456789abcdef"; for (i = 0; i < 20000; i++) print "#" name }' >"$work/mazes/long"
    bounded 2 check "@$work/mazes/long"
    grep -q "mazes/long': more than 256 MiB of lists and names" "$work/err"
    verdict $? "a list is not without end"
    # 25 MB of names and 50 MB of records, where --memory leaves 16 MiB for either.
    head -n 1250 "$work/mazes/long" >"$work/mazes/shorter"
    echo kv.litmus >>"$work/mazes/shorter"
    bounded 0 check --memory 64 "@$work/mazes/shorter"
    bounded 2 check --memory 16 "@$work/mazes/shorter"
    grep -q "mazes/shorter': more than 16 MiB (--memory) of lists and names" "$work/err"
    verdict $? "what --memory leaves for lists holds for the first process"
    "$CRASHLIT" check --format json "$work/mazes/kv.litmus" >"$work/mazes/record"
    awk '{ record = $0 } END { for (size = 0; size < 50000000; size += length(record)) print record }' "$work/mazes/record" >"$work/mazes/answers"
    bounded 0 check --memory 64 --resume "$work/mazes/answers" "$work/mazes/kv.litmus"
    bounded 2 check --memory 16 --resume "$work/mazes/answers" "$work/mazes/kv.litmus"
    grep -q "mazes/answers': found more than 16 MiB of records, which is all that --memory leaves" "$work/err"
    verdict $? "nor are more records read than it leaves for them"
    # Signals end it while it looks for tests.
    for number in 15 2; do
        timeout --preserve-status -s "$number" -k 5 0.3 "$CRASHLIT" check "$pattern*/kv.litmus" >"$work/out" 2>"$work/err"
        is $? $((128 + number)) "the status of a run that was ended while it looked for tests"
    done
    # What are no records.
    yes '{}' | head -c 50000000 >"$work/mazes/records"
    bounded 2 check --resume "$work/mazes/records" "$work/mazes/kv.litmus"
    grep -q "records': found 20 lines that are no records, and what is behind them is not read" "$work/err"
    verdict $? "and nothing more is told"
    # A list may be long: of comments here, 5 MiB.
    { awk 'BEGIN { for (i = 0; i < 100000; i++) print "# 0123456789012345678901234567890123456789012345678" }'; printf '\r\nkv.litmus\r\n'; } >"$work/mazes/tall"
    leaves 0 check --format json "@$work/mazes/tall"
    out_lines '"verdict":"ok"' 1
}

lists() {
    printf '%s\n' "$work/one.litmus" >"$work/list"
    leaves 0 check "@$work/list"
    printf '%s\n\000%s\n' "$work/one.litmus" "$work/absent.litmus" >"$work/list"
    leaves 2 check "@$work/list"
    grep -q "list': found a NUL" "$work/err"
    verdict $? "a NUL in a list is an error"
    # A pattern without end: glob(3) would need a stack without end.
    awk 'BEGIN { for (i = 0; i < 20000; i++) printf "[a/"; print "" }' >"$work/list"
    leaves 2 check "@$work/list"
    grep -q 'a pattern with more than 256 parts \[E-file-read\]' "$work/err"
    verdict $? "a pattern without end is an error"
    printf '%s,1\n\000%s,1\n' t.litmus absent.litmus >"$work/known.csv"
    leaves 2 peers --expected "$work/known.csv" "$work/good"
    "$CRASHLIT" check --format json "$work/one.litmus" | sed 's/}$/}\x00/' >"$work/records"
    leaves 2 merge "$work/records"
}

# ---- Names ----

# Names that differ in bytes that are no UTF-8 are two names everywhere: in JSON, to merge and --resume, in
# every report; a third has in letters what the second is shown as.
odd_names() {
    mkdir -p "$work/odd"
    first=$(printf 'a\376.litmus') second=$(printf 'a\377.litmus') third='a\xff.litmus'
    test_of a >"$work/odd/$first" || return 0 # not every file system takes them
    test_of b >"$work/odd/$second"
    test_of c >"$work/odd/$third"
    leaves 0 check --format json "$work/odd"
    cp "$work/out" "$work/odd.jsonl"
    for shown in 'a\\\\xfe' 'a\\\\xff' 'a\\\\x5cxff'; do
        out_lines "\"file\":\"[^\"]*/$shown.litmus\"" 1
    done
    leaves 0 merge --manifest "$work/odd" "$work/odd.jsonl"
    out_lines '"verdict":"ok"' 3
    sed -n 1p "$work/odd.jsonl" >"$work/odd.first"
    leaves 2 merge --manifest "$work/odd" "$work/odd.first" # the other two have no answer
    leaves 0 check --format json --resume "$work/odd.first" "$work/odd"
    out_lines '"verdict":"ok"' 2
    leaves 0 check --format json --resume "$work/odd.jsonl" "$work/odd"
    out_lines '"verdict":"ok"' 0
    leaves 0 diff "$work/odd.jsonl" "$work/odd.jsonl"
    out_has '^Summary: 3 same, 0 changed'
    sed -i 's/x = 1)/x = 2)/' "$work"/odd/*
    for format in junit tap html; do
        leaves 1 check --format $format "$work/odd"
        for shown in 'a.*xfe' 'a.*xff' 'a.*x5cxff'; do
            grep -q "$shown.litmus" "$work/out"
            verdict $? "$format has $shown"
        done
    done
    leaves 1 check --format sarif "$work/odd"
    for shown in a%FE a%FF a%5Cxff; do
        grep -q "$shown\.litmus" "$work/out"
        verdict $? "sarif has $shown"
    done
    leaves 1 check --format "svg=$work/odd-pictures/" "$work/odd"
    is "$(ls "$work/odd-pictures" | wc -l)" 3 "pictures of three names"
}

# So it is with the names of models and machines: of two runs under two models none answers for the other,
# and a whole run is whole to merge and --resume, also where such a name is that of a test's folder.
odd_models() {
    mkdir -p "$work/odd-models"
    first=$(printf '%s/a\376' "$work/odd-models") second=$(printf '%s/a\377' "$work/odd-models")
    mkdir "$first" || return 0
    cp models/visibility/sc.cat "$first.cat"
    cp models/visibility/sc.cat "$second.cat"
    cp models/machines/nvw-fifo.machine "$first.machine"
    cp models/visibility/sc.cat "$first/own.cat"
    test_of t "own.cat + epoch" >"$first/t.litmus"
    leaves 0 check --format json "$first"
    out_has '"model":"[^"]*/a\\\\xfe/own.cat"'
    cp "$work/out" "$work/odd-own.jsonl"
    leaves 0 merge --manifest "$first" "$work/odd-own.jsonl"
    leaves 0 check --format json --resume "$work/odd-own.jsonl" "$first"
    out_lines . 0
    leaves 0 check --format json -m "$first.cat" -p epoch "$sample"
    out_has '"model":"[^"]*/a\\\\xfe.cat".*"asked":{[^}]*"model":"[^"]*/a\\\\xfe.cat"'
    cp "$work/out" "$work/odd-first.jsonl"
    leaves 0 merge --manifest "$sample" "$work/odd-first.jsonl"
    leaves 0 check --format json --resume "$work/odd-first.jsonl" -m "$first.cat" -p epoch "$sample"
    out_lines . 0
    leaves 0 check --format json --resume "$work/odd-first.jsonl" -m "$second.cat" -p epoch "$sample"
    out_lines . 1
    cp "$work/out" "$work/odd-second.jsonl"
    leaves 0 merge "$work/odd-first.jsonl" "$work/odd-second.jsonl"
    out_lines . 2
    leaves 0 check --format json -e machine --machine "$first.machine" "$sample"
    cp "$work/out" "$work/odd-machine.jsonl"
    leaves 0 merge --manifest "$sample" "$work/odd-machine.jsonl"
    printf 'let oops = nothing\n' >"$first.cat"
    leaves 2 check --format json -m "$first.cat" -p epoch "$sample"
    out_has '"model":"[^"]*/a\\\\xfe.cat","persistency":"epoch","engine":""'
}

# ---- Few files ----

# 20 files of a process, 64 workers wanted: the answers are all there, and the same.
few_files() {
    leaves 0 check --format json litmus/spb/def1.litmus litmus/spb/kv-insert.litmus litmus/spb/fig4.litmus litmus/c11
    known() { sed 's/"stats":{[^}]*}//' "$1"; }
    known "$work/out" >"$work/many"
    for limit in 20 10; do
        sh -c 'ulimit -n $0 && exec timeout 120 "$@"' $limit "$CRASHLIT" check -j 64 --format json --format "html=$work/few.html" \
            --format "svg=$work/few/" litmus/spb/def1.litmus litmus/spb/kv-insert.litmus litmus/spb/fig4.litmus litmus/c11 \
            >"$work/out" 2>"$work/err"
        is $? 0 "the status with $limit files"
        known "$work/out" | cmp -s - "$work/many"
        verdict $? "the answers with $limit files are those with many"
    done
}

# ---- Reports ----

# Everything below the folder as it was, but for the names that begin with a dot or are given.
kept() { # what
    (cd "$work/mine" && find . -type f | sort | xargs cat) | cmp -s - "$work/mine.was"
    verdict $? "every input is as it was: $1"
    is "$(find "$work/mine" "$work/reports" -name '.crashlit*' | wc -l)" 0 "temporary files that are left: $1"
}
refused_report() { # arguments
    leaves 2 check "$@"
    kept "$*"
    grep -q "\(--format names\|cannot write\) '" "$work/err"
    verdict $? "and the file is named"
}
report_begun() { [ -n "$(find "$work/reports" -name '.crashlit*')" ]; }
reports() {
    pairs=$(grep -c '^expect' "$sample")
    mkdir -p "$work/mine/sub" "$work/reports"
    cp models/visibility/sc.cat "$work/mine/my.cat"
    printf 'include "my.cat"\n' >"$work/mine/sub.cat"
    cp models/visibility/sc.cat "$work/mine/sub/named.cat"
    cp "$work/mine/my.cat" "$work/mine/my.txt"
    cp models/machines/nvw-fifo.machine "$work/mine/own.machine"
    cp models/machines/nvw-fifo.machine "$work/mine/machine.txt"
    test_of t "sub/named.cat + epoch" >"$work/mine/t.litmus"
    test_of u >"$work/mine/u.txt"
    printf 'u.txt\n@inner.txt\n' >"$work/mine/list.txt"
    printf 't.litmus\n' >"$work/mine/inner.txt"
    "$CRASHLIT" check --format json "$work/mine" >"$work/mine/records.jsonl"
    (cd "$work/mine" && find . -type f | sort | xargs cat) >"$work/mine.was"
    for format in json junit tap sarif html svg dot; do
        refused_report -m "$work/mine/my.cat" --format "$format=$work/mine/my.cat" "$sample"
        refused_report --format "$format=$work/mine/t.litmus" "$work/mine"
    done
    (cd "$work/mine" && leaves 2 check -m ./my.cat --format junit=my.cat t.litmus)
    kept "the model, by another name"
    refused_report -m "$work/mine/sub.cat" --format "json=$work/mine/my.cat" "$sample"
    refused_report --format "json=$work/mine/sub/named.cat" "$work/mine/t.litmus" # that the test names
    refused_report -m "$work/mine/./my.txt" --format "json=$work/mine/my.txt" "$sample"
    refused_report -p "$work/mine/my.txt" --format "json=$work/mine/my.txt" "$sample"
    refused_report -e machine --machine "$work/mine/own.machine" --format "json=$work/mine/own.machine" "$sample"
    refused_report --frozen "$work/mine/records.jsonl" --format "json=$work/mine/records.jsonl" "$work/mine"
    refused_report --resume "$work/mine/records.jsonl" --format "json=$work/mine/records.jsonl" "$work/mine"
    for file in list.txt inner.txt u.txt t.litmus; do
        refused_report --format "json=$work/mine/$file" "@$work/mine/list.txt"
        refused_report --format "json=$work/mine/$file" -j 2 "@$work/mine/list.txt"
    done
    # Pictures: FOLDER/u.txt.svg would be the second test.
    cp "$work/mine/u.txt" "$work/reports/u.txt.svg"
    cp "$work/mine/u.txt" "$work/reports/was"
    leaves 2 check --format "svg=$work/reports/" "$work/mine/u.txt" "$work/reports/u.txt.svg"
    cmp -s "$work/reports/was" "$work/reports/u.txt.svg"
    verdict $? "a picture leaves a test as it is"
    # Links: nothing is written through one, neither where it leads nor in its place.
    printf 'precious\n' >"$work/reports/precious"
    for target in precious absent ../mine/t.litmus; do
        ln -sfn "$target" "$work/reports/link"
        leaves 2 check --format "json=$work/reports/link" "$sample"
        [ -L "$work/reports/link" ] && [ "$(cat "$work/reports/precious")" = precious ] && [ ! -e "$work/reports/absent" ]
        verdict $? "a report is not written through a link to $target"
        ln -sfn "$target" "$work/reports/def1.svg"
        leaves 2 check --format "svg=$work/reports/" "$sample"
        [ -L "$work/reports/def1.svg" ] && [ "$(cat "$work/reports/precious")" = precious ] && [ ! -e "$work/reports/absent" ]
        verdict $? "nor is a picture"
    done
    kept links
    # One that comes in the place of a report while the run goes on, too.
    mkfifo "$work/slow-test"
    "$CRASHLIT" check --format "json=$work/reports/late" /dev/stdin <"$work/slow-test" >"$work/out" 2>"$work/err" &
    exec 9>"$work/slow-test"
    await "the report is begun" report_begun
    ln -s precious "$work/reports/late"
    test_of t >&9
    exec 9>&-
    wait $!
    is $? 2 "the status of a report that has become a link"
    [ -L "$work/reports/late" ] && [ "$(cat "$work/reports/precious")" = precious ]
    verdict $? "a report that has become a link is not written"
    kept "a link that came late"
    # A file of other names has them all the same afterwards, and what was there is replaced whole.
    ln "$work/mine/u.txt" "$work/reports/other-name"
    leaves 0 check --format "json=$work/reports/other-name" "$sample"
    kept "a file of two names"
    printf 'old\n' >"$work/reports/old" && chmod 640 "$work/reports/old"
    leaves 0 check --format "json=$work/reports/old" "$sample"
    is "$(stat -c %a "$work/reports/old") $(grep -c '^{"schema"' "$work/reports/old")" "640 $pairs" "a report that is written again"
    # Two reports are two files, by whatever names, also when neither is there yet.
    ln -sfn . "$work/reports/again"
    leaves 2 check --format "json=$work/reports/new" --format "tap=$work/reports/again/new" "$sample"
    [ ! -e "$work/reports/new" ]
    verdict $? "and neither is written"
    # Devices, pipes and what a shell opened are written to.
    leaves 0 check --format tap=/dev/null --format json=/dev/null "$sample"
    leaves 0 check --format herd --format json=/dev/stdout "$sample"
    out_lines '^{"schema"' "$pairs"
    out_has '^Summary: '
    "$CRASHLIT" check --format json=/dev/stdout "$sample" | grep -c '^{"schema"' >"$work/count"
    is "$(cat "$work/count")" "$pairs" "records in a pipe that is standard output"
    "$CRASHLIT" check --format json=/dev/fd/3 "$sample" 3>"$work/three" >/dev/null
    is "$(grep -c '^{"schema"' "$work/three")" "$pairs" "records in a file that a shell opened"
    mkfifo "$work/fifo"
    grep -c '^{"schema"' <"$work/fifo" >"$work/count" &
    leaves 0 check --format "json=$work/fifo" "$sample"
    wait $!
    is "$(cat "$work/count")" "$pairs" "records in a pipe"
}

sample=$root/litmus/spb/def1.litmus
odd_names
odd_models
few_files
reports
tests_name
tests_may_name
tests_use
definitions_name
permitted
tables
records_name
guarded
solver
users_name
folders
link_mazes
list_mazes
lists
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
