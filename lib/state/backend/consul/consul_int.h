/* consul_int.h - the backend consul: its requests, and its locks */
#ifndef TFPIPE_STATE_BACKEND_CONSUL_CONSUL_INT_H
#define TFPIPE_STATE_BACKEND_CONSUL_CONSUL_INT_H

#include "json/json.h"
#include "json/read.h"
#include "json/write.h"
#include "state/backend/backend_int.h"

struct consul_backend {
	struct str base;  /* "http://HOST:PORT/v1/" */
	struct str query; /* of each request: "&dc=…", or empty */
	struct str path;  /* of the default workspace */
	struct str key;   /* of this one */
	struct fetch_header headers[2];
	size_t nheaders;
	struct fetch_tls tls;
	bool gzip, lock;
	struct str session; /* that holds our lock; empty: none */
	pid_t keeper;       /* renews it; 0: none */
};

struct consul_pair {
	bool found;
	struct str value, index, session;
};

/* 0: an answer of 200, 404, 409 or 413.  -1: *why says what else came.  `what`
 * is behind /v1/, with a query or not. */
int consul_ask(struct backend *b, const char *method, struct str what,
	       struct str body, struct fetch_answer *answer, struct str *why);
/* "kv/KEY", and the rest as it is. */
struct str consul_key(struct backend *b, struct str key, const char *rest);
int consul_get(struct backend *b, struct str key, struct consul_pair *out,
	       struct str *why);

/* The key of a workspace. */
struct str consul_path(struct backend *b, struct str workspace);

/* Stops renewing the session. */
void consul_end_session(struct backend *b);

/* --- operations, see backend_int.h --- */

int consul_open(struct backend *b, struct diags *ds);
enum lock_result consul_lock(struct backend *b, struct lock_info *mine,
			     struct lock_info *holder, const char **why,
			     struct diags *ds);
int consul_unlock(struct backend *b, struct diags *ds);
bool consul_is_locked(struct backend *b, struct lock_info *holder);
int consul_force_unlock(struct backend *b, struct str id, bool forced,
			struct diags *ds);

#endif
