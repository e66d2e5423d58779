# The playground: crashlit as WebAssembly and a page for it. Included by the Makefile; docs/using/playground.md.

WEB      := $(BUILD)/web
WEB_SITE := $(WEB)/site
WEB_C    := $(filter-out src/run/run_pool.c src/run/run_line.c src/run/run_worker.c src/run/run_confine.c \
              src/run/run_checker.c src/run/run_sandbox.c src/smt/smt_library.c src/smt/smt_library_file.c,$(filter src/%,$(SOURCES)))
WEB_C    := $(filter-out src/api/% src/lsp/% src/hw/% src/cli/cli_hw%,$(WEB_C))
# Commands that web/wasm/alone_commands.c stands for; what only they call is not linked.
WEB_C    := $(filter-out src/cli/cli_generate% src/cli/cli_shape% src/cli/cli_distinguish.c src/cli/cli_lattice.c src/cli/cli_lesson.c src/cli/cli_bless.c src/cli/cli_mutate% src/cli/cli_review% \
              src/cli/cli_peers.c src/cli/cli_listing.c src/cli/cli_rules.c src/cli/cli_cite.c src/run/run_merge.c src/run/run_diff% src/run/run_retell.c src/run/run_frozen.c src/generate/gen_vocabularies.c src/cli/cli_survey% src/run/run_search% \
              $(filter-out %_edit.c,$(wildcard src/mapping/*.c)),$(WEB_C))
# What an earlier run answered: web/wasm/alone_recall.c.
WEB_C    := $(filter-out src/ask/ask_recall.c src/run/run_cache.c src/run/run_resume.c,$(WEB_C))
# And reports, which web/wasm/alone_formats.c stands for.
WEB_C    := $(filter-out src/format/report_html_many.c src/format/report_md.c src/picture/report_tex.c src/document/report_tree_tex.c src/document/report_trace_tex.c src/document/report_lattice_tex.c,$(WEB_C))
# The page has lessons of its own (web/wasm/no_lessons.c).
WEB_GEN_C := $(filter-out %/lessons_builtin.c %/mappings_builtin.c %/vocabularies_builtin.c,$(GEN_C))
WEB_OBJ  := $(WEB_C:src/%.c=$(WEB)/obj/%.o) $(WEB_GEN_C:$(BUILD)/gen/%.c=$(WEB)/obj/gen/%.o) \
            $(patsubst web/wasm/%.c,$(WEB)/obj/wasm/%.o,$(wildcard web/wasm/*.c))
WEB_JANSSON := dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value
WEB_OBJ  += $(WEB_JANSSON:%=$(WEB)/obj/jansson/%.o)

# Debian's emscripten has its cache ready, and JavaScript packages where Debian has them.
EMCC     := NODE_PATH=/usr/share/nodejs emcc
# Its compiler is clang with these flags, asked for once, as to start emcc takes as long as to compile.
WEB_CLANG ?= clang-14
WEB_CC    = $(WEB_CLANG) $$(cat $(WEB)/flags) $(CSTD) $(WEB_OPT) -I$(WEB)/include
# All of it is loaded with the page, so it is made small; what looks at executions is made fast.
WEB_OPT   = -Oz
WEB_FAST := base/arena cat/cat_eval enumerate/enum_propagate enumerate/enum_search
$(WEB_FAST:%=$(WEB)/obj/%.o) $(WEB)/obj/rel/%.o: private WEB_OPT = -O3
WEB_LINK := -Oz -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=33554432 -sMAXIMUM_MEMORY=1073741824 -sTOTAL_STACK=4194304 \
            -sMODULARIZE -sEXPORT_NAME=crashlit -sINVOKE_RUN=0 -sEXIT_RUNTIME=1 \
            -sFILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,callMain -sENVIRONMENT=web,worker,node -sWASM_BIGINT=0 \
            -sDYNAMIC_EXECUTION=0 -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sINCOMING_MODULE_JS_API=wasmBinary,print,printErr,instantiateWasm,noInitialRun,thisProgram,noExitRuntime,quit,onAbort,preRun,arguments

$(WEB)/flags: | $(BUILD)/need-web
	@mkdir -p $(@D)
	@$(EMCC) --cflags >$@.new && mv $@.new $@

$(WEB)/jansson/jansson.h:
	@mkdir -p $(WEB)
	sh web/jansson.sh $(WEB)/jansson

# Headers of this machine that need nothing of its C library.
WEB_HEADERS := uthash.h xxhash.h jansson_config.h $(notdir $(wildcard /usr/include/z3*.h))
$(WEB)/include/.made: $(WEB)/jansson/jansson.h $(WEB)/flags
	@mkdir -p $(@D)
	cp $(WEB_HEADERS:%=/usr/include/%) $(WEB)/jansson/jansson.h $(@D) && touch $@

$(WEB)/obj/jansson/%.o: $(WEB)/include/.made web/wasm/jansson_private_config.h
	@mkdir -p $(@D)
	$(if $(Q),@echo " EMCC  $@")
	$(Q)$(WEB_CC) -w -DHAVE_CONFIG_H -Iweb/wasm -c -o $@ $(WEB)/jansson/$*.c

# Lexers whose tables are packed are slower, and half as large.
$(WEB)/gen/%.lex.c: grammar/%.l
	@mkdir -p $(@D)
	$(if $(Q),@echo " FLEX  $@")
	$(Q)flex -Cem -o $@ $<

$(LEXERS:grammar/%.l=$(WEB)/obj/gen/%.lex.o): $(WEB)/obj/gen/%.o: $(WEB)/gen/%.c $(WEB)/include/.made | $(GEN_C)
	@mkdir -p $(@D)
	$(if $(Q),@echo " EMCC  $@")
	$(Q)$(WEB_CC) $(GENWARN) $(INCLUDE) -MMD -MP -c -o $@ $<

$(WEB)/obj/gen/%.o: $(BUILD)/gen/%.c $(WEB)/include/.made
	@mkdir -p $(@D)
	$(if $(Q),@echo " EMCC  $@")
	$(Q)$(WEB_CC) $(GENWARN) $(INCLUDE) -MMD -MP -c -o $@ $<

$(WEB)/obj/wasm/%.o: web/wasm/%.c $(WEB)/include/.made
	@mkdir -p $(@D)
	$(if $(Q),@echo " EMCC  $@")
	$(Q)$(WEB_CC) $(WARN) $(INCLUDE) -MMD -MP -c -o $@ $<

$(WEB)/obj/%.o: src/%.c $(WEB)/include/.made | $(GEN_C)
	@mkdir -p $(@D)
	$(if $(Q),@echo " EMCC  $@")
	$(Q)$(WEB_CC) $(WARN) $(INCLUDE) -MMD -MP -c -o $@ $<

$(WEB)/obj/ask/ask_options.o: private WARN += -DASK_BRIEFLY
$(WEB)/obj/smt/smt_solver.o: private WARN += -include web/wasm/no_watch.h

$(WEB)/bridge.js: web/wasm/bridge.mjs
	node $< >$@.new && mv $@.new $@

$(WEB)/crashlit.js: $(WEB_OBJ) $(WEB)/bridge.js web/web.mk
	$(if $(Q),@echo " EMLD  $@")
	$(Q)$(EMCC) $(WEB_LINK) --js-library $(WEB)/bridge.js -o $@ $(WEB_OBJ)

-include $(shell find $(WEB)/obj -name '*.d' 2>/dev/null)

# ---- The page ---------------------------------------------------------------

WEB_PAGE := $(wildcard web/page/*)
# Files that are run beside the packages, as node looks for these above a file's own folder.
WEB_RUN  := $(WEB)/build.mjs $(WEB)/tests/browser.mjs $(WEB)/tests/npm.mjs $(WEB)/tests/serve.mjs $(WEB)/tests/tally.mjs
WEB_GALLERY := $(wildcard litmus/*/*.litmus litmus/*/*.def litmus/*/*.cat litmus/*/*.bell litmus/*/*.ptx)

.PHONY: web web-packages web-serve web-dist web-npm web-deps web-test web-test-long
web: $(WEB_SITE)/.made $(WEB_SITE)/crashlit.js $(WEB_SITE)/z3/z3-built.js

# What is not of this machine.
web-packages: $(WEB)/node_modules/.made $(WEB)/jansson/jansson.h
# As the lockfile says; no package's own scripts are run.
$(WEB)/node_modules/.made: web/package.json web/package-lock.json
	@mkdir -p $(WEB)
	cp $^ $(WEB) && cd $(WEB) && npm ci --ignore-scripts --no-audit --no-fund && touch node_modules/.made

$(WEB)/build.mjs: web/build.mjs
$(WEB)/tests/serve.mjs: web/serve.mjs
$(WEB)/tests/browser.mjs: web/tests/browser.mjs
$(WEB)/tests/npm.mjs: web/tests/npm.mjs
$(WEB)/tests/tally.mjs: web/tests/tally.mjs
$(WEB_RUN):
	@mkdir -p $(@D) && cp $< $@

$(WEB)/lessons.json: tools/lessons.py $(wildcard docs/tutorial/*.md) docs/models/semantics.md
	@mkdir -p $(@D)
	python3 $< docs/tutorial docs/models/semantics.md >$@.new && mv $@.new $@

$(WEB_SITE)/.made: $(WEB)/build.mjs $(WEB_PAGE) $(PLAYER) $(WEB_GALLERY) $(shell find models -name '*.cat') litmus/README.md $(WEB)/lessons.json | $(WEB)/node_modules/.made
	@mkdir -p $(WEB_SITE)
	node $(WEB)/build.mjs web/page $(WEB) $(WEB_SITE) litmus $(WEB)/lessons.json src/format/page models && touch $@

# What emcc writes around the program is a third of what it was, and a fifth of that when compressed.
$(WEB_SITE)/crashlit.js: $(WEB)/crashlit.js | $(WEB)/node_modules/.made
	@mkdir -p $(WEB_SITE)
	cp $(WEB)/crashlit.wasm $(WEB_SITE)
	$(WEB)/node_modules/.bin/esbuild --minify --log-level=warning $< --outfile=$@ --allow-overwrite

WEB_Z3 := $(WEB)/node_modules/z3-solver
$(WEB_SITE)/z3/z3-built.js: $(WEB)/node_modules/.made
	@mkdir -p $(@D)
	cp $(WEB_Z3)/build/z3-built.js $(WEB_Z3)/build/z3-built.wasm $(@D)

# On this machine alone; PORT=8000.
PORT ?= 8000
web-serve: web
	@node web/serve.mjs $(WEB_SITE) $(PORT)

# An archive that any server can serve, from any folder.
web-dist: web
	tar -C $(WEB) --exclude=.made --transform 's|^site|crashlit-playground-$(VERSION)|' -czf $(WEB)/crashlit-playground-$(VERSION).tar.gz site
	@echo "$(WEB)/crashlit-playground-$(VERSION).tar.gz"

# The same program as a package for node: check(text, options).
WEB_NPM := $(WEB)/npm
$(WEB_NPM)/package.json: $(WEB)/crashlit.js $(wildcard web/npm/*) web/package.json tests/schemas/check.schema.json LICENSE | $(WEB)/node_modules/.made
	node web/npm/package.mjs web/npm $(WEB) $(WEB_NPM) $(VERSION)
web-npm: $(WEB_NPM)/package.json
	@rm -f $(WEB)/crashlit-[0-9]*.tgz && cd $(WEB_NPM) && npm pack --silent --pack-destination .. | sed 's|^|$(WEB)/|'

web-deps:
	@CC='$(CC)' sh tools/deps.sh program web

# Every so many tests of litmus/, against the native program.
WEB_SHARE ?= 8
WEB_TEST = RUN_MAKE='$(SUBMAKE)' CRASHLIT=$(OBJ)/crashlit WEB=$(WEB) SHOTS='$(SHOTS)' sh web/test.sh
web-test: $(OBJ)/crashlit $(WEB_RUN)
	+@$(WEB_TEST) $(WEB_SHARE)
web-test-long: $(OBJ)/crashlit $(WEB_RUN)
	+@$(WEB_TEST) 1
