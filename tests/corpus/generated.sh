#!/bin/sh
# generated.sh: the suites of litmus/generated are what `crashlit generate` makes, as their manifests say.
set -u
rm -rf "$WORK/generated" && mkdir -p "$WORK/generated"
work=$(cd "$WORK/generated" && pwd)
. tests/corpus/cases.sh

for manifest in litmus/generated/*/MANIFEST; do
    folder=$(dirname "$manifest")
    command=$(sed -n '1s/^# crashlit //p' "$manifest")
    # shellcheck disable=SC2086 # words of a command line
    "$CRASHLIT" $command -j 2 -o "$work/made" >"$work/out" 2>"$work/err"
    verdict $? "$folder can be made: crashlit $command"
    diff -r "$folder" "$work/made"
    verdict $? "$folder is what is made now"
    rm -rf "$work/made"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
