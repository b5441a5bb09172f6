/* kubernetes_int.h - the backend kubernetes: its requests, and its locks */
#ifndef TFPIPE_STATE_BACKEND_KUBERNETES_KUBERNETES_INT_H
#define TFPIPE_STATE_BACKEND_KUBERNETES_KUBERNETES_INT_H

#include "json/json.h"
#include "json/write.h"
#include "state/backend/backend_int.h"

/* Who asks, and what asks for it: a program, before the first request. */
struct kubernetes_user {
	struct str token, name, password;
	struct str token_file;    /* that the token was read from; or empty */
	const struct value *exec; /* of a kubeconfig or the block; NULL: none */
	struct str exec_dir;      /* a path of its command is below this */
};

struct kubernetes_backend {
	struct str base; /* "https://HOST:PORT", without a slash */
	struct str space, suffix;
	struct str secret, lease;   /* names of this workspace's */
	const struct value *labels; /* NULL: none of the user's */
	struct fetch_tls tls;
	struct fetch_proxies proxies;
	struct kubernetes_user user;
	struct fetch_header headers[2];
	size_t nheaders;
	bool ready; /* headers has who asks */
};

/* Fills what says where and who: base, tls, proxies, user. */
int kubernetes_configure(struct backend *b, struct diags *ds);
/* Asks the program of the user, if there is one, and makes the headers. */
int kubernetes_identify(struct backend *b, struct str *why);

/* 0: an answer of 200, 201, 404 or 409.  -1: *why says what else came. */
int kubernetes_ask(struct backend *b, const char *method, struct str path,
		   struct str body, struct fetch_answer *answer,
		   struct str *why);
/* The path of an object, or of all where its name is empty. */
struct str kubernetes_leases(struct backend *b, struct str name);
/* An object; NULL in *out: there is none. */
int kubernetes_get(struct backend *b, struct str path, const struct json **out,
		   struct str *why);
/* The labels of what belongs to the workspace, as a member. */
void kubernetes_labels(struct backend *b, struct jw *w);
/* Copies the members of an object but those named; NULL ends the names. */
void kubernetes_copy(struct jw *w, const struct json *object,
		     const char *const *but);

/* --- operations, see backend_int.h --- */

enum lock_result kubernetes_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds);
int kubernetes_unlock(struct backend *b, struct diags *ds);
bool kubernetes_is_locked(struct backend *b, struct lock_info *holder);
int kubernetes_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds);

#endif
