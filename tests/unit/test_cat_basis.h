/* test_cat_basis: the base names that tests of the cat front end load models over,
 * as semantics.md lists them. Header only, shared with the fuzz target. */
#ifndef CRASHLIT_TEST_CAT_BASIS_H
#define CRASHLIT_TEST_CAT_BASIS_H

#include "cat/cat_ir.h"

static const struct cat_base test_cat_names[] = {
#define SET(name) {name, CAT_SET, false},
#define FIXED(name) {name, CAT_REL, false},
#define WITNESS(name) {name, CAT_REL, true},
    SET("_") SET("R") SET("W") SET("M") SET("F") SET("B") SET("PB") SET("IW") SET("NVM")
        SET("ATOMIC") SET("A") SET("RMW") SET("GLOBAL") SET("LOCAL") SET("NA") SET("RLX") SET("ACQ")
            SET("REL") SET("ACQ_REL") SET("SC") SET("WI") SET("SG") SET("WG") SET("KR") SET("DV")
                SET("ALL") FIXED("id") FIXED("po") WITNESS("rf") WITNESS("co") WITNESS("fr")
                    FIXED("loc") FIXED("int") FIXED("ext") FIXED("rmw") FIXED("addr") FIXED("data")
                        FIXED("ctrl") FIXED("ssg") FIXED("swg") FIXED("skr") FIXED("sdv")
                            FIXED("ssys") FIXED("sr") FIXED("syncbar") FIXED("syncpb")
#undef SET
#undef FIXED
#undef WITNESS
};

static const struct cat_basis test_cat_basis = {test_cat_names,
                                                sizeof test_cat_names / sizeof test_cat_names[0]};

#endif
