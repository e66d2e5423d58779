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
command -v apt-get >/dev/null || {
    echo "make editors-deps: missing: $packages, and no apt-get; install these by hand" >&2
    exit 1
}
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "make editors-deps: missing: $packages, and neither root nor sudo" >&2
        exit 1
    }
    sudo=sudo
fi
$sudo apt-get update -q || echo "make editors-deps: apt-get update failed; trying with the old lists" >&2
# Word splitting wanted: a list of packages.
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages
