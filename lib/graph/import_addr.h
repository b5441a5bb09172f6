/* import_addr.h - the static part of an import block's `to` */
#ifndef TFPIPE_GRAPH_IMPORT_ADDR_H
#define TFPIPE_GRAPH_IMPORT_ADDR_H

#include "graph/plan_graph.h"

/* The address in an import block's `to`, without the keys of modules; the
 * expressions of keys go to *keys.  -1: it is not an address. */
int import_static_address(struct arena *a, const struct cfg_import *im,
			  struct instance_addr *out, struct expr_vec *keys);
/* The import blocks by the resource they lead to. */
struct map imports_by_resource(struct arena *a, const struct config *c);
/* NULL: none. */
const struct import_vec *imports_of(const struct map *m,
				    const struct cfg_resource *c);

#endif
