/* reference.h - what a traversal in an expression refers to */
#ifndef TFPIPE_ADDR_REFERENCE_H
#define TFPIPE_ADDR_REFERENCE_H

#include "addr/addr.h"

/* Parses; diagnostics as OpenTofu's "Invalid reference" family. */
int reference_parse(struct arena *a, const struct traversal_ref *t,
		    struct reference *out, struct diags *ds);
/* A traversal as the language would write it: a.b[0]["c"]. */
void traversal_print(struct arena *a, struct buf *b, const struct traversal *t);
/* The referred object alone: "terraform_data.a[0]", "module.a.out". */
void reference_print(struct buf *b, const struct reference *r);
/* All entries that the published `references` list has for it: the whole
 * traversal, then shorter ones down to the object (and what contains it). */
void reference_publish(struct arena *a, const struct reference *r,
		       struct str_vec *out);

#endif
