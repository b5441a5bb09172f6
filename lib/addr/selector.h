/*
 * selector.h - what -target and -exclude name: addresses, and patterns of them
 */
#ifndef TFPIPE_ADDR_SELECTOR_H
#define TFPIPE_ADDR_SELECTOR_H

#include "addr/addr.h"

/* The same for -target and -exclude, which take patterns, too: a * outside of
 * quotes matches any part of a name, [*] any key. */
int selector_parse(struct arena *a, struct str text, const char *option,
		   struct target *out, struct diags *ds);
/* Does a name of the target mean this one, of whatever instance? */
bool target_names(const struct target *t, struct str pattern, struct str name);
bool target_names_resource(const struct target *t, struct resource_addr r);

#endif
