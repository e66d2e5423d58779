#!/bin/sh
# deb.sh: a Debian package of what is built in $OBJ, written to $OUT.
#
# One package with program, library, header and documentation, put together by dpkg-deb from a
# staged install: no debhelper, and no network. What it depends on is found out from the files
# (dpkg-shlibdeps), or without that tool from the packages that own their libraries.
set -eu
: "${OBJ:=build/release}" "${OUT:=build}" "${VERSION:?}" "${SONAME:?}"
command -v dpkg-deb >/dev/null || { echo "make deb: dpkg-deb is not here" >&2; exit 1; }
arch=$(dpkg --print-architecture)
triplet=$("${CC:-gcc}" -print-multiarch 2>/dev/null || true)
libdir=/usr/lib${triplet:+/$triplet}
stage=$OUT/deb
rm -rf "$stage"
mkdir -p "$stage/debian" "$stage/root/DEBIAN"
root=$stage/root

PREFIX=/usr DESTDIR=$root LIBDIR=$libdir ZSHDIR=/usr/share/zsh/vendor-completions \
    OBJ=$OBJ VERSION=$VERSION SONAME=$SONAME sh tools/install-files.sh install
strip --strip-unneeded "$root"/usr/bin/* "$root$libdir/$SONAME.$VERSION"
strip --strip-debug "$root$libdir/libcrashlit.a"
find "$root/usr/share/man" -type f -exec gzip -9n {} +

# The packages that own what the program and the library are linked with.
owners() {
    for file in "$root"/usr/bin/* "$root$libdir/$SONAME.$VERSION"; do
        objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }'
    done | sort -u | while read -r library; do
        dpkg -S "*/$library" 2>/dev/null | sed -n 's/:.*//p' | head -n 1
    done | sort -u | paste -sd , | sed 's/,/, /g'
}
depends=
if command -v dpkg-shlibdeps >/dev/null; then
    printf 'Source: crashlit\n\nPackage: crashlit\nArchitecture: any\n' >"$stage/debian/control"
    depends=$(cd "$stage" && dpkg-shlibdeps -O root/usr/bin/* "root$libdir/$SONAME.$VERSION" 2>/dev/null |
        sed -n 's/^shlibs:Depends=//p')
fi
[ -n "$depends" ] || depends=$(owners)
# Opened when it is needed, so that no file names it.
solver=$(grep -a -o -m 1 'libz3\.so[.0-9]*' "$root/usr/bin/crashlit" | head -n 1)
solver=$(dpkg -S "*/$solver" 2>/dev/null | sed -n 's/:.*//p' | head -n 1)
depends=$depends${solver:+, $solver}

cat >"$root/DEBIAN/control" <<END
Package: crashlit
Version: $VERSION
Architecture: $arch
Maintainer: ${DEBFULLNAME:-crashlit} <${DEBEMAIL:-root@localhost}>
Installed-Size: $(du -sk "$root" | cut -f 1)
Depends: $depends
Suggests: libjansson-dev, libz3-dev, slurm-wlm
Section: devel
Priority: optional
Description: formal persistency model checker and litmus tool for GPUs
 Checks which states a crash can leave in non-volatile memory, for small GPU
 programs with scoped persist barriers, under formal memory models that are
 text files. With the C library libcrashlit, its header, and manual pages.
END
echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2) >"$root/DEBIAN/md5sums"
package=$OUT/crashlit_${VERSION}_$arch.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
