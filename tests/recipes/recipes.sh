#!/bin/sh
# recipes.sh: docs/recipes.md to a worked example of each recipe, tests/recipes/NAME.patch:
#
#   - the patch touches the files that the recipe lists, and no others;
#   - it applies to a copy of the tree, and the copy builds, without warnings;
#   - tests/recipes/NAME.sh, run at the top of the copy, passes, and does not without the patch.
#
# A numbered item of a recipe that begins with paths lists these, up to its colon. One that begins otherwise
# ("If ...") names files that some need: they exist, and the patch may touch them. Words of capitals in
# a path stand for a name. RECIPES="machine option" tries these alone; what went wrong is kept in WORK.
set -u
work=$WORK/recipes
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/base"
work=$(cd "$work" && pwd -P)

# TITLE, EXAMPLE (or `-`), `must` or `may`, PATH: a line for each path, and a first one with `recipe` and `-`.
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
        if (title != "") print title "\t" example "\trecipe\t-"
        for (i = 1; i <= count; i++) print title "\t" example "\t" found[i]
        count = 0
        example = "-"
    }
    BEGIN { example = "-" }
    /^## / { end_recipe(); title = substr($0, 4); next }
    /^[0-9]+\. / { end_item(); item = $0; sub(/^[0-9]+\. /, "", item); next }
    /^   / && item != "" { item = item " " $0; next }
    { end_item() }
    match($0, /`tests\/recipes\/[a-z-]+\.patch`/) {
        example = substr($0, RSTART + 15, RLENGTH - 22)
    }
    END { end_recipe() }' docs/recipes.md >"$work/recipes"

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

# In little time: neither optimised nor for a debugger. The unit tests are built where they are run.
build() { # folder, title, its test
    unit=
    ! grep -q unit/unit "$3" || unit=build/debug/tests/unit/unit
    (cd "$1" && timeout 600 $RUN_MAKE MODE=debug CFLAGS=-g0 build/debug/crashlit $unit) >"$work/log" 2>&1
    status=$?
    ! grep -q 'warning: ' "$work/log" || status=1 # of a switch that an example left as it was
    [ "$status" -eq 0 ] || tail -n 20 "$work/log"
    verdict "$status" "$2 builds, without warnings"
    return "$status"
}
try() { # folder, example
    (cd "$1" && WORK=$work CRASHLIT=build/debug/crashlit timeout 300 sh "tests/recipes/$2.sh") >"$work/log" 2>&1 </dev/null
}

# Whether git finds a repository above the copy makes no difference.
apply() { # folder, example
    (cd "$1" && GIT_CEILING_DIRECTORIES=$work git apply -C1 "tests/recipes/$2.patch") >"$work/log" 2>&1
}

follow() { # example
    hold_list "$1"
    ! try "$work/base" "$1"
    verdict $? "tests/recipes/$1.sh fails without its patch"
    cp -a "$work/base" "$work/$1"
    apply "$work/$1" "$1"
    status=$?
    [ "$status" -eq 0 ] || cat "$work/log"
    verdict "$status" "tests/recipes/$1.patch applies"
    [ "$status" -eq 0 ] && build "$work/$1" "the tree with tests/recipes/$1.patch" "tests/recipes/$1.sh" || return
    try "$work/$1" "$1"
    status=$?
    [ "$status" -eq 0 ] || tail -n 40 "$work/log"
    verdict "$status" "tests/recipes/$1.sh passes with its patch"
    [ "$status" -ne 0 ] || rm -rf "${work:?}/$1"
}

tar --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$work/base"
build "$work/base" "a copy of the tree" "$0" || { echo "$passed passed, $failed failed"; exit 1; }
awk -F '\t' '$3 == "recipe" { print $1 "\t" $2 }' "$work/recipes" >"$work/titles"
tab=$(printf '\t')
while IFS=$tab read -r title example; do
    if [ "$example" = - ]; then
        verdict 1 "the recipe \"$title\" has a worked example"
    elif [ -z "${RECIPES:-}" ] || echo " $RECIPES " | grep -q " $example "; then
        start=$(date +%s)
        follow "$example"
        echo "$title: $example, $(($(date +%s) - start)) s"
    fi
done <"$work/titles"
for patch in tests/recipes/*.patch; do
    example=${patch##*/}
    cut -f 2 "$work/titles" | grep -qx "${example%.patch}"
    verdict $? "$patch is the example of a recipe"
done
[ "$failed" -ne 0 ] || rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
