/* target.h - addresses from traversals and from text */
#ifndef TFPIPE_ADDR_TARGET_H
#define TFPIPE_ADDR_TARGET_H

#include "addr/addr.h"

bool target_set_replaces(const struct target_set *s,
			 const struct instance_addr *i);
/* The diagnostic has the summary 'Invalid OPTION "TEXT"' (OPTION is "target",
 * "exclude", ...) and no range. */
int target_parse(struct arena *a, struct str text, const char *option,
		 struct target *out, struct diags *ds);
/* Does the target contain the instance?  A resource target contains all its
 * instances; a module target everything below it, and without a key on its
 * last step all instances of that call.  Other module steps without a key
 * mean exactly the instance without a key, as in OpenTofu. */
bool target_contains(const struct target *t, const struct instance_addr *i);
/* May anything that it names refer to this module instance: below the calls
 * that both go through, is it in the same instances? */
bool target_meets(const struct target *t, struct module_addr m);
void target_print(struct buf *b, const struct target *t);

/*
 * selector.c: what -target and -exclude name: addresses, and patterns of them
 */

/* Reads what -target and -exclude take: an address, or a pattern, in which a *
 * outside of quotes matches any part of a name and [*] any key. */
int selector_parse(struct arena *a, struct str text, const char *option,
		   struct target *out, struct diags *ds);
/* Does a name of the target mean this one, of whatever instance? */
bool target_names(const struct target *t, struct str pattern, struct str name);
bool target_names_resource(const struct target *t, struct resource_addr r);

#endif
