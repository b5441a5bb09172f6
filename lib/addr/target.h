/* target.h - addresses from traversals and from text */
#ifndef TFPIPE_ADDR_TARGET_H
#define TFPIPE_ADDR_TARGET_H

#include "addr/addr.h"

/* A key from a value as a literal index has it (string, or whole number that
 * fits).  Returns -1 with *why set when it is neither. */
int key_from_value(const struct value *v, struct inst_key *out,
		   const char **why);
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
/* One full instance address (module keys given), e.g. from a state file. */
int instance_addr_parse(struct arena *a, struct str text,
			struct instance_addr *out, struct diags *ds);
/* Of an address that stands in no file: the details of the diagnostics from
 * number `from` on begin with its text. */
void addr_told(struct diags *ds, size_t from, struct str text);
/* A module instance address; "" is the root. */
int module_addr_parse(struct arena *a, struct str text,
		      struct module_addr *out, struct diags *ds);
/* The same from a traversal in a configuration (moved, import, removed): any
 * target; diagnostics have its ranges and OpenTofu's summaries. */
int target_from_traversal(struct arena *a, const struct traversal_ref *t,
			  struct target *out, struct diags *ds);

/* Without the parser, what needs none; false says nothing but that this is not
 * so plain.  What comes out points into text. */
bool address_split_key(struct str text, struct str *resource,
		       struct inst_key *key);
bool instance_addr_plain(struct str text, struct instance_addr *out);

#endif
