/*
 * registry_ask_int.h - questions to module registries and their answers
 * (module_registry.h)
 */
#ifndef TFPIPE_INSTALL_REGISTRY_ASK_INT_H
#define TFPIPE_INSTALL_REGISTRY_ASK_INT_H

#include "config/source/module_address.h"
#include "install/modules/module_int.h"
#include "install/modules/module_registry.h"

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

#endif
