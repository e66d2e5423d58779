#!/bin/sh
# documents.sh [FILE.md...]: runs the fenced examples of README.md and docs/.
#
#   ```litmus [NAME.litmus] [status=N]   checked; status N, 0 unless said
#   ```cat [NAME.cat] [persistency]      loaded as a visibility (or persistency) model
#   ```def NAME.def                      used by the tests behind it
#   ```machine NAME.machine              used by the commands behind it
#   ```map NAME.map                      used by the commands behind it
#   ```console                           commands after `$ `; what they print must
#                                        be what stands below them
#
# A named block is saved under its name before the commands of its document run, so
# that they can use it. In a console block a line `...` stands for any lines, and
# ... inside a line for any text. Blocks of other kinds are not run.
#
# A figure with a name behind it, `8192<!-- EXEC_MAX_PATHS -->` or `200<!-- FILE.c:MAX_FILES -->`, is
# the value that the name has in src.
set -u
root=$(pwd)
program=$root/$CRASHLIT sample=$root/tests/malformed/sample.litmus
tools=$root/tests/corpus
passed=0 failed=0
if [ $# -eq 0 ]; then
    for file in README.md docs/*.md docs/*/*.md; do
        [ ! -f "$file" ] || set -- "$@" "$file"
    done
fi

verdict() { # status, place, what is wrong when it is not 0
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "$2: $3"
        failed=$((failed + 1))
    fi
}

# A folder where the commands of a document find what they find in the checkout.
set_up() {
    rm -rf "$1"
    mkdir -p "$1/build"
    ln -s "$program" "$1/build/crashlit"
    ln -s "$root/litmus" "$root/models" "$root/examples" "$root/docs" "$1"
}

run_litmus() { # block, wanted status
    timeout 60 "$program" check "$1" >out 2>&1 </dev/null
    status=$?
    [ "$status" -eq "$2" ] && return
    cat out
    return 1
}

run_cat() { # block, option
    timeout 60 "$program" check "$2" "$1" "$sample" >out 2>&1 </dev/null
    status=$?
    case $status in 0 | 1 | 3) return 0 ;; esac
    cat out
    return 1
}

run_console() { # block
    awk -f "$tools/console_script.awk" "$1" >script
    timeout 120 sh script >out 2>&1 </dev/null
    awk -f "$tools/console_match.awk" "$1" out || { diff "$1" out; return 1; }
}

run_block() { # number, place, kind, name, option
    block=block.$1
    [ "$4" = - ] || block=$4
    case $3 in
    litmus) run_litmus "$block" "$5" ;;
    cat) run_cat "$block" "$5" ;;
    console) run_console "$block" ;;
    esac
    verdict $? "$2" "the example does not do what the text says"
}

# The value of NAME or FILE:NAME, which other names may be in; of a row X(NAME, VALUE, ..) of a table as well.
value_of() {
    case $1 in *:*) where=${1%%:*} ;; *) where='*.[ch]' ;; esac
    # shellcheck disable=SC2086 # a pattern
    value=$(sed -n "s|.*[^A-Z_]${1##*:} = \([^,};]*\).*|\1|p; s|^ *X(${1##*:}, \([^,)]*\),.*|\1|p" src/*/$where | sed 's|/\*.*||')
    for other in $(echo "$value" | grep -o '[A-Z_]\{3,\}'); do
        value=$(echo "$value" | sed "s|$other|$(value_of "$other")|")
    done
    echo "$value"
}

check_figures() { # document
    grep -o '[^ ]* *[^ ]*<!-- [A-Za-z_.:]* -->' "$1" >"$work/figures"
    while IFS='<' read -r figure name; do
        name=${name#!-- } name=${name% -->}
        figure=$(echo "$figure" | grep -o '[0-9][0-9,]*\( MiB\)\{0,1\}$' | sed 's/,//g; s/ MiB/ * 1048576/')
        [ -n "$figure" ] && [ "$(($figure))" -eq "$(($(value_of "$name")))" ]
        verdict $? "$1" "found $figure, expected what $name is: $(value_of "$name")"
    done <"$work/figures"
}

for document in "$@"; do
    work=$root/$WORK/docs/$(basename "$document")
    set_up "$work"
    check_figures "$document"
    awk -v work="$work" -v document="$document" -f "$tools/blocks.awk" "$document" >"$work/list"
    cd "$work" || exit 1
    while read -r number place kind name option; do
        run_block "$number" "$place" "$kind" "$name" "$option"
    done <list
    cd "$root" || exit 1
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
