# crashlit. On a fresh machine: `make demo` or `make check`; `make help` lists the rest.
#
#   MODE=release (default) | debug | asan | tsan | coverage | strict-gcc | strict-clang | fuzz
# Each mode builds into build/MODE and shares no object with another.
# CFLAGS and LDFLAGS given by the user are added to those of the mode.

# A test runner's own shards are not those of the tests it runs.
unexport TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE

MODE    ?= release
BUILD   := build
OBJ     := $(BUILD)/$(MODE)
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

CC_strict-clang := clang
CC_fuzz         := clang
ifneq ($(CC_$(MODE)),)
override CC := $(CC_$(MODE))
else ifeq ($(origin CC),default)
CC := gcc
endif

CSTD    := -std=c11 -D_POSIX_C_SOURCE=200809L
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# What bison and flex write converts freely and leaves functions unused.
GENWARN := -Wall -Wno-unused-function -Wno-unused-but-set-variable -Wno-misleading-indentation
INCLUDE := -Isrc -Iinclude -I$(BUILD)/gen
# For the shared library, which shows what include/crashlit.h declares and has what that needs.
SHAREABLE := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
# gcc reports a null format for vsnprintf(NULL, 0, ...) once it is instrumented.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

# These need files and memory that a worker has no right to (src/run/run_confine.h).
UNCONFINED := -DCRASHLIT_UNCONFINED

FLAGS_release := -O3 -g1
FLAGS_debug        := -O0 -g -DCRASHLIT_LOG
FLAGS_asan         := -O1 -g1 $(SANITIZE) -fno-omit-frame-pointer -Wno-format-truncation $(UNCONFINED)
FLAGS_tsan         := -O1 -g1 -fsanitize=thread $(UNCONFINED)
FLAGS_coverage     := -O0 -g --coverage $(UNCONFINED)
FLAGS_strict-gcc   := -O2 -Werror
FLAGS_strict-clang := -O2 -Werror
FLAGS_fuzz         := -O1 -g1 $(SANITIZE) -fsanitize=fuzzer-no-link -fno-omit-frame-pointer $(UNCONFINED)
LINK_asan          := $(SANITIZE)
LINK_tsan          := -fsanitize=thread
LINK_coverage      := --coverage
LINK_fuzz          := $(SANITIZE)
# Z3 is opened when it is needed, under the name that a program linked with it would note.
Z3_NAME := $(shell objdump -p "$$($(CC) -print-file-name=libz3.so)" 2>/dev/null | sed -n 's/^ *SONAME *//p')
LDLIBS             := -lpthread -ldl -ljansson
# The program has what it needs of jansson in it, where there is an archive: to load a library takes
# longer than most enumerations. Three of its names are ours as well (base/json.h).
JANSSON := $(filter /%,$(shell $(CC) -print-file-name=libjansson.a))
PROGRAM_LIBS := $(if $(JANSSON),$(OBJ)/jansson.a -lpthread -ldl,$(LDLIBS))

COMPILE     = $(CC) $(CSTD) $(WARN) $(SHAREABLE) $(FLAGS_$(MODE)) $(CFLAGS) $(INCLUDE)
COMPILE_GEN = $(CC) $(CSTD) $(GENWARN) $(SHAREABLE) $(FLAGS_$(MODE)) $(CFLAGS) $(INCLUDE)
LINK        = $(CC) $(FLAGS_$(MODE)) $(CFLAGS) $(LINK_$(MODE)) $(LDFLAGS)

SOURCES  := $(sort $(wildcard src/*/*.c))
HEADERS  := $(sort $(wildcard src/*/*.h))
GRAMMARS := $(sort $(wildcard grammar/*.y))
LEXERS   := $(sort $(wildcard grammar/*.l))
MODELS   := $(sort $(wildcard models/*.cat models/*/*.cat))
MACHINES := $(sort $(wildcard models/machines/*.machine))
DEFINITIONS := $(sort $(wildcard models/definitions/*.def))
MAPPINGS := $(sort $(wildcard models/mappings/*.map))
PLAYER   := $(sort $(wildcard src/report/page/*.css src/report/page/*.js))
GEN_C    := $(GRAMMARS:grammar/%.y=$(BUILD)/gen/%.tab.c) $(LEXERS:grammar/%.l=$(BUILD)/gen/%.lex.c) \
            $(BUILD)/gen/models_builtin.c $(BUILD)/gen/machines_builtin.c $(BUILD)/gen/definitions_builtin.c \
            $(BUILD)/gen/mappings_builtin.c $(BUILD)/gen/player_builtin.c $(BUILD)/gen/build_digest.c
OBJECTS  := $(SOURCES:src/%.c=$(OBJ)/%.o) $(GEN_C:$(BUILD)/gen/%.c=$(OBJ)/gen/%.o)
LIB      := $(OBJ)/objects.a
LIB_OBJ  := $(filter-out $(OBJ)/cli/main.o,$(OBJECTS))
API_OBJ  := $(filter $(OBJ)/api/%,$(OBJECTS))
VERSION  := $(shell sed -n 's/^.define CRASHLIT_VERSION "\(.*\)"/\1/p' src/ask/ask_options.h)
# Grows with each incompatible change of include/crashlit.h.
SONAME   := libcrashlit.so.0
LIBRARIES := $(OBJ)/$(SONAME) $(OBJ)/libcrashlit.a

UNIT_OBJ   := $(patsubst %.c,$(OBJ)/%.o,$(sort $(wildcard tests/unit/*.c)))
ORACLE_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(sort $(wildcard tests/oracle/*.c)))
FUZZERS    := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
# All but those of the library and of the language server need the readers alone, and these are half of what there is to compile.
PARSERS    := $(filter-out fuzz_api fuzz_lsp,$(FUZZERS))
PARSER_LIB := $(OBJ)/parsers.a
PARSER_OBJ := $(filter $(foreach folder,base rel cat litmus exec engine machine gen,$(OBJ)/$(folder)/%),$(OBJECTS))
UNIT    := $(OBJ)/tests/unit/unit
ORACLE  := $(OBJ)/tests/oracle/oracle
VERIFY  := $(OBJ)/tests/corpus/corpus_verify
MEASURE := $(OBJ)/tests/bench/measure
STATES  := $(OBJ)/tests/bench/machine_states
REDUCE  := $(OBJ)/tests/corpus/reduce_verify
CHAINS  := $(OBJ)/tests/corpus/chains_verify
SYMMETRY := $(OBJ)/tests/corpus/symmetry_verify
PLACE   := $(OBJ)/tests/corpus/place_verify
EXHAUSTIVE := $(OBJ)/tests/corpus/exhaustive_verify
REPLAYS := $(FUZZERS:%=$(OBJ)/tests/fuzz/replay_%)

# V=1 shows whole command lines.
Q := $(if $(V),,@)

# A make of another mode, or of a target that needs `make deps` to have run.
SUBMAKE = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

# ---- Build ------------------------------------------------------------------

.PHONY: all
all: $(OBJ)/crashlit $(LIBRARIES) $(if $(filter release,$(MODE)),$(BUILD)/crashlit)

$(BUILD)/crashlit: $(BUILD)/release/crashlit
	cp $< $@.new && mv $@.new $@

# What it calls in libraries is looked up once, before it makes workers, of which each would look it up anew.
$(OBJ)/crashlit: $(OBJ)/cli/main.o $(LIB) $(filter %.a,$(PROGRAM_LIBS))
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -Wl,-z,now -o $@ $(OBJ)/cli/main.o $(LIB) $(PROGRAM_LIBS)

$(OBJ)/jansson.a: $(JANSSON)
	@mkdir -p $(@D)
	$(Q)objcopy $(foreach name,object array string,--redefine-sym json_$(name)=jansson_$(name)) $< $@

$(LIB): $(LIB_OBJ) $(OBJ)/sources.list
	$(if $(Q),@echo " AR    $@")
	$(Q)rm -f $@ && ar rcs $@ $(LIB_OBJ)

# Both hold what the library needs of the objects, and show what is declared as CRASHLIT_API.
$(OBJ)/$(SONAME): $(LIB)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME),--gc-sections -o $@ $(API_OBJ) $(LIB) $(LDLIBS)

$(OBJ)/libcrashlit.a: $(LIB)
	$(if $(Q),@echo " AR    $@")
	$(Q)$(CC) -r -nostdlib -o $(OBJ)/libcrashlit.o $(API_OBJ) $(LIB)
	$(Q)objcopy --localize-hidden $(OBJ)/libcrashlit.o
	$(Q)rm -f $@ && ar rcs $@ $(OBJ)/libcrashlit.o

# What the compiler says of a file stays beside its object, for the step `warnings`.
SAID = 2>$(@:.o=.said); status=$$?; cat $(@:.o=.said) >&2; exit $$status
$(OBJ)/%.o: src/%.c $(OBJ)/flags.list
	@mkdir -p $(@D)
	$(if $(Q),@echo " CC    $@")
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $< $(SAID)

$(OBJ)/smt/smt_library.o: private CFLAGS += $(Z3_NAME:%=-DCRASHLIT_Z3='"%"')

$(OBJ)/tests/%.o: tests/%.c $(OBJ)/flags.list
	@mkdir -p $(@D)
	$(if $(Q),@echo " CC    $@")
	$(Q)$(COMPILE) -Itests/unit -MMD -MP -c -o $@ $< $(SAID)

# Unit tests are soon run, and long to optimise.
$(UNIT_OBJ): private CFLAGS += $(if $(filter release,$(MODE)),-O1)

$(OBJ)/gen/%.o: $(BUILD)/gen/%.c $(OBJ)/flags.list
	@mkdir -p $(@D)
	$(if $(Q),@echo " CC    $@")
	$(Q)$(COMPILE_GEN) -MMD -MP -c -o $@ $< $(SAID)

# Rewritten only when their line changes: other flags rebuild all objects, or parsers and scanners; a
# file that came or went rebuilds the library.
.PHONY: force
$(OBJ)/flags.list: force
	@mkdir -p $(@D); echo '$(COMPILE) 2>said' | cmp -s - $@ || echo '$(COMPILE) 2>said' > $@
$(OBJ)/sources.list: force
	@mkdir -p $(@D); echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' > $@
$(BUILD)/gen/flags.list: force
	@mkdir -p $(@D); echo '$(BISON) $(FLEX)' | cmp -s - $@ || echo '$(BISON) $(FLEX)' > $@

BISON := bison -Wall -Wcounterexamples -Werror
FLEX  := flex -Cfe

$(BUILD)/gen/%.tab.c $(BUILD)/gen/%.tab.h: grammar/%.y $(BUILD)/gen/flags.list
	@mkdir -p $(@D)
	@command -v bison >/dev/null || { echo "bison is missing: run \`make deps\`" >&2; exit 1; }
	$(if $(Q),@echo " BISON $@")
	$(Q)$(BISON) -o $(BUILD)/gen/$*.tab.c --header=$(BUILD)/gen/$*.tab.h $<

$(BUILD)/gen/%.lex.c $(BUILD)/gen/%.lex.h: grammar/%.l $(BUILD)/gen/flags.list
	@mkdir -p $(@D)
	@command -v flex >/dev/null || { echo "flex is missing: run \`make deps\`" >&2; exit 1; }
	$(if $(Q),@echo " FLEX  $@")
	$(Q)$(FLEX) -o $(BUILD)/gen/$*.lex.c --header-file=$(BUILD)/gen/$*.lex.h $<

# What workers may not do is found out once, by a program for this kind of machine.
FILTER := $(BUILD)/gen/run_filter.h
$(FILTER): tools/sandbox_filter.c
	@mkdir -p $(@D)
	$(if $(Q),@echo " GEN   $@")
	$(Q)$(CC) $(CSTD) $(WARN) -o $(BUILD)/gen/sandbox_filter $< -lseccomp
	$(Q)$(BUILD)/gen/sandbox_filter > $@.new && mv $@.new $@

$(BUILD)/gen/models_builtin.c: tools/embed-models.sh $(MODELS)
	@mkdir -p $(@D)
	sh tools/embed-models.sh models $(MODELS) > $@.new && mv $@.new $@

$(BUILD)/gen/machines_builtin.c: tools/embed-models.sh $(MACHINES)
	@mkdir -p $(@D)
	KIND=mach sh tools/embed-models.sh models $(MACHINES) > $@.new && mv $@.new $@

$(BUILD)/gen/definitions_builtin.c: tools/embed-models.sh $(DEFINITIONS)
	@mkdir -p $(@D)
	KIND=lit sh tools/embed-models.sh models $(DEFINITIONS) > $@.new && mv $@.new $@

$(BUILD)/gen/mappings_builtin.c: tools/embed-models.sh $(MAPPINGS)
	@mkdir -p $(@D)
	KIND=map sh tools/embed-models.sh models $(MAPPINGS) > $@.new && mv $@.new $@

$(BUILD)/gen/player_builtin.c: tools/embed-models.sh $(PLAYER)
	@mkdir -p $(@D)
	KIND=player sh tools/embed-models.sh src/report/page $(PLAYER) > $@.new && mv $@.new $@

# Rewritten when some file of these is another, came or went. Steps that run at once make it at once: each has a file of its own.
BUILT_FROM := $(sort $(SOURCES) $(HEADERS) $(wildcard src/*/*.def) $(GRAMMARS) $(LEXERS) $(MODELS) $(MACHINES) \
              $(DEFINITIONS) $(MAPPINGS))
$(BUILD)/gen/build_digest.c: force
	@mkdir -p $(@D)
	@new=$@.$$$$ && sh tools/build-digest.sh $(BUILT_FROM) > $$new && \
	    if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi

# Any source may include a generated header.
$(OBJECTS) $(UNIT_OBJ): | $(GEN_C) $(FILTER)

# What allocates goes through tests/unit/heap.h.
WRAPPED := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
$(UNIT): $(UNIT_OBJ) $(LIB)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) $(WRAPPED) -o $@ $(UNIT_OBJ) $(LIB) -lcunit -lm $(LDLIBS)

# Without the library: it must not share code with what it checks.
$(OBJ)/tests/oracle/oracle: $(ORACLE_OBJ)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $(ORACLE_OBJ) -ljansson

$(VERIFY): $(OBJ)/tests/corpus/corpus_verify.o
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $< -ljansson

$(MEASURE): $(OBJ)/tests/bench/measure.o
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $<

$(STATES) $(REDUCE) $(CHAINS) $(SYMMETRY) $(PLACE) $(EXHAUSTIVE): %: %.o $(LIB)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# A fuzz target with a main of its own, which runs the files it is given.
$(OBJ)/tests/fuzz/replay_fuzz_%: $(OBJ)/tests/fuzz/fuzz_%.o $(OBJ)/tests/fuzz/replay.o $(LIB)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# The same targets under libFuzzer (MODE=fuzz).
$(PARSER_LIB): $(PARSER_OBJ) $(OBJ)/sources.list
	$(if $(Q),@echo " AR    $@")
	$(Q)rm -f $@ && ar rcs $@ $(PARSER_OBJ)
$(OBJ)/tests/fuzz/fuzz_api $(OBJ)/tests/fuzz/fuzz_lsp: $(LIB)
$(PARSERS:%=$(OBJ)/tests/fuzz/%): $(PARSER_LIB)
$(FUZZERS:%=$(OBJ)/tests/fuzz/%): %: %.o
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $< $(filter %.a,$^) $(LDLIBS)

.SECONDARY:
-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

# ---- For users --------------------------------------------------------------

.PHONY: help deps demo install uninstall deb clean
help:
	@sh tools/make-help.sh

deps:
	@CC='$(CC)' sh tools/deps.sh

demo: deps
	+@$(SUBMAKE) all
	@CRASHLIT=$(BUILD)/crashlit sh tools/demo.sh

# BINDIR, LIBDIR and so on as tools/install-files.sh has them, when they are not below PREFIX.
INSTALL = PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' OBJ=$(OBJ) VERSION=$(VERSION) SONAME=$(SONAME) sh tools/install-files.sh
install: all
	@$(INSTALL) install
uninstall:
	@$(INSTALL) uninstall
deb: all
	@OBJ=$(OBJ) VERSION=$(VERSION) SONAME=$(SONAME) OUT=$(BUILD) sh tools/deb.sh

clean:
	rm -rf $(BUILD)

# ---- Tests ------------------------------------------------------------------
#
# A step is a target that ends with a line `N passed, N failed`. tools/check.sh
# runs steps, adds up their lines and prints the sum last. Steps run at once share what `build` has made before,
# and have work folders of their own.

STEPS_FAST := tools unit layers layout headers malformed corpus mappings shapes decide command hostile trust runs signals limits machine-threads explain narrow tables generate distinguish formats editors peers lessons docs
# What takes longest begins first.
STEPS      := asan-steps crosscheck machines keeps symmetry fuzz-smoke formats unit limits recipes reduce command fuzz-replay explain refines pipelines campaign-smoke models verdicts contended warnings chains place oracle install-check cluster observer mechanisms operational $(filter-out formats unit limits command explain,$(STEPS_FAST))
STEPS_LONG := $(STEPS_FAST) generated exhaustive cluster observer-long mechanisms-long operational-long refines-long crosscheck-long chains mappings-long machines-long keeps-long pipelines-long models-long verdicts-long contended-long oracle-long reduce-long symmetry-long place-long tables-long recipes-long install-check warnings warnings-long asan tsan fuzz-replay fuzz campaign web-test-long fresh fresh-more

RUN_STEPS = @RUN_MAKE='$(SUBMAKE)' LOGS=$(BUILD)/logs sh tools/check.sh

.PHONY: check check-fast check-long
check: deps
	+$(RUN_STEPS) build build-asan -- $(STEPS)
check-fast: deps
	+$(RUN_STEPS) build -- $(STEPS_FAST)
check-long: deps
	+$(RUN_STEPS) build build-asan $(STEPS_LONG)

.PHONY: build build-asan programs
build:
	+@$(SUBMAKE) programs && echo "1 passed, 0 failed"
build-asan:
	+@$(SUBMAKE) MODE=asan build
programs: all objects $(UNIT) $(ORACLE) $(VERIFY) $(REDUCE) $(CHAINS) $(SYMMETRY) $(PLACE) $(EXHAUSTIVE) $(OBJ)/tests/package/threads $(if $(filter asan,$(MODE)),$(REPLAYS))

# Sanitizers take memory of their own, and time: once is enough of what is run again for other reasons than memory.
UNBOUNDED = $(if $(filter asan tsan,$(MODE)),MEMORY_UNBOUNDED=1)
ONCE      = $(if $(filter asan tsan,$(MODE)),ONCE=1)
# Scripts find no programs but those that every machine has once `make deps` has run.
SCRIPT_ENV = PROGRAMS_PATH="$${PROGRAMS_PATH:-$$PATH}" PATH="$$(sh tools/programs.sh '$(CURDIR)/$(BUILD)/programs')" \
             WORK=$(OBJ)/work/$@
TEST_ENV = $(SCRIPT_ENV) CRASHLIT=$(OBJ)/crashlit VERIFY=$(VERIFY)

# Random programs of the oracle.
ORACLE_COUNT ?= 300
ORACLE_LONG  ?= 20000
# Random models, each for every test of tests/corpus/models.sh.
MODELS_COUNT ?= 30
MODELS_LONG  ?= 1500
# Random models of the sort that users write, each with random tests with a recovery; the short run
# begins with two whose livelocks are seen in few ways.
VERDICTS_FIRST ?= 1020
VERDICTS_COUNT ?= 4
VERDICTS_LONG  ?= 400
# Random models that say who reads from what, each with random tests whose work-items contend for a location; those
# that show the flaws named in docs/inside/testing.md are among the first 80.
CONTENDED_COUNT ?= 80
CONTENDED_LONG  ?= 3000
# Random programs on which the engines are compared.
CROSS_COUNT ?= 100
CROSS_LONG  ?= 3000
# Random programs on which machines are held against models.
MACHINES_COUNT ?= 2200
MACHINES_LONG  ?= 40000
# Random programs of each mechanism of which every state has to be shown, or to be forbidden by what machines keep.
KEEPS_COUNT ?= 40
KEEPS_LONG  ?= 1000
KEEPS_SEED  ?= 1

.PHONY: unit corpus shapes mappings mappings-long decide peers malformed command hostile trust runs signals limits machine-threads explain narrow narrowest repairs tables tables-long generate generated exhaustive distinguish formats editors lessons docs models models-long verdicts verdicts-long contended contended-long oracle oracle-long crosscheck limits \
        crosscheck-long machines machines-long keeps keeps-long promote list
# UNIT_FLAGS=--light leaves out what takes long.
unit: $(UNIT)
	@$(UNIT) $(UNIT_FLAGS) $(SUITES)
corpus: $(OBJ)/crashlit $(VERIFY)
	@$(TEST_ENV) $(ONCE) TEXT_FOLDER=$(TEXT_FOLDER) sh tests/corpus/corpus.sh litmus
shapes: $(OBJ)/crashlit
	@$(SCRIPT_ENV) sh -c 'exec python3 tests/corpus/shapes.py $< "$$WORK"'
# Random programs for each promise of a mapping.
MAPPINGS_COUNT ?= 2
MAPPINGS_SEED  ?= 1
MAPPINGS_LONG  ?= 100
# Tests of litmus/ for each, listed as counterexamples and others; 0: all.
MAPPINGS_SOURCES ?= 4
mappings: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/mappings.sh
	@python3 tests/corpus/mappings_judge.py judge $< $(OBJ)/work/$@ $(MAPPINGS_COUNT) $(MAPPINGS_SEED)
	@python3 tests/corpus/mappings_sources.py $< $(MAPPINGS_SOURCES) $(MAPPINGS_SEED)
mappings-long:
	+@$(SUBMAKE) mappings MAPPINGS_COUNT=$(MAPPINGS_LONG) MAPPINGS_SOURCES=0
decide: $(OBJ)/crashlit $(MEASURE)
	@$(TEST_ENV) MEASURE=$(MEASURE) sh tests/corpus/decide.sh litmus
malformed: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/malformed.sh
command: $(OBJ)/crashlit
	@$(TEST_ENV) $(UNBOUNDED) sh tests/corpus/command.sh
hostile: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/hostile.sh
trust: $(OBJ)/crashlit
	@$(TEST_ENV) $(UNBOUNDED) sh tests/corpus/trust.sh
runs: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/runs.sh
SIGNALS_COUNT ?= 1
signals: $(OBJ)/crashlit
	@$(TEST_ENV) sh -c 'exec python3 tests/corpus/signals.py "$$WORK" $(SIGNALS_COUNT)'
limits: $(OBJ)/crashlit
	@$(TEST_ENV) $(UNBOUNDED) sh tests/corpus/limits.sh
machine-threads: $(OBJ)/crashlit
	@$(TEST_ENV) $(UNBOUNDED) sh tests/corpus/machine_threads.sh
cluster: $(OBJ)/crashlit
	@CRASHLIT=$(OBJ)/crashlit sh tests/cluster/slurm.sh
peers: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/peers.sh
explain: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/explain.sh
narrow: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/narrow.sh
generate: $(OBJ)/crashlit $(EXHAUSTIVE) $(ORACLE)
	@$(TEST_ENV) EXHAUSTIVE=$(EXHAUSTIVE) ORACLE=$(ORACLE) sh tests/corpus/generate.sh
# Every program up to larger bounds; SHARD=I/N, RESUME=1, ROWS=PATTERN, OTHERS=FOLDER as tests/corpus/exhaustive.sh says.
exhaustive: $(EXHAUSTIVE) $(ORACLE) $(OBJ)/crashlit $(UNIT)
	@GEN_TELLING=long $(UNIT) gen_telling
	@$(TEST_ENV) sh tests/corpus/exhaustive.sh $(EXHAUSTIVE) $(ORACLE)
# All of litmus/generated, made again.
generated: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/generated.sh
distinguish: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/distinguish.sh
editors: $(OBJ)/crashlit
	@$(TEST_ENV) EDITORS='$(CURDIR)/$(EDITORS)' sh tests/editors/editors.sh
# Grammars and an extension for editors; docs/using/editors.md.
EDITORS := $(BUILD)/editors
.PHONY: tree-sitter vscode editors-deps grammars
editors-deps: deps
	@sh editors/editors-deps.sh
tree-sitter:
	@sh editors/tree-sitter.sh $(EDITORS)/tree-sitter
vscode:
	@sh editors/vscode/package.sh $(EDITORS)/vscode
# What is made of the list of words, src/lsp/lsp_words.def.
grammars:
	@python3 editors/grammars.py
# The tables of docs/results/narrowest.md and docs/results/repairs.md; and whether these have what is found now.
narrowest repairs: $(OBJ)/crashlit
	@python3 tests/corpus/place_tables.py $< $@
tables: $(OBJ)/crashlit
	@$(TEST_ENV) python3 tests/corpus/place_tables.py $< check quick
tables-long: $(OBJ)/crashlit
	@$(TEST_ENV) python3 tests/corpus/place_tables.py $< check
formats: $(OBJ)/crashlit
	@$(TEST_ENV) $(UNBOUNDED) sh tests/corpus/formats.sh
# The exercises of docs/tutorial.
lessons: $(OBJ)/crashlit
	@$(SCRIPT_ENV) sh -c 'exec python3 tests/corpus/lessons_check.py $< "$$WORK"'
docs: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/documents.sh
models: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/models.sh 1 $(MODELS_COUNT)
models-long: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/models.sh 1 $(MODELS_LONG)
verdicts: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/verdicts.sh $(VERDICTS_FIRST) $$(($(VERDICTS_FIRST) + $(VERDICTS_COUNT) - 1))
verdicts-long: $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/verdicts.sh 1 $(VERDICTS_LONG)
contended: $(SYMMETRY) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/contended.sh $(SYMMETRY) 1 $(CONTENDED_COUNT)
contended-long: $(SYMMETRY) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/contended.sh $(SYMMETRY) 1 $(CONTENDED_LONG)
oracle: $(ORACLE) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/oracle.sh $(ORACLE) $(ORACLE_COUNT)
oracle-long: $(ORACLE) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/oracle.sh $(ORACLE) $(ORACLE_LONG)
crosscheck: $(ORACLE) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/crosscheck.sh $(ORACLE) $(CROSS_COUNT)
crosscheck-long: $(ORACLE) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/crosscheck.sh $(ORACLE) $(CROSS_LONG)
machines: $(ORACLE) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/machines.sh $(ORACLE) $(MACHINES_COUNT)
machines-long: $(ORACLE) $(OBJ)/crashlit
	@$(TEST_ENV) sh tests/corpus/machines.sh $(ORACLE) $(MACHINES_LONG) all
keeps: $(OBJ)/crashlit
	@python3 tests/corpus/keeps.py check $< $(OBJ)/work/$@ $(KEEPS_COUNT) $(KEEPS_SEED)
keeps-long: $(OBJ)/crashlit
	@python3 tests/corpus/keeps.py check $< $(OBJ)/work/$@ $(KEEPS_LONG) $(KEEPS_SEED) all

# Random programs whose persists are held to what an observer sees.
OBSERVER_COUNT ?= 300
OBSERVER_SEED  ?= 1
OBSERVER_LONG  ?= 5000

.PHONY: observer observer-long
observer: $(OBJ)/crashlit
	@python3 tests/corpus/observer.py $< $(OBJ)/work/$@ $(OBSERVER_COUNT) $(OBSERVER_SEED)
observer-long:
	+@$(SUBMAKE) observer OBSERVER_COUNT=$(OBSERVER_LONG)

# Random programs on which the models of x86 and of Lin et al. are held to encodings of their own.
MECHANISMS_COUNT ?= 300
MECHANISMS_SEED  ?= 1
MECHANISMS_LONG  ?= 4000

.PHONY: mechanisms mechanisms-long
mechanisms: $(OBJ)/crashlit
	@python3 tests/corpus/mechanisms.py $< $(OBJ)/work/$@ $(MECHANISMS_COUNT) $(MECHANISMS_SEED)
mechanisms-long:
	+@$(SUBMAKE) mechanisms MECHANISMS_COUNT=$(MECHANISMS_LONG)

# Random programs on which engines, with the least thresholds too, are held to machines that go step by step.
OPERATIONAL_COUNT ?= 12
OPERATIONAL_SEED  ?= 1
OPERATIONAL_LONG  ?= 420

.PHONY: operational operational-long
operational: $(OBJ)/crashlit
	@python3 tests/corpus/operational.py $< $(OBJ)/work/$@ $(OPERATIONAL_COUNT) $(OPERATIONAL_SEED)
operational-long:
	+@$(SUBMAKE) operational OPERATIONAL_COUNT=$(OPERATIONAL_LONG)

# Random pipeline machines held to an interpreter of their files, and random programs on which built-in ones are held
# to the models that they promise.
PIPELINES_COUNT         ?= 60
PIPELINES_STATES        ?= 400
PIPELINES_PROGRAMS      ?= 100
PIPELINES_LONG          ?= 1000
PIPELINES_STATES_LONG   ?= 4000
PIPELINES_PROGRAMS_LONG ?= 5000
PIPELINES_SEED          ?= 1
PIPELINES               ?= all

.PHONY: pipelines pipelines-long
pipelines: $(OBJ)/crashlit
	@python3 tests/corpus/pipeline.py $(PIPELINES) $< $(OBJ)/work/$@ $(PIPELINES_COUNT) $(PIPELINES_STATES) $(PIPELINES_PROGRAMS) $(PIPELINES_SEED)
pipelines-long:
	+@$(SUBMAKE) pipelines PIPELINES_COUNT=$(PIPELINES_LONG) PIPELINES_STATES=$(PIPELINES_STATES_LONG) PIPELINES_PROGRAMS=$(PIPELINES_PROGRAMS_LONG)

# Tests held against tests, to the states that are listed of both.
REFINES_COUNT ?= 10
REFINES_SEED  ?= 1
REFINES_LONG  ?= 300
# The tests; the long run takes all, and listing these under seven pairs is what costs.
REFINES_TESTS ?= $(addprefix litmus/,spb px86 recovery strand acknowledged transactions tags mappings)

.PHONY: refines refines-long
refines: $(OBJ)/crashlit
	@python3 tests/corpus/refines.py $< $(REFINES_COUNT) $(REFINES_SEED) $(REFINES_TESTS)
refines-long:
	+@$(SUBMAKE) refines REFINES_COUNT=$(REFINES_LONG) REFINES_TESTS=litmus

# Random programs with a recovery whose chains are replayed.
CHAINS_COUNT ?= 60
# Random programs on which machines are compared with and without their reduction.
REDUCE_COUNT ?= 24
REDUCE_LONG  ?= 600
PLACE_COUNT ?= 400
PLACE_LONG  ?= 6000
SYMMETRY_COUNT ?= 100
SYMMETRY_LONG  ?= 3000

.PHONY: chains reduce reduce-long symmetry symmetry-long place place-long
place: $(PLACE)
	@$(TEST_ENV) sh tests/corpus/place.sh $(PLACE) $(PLACE_COUNT)
place-long: $(PLACE)
	@$(TEST_ENV) sh tests/corpus/place.sh $(PLACE) $(PLACE_LONG)
chains: $(ORACLE) $(CHAINS)
	@$(TEST_ENV) sh tests/corpus/chains.sh $(ORACLE) $(CHAINS) $(CHAINS_COUNT)
symmetry: $(SYMMETRY)
	@$(TEST_ENV) sh tests/corpus/symmetry.sh $(SYMMETRY) $(SYMMETRY_COUNT)
symmetry-long: $(SYMMETRY)
	@$(TEST_ENV) sh tests/corpus/symmetry.sh $(SYMMETRY) $(SYMMETRY_LONG) all

reduce: $(ORACLE) $(REDUCE)
	@$(TEST_ENV) sh tests/corpus/reduce.sh $(ORACLE) $(REDUCE) $(REDUCE_COUNT)
reduce-long: $(ORACLE) $(REDUCE)
	@$(TEST_ENV) sh tests/corpus/reduce.sh $(ORACLE) $(REDUCE) $(REDUCE_LONG)

# Takes the present output as the expected one; read the difference before committing.
promote: $(OBJ)/crashlit
	@$(TEST_ENV) PROMOTE=1 sh tests/corpus/malformed.sh

list: $(UNIT)
	@echo "steps:  $(STEPS)"
	@echo "suites: $$($(UNIT) --list | tr '\n' ' ')"
	@echo "fuzz:   $(FUZZERS)"
	@find litmus -name '*.litmus' | sort

# The same objects as the libraries, so that a sanitizer sees what threads do.
THREADS := $(OBJ)/tests/package/threads
$(THREADS): $(OBJ)/tests/package/threads.o $(LIB)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

.PHONY: install-check threads
install-check: all $(THREADS)
	@$(TEST_ENV) OBJ=$(OBJ) VERSION=$(VERSION) SONAME=$(SONAME) MAKE='$(MAKE)' sh tests/package/install.sh
threads: $(THREADS)
	@if $(THREADS); then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; exit 1; fi

# The README's two commands on a bare system, as root and as another user; its folder takes some 5 GB.
.PHONY: fresh fresh-more
fresh:
	@sh tests/fresh/fresh.sh
# What needs more than `make deps` installs: the playground, and all that is for editors.
fresh-more:
	@FRESH_STEPS="web-deps web-dist web-test editors-deps tree-sitter vscode editors" FRESH_USERS=user FRESH_LOGS=$(BUILD)/logs/fresh-more sh tests/fresh/fresh.sh

# The recipes of docs/inside/recipes.md, each to its worked example in a copy of the tree; RECIPES="machine model" for some, and
# each in a copy of its own in the long run.
.PHONY: recipes recipes-long
RECIPES_ENV = $(TEST_ENV) UNIT=$(UNIT) RUN_MAKE='$(SUBMAKE) -s'
recipes: $(OBJ)/crashlit $(UNIT)
	+@$(RECIPES_ENV) sh tests/recipes/recipes.sh
recipes-long: $(OBJ)/crashlit $(UNIT)
	+@for patch in tests/recipes/*.patch; do \
	    RECIPES=$$(basename $$patch .patch) && export RECIPES && $(RECIPES_ENV) sh tests/recipes/recipes.sh; \
	done | awk '/^[0-9]+ passed, [0-9]+ failed$$/ { good += $$1; bad += $$3; next } { print } \
	            END { print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 || !good }'

.PHONY: tools layers headers layout warnings warnings-long format tidy
tools:
	@$(SCRIPT_ENV) sh tests/tools/tools.sh
layers:
	@$(SCRIPT_ENV) sh tools/layers.sh
headers: $(GEN_C)
	@$(SCRIPT_ENV) COMPILE='$(COMPILE) -Werror' sh tools/headers.sh $(HEADERS) include/crashlit.h tests/unit/unit.h
WARNED := $(OBJECTS) $(UNIT_OBJ) $(ORACLE_OBJ)
warnings: $(WARNED)
	@COMPILE='clang $(CSTD) $(WARN) $(INCLUDE) -Itests/unit' COMPILE_GEN='clang $(CSTD) $(GENWARN) $(INCLUDE)' \
	    sh tools/warnings.sh $(WARNED:.o=.said) $(SOURCES) $(wildcard tests/unit/*.c tests/oracle/*.c tools/*.c) $(GEN_C)
# Optimised otherwise than the program is, by both compilers.
warnings-long:
	+@for compiler in gcc clang; do $(SUBMAKE) -k MODE=strict-$$compiler objects && echo "1 passed, 0 failed" || echo "0 passed, 1 failed"; done | \
	    awk '/^[0-9]+ passed, [0-9]+ failed$$/ { good += $$1; bad += $$3; next } { print } \
	         END { print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 || !good }'
.PHONY: objects
objects: $(WARNED)
LAYOUT   := clang-format-14
LAID_OUT  = $(SOURCES) $(HEADERS) $(wildcard include/*.h examples/*.c tests/*/*.c tests/*/*.h tools/*.c web/wasm/*.[ch])
format:
	$(LAYOUT) -i $(LAID_OUT)
layout:
	@$(SCRIPT_ENV) LAYOUT=$(LAYOUT) sh tools/layout.sh $(LAID_OUT)
tidy: $(GEN_C)
	clang-tidy --quiet $(SOURCES) -- $(CSTD) $(INCLUDE)

# ---- The same steps in other modes ------------------------------------------

# Of thread-local memory that __tls_get_addr gives, gcc 12's leak sanitizer guesses from its address whether a header is
# before it, and reads what is none. No library is opened late here: all such memory is static, and is looked at anyway.
export ASAN_OPTIONS ?= detect_leaks=1:abort_on_error=0:intercept_tls_get_addr=0
export UBSAN_OPTIONS ?= print_stacktrace=1
export TSAN_OPTIONS  ?= halt_on_error=1

.PHONY: asan asan-steps tsan coverage
asan:
	+@$(SUBMAKE) MODE=asan LOGS=asan MAPPINGS_COUNT=1 MAPPINGS_SOURCES=1 sanitized \
	    STEPS_SANITIZED="$(filter-out tools layers layout headers,$(STEPS_FAST)) oracle fuzz-replay"
asan-steps:
	+@$(SUBMAKE) MODE=asan UNIT_FLAGS=--light TEXT_FOLDER=/spb sanitized STEPS_SANITIZED="unit malformed corpus hostile editors"
tsan:
	+@$(SUBMAKE) MODE=tsan UNIT_FLAGS=--light sanitized STEPS_SANITIZED="unit corpus threads machine-threads"
.PHONY: sanitized
sanitized:
	+@RUN_MAKE='$(SUBMAKE)' LOGS=$(OBJ)/logs sh tools/check.sh build -- $(STEPS_SANITIZED)
coverage:
	+@rm -rf $(BUILD)/coverage && $(SUBMAKE) MODE=coverage sanitized \
	    STEPS_SANITIZED="unit malformed corpus command docs" ; sh tools/coverage.sh $(BUILD)/coverage

# ---- Fuzzing ----------------------------------------------------------------

FUZZ_SECONDS  ?= 600
SMOKE_SECONDS ?= 3

.PHONY: fuzz fuzz-smoke fuzz-replay replay
replay: $(REPLAYS)
	@$(SCRIPT_ENV) sh tests/corpus/replay.sh $(REPLAYS)
fuzz-replay:
	+@$(SUBMAKE) MODE=asan replay
fuzz:
	+@RUN_MAKE='$(SUBMAKE)' SECONDS_EACH=$(FUZZ_SECONDS) sh tools/fuzz.sh $(FUZZERS)
fuzz-smoke:
	+@RUN_MAKE='$(SUBMAKE)' SECONDS_EACH=$(SMOKE_SECONDS) sh tools/fuzz.sh $(PARSERS)

# Mutated inputs through the whole program, under sanitizers.
CAMPAIGN_COUNT ?= 800
CAMPAIGN_LONG  ?= 10000
CAMPAIGN_SEED  ?= 1

.PHONY: campaign campaign-smoke mutants
campaign:
	+@$(SUBMAKE) MODE=asan CAMPAIGN_COUNT=$(CAMPAIGN_LONG) mutants
campaign-smoke:
	+@$(SUBMAKE) MODE=asan mutants
mutants: $(OBJ)/crashlit $(OBJ)/tests/fuzz/replay_fuzz_api
	@$(UNBOUNDED) python3 tests/fuzz/campaign.py $< $(OBJ)/work/$@ $(CAMPAIGN_COUNT) $(CAMPAIGN_SEED)

# ---- Benchmarks -------------------------------------------------------------

BENCH_ENV = CRASHLIT=$(OBJ)/crashlit MEASURE=$(MEASURE) WORK=$(OBJ)/bench

# The example of the library, whose one thread valgrind can count; links with the objects.
COUNTED := $(OBJ)/examples/check
$(COUNTED): examples/check.c $(LIB)
	@mkdir -p $(@D)
	$(Q)$(LINK) -Iinclude -o $@ $< $(API_OBJ) $(LIB) $(LDLIBS)

.PHONY: bench-generate bench-place bench-slide bench-record bench bench-corpus bench-peers bench-engines bench-recovery bench-scale bench-machine
bench: $(OBJ)/crashlit $(MEASURE) bench-slide
	@$(BENCH_ENV) sh tests/bench/bench.sh
# What runs cost beside what was recorded; bench-record takes the present figures.
bench-slide: $(OBJ)/crashlit $(MEASURE) $(COUNTED)
	@$(BENCH_ENV) COUNTED=$(COUNTED) sh tests/bench/bench_slide.sh
bench-record: $(OBJ)/crashlit $(MEASURE) $(COUNTED)
	@$(BENCH_ENV) COUNTED=$(COUNTED) sh tests/bench/bench_slide.sh record
# Fillings tried and seconds, beside those of trying all.
# All tests up to 4 accesses and 2 barriers of 2 work-items, 2 locations and 2 scopes: the minimal ones.
bench-generate: $(OBJ)/crashlit
	@sh tests/bench/bench_generate.sh $<
bench-place: $(PLACE)
	@$< -t tests/bench/place/*.litmus
bench-corpus: $(OBJ)/crashlit $(MEASURE)
	@$(BENCH_ENV) sh tests/bench/bench_corpus.sh
bench-peers: $(OBJ)/crashlit $(MEASURE)
	@$(BENCH_ENV) sh tests/bench/bench_peers.sh
bench-engines: $(OBJ)/crashlit $(MEASURE)
	@$(BENCH_ENV) sh tests/bench/bench_engines.sh
bench-recovery: $(OBJ)/crashlit $(MEASURE)
	@$(BENCH_ENV) BENCH_FAMILIES="$${BENCH_FAMILIES:-log-barriers log-epoch}" \
		sh tests/bench/bench_engines.sh
bench-scale: $(OBJ)/crashlit $(MEASURE)
	@$(BENCH_ENV) sh tests/bench/bench_scale.sh
bench-machine: $(STATES)
	@STATES=$(STATES) WORK=$(OBJ)/bench sh tests/bench/bench_machine.sh

# ---- The playground ---------------------------------------------------------

include web/web.mk
