#!/bin/sh
# make-help.sh: the targets, a line each.
cat <<'END'
make demo        install what is missing, build, run the main job
make check       install what is missing, build, all tests; last line: N passed, N failed
make             build build/crashlit
make deps        install missing Debian packages, as the program needs them; check-deps: and its tests
make deps-list   what an administrator installs for each, as commands
make check-fast  the quick steps, up to docs; STEP_SECONDS=N limits each, here as in check
make check-long  check with long oracle, thread sanitizer and fuzz runs, and fresh
make fresh       demo and check on a bare Debian 12, as root and as a user (root and debootstrap)
make fresh-more  the playground and editors there, as a user
make tools       what runs the steps, on steps that fail or never end
make unit        unit tests; SUITES="base_memory rel_laws" for some
make corpus      every expect line of litmus/
make mappings    mapped sources against the papers' listings
make malformed   exact diagnostics of tests/malformed
make command    exit statuses, inputs, shards, models of one's own
make docs        the examples of README.md and docs/
make crosscheck  the engines against each other: all tests and random programs
make verdicts    listed, decided, explained, by either engine: random tests, models of one's own
make oracle      the enumerator against the brute-force interleaver
make recipes     docs/inside/recipes.md to a worked example of each; RECIPES="machine model" for some
make layers layout headers warnings  shape of the sources
make asan        the tests under AddressSanitizer and UBSan
make fuzz        fuzz targets, FUZZ_SECONDS each (600)
make bench       times and memory; BENCH_LIMIT seconds a run (10)
make bench-peers  herd7 and crashlit on the same files; BENCH_LIMIT seconds a run (60)
make bench-engines  enum and smt on growing tests, side by side; BENCH_LIMIT seconds a run (60)
make bench-scale  families that grow, no option given, beside each engine; SCALE="A F" for some
make coverage    lines reached by the tests, a line each file
make promote     take the present output of tests/malformed as expected
make install     program, library, manual, completions below PREFIX (/usr/local), in DESTDIR
make uninstall   the same files away again
make deb         a Debian package, build/crashlit_VERSION_ARCH.deb
make install-check  all of that, tried in a folder
make web         the playground, build/web/site; web-deps, web-serve, web-dist; web-test tries it in a browser
make editors     crashlit lsp, the grammars and the extension for editors; editors-deps installs what they are tried with
make tree-sitter vscode  parsers of the tree-sitter grammars; the extension, build/editors/vscode/crashlit.vsix
make grammars    what of the grammars is made of the list of words, src/lsp/lsp_words.def
make format tidy list clean
END
