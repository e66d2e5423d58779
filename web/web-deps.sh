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
command -v apt-get >/dev/null || {
    echo "make web-deps: missing: $packages, and no apt-get; install these by hand" >&2
    exit 1
}
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "make web-deps: missing: $packages, and neither root nor sudo" >&2
        exit 1
    }
    sudo=sudo
fi
$sudo apt-get update -q || echo "make web-deps: apt-get update failed; trying with the old lists" >&2
# Word splitting wanted: a list of packages.
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages
