/*
 * current.h - the current workspace's state, and whether its backend was
 * initialised as the configuration has it
 */
#ifndef TFPIPE_ENGINE_STAGE_CURRENT_H
#define TFPIPE_ENGINE_STAGE_CURRENT_H

#include "encrypt/encrypt.h"
#include "engine/run/inputs.h"
#include "state/state.h"

/* What states and plans are encrypted by, NULL where nothing is: by c (NULL:
 * there is none) and TF_ENCRYPTION.  warn: also of what is risky. */
int current_encryption(struct arena *a, struct config *c, struct inputs *in,
		       bool warn, struct encryption **e, struct diags *ds);
/* "Backend initialization required", where the configuration is at hand, and
 * current_encryption. */
int current_check(struct arena *a, struct config *c, struct inputs *in,
		  struct encryption **e, struct diags *ds);
/* For commands that look at nothing else of the configuration: loads the root
 * module if it can matter.  argc, argv: where -var and -var-file are. named:
 * the file of the state or plan is, so that the backend is not asked. *loaded:
 * for snippets; may stay NULL. */
int current_check_dir(struct arena *a, int argc, char **argv, bool named,
		      struct config **loaded, struct encryption **e,
		      struct diags *ds);
/* Reads the state through its backend; path is that of -state, or empty.
 * c: the whole configuration, for current_translate.  operation: what it is
 * read for, as a lock has it; NULL: to look. */
struct state_part;

/* Is it kept as rows, of which a part may be read? */
bool current_by_row(struct arena *a, struct str path);
/* The same; part: all that will be needed, where that is so. */
struct state *current_state_part(struct arena *a, struct str path,
				 const struct config *c, struct encryption *e,
				 const char *operation,
				 const struct state_part *part,
				 struct diags *ds);
struct state *current_state(struct arena *a, struct str path,
			    const struct config *c, struct encryption *e,
			    const char *operation, struct diags *ds);
/* state_translate by c, or by the configuration of the directory, which is
 * loaded only if the state has something to translate. */
void current_translate(struct arena *a, struct state *s,
		       const struct config *c);
/* The configuration of the directory, whose backend is ready, and the state.
 * stepwise: as in config_options.  argc, argv: where -var and -var-file are.
 * *c: for snippets also after errors, -1; may stay NULL then. */
int current_load(struct arena *a, int argc, char **argv, bool stepwise,
		 struct config **c, struct state **s, struct diags *ds);
/* Will reading it ask a host?  Not if it was handed on (state/backend/
 * handover.h). */
bool current_asks_hosts(struct arena *a, struct str path);
/* current_state before it is certain that it is needed: changes nothing,
 * translates nothing and reports nothing.  NULL: call current_state when it
 * is.  A host is not asked. */
struct state *current_state_ahead(struct arena *a, struct str path);

#endif
