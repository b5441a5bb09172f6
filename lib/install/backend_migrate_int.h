/* backend_migrate_int.h - states copied from one backend to another */
#ifndef TFPIPE_INSTALL_BACKEND_MIGRATE_INT_H
#define TFPIPE_INSTALL_BACKEND_MIGRATE_INT_H

#include "install/backend_init.h"
#include "state/backend/backend_config.h"

struct backend_choice {
	struct arena *a;
	struct config *c;
	const struct backend_init_options *o;
	struct diags *ds;
	struct str data_dir, workspace; /* the current one */
	struct backend_settings old, new;
};

/* A workspace of the old or new backend; NULL after a diagnostic. */
struct backend *choice_open(struct backend_choice *in,
			    const struct backend_settings *of,
			    struct str workspace);
/* Copies the states of the old backend to the new one, as the user agrees to.
 * Both must be known by their settings; an empty type is the local default. */
int backend_migrate(struct backend_choice *in);
/* The local states that a first backend would leave behind: copies them there,
 * and empties their files, which are kept as backups. */
int backend_migrate_local(struct backend_choice *in);
/* Sees to it that the selected workspace is there. */
int backend_choose_workspace(struct backend_choice *in,
			     const struct backend_settings *of);

#endif
