/* registry_int.h - what the files of this room share */
#ifndef TFPIPE_INSTALL_MODULES_REGISTRY_INT_H
#define TFPIPE_INSTALL_MODULES_REGISTRY_INT_H

#include "config/config.h"
#include "install/modules/modules_int.h"
#include "json/json.h"
#include "base/vec.h"
#include "config/source/source.h"

struct location;

/*
 * module_registry.c: the module registry protocol
 *
 * A registry lists the versions of a module, and gives the location of each
 * one's package.  Each is requested once a run.
 */

struct registry_module {
	struct str host, path; /* HOST, NAMESPACE/NAME/SYSTEM */
	struct str package;    /* HOST/NAMESPACE/NAME/SYSTEM */
	struct str subdir;     /* which the call asks for; may be empty */
	struct str version;    /* chosen by registry_choose */
	struct str located;    /* by registry_fetch: where it is in its
				  package; may be empty */
};

/* The address of a call with SOURCE_REGISTRY. */
void registry_module_read(struct arena *a, struct str source,
			  struct registry_module *out);
/* Chooses the newest version that the call allows.  -1 after a diagnostic,
 * which names the call. */
int registry_choose(struct module_store *s, const struct cfg_call *call,
		    struct registry_module *m, struct diags *ds);
/* Announces that the package will be fetched into dir, from the registry
 * itself.  true: it is downloaded ahead of that, or is kept. */
bool registry_coming_direct(struct module_store *s, const struct location *l,
			    struct str dir);
/* Fetches the package into dir; *subdir is the module's path in it. */
int registry_fetch(struct module_store *s, const struct cfg_call *call,
		   struct registry_module *m, struct str dir,
		   struct str *subdir, struct diags *ds);

/*
 * registry_ahead.c: requests to module registries, made in parallel before
 * their calls' turn
 */

struct registry_wish {
	const struct cfg_call *call;
	/* In: the locked version, or empty.  Out: the version chosen. */
	struct registry_module m;
	struct str dir; /* the directory for its package */
};
struct registry_wishes VEC_OF(struct registry_wish);

/* Asks where all of them are, and says so (module_store_coming): true if any is
 * fetched ahead of its turn.  Reports no errors; failed requests are repeated
 * in their turn.  A single call asks nothing ahead. */
bool registry_coming(struct module_store *s, struct registry_wishes *all);

/*
 * registry_ask.c: questions to module registries and their answers
 * (module_registry.c)
 */

/* The location of a package: an address, or (direct) a URL of the
 * registry's. */
struct location {
	struct module_address at;
	bool direct, with_token;
	struct str url, token;
};

struct registry_question {
	struct str url, token;
};

/* PACKAGE VERSION */
struct str registry_release(struct arena *a, const struct registry_module *m);
/* Make the question for the versions, for the location of m->version: 0, or -1
 * with *why. */
int registry_ask_versions(struct module_store *s,
			  const struct registry_module *m,
			  struct registry_question *out, struct str *why);
int registry_ask_location(struct module_store *s,
			  const struct registry_module *m,
			  struct registry_question *out, struct str *why);
/* Asks, and waits: 0, or -1 with *why. */
int registry_ask(struct module_store *s, const struct registry_question *q,
		 struct fetch_answer *answer, struct str *why);
/* Asks without waiting; `answered` is called from fetch_run. */
void registry_ask_start(struct module_store *s,
			const struct registry_question *q, fetch_fn *answered,
			void *data);

/* Keep the content of an answer for the rest of the run.  NULL: it is
 * invalid. */
const struct json *registry_take_versions(struct module_store *s,
					  const struct registry_module *m,
					  const struct fetch_answer *answer);
const struct location *registry_take_location(struct module_store *s,
					      const struct registry_module *m,
					      const struct registry_question *q,
					      const struct fetch_answer *answer,
					      struct str *why);
/* The location if it is known by now, or NULL. */
const struct location *registry_location(const struct module_store *s,
					 const struct registry_module *m);

/*
 * registry_versions.c: the form of a module registry's list of versions; see
 * module_registry.c
 */

/* registry_versions.c: does an answer have the form {"modules": [{"versions":
 * [{"version": "1.0.0"}]}]}?  Others are an error, as in OpenTofu, not a list
 * without versions. */
bool registry_versions_valid(const struct json *j);

#endif
