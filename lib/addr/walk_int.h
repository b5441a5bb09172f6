/* walk_int.h - reading a traversal step by step */
#ifndef TFPIPE_ADDR_WALK_INT_H
#define TFPIPE_ADDR_WALK_INT_H

#include "addr/addr_int.h"

void walk_init(struct arena *a, struct addr_walk *w,
	       const struct traversal_ref *t);
/* From the start of step `from` to the end of step `to` - 1. */
struct range walk_range(const struct addr_walk *w, size_t from, size_t to);
/* Takes the module steps at the front. */
int walk_modules(struct arena *a, struct addr_walk *w, struct module_addr *out,
		 struct diags *ds);
/* An error about steps from `from` to before `to`; -1. */
int walk_bad(const struct addr_walk *w, size_t from, size_t to,
	     const char *summary, const char *detail, struct diags *ds);

#endif
