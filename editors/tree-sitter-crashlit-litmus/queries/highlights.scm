; made by editors/grammars.py of src/lsp/lsp_words.def
(comment) @comment
(string) @string
(number) @number
(header (dialect) @keyword (name) @title)
(metadata) @preproc
(pragma) @preproc
(hole) @variable.parameter
(thread) @function
(special) @function.builtin
(tag) @attribute
(instruction) @function.builtin
(register) @variable
(operator) @operator
(definition ["const" "enum" "struct"] @keyword)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[";" "," ":" "."] @punctuation.delimiter

((identifier) @type
  (#any-of? @type
    "__global"
    "__local"
    "atomic64_t"
    "atomic_flag"
    "atomic_int"
    "atomic_long"
    "atomic_long_t"
    "atomic_t"
    "atomic_uint"
    "atomic_ulong"
    "global"
    "int"
    "int32_t"
    "int64_t"
    "intptr_t"
    "local"
    "long"
    "nvm"
    "ptrdiff_t"
    "restrict"
    "signed"
    "size_t"
    "spinlock_t"
    "uint"
    "uint32_t"
    "uint64_t"
    "uintptr_t"
    "ulong"
    "unsigned"
    "volatile"))

((identifier) @keyword
  (#any-of? @keyword
    "and"
    "break"
    "const"
    "continue"
    "crash"
    "do"
    "else"
    "enum"
    "exists"
    "expect"
    "false"
    "filter"
    "final"
    "for"
    "forall"
    "if"
    "join"
    "launch"
    "line"
    "locations"
    "not"
    "or"
    "recovered"
    "recovery"
    "refines"
    "relaunch"
    "restartable"
    "return"
    "struct"
    "true"
    "under"
    "uses"
    "while"))

((identifier) @constant.builtin
  (#any-of? @constant.builtin
    "CLK_GLOBAL_MEM_FENCE"
    "CLK_LOCAL_MEM_FENCE"
    "all_scope"
    "cta"
    "dev_scope"
    "gpu"
    "kr_scope"
    "memory_order_acq_rel"
    "memory_order_acquire"
    "memory_order_consume"
    "memory_order_relaxed"
    "memory_order_release"
    "memory_order_seq_cst"
    "memory_scope_all_devices"
    "memory_scope_all_svm_devices"
    "memory_scope_device"
    "memory_scope_kernel"
    "memory_scope_sub_group"
    "memory_scope_work_group"
    "memory_scope_work_item"
    "mo_acq"
    "mo_acq_rel"
    "mo_consume"
    "mo_rel"
    "mo_rlx"
    "mo_sc"
    "ok"
    "sg_scope"
    "sys"
    "undefined"
    "unknown"
    "violated"
    "wg_scope"
    "wi_scope"))

((identifier) @function.builtin
  (#any-of? @function.builtin
    "add"
    "atom"
    "atomic_flag_clear"
    "atomic_flag_clear_explicit"
    "atomic_flag_test_and_set"
    "atomic_flag_test_and_set_explicit"
    "atomic_thread_fence"
    "atomic_work_item_fence"
    "bar"
    "barrier"
    "beq"
    "bge"
    "bgt"
    "ble"
    "blt"
    "bne"
    "bra"
    "div"
    "fence"
    "goto"
    "ld"
    "max"
    "membar"
    "min"
    "mov"
    "mul"
    "p_barrier"
    "p_barrier_dev"
    "p_barrier_kr"
    "p_barrier_sg"
    "p_barrier_wg"
    "p_barrier_wi"
    "pbar"
    "pragma"
    "red"
    "st"
    "sub"
    "sync_barrier_kr"
    "sync_barrier_wg"
    "work_group_barrier"
    "xor"))

((identifier) @function.builtin
  (#match? @function.builtin "^atomic_(compare_exchange_strong|compare_exchange_weak|fetch_add|fetch_and|fetch_max|fetch_min|fetch_sub|fetch_xor|exchange|fetch_or|store|load)(_explicit)?$"))

((method) @function.method
  (#match? @function.method "^[.](compare_exchange_strong|compare_exchange_weak|fetch_add|fetch_and|fetch_max|fetch_min|fetch_sub|fetch_xor|exchange|fetch_or|store|load)$"))
