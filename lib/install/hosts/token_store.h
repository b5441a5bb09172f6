/*
 * token_store.h - where `tf login` keeps tokens of hosts
 *
 * In credentials.tfrc.json of the CLI configuration's directory, or with the
 * credentials helper, if there is one and no file has a token for the host.
 */
#ifndef TFPIPE_INSTALL_TOKEN_STORE_H
#define TFPIPE_INSTALL_TOKEN_STORE_H

#include "remote/cli_hosts.h"

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

#endif
