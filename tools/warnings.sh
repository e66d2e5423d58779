#!/bin/sh
# warnings.sh FILE...: what gcc said of each object (NAME.said) has no warning, and clang has none of each C file; of
# generated ones, below build, by $COMPILE_GEN, of others by $COMPILE.
set -u
passed=0 failed=0
verdict() { # status, what was checked
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $2"; fi
}
said='' written='' made=''
for file in "$@"; do
    case $file in
    *.said) said="$said $file" ;;
    build/*) made="$made $file" ;;
    *) written="$written $file" ;;
    esac
done
# shellcheck disable=SC2086 # lists of files
[ -n "$said" ] && cat $said >/dev/null && ! grep -h . $said
verdict $? "gcc warns of nothing"
if command -v clang >/dev/null; then
    # shellcheck disable=SC2086
    $COMPILE -Werror -fsyntax-only $written && $COMPILE_GEN -Werror -fsyntax-only $made
    verdict $? "clang warns of nothing"
else
    echo "clang is not here; left out"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
