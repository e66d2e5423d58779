#!/bin/sh
# web-deps.sh [--missing]: installs from Debian's packages what `make web` and `make web-test` need beside what
# `make deps` installs; silent when nothing is missing. With --missing it prints what is, and installs nothing.
set -u
missing() {
    command -v emcc >/dev/null || printf 'emscripten '
    command -v node >/dev/null || printf 'nodejs '
    command -v npm >/dev/null || printf 'npm '
    [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-headless-shell >/dev/null ||
        printf 'chromium-headless-shell '
}
packages=$(missing)
[ -n "$packages" ] || exit 0
[ "${1:-}" != --missing ] || {
    echo "$packages"
    exit 0
}
sh tools/install-packages.sh "make web-deps" "$packages"
