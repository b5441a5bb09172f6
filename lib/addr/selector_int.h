/*
 * selector_int.h - what -target and -exclude name: addresses, and patterns of
 * them
 */
#ifndef TFPIPE_ADDR_SELECTOR_INT_H
#define TFPIPE_ADDR_SELECTOR_INT_H

#include "addr/addr.h"

/* target_contains for patterns, and whether one reaches a module instance. */
bool target_pattern_contains(const struct target *t,
			     const struct instance_addr *i);
bool target_pattern_reaches(const struct target *t, struct module_addr m);

#endif
