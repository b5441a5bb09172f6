/* build_int.h - what the files of one module declare, put together */
#ifndef TFPIPE_CONFIG_BUILD_INT_H
#define TFPIPE_CONFIG_BUILD_INT_H

#include "config/decode/decls_int.h"

/* Puts together what the files of a module declare, primary files
 * before override files. */
void build_module(struct cfg_module *m, struct decls *primary, size_t nprimary,
		  struct decls *override, size_t noverride, struct diags *ds);
/* The declarations needed to read the encryption or, if backend, the backend.
 * Merging overrides into *out leaves `from` unchanged. */
void decls_early(struct arena *a, const struct decls *from, bool backend,
		 struct decls *out);

#endif
