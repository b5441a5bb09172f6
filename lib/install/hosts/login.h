/*
 * login.h - a token of a host, obtained and kept, or removed
 *
 * The host says in which way (services.c): by a page in the browser
 * (login_oauth.c, callback.c), by a password, or by a page of tokens, of which
 * a person copies one.  The caller shows messages and asks questions
 * (ui/live/login_live.c).  A token is in memory, in a pipe to tf-fetch or the
 * credentials helper, and in the file that keeps it, and nowhere else.
 */
#ifndef TFPIPE_INSTALL_HOSTS_LOGIN_H
#define TFPIPE_INSTALL_HOSTS_LOGIN_H

#include "remote/remote.h"
#include "remote/credentials.h"
#include "base/str.h"

/*
 * hosts.c: what a run needs for requests: remote.h and the services of each
 * host, shared by modules and providers
 */

struct hosts {
	struct remote remote;
	struct services *services; /* NULL until something is asked */
	/* Bytes received of all packages being fetched, and their total (-1:
	 * unknown); NULL: no progress is wanted. */
	void (*progress)(void *data, size_t packages, int64_t have,
			 int64_t all);
	void *progress_data;
};

/* Makes the loop and tf-fetch, unless they exist. */
void hosts_ready(struct arena *a, struct hosts *h);
/* Makes loop, tf-fetch and services; `cli` of the first call counts, and must
 * live on. */
void hosts_ready_services(struct arena *a, struct hosts *h,
			  const struct cli_hosts *cli);
/* Ends what was made (remote_end); h can be used again. */
void hosts_end(struct hosts *h);

/*
 * token_store.c: where `tf login` keeps tokens of hosts
 *
 * In credentials.tfrc.json of the CLI configuration's directory, or with the
 * credentials helper, if there is one and no file has a token for the host.
 */

enum token_place {
	TOKEN_NOWHERE, /* no token is kept; a new one goes to the file */
	TOKEN_FILE,
	TOKEN_HELPER, /* it may have one */
	TOKEN_OTHER,  /* another file of the CLI configuration, which people
			  write themselves */
};

enum token_place token_place(struct arena *a, const struct cli_hosts *h,
			     struct str host);
/* credentials.tfrc.json; empty where there is no home. */
struct str token_file(struct arena *a);

/* Stores a token, replacing an existing one; other hosts' tokens stay.  -1 with
 * *why, a sentence without a full stop. */
int token_store(struct arena *a, const struct cli_hosts *h, struct str host,
		struct str token, struct str *why);
int token_forget(struct arena *a, const struct cli_hosts *h, struct str host,
		 struct str *why);

enum login_step {
	LOGIN_BY_CODE, /* explains the method; a question follows */
	LOGIN_BY_PASSWORD,
	LOGIN_BY_PAGE,
	LOGIN_OPENED,  /* text: the address shown in the browser */
	LOGIN_OPEN,    /* the same, which nothing has opened */
	LOGIN_WAITING, /* for the browser */
	LOGIN_ABOUT_PASSWORD,
	LOGIN_TOKENS_OPENED, /* as LOGIN_OPENED, of the page of tokens */
	LOGIN_TOKENS_OPEN,
	LOGIN_PASTE,    /* a token is to be copied */
	LOGIN_USER,     /* text: the user that has the token */
	LOGOUT_NOTHING, /* no token is kept */
	LOGOUT_REMOVING,
};

enum login_question {
	LOGIN_ASK_CONSENT, /* "yes", or anything else */
	LOGIN_ASK_USER,
	LOGIN_ASK_PASSWORD,
	LOGIN_ASK_TOKEN,
};

struct login {
	const struct cli_hosts *cli;
	struct hosts *hosts;    /* ready for services (hosts.c) */
	struct str host;        /* as host_name has it */
	enum token_place place; /* the store of its token */
	void (*told)(void *data, const struct login *l, enum login_step step,
		     struct str text);
	/* -1 with a diagnostic. */
	int (*ask)(void *data, const struct login *l, enum login_question q,
		   struct str *answer, struct diags *ds);
	void *data;

	bool cloud; /* what came of it: a token of the cloud
				   backend, which a person has made */

	/* private */
	struct arena *arena;
	struct diags *ds;
};

/* The only host whose users may give their password to a program. */
#define LOGIN_PASSWORD_HOST "app.terraform.io"

/* l->host is set from what was typed.  -1: diagnosed. */
int login_host(struct arena *a, struct login *l, struct str typed,
	       struct diags *ds);
/* Obtains a token and keeps it.  -1: diagnosed; there may be warnings. */
int login_run(struct arena *a, struct login *l, struct diags *ds);
/* Removes it.  1: there was none. */
int login_forget(struct arena *a, struct login *l, struct diags *ds);

/*
 * release_age.c: releases that are too new to be chosen: minimum_release_age
 * of the CLI configuration
 *
 * Malicious releases are often found within days.  A registry may say in its
 * list of versions when each was published (published_at, as in RFC 3339);
 * where it does not, nothing is too new.
 */

/* "7d", "36h", "90m": seconds; -1: it is none. */
int64_t release_age_parse(struct str text);
/* Was it published less than `least` seconds ago?  false if `published` is not
 * a date. */
bool release_too_new(struct arena *a, int64_t least, struct str published);

#endif
