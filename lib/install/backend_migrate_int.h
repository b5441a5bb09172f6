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
	struct workdir *workdir;
	struct str workspace; /* whose state is looked at, of several */
	struct backend_settings old, new;
	struct backend *last[2]; /* that was opened by each; or NULL */
	struct backend *current; /* as in struct backend_init_outcome */
};

/* A workspace of the old or new backend; NULL after a diagnostic. */
struct backend *choice_open(struct backend_choice *in,
			    const struct backend_settings *of,
			    struct str workspace);
/* Copies the states of the old backend to the new one, as the user agrees to.
 * Both must be known by their settings; an empty type is the local default. */
int backend_migrate(struct backend_choice *in);
/* Copies them to where one name is one workspace for all configurations: in a
 * dialogue workspaces get names there (backend_move_in.c). */
int backend_move_in(struct backend_choice *in);
/* The local workspaces that have something in their states: a first backend
 * would leave that behind. */
int backend_filled_local(struct backend_choice *in, struct str_vec *names);
/* Empties those, once they are elsewhere; their files are kept as backups. */
int backend_empty_local(struct backend_choice *in, const struct str_vec *names);

/* What the two ways of moving share; -1 after a diagnostic: */

/* 1: yes; 0: no. */
int backend_confirm(struct backend_choice *in, const char *query,
		    const char *about);
enum copy_question {
	COPY_ASK,           /* in any case */
	COPY_ASK_OVERWRITE, /* if there is a state already */
	COPY_AGREED,
};
int backend_copy_state(struct backend_choice *in, struct str name,
		       struct str new_name, enum copy_question question);
/* All of a backend that may have several; names stay empty where it has one.
 * *several: may it?  pattern: as workspace_pattern; may be NULL. */
int backend_list(struct backend_choice *in, const struct backend_settings *of,
		 struct str_vec *names, bool *several, struct str *pattern);
/* Is there something in its state? */
int backend_filled(struct backend_choice *in, const struct backend_settings *of,
		   struct str name, bool *filled);
struct str backend_type_of(const struct backend_settings *s);
/* Sees to it that the selected workspace is there; in->current. */
int backend_choose_workspace(struct backend_choice *in,
			     const struct backend_settings *of);

#endif
