/*
 * tf-login.h - what tf-login was asked for, and how it talks
 */
#ifndef TFPIPE_TF_LOGIN_H
#define TFPIPE_TF_LOGIN_H

#include "base/io.h"
#include "install/cli_config.h"
#include "install/hosts/hosts.h"
#include "install/hosts/oauth.h"
#include "install/hosts/token_store.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str json_into;
	struct str_vec rest, ignored;
	bool logout, json, no_color, input, consolidate;
	struct cli_config cli;
	struct hosts hosts;
	struct str host;        /* as host_name has it */
	enum token_place place;
	struct out out, err, into_out;
	struct view v, into;
};

/* login_flow.c: each asks whether it may, and obtains a token; -1 with a
 * diagnostic. */
int login_by_code(struct tool *t, const struct oauth_client *c,
		  struct str *token);
int login_by_password(struct tool *t, const struct oauth_client *c,
		      struct str *token);
/* A token that somebody makes on a page of the service, and pastes. */
int login_by_page(struct tool *t, struct str service, struct str *token);

/* login_talk.c: a text for people with values in it, and for programs the other
 * one; both have the same values, in the same order. */
void login_say(struct tool *t, const char *text, const char *message, ...)
	__attribute__((format(printf, 2, 4)));
void login_line(struct tool *t); /* a rule between two parts, for people */
/* "Success! TEXT", in colours; more: what is said behind it, or "". */
void login_success(struct tool *t, struct str text, const char *more);

/* Asks; secret: without an echo, if it is a terminal that answers.  -1 with a
 * diagnostic of that summary. */
int login_ask(struct tool *t, const char *query, const char *about, bool secret,
	      const char *summary, struct str *out);
/* Opens the address in a browser; false: there is none that would. */
bool login_browse(struct tool *t, struct str address);

#endif
