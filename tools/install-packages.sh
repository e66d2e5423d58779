#!/bin/sh
# install-packages.sh WHO PACKAGES: installs these of Debian's packages, by sudo where nobody is root; speaks as WHO.
set -u
who=$1 packages=$2
command -v apt-get >/dev/null || {
    echo "$who: missing: $packages, and no apt-get; install these by hand" >&2
    exit 1
}
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "$who: missing: $packages, and neither root nor sudo" >&2
        exit 1
    }
    sudo=sudo
fi
$sudo apt-get update -q || echo "$who: apt-get update failed; trying with the old lists" >&2
# Word splitting wanted: a list of packages.
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages
