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

# Modes that look for our own bugs have BASE_ASSERT compiled in (src/base/arena.h).
ASSERTED := -DCRASHLIT_ASSERT
# These need files and memory that a worker has no right to (src/run/run_confine.h).
UNCONFINED := -DCRASHLIT_UNCONFINED

FLAGS_release := -O3 -g1
FLAGS_debug        := -O0 -g -DCRASHLIT_LOG $(ASSERTED)
FLAGS_asan         := -O1 -g1 $(SANITIZE) -fno-omit-frame-pointer -Wno-format-truncation $(UNCONFINED) $(ASSERTED)
FLAGS_tsan         := -O1 -g1 -fsanitize=thread $(UNCONFINED) $(ASSERTED)
FLAGS_coverage     := -O0 -g --coverage $(UNCONFINED) $(ASSERTED)
FLAGS_strict-gcc   := -O2 -Werror
FLAGS_strict-clang := -O2 -Werror
FLAGS_fuzz         := -O1 -g1 $(SANITIZE) -fsanitize=fuzzer-no-link -fno-omit-frame-pointer $(UNCONFINED) $(ASSERTED)
LINK_asan          := $(SANITIZE)
LINK_tsan          := -fsanitize=thread
LINK_coverage      := --coverage
LINK_fuzz          := $(SANITIZE)
# Z3 is opened when it is needed, under the name that a program linked with it would note.
Z3_NAME := $(shell objdump -p "$$($(CC) -print-file-name=libz3.so)" 2>/dev/null | sed -n 's/^ *SONAME *//p')
LDLIBS             := -lpthread -ldl -ljansson
# The program has what it needs of jansson in it, where there is an archive: to load a library takes
# longer than most enumerations.
JANSSON := $(filter /%,$(shell $(CC) -print-file-name=libjansson.a))
PROGRAM_LIBS := $(if $(JANSSON),$(JANSSON) -lpthread -ldl,$(LDLIBS))

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
VOCABULARIES := $(sort $(wildcard models/*.vocabulary))
MAPPINGS := $(sort $(wildcard models/mappings/*.map))
LESSONS  := $(sort $(wildcard docs/tutorial/[0-9][0-9]-*.md))
PLAYER   := $(sort $(wildcard src/format/page/*.css src/format/page/*.js))
GEN_C    := $(GRAMMARS:grammar/%.y=$(BUILD)/gen/%.tab.c) $(LEXERS:grammar/%.l=$(BUILD)/gen/%.lex.c) \
            $(BUILD)/gen/models_builtin.c $(BUILD)/gen/machines_builtin.c $(BUILD)/gen/definitions_builtin.c \
            $(BUILD)/gen/vocabularies_builtin.c $(BUILD)/gen/mappings_builtin.c $(BUILD)/gen/lessons_builtin.c $(BUILD)/gen/player_builtin.c \
            $(BUILD)/gen/build_digest.c
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
PARSER_OBJ := $(filter $(foreach folder,base rel mdd litmus ptx cat mapping sketch exec engine machine pipeline fifo explore gen,$(OBJ)/$(folder)/%),$(OBJECTS))
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
TABLES  := $(OBJ)/tests/editors/tables
REPLAYS := $(FUZZERS:%=$(OBJ)/tests/fuzz/replay_%)

# V=1 shows whole command lines.
Q := $(if $(V),,@)

# A make of another mode, or of a target that needs `make deps` or `make check-deps` to have run.
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

$(OBJ)/tests/%.o: tests/%.c $(OBJ)/flags.list | $(BUILD)/need-check
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
$(OBJ)/flags.list: force | $(BUILD)/need-program
	@mkdir -p $(@D); echo '$(COMPILE) 2>said' | cmp -s - $@ || echo '$(COMPILE) 2>said' > $@
$(OBJ)/sources.list: force
	@mkdir -p $(@D); echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' > $@
$(BUILD)/gen/flags.list: force | $(BUILD)/need-program
	@mkdir -p $(@D); echo '$(BISON) $(FLEX)' | cmp -s - $@ || echo '$(BISON) $(FLEX)' > $@

# Found once: what it takes to build the program, its tests, the playground.
$(BUILD)/need-%:
	@mkdir -p $(@D); CC='$(CC)' sh tools/deps.sh --need $* && touch $@

BISON := bison -Wall -Wcounterexamples -Werror
FLEX  := flex -Cfe

$(BUILD)/gen/%.tab.c $(BUILD)/gen/%.tab.h: grammar/%.y $(BUILD)/gen/flags.list
	@mkdir -p $(@D)
	$(if $(Q),@echo " BISON $@")
	$(Q)$(BISON) -o $(BUILD)/gen/$*.tab.c --header=$(BUILD)/gen/$*.tab.h $<

$(BUILD)/gen/%.lex.c $(BUILD)/gen/%.lex.h: grammar/%.l $(BUILD)/gen/flags.list
	@mkdir -p $(@D)
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

$(BUILD)/gen/vocabularies_builtin.c: tools/embed-models.sh $(VOCABULARIES)
	@mkdir -p $(@D)
	KIND=gen sh tools/embed-models.sh models $(VOCABULARIES) > $@.new && mv $@.new $@

$(BUILD)/gen/mappings_builtin.c: tools/embed-models.sh $(MAPPINGS)
	@mkdir -p $(@D)
	KIND=map sh tools/embed-models.sh models $(MAPPINGS) > $@.new && mv $@.new $@

$(BUILD)/gen/lessons_builtin.c: tools/embed-models.sh $(LESSONS)
	@mkdir -p $(@D)
	KIND=lesson sh tools/embed-models.sh docs/tutorial $(LESSONS) > $@.new && mv $@.new $@

$(BUILD)/gen/player_builtin.c: tools/embed-models.sh $(PLAYER)
	@mkdir -p $(@D)
	KIND=player sh tools/embed-models.sh src/format/page $(PLAYER) > $@.new && mv $@.new $@

# Rewritten when some file of these is another, came or went, or the commit is another. Steps that run at once make it at once: each has a file of its own.
BUILT_FROM := $(sort $(SOURCES) $(HEADERS) $(wildcard src/*/*.def) $(GRAMMARS) $(LEXERS) $(MODELS) $(MACHINES) \
              $(DEFINITIONS) $(MAPPINGS) $(LESSONS))
$(BUILD)/gen/build_digest.c: force
	@mkdir -p $(@D)
	@new=$@.$$$$ && sh tools/build-digest.sh $@ '$(VERSION)' $(BUILT_FROM) > $$new && \
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

# The independent checker, in OCaml, in the order in which its modules use each other. Without OCaml there is none, and
# its step says so.
CHECKER := $(OBJ)/checker/crashlit-check
CHECKER_SOURCES := $(patsubst %,checker/%.ml,rel value lexer program parse run skeleton cat bounds choice cuts question decide certificate make main)
$(CHECKER): $(CHECKER_SOURCES)
	$(if $(Q),@echo " OCAML $@")
	$(Q)mkdir -p $(@D) && if command -v ocamlopt >/dev/null; then \
	    cp $^ $(@D) && cd $(@D) && ocamlopt -inline 100 -w +a-4-9-40-41-42-44-45-70 -warn-error +a -o crashlit-check $(notdir $^); fi
# It is installed where it is.
ifeq ($(MODE),release)
all: $(if $(shell command -v ocamlopt),$(CHECKER))
endif

$(VERIFY): $(OBJ)/tests/corpus/corpus_verify.o
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $< -ljansson

$(MEASURE): $(OBJ)/tests/bench/measure.o
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $<

$(STATES) $(REDUCE) $(CHAINS) $(SYMMETRY) $(PLACE) $(EXHAUSTIVE): %: %.o $(LIB)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# What has tables of words, and no more: the rest is never called, and to build it takes long.
TABLES_OBJ := $(addprefix $(OBJ)/,$(addsuffix .o,tests/editors/tables base/arena base/guard base/json base/strbuf base/utf8 \
    explore/mach_config litmus/lit_condition litmus/lit_dialect litmus/lit_primitive litmus/lit_ptx litmus/lit_ptx_words litmus/lit_spelling \
    litmus/lit_words lsp/lsp_words pipeline/pipe_parse ptx/ptx_lower gen/cat.tab gen/litmus.tab gen/litmus.lex))
$(TABLES): $(TABLES_OBJ)
	$(if $(Q),@echo " LD    $@")
	$(Q)$(LINK) -no-pie -Wl,--unresolved-symbols=ignore-all -o $@ $^ -lpthread

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

.PHONY: help deps check-deps deps-list demo install uninstall deb clean
help:
	@sh tools/make-help.sh

# The program's packages; those of its tests besides.
deps:
	@CC='$(CC)' sh tools/deps.sh program
check-deps:
	@CC='$(CC)' sh tools/deps.sh program check
deps-list:
	@CC='$(CC)' sh tools/deps.sh --list

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

# tests/steps.list has a line for each.
steps_of = $(shell awk '!/^\#/ && $$2 ~ /[$(1)]/ { print $$1 }' tests/steps.list)
STEPS_FAST := $(call steps_of,f)
STEPS      := $(call steps_of,fc)
STEPS_LONG := $(shell awk '!/^\#/ && $$2 ~ /l/ { print $$1 ($$5 == "-" ? "" : "-long") }' tests/steps.list)

RUN_STEPS = @RUN_MAKE='$(SUBMAKE)' LOGS=$(BUILD)/logs sh tools/check.sh

.PHONY: check check-fast check-long
# Heavy unit tests are for `make unit`, `make asan` and check-long.
check check-fast: export UNIT_FLAGS ?= --light
check: check-deps
	+$(RUN_STEPS) build build-asan -- $(STEPS)
check-fast: check-deps
	+$(RUN_STEPS) build -- $(STEPS_FAST)
check-long: check-deps
	+$(RUN_STEPS) build build-asan $(STEPS_LONG)

.PHONY: build build-asan programs
build:
	+@$(SUBMAKE) programs && echo "1 passed, 0 failed"
build-asan:
	+@$(SUBMAKE) MODE=asan build
programs: all objects $(UNIT) $(ORACLE) $(VERIFY) $(REDUCE) $(CHAINS) $(SYMMETRY) $(PLACE) $(EXHAUSTIVE) $(TABLES) $(OBJ)/tests/package/threads $(if $(filter asan,$(MODE)),$(REPLAYS))

# Sanitizers take memory of their own, and time: once is enough of what is run again for other reasons than memory.
UNBOUNDED = $(if $(filter asan tsan,$(MODE)),MEMORY_UNBOUNDED=1)
ONCE      = $(if $(filter asan tsan,$(MODE)),ONCE=1)
# Scripts find no programs but those that every machine has once `make check-deps` has run.
SCRIPT_ENV = PROGRAMS_PATH="$${PROGRAMS_PATH:-$$PATH}" PATH="$$(sh tools/programs.sh '$(CURDIR)/$(BUILD)/programs')" \
             WORK=$(OBJ)/work/$@
TEST_ENV = $(SCRIPT_ENV) CRASHLIT=$(OBJ)/crashlit VERIFY=$(VERIFY)

# What a step needs is built before it.
NEED_crashlit   = $(OBJ)/crashlit
NEED_unit       = $(UNIT)
NEED_oracle     = $(ORACLE)
NEED_verify     = $(VERIFY)
NEED_measure    = $(MEASURE)
NEED_reduce     = $(REDUCE)
NEED_chains     = $(CHAINS)
NEED_symmetry   = $(SYMMETRY)
NEED_place      = $(PLACE)
NEED_exhaustive = $(EXHAUSTIVE)
NEED_tables     = $(TABLES)
NEED_checker    = $(CHECKER)
STEP_ENV = $(TEST_ENV) $(UNBOUNDED) $(ONCE) UNIT=$(UNIT) ORACLE=$(ORACLE) MEASURE=$(MEASURE) REDUCE=$(REDUCE) \
           CHAINS=$(CHAINS) SYMMETRY=$(SYMMETRY) PLACE=$(PLACE) EXHAUSTIVE=$(EXHAUSTIVE) TABLES=$(TABLES) CHECKER=$(CHECKER) OBJECTS=$(OBJ) COMPILE='$(COMPILE)' LINK='$(LINK)' LIBRARIES='$(PROGRAM_LIBS)' EDITORS='$(CURDIR)/$(EDITORS)'
# A rule for each STEP that has a command, and for its STEP-long.
TABLED := $(shell awk '!/^\#/ && NF > 6 && $$7 != "-" { print $$1 ":" $$6; if ($$5 != "-") print $$1 "-long:" $$6 }' tests/steps.list)
comma := ,
define STEP_RULE
.PHONY: $(1)
$(1): $(foreach need,$(filter-out -,$(subst $(comma), ,$(2))),$(NEED_$(need)))
	@$$(STEP_ENV) sh tools/step.sh $$@
endef
$(foreach step,$(TABLED),$(eval $(call STEP_RULE,$(firstword $(subst :, ,$(step))),$(lastword $(subst :, ,$(step))))))

# Grammars and an extension for editors; docs/using/editors.md.
EDITORS := $(BUILD)/editors
.PHONY: tree-sitter vscode editors-deps grammars
editors-deps:
	@CC='$(CC)' sh tools/deps.sh program check editors
tree-sitter:
	@sh editors/tree-sitter.sh $(EDITORS)/tree-sitter
vscode:
	@sh editors/vscode/package.sh $(EDITORS)/vscode
# What is made of the list of words, src/lsp/lsp_words.def.
grammars: $(TABLES)
	@TABLES=$(TABLES) python3 editors/grammars.py
# docs/using/messages.md, of the table in src/base/diag_*.def.
.PHONY: messages
messages: $(OBJ)/crashlit
	@sh tools/messages.sh $< >docs/using/messages.md
# The tables of docs/results/narrowest.md and docs/results/repairs.md.
.PHONY: narrowest repairs
narrowest repairs: $(OBJ)/crashlit
	@python3 tests/corpus/place_tables.py $< $@
# The PTX of litmus/cuda, where the compilers are.
.PHONY: cuda
cuda:
	@sh tools/cuda.sh
.PHONY: promote list
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
# What needs more than `make check-deps` installs: the playground, and all that is for editors.
fresh-more:
	@FRESH_STEPS="web-deps web-dist web-test editors-deps tree-sitter vscode editors" FRESH_USERS=user FRESH_LOGS=$(BUILD)/logs/fresh-more sh tests/fresh/fresh.sh

# The recipes of docs/inside/recipes.md, each to its worked example in a copy of the tree; RECIPES="machine model" for some, and
# each in a copy of its own in the long run.
.PHONY: recipes recipes-long
RECIPES_ENV = $(TEST_ENV) UNIT=$(UNIT) RUN_MAKE='$(SUBMAKE) -s' COMPILE='$(COMPILE) -Werror' LAYOUT=$(LAYOUT)
recipes: $(OBJ)/crashlit $(UNIT)
	+@$(RECIPES_ENV) sh tests/recipes/recipes.sh
recipes-long: $(OBJ)/crashlit $(UNIT)
	+@for patch in tests/recipes/*.patch; do \
	    RECIPES=$$(basename $$patch .patch) && export RECIPES && $(RECIPES_ENV) sh tests/recipes/recipes.sh; \
	done | awk '/^[0-9]+ passed, [0-9]+ failed$$/ { good += $$1; bad += $$3; next } { print } \
	            END { print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 || !good }'

.PHONY: headers layout warnings warnings-long format tidy
headers: $(GEN_C)
	@$(SCRIPT_ENV) COMPILE='$(COMPILE) -Werror' sh tools/headers.sh $(HEADERS) include/crashlit.h include/crashlit_kernel.h tests/unit/unit.h
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
	+@$(SUBMAKE) MODE=asan LOGS=asan sanitized STEPS_SANITIZED="$(call steps_of,a)"
asan-steps:
	+@$(SUBMAKE) MODE=asan UNIT_FLAGS=--light TEXT_FOLDER=/spb sanitized STEPS_SANITIZED="$(call steps_of,s)"
tsan:
	+@$(SUBMAKE) MODE=tsan UNIT_FLAGS=--light sanitized STEPS_SANITIZED="$(call steps_of,t)"
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
.PHONY: campaign campaign-smoke mutants
campaign:
	+@$(SUBMAKE) MODE=asan COUNT=$(or $(COUNT),10000) mutants
campaign-smoke:
	+@$(SUBMAKE) MODE=asan COUNT=$(or $(COUNT),800) mutants
mutants: $(OBJ)/crashlit $(OBJ)/tests/fuzz/replay_fuzz_api
	@$(UNBOUNDED) python3 tests/fuzz/campaign.py $< $(OBJ)/work/$@ $(COUNT) $(or $(SEED),1)

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
