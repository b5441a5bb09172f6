/*
 * login.h - a token of a host, obtained and kept, or removed
 *
 * The host says in which way (services.h): by a page in the browser (oauth.h,
 * callback.h), by a password, or by a page of tokens, of which a person copies
 * one.  The caller shows messages and asks questions (ui/live/login_live.h).  A
 * token is in memory, in a pipe to tf-fetch or the credentials helper, and in
 * the file that keeps it, and nowhere else.
 */
#ifndef TFPIPE_INSTALL_LOGIN_H
#define TFPIPE_INSTALL_LOGIN_H

#include "install/hosts/hosts.h"
#include "install/hosts/token_store.h"

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
	struct hosts *hosts;    /* ready for services (hosts.h) */
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

#endif
