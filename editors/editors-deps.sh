#!/bin/sh
# editors-deps.sh [--missing]: installs from Debian's packages what `make tree-sitter`, `make vscode` and all parts of
# the step `editors` need beside what `make deps` installs; silent when nothing is missing. With --missing it
# prints what is, and installs nothing.
set -u
missing() {
    command -v nvim >/dev/null || printf 'neovim '
    command -v npm >/dev/null || printf 'npm '
    echo '#include <tree_sitter/api.h>' | "${CC:-cc}" -E - >/dev/null 2>&1 || printf 'libtree-sitter-dev '
    sh editors/tree-sitter.sh --missing
}
packages=$(missing)
[ -n "$packages" ] || exit 0
[ "${1:-}" != --missing ] || {
    echo "$packages"
    exit 0
}
sh tools/install-packages.sh "make editors-deps" "$packages"
