#include "litmus/lit_ptx_words.h"

#include "litmus/lit_program.h"

const struct lit_qualifier lit_ptx_scopes[] = {
    {"cta", LIT_SCOPE_WG}, {"gpu", LIT_SCOPE_DV}, {"sys", LIT_SCOPE_ALL}, {NULL, 0}};
const struct lit_qualifier lit_ptx_membar_scopes[] = {
    {"cta", LIT_SCOPE_WG}, {"gl", LIT_SCOPE_DV}, {"sys", LIT_SCOPE_ALL}, {NULL, 0}};

const struct lit_qualifier lit_ptx_load_orders[] = {
    {"relaxed", LIT_ORDER_RLX}, {"acquire", LIT_ORDER_ACQ}, {NULL, 0}};
const struct lit_qualifier lit_ptx_store_orders[] = {
    {"relaxed", LIT_ORDER_RLX}, {"release", LIT_ORDER_REL}, {NULL, 0}};
const struct lit_qualifier lit_ptx_atomic_orders[] = {{"relaxed", LIT_ORDER_RLX},
                                                      {"acquire", LIT_ORDER_ACQ},
                                                      {"release", LIT_ORDER_REL},
                                                      {"acq_rel", LIT_ORDER_ACQ_REL},
                                                      {NULL, 0}};
const struct lit_qualifier lit_ptx_fence_orders[] = {
    {"sc", LIT_ORDER_SC}, {"acq_rel", LIT_ORDER_ACQ_REL}, {NULL, 0}};
const struct lit_qualifier lit_ptx_unscoped[] = {
    {"weak", LIT_ORDER_NA}, {"volatile", LIT_ORDER_RLX}, {NULL, 0}};

/* Hints to caches, which the memory model knows nothing of: the access is a weak one. */
const struct lit_qualifier lit_ptx_load_hints[] = {{"ca", 0}, {"cg", 0}, {"cs", 0},
                                                   {"lu", 0}, {"cv", 0}, {NULL, 0}};
const struct lit_qualifier lit_ptx_store_hints[] = {
    {"wb", 0}, {"cg", 0}, {"cs", 0}, {"wt", 0}, {NULL, 0}};

const struct lit_qualifier lit_ptx_operations[] = {{"add", LIT_RMW_ADD},       {"sub", LIT_RMW_SUB},
                                                   {"exch", LIT_RMW_EXCHANGE}, {"and", LIT_RMW_AND},
                                                   {"or", LIT_RMW_OR},         {"xor", LIT_RMW_XOR},
                                                   {"min", LIT_RMW_MIN},       {"max", LIT_RMW_MAX},
                                                   {"cas", LIT_PTX_CAS},       {NULL, 0}};

const struct lit_qualifier lit_ptx_joins[] = {
    {"and", LIT_RMW_AND}, {"or", LIT_RMW_OR}, {"xor", LIT_RMW_XOR}, {NULL, 0}};

const struct lit_qualifier lit_ptx_counters[] = {
    {"inc", LIT_RMW_INC}, {"dec", LIT_RMW_DEC}, {NULL, 0}};

const struct lit_qualifier lit_ptx_meetings[] = {{"sync", false}, {"arrive", true}, {NULL, 0}};
