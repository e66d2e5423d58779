#!/bin/sh
# mappings.sh COUNT SEED [all]: `crashlit map` gives what the papers print; what mappings promise is judged on COUNT random
# programs for each promise (mappings_judge.py), and on tests of litmus/, some or all (mappings_sources.py).
# Each line of tests/corpus/mappings.list names a source, a mapping and
# a target, a test written by hand: the mapped source and the target have the same code but for comments and blanks. The mapped
# test is read again, without a word on standard error; mapped once more it is refused, as its pragmas are gone.
set -u
mkdir -p "$WORK/mappings"
. tests/corpus/cases.sh

# From the definition files to the conditions, a word a line: comments and blanks are gone, and what is no word stands alone.
code() { # file
    awk 'NR == 1 || (NR == 2 && /^"/) { next }
        { sub(/\/\/.*/, "") }
        /^ *(crash +(~?exists|forall)|final|recovered|~?exists|forall|filter|locations|expect)/ { exit }
        {
            gsub(/\/\*[^*]*\*\//, " ")
            gsub(/[][(){};,*&|]/, " & ")
            for (i = 1; i <= NF; i++) print $i
        }' "$1"
}

grep -v '^#' tests/corpus/mappings.list >"$WORK/mappings/list"
while read -r source mapping target; do
    mapped=$WORK/mappings/$(basename "$source").litmus
    "$CRASHLIT" map "$mapping" "litmus/$source.litmus" >"$mapped" 2>"$WORK/mappings/err"
    verdict $? "$source is mapped by $mapping: $(head -n 3 "$WORK/mappings/err")"
    code "$mapped" >"$WORK/mappings/found"
    code "litmus/$target.litmus" >"$WORK/mappings/wanted"
    [ -s "$WORK/mappings/wanted" ] && diff "$WORK/mappings/wanted" "$WORK/mappings/found"
    verdict $? "$source by $mapping has the code of $target"
    "$CRASHLIT" check -m sc -p none --dump-ast "$mapped" >/dev/null 2>"$WORK/mappings/err"
    [ ! -s "$WORK/mappings/err" ]
    verdict $? "$source by $mapping is a test: $(head -n 3 "$WORK/mappings/err")"
    if grep -q '#pragma' "litmus/$source.litmus"; then
        ! grep -q "#pragma" "$mapped" && ! "$CRASHLIT" map "$mapping" "$mapped" >/dev/null 2>&1
        verdict $? "$source by $mapping has no pragma left"
    fi
done <"$WORK/mappings/list"

# Each built-in mapping is used by some line.
for file in models/mappings/*.map; do
    name=$(basename "$file" .map)
    grep -q "^[^#]* $name " tests/corpus/mappings.list
    verdict $? "tests/corpus/mappings.list has $name"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] || exit 1
count=$1 sources=4
[ -z "${ONCE:-}" ] || count=1 sources=1
[ -z "${3:-}" ] || sources=0
python3 tests/corpus/mappings_judge.py judge "$CRASHLIT" "$WORK" "$count" "$2" || exit 1
python3 tests/corpus/mappings_sources.py "$CRASHLIT" "$sources" "$2"
