#!/bin/sh
# embed-models.sh ROOT FILE...: the model files as C tables (cat/cat_model.h),
# each path relative to ROOT.
set -eu
root=$1
shift
printf '/* Generated from %s/ by embed-models.sh. */\n#include "cat/cat_model.h"\n\n' "$root"
i=0
for file in "$@"; do
    printf 'static const char text_%d[] = {' "$i"
    od -An -v -td1 "$file" | awk '{ for (k = 1; k <= NF; k++) printf "%s,", $k; print "" }'
    printf '0};\n'
    i=$((i + 1))
done
printf '\nconst struct cat_builtin cat_builtins[] = {\n'
i=0
for file in "$@"; do
    printf '    {"%s", text_%d, sizeof text_%d - 1},\n' "${file#"$root"/}" "$i" "$i"
    i=$((i + 1))
done
printf '};\nconst size_t cat_builtin_count = sizeof cat_builtins / sizeof cat_builtins[0];\n'
