/* parse_traversal.h - a source that is one reference and nothing else */
#ifndef TFPIPE_LANG_PARSE_TRAVERSAL_H
#define TFPIPE_LANG_PARSE_TRAVERSAL_H

#include "lang/syntax/ast.h"

/* A whole source that is an absolute traversal: addresses on command lines. */
int parse_traversal(struct arena *a, const struct source *src,
		    struct traversal *out, struct diags *ds);
/* As above; [*] means any index (STEP_SPLAT). */
int parse_traversal_splat(struct arena *a, const struct source *src,
			  struct traversal *out, struct diags *ds);

#endif
