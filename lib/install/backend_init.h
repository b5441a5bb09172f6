/*
 * backend_init.h - remembering which backend the configuration asks for, and
 * moving states there
 *
 * state/backend/initialised.c describes the file.  A configuration without a
 * backend block leaves none.
 */
#ifndef TFPIPE_INSTALL_BACKEND_INIT_H
#define TFPIPE_INSTALL_BACKEND_INIT_H

#include "config/load/load.h"
#include "encrypt/encrypt.h"

/* A question to the user of init; `about` is a text of several lines. */
struct init_question {
	const char *query, *about;
	const char *summary; /* of the diagnostic if nobody answers */
};

/* Asks it: *answer is a line, trimmed.  -1 after a diagnostic. */
typedef int init_ask_fn(void *data, const struct init_question *q,
			struct str *answer, struct diags *ds);

enum backend_step {
	BACKEND_CHANGED,      /* from `old` to `new` */
	BACKEND_RECONFIGURED, /* other arguments */
	BACKEND_UNCONFIGURED, /* `old` is not wanted any more */
	/* of a block cloud: */
	BACKEND_CLOUD_ENTERED, /* from `old` */
	BACKEND_CLOUD_CHANGED, /* other arguments */
	BACKEND_CLOUD_LEFT,    /* for `new` */
	BACKEND_CLOUD_REMOVED,
	BACKEND_CLOUD_MOVED, /* states are there: `workspaces`, `current` */
};

struct backend_news {
	enum backend_step step;
	struct str old, new; /* types */
	struct str_vec workspaces;
	struct str current;
};

struct backend_init_options {
	struct workdir *workdir;
	const struct config_options *config; /* for early evaluation */
	struct encryption *encryption;       /* of states; NULL: none */
	struct str_vec arguments; /* -backend-config: NAME=VALUE, or a file */
	bool reconfigure;         /* take the new one, leave states alone */
	bool migrate;             /* copy states from the old to the new */
	bool force_copy;          /* without a question */
	bool ignore_remote;       /* to workspaces of another version, too */
	bool lock;                /* both states, while one is copied */
	uint64_t lock_timeout_ms;
	init_ask_fn *ask; /* NULL: nobody can be asked */
	void *ask_data;
	/* Told before states are looked for in both, and of moved ones. */
	void (*told)(void *data, const struct backend_news *n);
	void *told_data;
};

struct backend;

enum backend_init_result {
	BACKEND_UNCHANGED, /* nothing to say */
	BACKEND_SET,       /* configured now */
	BACKEND_UNSET,     /* the local default again */
	BACKEND_FAILED,    /* diagnosed */
};

struct backend_init_outcome {
	enum backend_init_result result;
	struct str type; /* of the backend that was set or unset */
	/* The current workspace, of which nothing was read yet; the caller
	 * closes it.  NULL: it was not opened. */
	struct backend *current;
};

struct backend_init_outcome backend_init(struct arena *a, struct config *c,
					 const struct backend_init_options *o,
					 struct diags *ds);

#endif
