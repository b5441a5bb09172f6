/* addr_int.h - reading a traversal step by step; shared inside lib/addr */
#ifndef TFPIPE_ADDR_ADDR_INT_H
#define TFPIPE_ADDR_ADDR_INT_H

#include "addr/addr.h"

/* The root as an attribute step, then the other steps; pos is the next one. */
struct walk {
	const struct source *src;
	const struct step *steps;
	struct span *at;
	size_t len, pos;
};

void walk_init(struct arena *a, struct walk *w, const struct traversal_ref *t);
/* From the start of step `from` to the end of step `to` - 1. */
struct range walk_range(const struct walk *w, size_t from, size_t to);
/* Takes the module steps at the front. */
int walk_modules(struct arena *a, struct walk *w, struct module_addr *out,
		 struct diags *ds);
/* Parses text as a traversal; name is the source's name. */
int addr_traversal(struct arena *a, struct str text, const char *name,
		   struct traversal_ref *out, struct diags *ds);

/* The summary of an error about an option's address. */
const char *target_invalid(struct arena *a, const char *option,
			   struct str text);
/* target_contains for patterns, and whether one reaches a module instance. */
bool pattern_contains(const struct target *t, const struct instance_addr *i);
bool pattern_reaches(const struct target *t, struct module_addr m);

#endif
