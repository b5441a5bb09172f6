/*
 * tfe_int.h - workspaces of the TFE API (v2), which keeps states for `remote`
 * and `cloud`: tfe.c has the operations, tfe_api.c asks, tfe_workspace.c finds
 * the workspace, tfe_make.c makes it
 */
#ifndef TFPIPE_STATE_BACKEND_TFE_TFE_INT_H
#define TFPIPE_STATE_BACKEND_TFE_TFE_INT_H

#include "json/json.h"
#include "remote/credentials.h"
#include "state/backend/backend_int.h"

enum { TFE_RETRIES = 8, TFE_WAIT_MIN = 1, TFE_WAIT_MAX = 8 };

struct tfe {
	bool cloud;
	struct str host, organization, token;
	/* Which workspaces there are: one name, or all with a prefix, or all
	 * that have the tags. */
	struct str name, prefix, project;
	struct str_vec tags;
	struct cli_hosts cli;
	struct str base; /* of the API, with a slash; empty: not discovered */

	struct str_vec names; /* of all, if they were listed */
	bool listed;

	/* The open workspace's; empty: not found yet, tfe_ready does it. */
	struct str id;
	struct str remote_name; /* as the host has it */
	struct str mode;        /* its execution-mode */
	struct str version;     /* of who runs in it: terraform-version */
	bool locked;            /* as it was last seen */
	bool refused;           /* the host does not give the state, if any */
	const struct json *tag_names;
};

struct tfe_answer {
	int status;
	int tries;
	const struct json *json; /* NULL: there was none in it */
	struct str body;
	struct str why; /* what to say of it, where it is no success */
};

/* --- asking (tfe_api.c) --- */

/* path: below the base, escaped.  body: of JSON:API, or empty.  Without retries
 * the request is sent once at most.  -1: no answer,
 * out->why says so; a status that is no success is an answer. */
int tfe_ask(struct backend *b, const char *method, struct str path,
	    struct str body, int retries, struct tfe_answer *out);
/* A request for an object in a store, whose address has all that is needed.
 * The token goes only where the API is. */
int tfe_object(struct backend *b, const char *method, struct str url,
	       struct str body, struct tfe_answer *out);
/* TF_FORCE_LOCAL_BACKEND: is everything to be done here? */
bool tfe_forced_local(void);
/* Finds the host's services and the token; -1 after a diagnostic. */
int tfe_discover(struct backend *b, struct diags *ds);
bool tfe_done(const struct tfe_answer *r); /* 2xx */
/* organizations/ORG/WHAT/NAME; an empty name leaves that out. */
struct str tfe_path(struct backend *b, const char *what, struct str name);
/* workspaces/ID/WHAT of the open one. */
struct str tfe_own_path(struct backend *b, const char *what);

/* A page of a list; *page, 1 at first, becomes the number of a later one, or
 * 0.  As tfe_ask. */
int tfe_page(struct backend *b, struct str path, int64_t *page,
	     struct tfe_answer *out);

/* --- the workspace (tfe_workspace.c) --- */

/* Finds the workspace, makes it where it is not there, and refuses what the
 * operation (b->opts.operation) cannot do with it.  -1 after a diagnostic. */
int tfe_ready(struct backend *b, struct diags *ds);
/* Reads it again, for who holds the lock and what was given as the reason,
 * where the host tells these. */
void tfe_look(struct backend *b, struct lock_info *holder);
int tfe_workspaces(struct backend *b, struct str_vec *out, struct diags *ds);
int tfe_workspace_make(struct backend *b, struct str name, struct diags *ds);
int tfe_workspace_remove(struct backend *b, struct str name, struct diags *ds);
/* Takes over what an answer says of the workspace. */
void tfe_take(struct backend *b, const struct json *data);
/* The workspace's name at the host; -1 after a diagnostic. */
int tfe_remote_name(struct backend *b, struct str name, struct str *out,
		    struct diags *ds);

/* --- what is made (tfe_make.c) --- */

/* The open workspace, and its project if that is not there. */
int tfe_make(struct backend *b, struct diags *ds);
int tfe_add_tags(struct backend *b, struct diags *ds);
/* The id of t->project; empty: there is no such project. */
int tfe_find_project(struct backend *b, struct str *id, struct diags *ds);
/* Errors: "WHAT NAME: WHY"; the organization is unknown.  Return -1. */
int tfe_failed(struct backend *b, const char *what, struct str name,
	       struct str why, struct diags *ds);
int tfe_no_organization(struct backend *b, struct diags *ds);

#endif
