#!/bin/sh
# embed-models.sh ROOT FILE...: the model files as C tables (cat/cat_model.h),
# each path relative to ROOT. KIND=mach: machines (explore/mach_config.h) instead, KIND=lit: definition
# files (litmus/lit_uses.h), KIND=map: mappings (mapping/mapping.h), KIND=gen: vocabularies
# (generate/gen_vocabularies.h), KIND=lesson: lessons (session/session_lesson.h), KIND=player: what
# moves in pages (format/report_player.h).
set -eu
kind=${KIND:-cat}
case $kind in
    cat) header=cat/cat_model.h ;;
    lit) header=litmus/lit_uses.h ;;
    map) header=mapping/mapping.h ;;
    gen) header=generate/gen_vocabularies.h ;;
    lesson) header=session/session_lesson.h ;;
    player) header=format/report_player.h ;;
    *) header=explore/mach_config.h ;;
esac
root=$1
shift
printf '/* Generated from %s/ by embed-models.sh. */\n#include "%s"\n\n' "$root" "$header"
i=0
for file in "$@"; do
    printf 'static const char text_%d[] = {' "$i"
    od -An -v -td1 "$file" | awk '{ for (k = 1; k <= NF; k++) printf "%s,", $k; print "" }'
    printf '0};\n'
    i=$((i + 1))
done
printf '\nconst struct source_builtin %s_builtins[] = {\n' "$kind"
i=0
for file in "$@"; do
    printf '    {"%s", text_%d, sizeof text_%d - 1},\n' "${file#"$root"/}" "$i" "$i"
    i=$((i + 1))
done
printf '};\nconst size_t %s_builtin_count = sizeof %s_builtins / sizeof %s_builtins[0];\n' \
    "$kind" "$kind" "$kind"
