#!/bin/sh
# messages.sh CRASHLIT: prints docs/using/messages.md, which `make messages` writes.
set -eu
cat <<'PAGE'
# Messages

Errors and warnings end with a tag, `[E-lit-lost]`. It is stable: scripts may ask for it, and `crashlit help` says what messages of a tag are
about.

```console
$ build/crashlit help E-lit-lost
PAGE
"$1" help E-lit-lost
cat <<'PAGE'
```

Tags begin with what the message is about: `E-file` files, `E-lit` tests, definition files and mappings, `E-cat` models, `E-cli` the command
line and lists, `E-machine` machines. `crashlit help E-lit` has those of tests, `crashlit help E` all:

```console
$ build/crashlit help E
PAGE
"$1" help E
cat <<'PAGE'
```

The table that both come from is `src/base/diag_*.def`; `make messages` writes this page.
PAGE
