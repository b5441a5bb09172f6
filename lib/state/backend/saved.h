/*
 * saved.h - the backend that `init` chose, as saved in the data directory
 *
 * DATA_DIR/terraform.tfstate has the old state format with a "backend" member,
 * as OpenTofu writes it, so that either program goes on where the other left
 * off:
 *
 *	{"version":3,…,"backend":{"type":"local","config":{…},"hash":1}}
 */
#ifndef TFPIPE_STATE_SAVED_H
#define TFPIPE_STATE_SAVED_H

#include "state/backend/backend.h"

struct backend_settings {
	struct str type; /* empty: there is none, so it is local */
	/* An object of the backend's schema with all arguments; or NULL. */
	const struct value *config;
	uint32_t hash; /* of what the block itself says */
};

/* Reads the settings that init saved; none is no error. */
int backend_initialised(struct arena *a, struct str data_dir,
			struct backend_settings *out, struct diags *ds);
/* Fills backend_type and config from them. */
int backend_saved(struct arena *a, struct backend_options *o, struct diags *ds);
/* Saves them. */
int backend_save(struct arena *a, struct str data_dir,
		 const struct backend_settings *s, struct diags *ds);

#endif
