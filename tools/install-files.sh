#!/bin/sh
# install-files.sh install|uninstall|list: what `make install` puts where.
#
# One list, from which all three are made. PREFIX, and DESTDIR before it, as usual; LIBDIR,
# MANDIR and so on can be given when they are not below PREFIX in their usual places. OBJ has
# what was built. Nothing is built here. `list` prints the installed paths, without DESTDIR.
set -u
: "${PREFIX:=/usr/local}" "${DESTDIR:=}" "${OBJ:=build/release}" "${VERSION:=0}" "${SONAME:=libcrashlit.so.0}"
: "${BINDIR:=$PREFIX/bin}" "${LIBDIR:=$PREFIX/lib}" "${INCLUDEDIR:=$PREFIX/include}" "${DATADIR:=$PREFIX/share}"
: "${MANDIR:=$DATADIR/man}" "${DOCDIR:=$DATADIR/doc/crashlit}" "${ZSHDIR:=$DATADIR/zsh/site-functions}"
own=$DATADIR/crashlit

# Without OCaml there is no checker, and no page of it; both are taken away in any case.
has_checker() { # for what
    [ -x "$OBJ/checker/crashlit-check" ] || [ "$1" = uninstall ]
}

# kind, mode, source or text of a link, destination. Kinds: file, filled (its @WORDS@ are), link.
manifest() { # for what
    echo "file 755 $OBJ/crashlit $BINDIR/crashlit"
    if has_checker "$1"; then
        echo "file 755 $OBJ/checker/crashlit-check $BINDIR/crashlit-check"
    fi
    echo "file 644 include/crashlit.h $INCLUDEDIR/crashlit.h"
    echo "file 644 include/crashlit_kernel.h $INCLUDEDIR/crashlit_kernel.h"
    echo "file 644 $OBJ/libcrashlit.a $LIBDIR/libcrashlit.a"
    echo "file 644 $OBJ/$SONAME $LIBDIR/$SONAME.$VERSION"
    echo "link - $SONAME.$VERSION $LIBDIR/$SONAME"
    echo "link - $SONAME $LIBDIR/libcrashlit.so"
    echo "filled 644 tools/crashlit.pc.in $LIBDIR/pkgconfig/crashlit.pc"
    for page in man/*.[1-9]; do
        [ "$page" != man/crashlit-check.1 ] || has_checker "$1" || continue
        echo "filled 644 $page $MANDIR/man${page##*.}/${page##*/}"
    done
    echo "file 644 completions/crashlit.bash $DATADIR/bash-completion/completions/crashlit"
    echo "file 644 completions/_crashlit $ZSHDIR/_crashlit"
    echo "file 755 tools/slurm-array.sh $own/slurm-array.sh"
    for model in models/*.cat models/*.vocabulary models/*/*.cat models/machines/*.machine models/definitions/*.def \
        models/mappings/*.map; do
        echo "file 644 $model $own/$model"
    done
    for schema in tests/schemas/*; do
        echo "file 644 $schema $own/${schema#tests/}"
    done
    for page in README.md CHANGELOG.md LICENSE docs/*.md docs/*/*.md docs/images/*.svg examples/*.* examples/mechanisms/*.md \
        examples/mechanisms/*/*; do
        echo "file 644 $page $DOCDIR/$page"
    done
}

fill() { # source
    sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@VERSION@|$VERSION|g" -e "s|@LIBDIR@|$LIBDIR|g" \
        -e "s|@INCLUDEDIR@|$INCLUDEDIR|g" "$1" |
        case $1 in
        */crashlit.1) sh tools/man-options.sh "$OBJ/crashlit" ;;
        *) cat ;;
        esac
}

put() { # kind, mode, source, destination
    mkdir -p "${4%/*}" || return 1
    rm -f "$4"
    case $1 in
    file) cp "$3" "$4" && chmod "$2" "$4" ;;
    filled) fill "$3" >"$4" && chmod "$2" "$4" ;;
    link) ln -s "$3" "$4" ;;
    esac
}

# Folders of ours go when they are empty; others stay.
take() { # destination
    rm -f "$1"
    folder=${1%/*}
    while case $folder in "$DESTDIR$own"* | "$DESTDIR$DOCDIR"*) true ;; *) false ;; esac; do
        rmdir "$folder" 2>/dev/null || break
        folder=${folder%/*}
    done
}

umask 022
manifest "$1" | {
    faults=0
    while read -r kind mode source destination; do
        case $1 in
        list) echo "$destination" ;;
        install) put "$kind" "$mode" "$source" "$DESTDIR$destination" || faults=1 ;;
        uninstall) take "$DESTDIR$destination" ;;
        *) faults=2 ;;
        esac
    done
    exit "$faults"
}
