#!/bin/sh
# recipes.sh: docs/inside/recipes.md to a worked example of each recipe, tests/recipes/NAME.patch:
#
#   - the patch touches the files that the recipe lists, and no others;
#   - it applies to a copy of the tree, which then passes the steps of `make check` that need no program: layers, layout and
#     headers of what is touched;
#   - a copy with all patches that apply behind one another builds, without warnings, and passes the steps `malformed`,
#     `docs` for the documents that are touched, and that of grammars for editors, after `make grammars` if a recipe says so;
#   - tests/recipes/NAME.sh, run at the top of that copy, passes, and does not without the patch.
#
# `make recipes-long` has a copy for each patch alone, in which `make grammars` changes something just when the recipe says it.
#
# A numbered item of a recipe that begins with paths lists these, up to its colon. One that begins otherwise
# ("If ...") names files that some need: they exist, and the patch may touch them. Words of capitals in
# a path stand for a name. RECIPES="machine option" tries these alone; what went wrong is kept in WORK. CRASHLIT and UNIT
# are those of the tree without patches, COMPILE compiles from its top, LAYOUT is the clang-format of the step `layout`.
set -u
work=$WORK/recipes
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/base"
work=$(cd "$work" && pwd -P)

# TITLE, EXAMPLE (or `-`), `must` or `may`, PATH: a line for each path, and a first one with `recipe` and `grammars` (or `-`).
awk '
    function paths(kind, text, path) {
        while (match(text, /`[^`]*`/)) {
            path = substr(text, RSTART + 1, RLENGTH - 2)
            text = substr(text, RSTART + RLENGTH)
            if (kind == "must" || path ~ /\//) found[++count] = kind "\t" path
        }
    }
    function end_item() {
        if (item ~ /^`/) paths("must", index(item, ":") ? substr(item, 1, index(item, ":")) : item)
        else paths("may", item)
        item = ""
    }
    function end_recipe(i) {
        end_item()
        if (title != "") print title "\t" example "\trecipe\t" grammars
        for (i = 1; i <= count; i++) print title "\t" example "\t" found[i]
        count = 0
        example = grammars = "-"
    }
    BEGIN { example = grammars = "-" }
    /`make grammars`/ { grammars = "grammars" }
    /^## / { end_recipe(); title = substr($0, 4); next }
    /^[0-9]+\. / { end_item(); item = $0; sub(/^[0-9]+\. /, "", item); next }
    /^   / && item != "" { item = item " " $0; next }
    { end_item() }
    match($0, /`tests\/recipes\/[a-z-]+\.patch`/) {
        example = substr($0, RSTART + 15, RLENGTH - 22)
    }
    END { end_recipe() }' docs/inside/recipes.md >"$work/recipes"

# A path of a recipe as an expression for grep.
expression() { echo "$1" | sed 's/\./\\./g; s/\*/[^\/]*/g; s/NAME\|LAYER\|FOLDER\|CASE\|SOURCE/[^\/]*/g; s/.*/^&$/'; }
changed() { sed -n 's|^--- a/||p; s|^+++ b/||p' "$1" | grep -v '^/dev/null' | sort -u; }

hold_list() { # example
    patch=tests/recipes/$1.patch
    changed "$patch" >"$work/changed"
    cp "$work/changed" "$work/unlisted"
    awk -F '\t' -v example="$1" '$2 == example && $3 != "recipe" { print $3, $4 }' "$work/recipes" >"$work/listed"
    wrong=0
    while read -r kind path; do
        expression "$path" >"$work/expression"
        if [ "$kind" = must ] && ! grep -q -f "$work/expression" "$work/changed"; then
            echo "the recipe lists $path, which $patch does not touch" && wrong=1
        elif ! { cat "$work/changed" && find grammar include src models tests docs litmus tools completions man -type f; } |
            grep -q -f "$work/expression"; then
            echo "the recipe names $path, which is not there" && wrong=1
        fi
        grep -v -f "$work/expression" "$work/unlisted" >"$work/rest"
        mv "$work/rest" "$work/unlisted"
    done <"$work/listed"
    while read -r path; do echo "$patch touches $path, which the recipe does not list" && wrong=1; done <"$work/unlisted"
    [ -s "$work/listed" ] && [ "$wrong" -eq 0 ]
    verdict $? "the recipe's list of files is that of $patch"
}

# In little time: neither optimised nor for a debugger.
build() { # folder
    (cd "$1" && timeout 1200 $RUN_MAKE MODE=debug CFLAGS=-g0 build/debug/crashlit build/debug/tests/unit/unit $tables) >"$work/log" 2>&1
    status=$?
    ! grep -q 'warning: ' "$work/log" || status=1 # of a switch that an example left as it was
    [ "$status" -eq 0 ] || tail -n 20 "$work/log"
    verdict "$status" "a copy of the tree with $applied builds, without warnings"
    return "$status"
}
# With the program and the unit tests of the folder, or those given.
try() { # folder, example, program, unit tests
    (cd "$1" && WORK=$work CRASHLIT=$3 UNIT=$4 timeout 300 sh "$work/tests/$2.sh") >"$work/log" 2>&1 </dev/null
}

# Whether git finds a repository above the copy makes no difference.
apply() { # folder, example
    (cd "$1" && GIT_CEILING_DIRECTORIES=$work git apply -C1 "$work/tests/$2.patch") >"$work/log" 2>&1
}

# ---- Steps of `make check`, in a copy ----

says_grammars() { # examples
    for named in "$@"; do
        awk -F '\t' -v example="$named" '$2 == example && $4 == "grammars" { found = 1 } END { exit !found }' "$work/recipes" && return
    done
    return 1
}
grammars() { # folder, --check
    (cd "$1" && TABLES=$tables PYTHONDONTWRITEBYTECODE=1 python3 editors/grammars.py ${2:-}) >"$work/log" 2>&1
}
step() { # folder, what it is of, name, command
    folder=$1 whose=$2 name=$3
    shift 3
    (cd "$folder" && timeout 600 "$@") >"$work/log" 2>&1 </dev/null
    status=$?
    [ "$status" -eq 0 ] || tail -n 40 "$work/log"
    verdict "$status" "the step $name passes with $whose"
}

# Those that need no program, of the patch alone.
hold_plain_steps() { # folder, example
    touched=$(changed "tests/recipes/$2.patch" | grep '\.[ch]$' || true)
    step "$1" "$2" layers sh tools/layers.sh
    # shellcheck disable=SC2086 # several files
    [ -z "$touched" ] || step "$1" "$2" layout sh tools/layout.sh $touched
    touched=$(echo "$touched" | grep '^src/.*\.h$' || true)
    # shellcheck disable=SC2086 # several files
    [ -z "$touched" ] || COMPILE="$COMPILE -I$top/build/gen" step "$1" "$2" headers sh tools/headers.sh $touched
}
# Those that need one, of all patches.
hold_built_steps() { # folder
    # shellcheck disable=SC2086 # several words
    if says_grammars $applied; then
        ! grammars "$1" --check
        verdict $? "\`make grammars\` changes something with$applied, as the recipe says"
        grammars "$1"
    fi
    step "$1" "$applied" "of grammars" env TABLES="$tables" python3 editors/grammars.py --check
    step "$1" "$applied" malformed env CRASHLIT=build/debug/crashlit WORK=build/debug/work/malformed sh tests/corpus/malformed.sh
    touched=$(for of in $applied; do changed "tests/recipes/$of.patch"; done | grep '^docs/.*\.md$' | sort -u)
    # shellcheck disable=SC2086 # several files
    [ -z "$touched" ] ||
        step "$1" "$applied" docs env CRASHLIT=build/debug/crashlit WORK=build/debug/work/docs sh tests/corpus/documents.sh $touched
}

# ---- The whole ----

# What needs no copy with the patch in it but this one, which is as it was behind it.
hold() { # example
    hold_list "$1"
    ! try "$work/base" "$1" "$program" "$unit"
    verdict $? "tests/recipes/$1.sh fails without its patch"
    apply "$work/base" "$1"
    status=$?
    [ "$status" -eq 0 ] || cat "$work/log"
    verdict "$status" "tests/recipes/$1.patch applies"
    [ "$status" -ne 0 ] || {
        hold_plain_steps "$work/base" "$1"
        undo "$work/base" "$1" && waiting="$waiting $1"
    }
}
undo() { (cd "$1" && GIT_CEILING_DIRECTORIES=$work git apply -R -C1 "$work/tests/$2.patch"); }

# One copy has all patches that apply behind one another; the next one has the rest.
follow_together() {
    applied='' rest=''
    cp -a "$work/base" "$work/together"
    for example in $waiting; do
        if apply "$work/together" "$example"; then applied="$applied $example"; else rest="$rest $example"; fi
    done
    waiting=$rest
    if build "$work/together"; then
        for example in $applied; do
            try "$work/together" "$example" build/debug/crashlit build/debug/tests/unit/unit
            status=$?
            [ "$status" -eq 0 ] || tail -n 40 "$work/log"
            verdict "$status" "tests/recipes/$example.sh passes with$applied"
        done
        hold_built_steps "$work/together"
    fi
    [ "$failed" -ne 0 ] || rm -rf "$work/together"
}

top=$(pwd) tables=build/debug/tests/editors/tables
program=$(readlink -f "$CRASHLIT") unit=$(readlink -f "$UNIT") waiting=
tar --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$work/base"
cp -a tests/recipes "$work/tests"
awk -F '\t' '$3 == "recipe" { print $1 "\t" $2 }' "$work/recipes" >"$work/titles"
tab=$(printf '\t')
while IFS=$tab read -r title example; do
    if [ "$example" = - ]; then
        verdict 1 "the recipe \"$title\" has a worked example"
    elif [ -z "${RECIPES:-}" ] || echo " $RECIPES " | grep -q " $example "; then
        hold "$example"
    fi
done <"$work/titles"
while [ -n "$waiting" ] && [ ! -e "$work/together" ]; do follow_together; done
for patch in tests/recipes/*.patch; do
    example=${patch##*/}
    cut -f 2 "$work/titles" | grep -qx "${example%.patch}"
    verdict $? "$patch is the example of a recipe"
done
[ "$failed" -ne 0 ] || rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
