/*
 * backend_config.h - the backend that a configuration asks for, and whether it
 * is the one that was initialised (initialised.c)
 */
#ifndef TFPIPE_STATE_BACKEND_BACKEND_CONFIG_H
#define TFPIPE_STATE_BACKEND_BACKEND_CONFIG_H

#include "state/backend/backend.h"
#include "config/load/load.h"

/*
 * initialised.c: the backend that `init` chose, as saved in the data directory
 *
 * DATA_DIR/terraform.tfstate has the old state format with a "backend" member,
 * as OpenTofu writes it, so that either program goes on where the other left
 * off:
 *
 * 	{"version":3,…,"backend":{"type":"local","config":{…},"hash":1}}
 */

struct backend_settings {
	struct str type; /* empty: there is none, so it is local */
	/* An object of the backend's schema with all arguments; or NULL. */
	const struct value *config;
	uint32_t hash; /* of what the block itself says */
};

/* Reads the settings that init saved; none is no error. */
int backend_initialised(struct arena *a, const struct workdir *w,
			struct backend_settings *out, struct diags *ds);
/* Fills backend_type and config from them. */
int backend_saved(struct arena *a, struct backend_options *o, struct diags *ds);
/* Saves them. */
int backend_save(struct arena *a, const struct workdir *w,
		 const struct backend_settings *s, struct diags *ds);

/* Reads the backend that the configuration's block and `arguments`
 * (-backend-config: NAME=VALUE, or a file) ask for.  o: values of variables for
 * early evaluation. */
int backend_wanted(struct arena *a, struct config *c,
		   const struct config_options *o,
		   const struct str_vec *arguments,
		   struct backend_settings *out, struct diags *ds);
/* Would init have nothing to do?  arguments: -backend-config was given, so that
 * hashes cannot be compared. */
bool backend_same(const struct backend_settings *wanted,
		  const struct backend_settings *saved, bool arguments);

/* "Backend initialization required": the error of every command that uses the
 * state when init has something to do. */
int backend_check(struct arena *a, struct config *c,
		  const struct config_options *o, struct diags *ds);
/* Can it be an error?  For commands that would load the configuration just for
 * it: not if nothing was initialised and no file of dir names a backend. */
bool backend_check_needed(struct arena *a, struct str dir,
			  const struct workdir *w);

#endif
