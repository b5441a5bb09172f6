/* walk.h - addresses from traversals, and from text that is one */
#ifndef TFPIPE_ADDR_WALK_H
#define TFPIPE_ADDR_WALK_H

#include "addr/addr.h"

/* Parses text as a traversal; name is the source's name.  Of a key without its
 * quotes the diagnostics say who took them. */
int addr_traversal(struct arena *a, struct str text, const char *name,
		   struct traversal_ref *out, struct diags *ds);
/* A target from a traversal in a configuration (moved, import, removed): any
 * target; diagnostics have its ranges and OpenTofu's summaries. */
int target_from_traversal(struct arena *a, const struct traversal_ref *t,
			  struct target *out, struct diags *ds);
/* One full instance address (module keys given), e.g. from a state file. */
int instance_addr_parse(struct arena *a, struct str text,
			struct instance_addr *out, struct diags *ds);
/* A module instance address; "" is the root. */
int module_addr_parse(struct arena *a, struct str text, struct module_addr *out,
		      struct diags *ds);
/* For an address that is in no file: prefixes the details of the diagnostics
 * from number `from` on with its text. */
void addr_told(struct diags *ds, size_t from, struct str text);

#endif
