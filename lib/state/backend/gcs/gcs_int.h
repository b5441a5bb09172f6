/* gcs_int.h - requests to Google Cloud Storage; see gcs.c */
#ifndef TFPIPE_STATE_BACKEND_GCS_GCS_INT_H
#define TFPIPE_STATE_BACKEND_GCS_GCS_INT_H

#include "remote/google_token.h"
#include "state/backend/backend_int.h"

#define GCS_STATE ".tfstate"
#define GCS_LOCK ".tflock"

struct gcs {
	struct str bucket;
	struct str prefix;      /* empty, or with a slash at its end */
	struct str state, lock; /* names of objects */
	struct str endpoint;    /* of the JSON API, with a slash at its end */
	struct str origin;      /* of the rest: https://HOST */
	struct fetch_header key[3]; /* of the customer; states alone have it */
	size_t nkey;
	struct str kms_key; /* or empty */
	struct google_settings who;
	struct oauth_token token;
	bool anonymous; /* nobody is to be shown a token */
};

/* PREFIX/WORKSPACE and the ending. */
struct str gcs_object(const struct backend *b, struct str workspace,
		      const char *ending);
/* gs://BUCKET/OBJECT */
struct str gcs_url(const struct backend *b, struct str object);

/*
 * Return 0, or -1 with *why, a sentence without its full stop that has no
 * secret in it.  *status is of the last answer, 0 where there was none.
 * Versions are generations; "0": there is no such object, empty: any.
 */

/* keyed: it may be encrypted with the customer's key. */
int gcs_read(struct backend *b, struct str object, bool keyed, struct str *text,
	     struct str *version, struct str *why);
/* Makes it, or replaces what is of that version; *made: the new one's. */
int gcs_write(struct backend *b, struct str object, struct str text,
	      struct str version, struct str *made, int *status,
	      struct str *why);
/* *tries: it took so many. */
int gcs_delete(struct backend *b, struct str object, struct str version,
	       int *status, int *tries, struct str *why);
/* The names of the states that there are, of workspaces. */
int gcs_list(struct backend *b, struct str_vec *out, struct str *why);

#endif
