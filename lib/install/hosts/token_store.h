/*
 * token_store.h - where tokens of hosts are kept by `tf login`
 *
 * In credentials.tfrc.json of the CLI configuration's directory, or by the
 * credentials helper; which of them is decided for each host by what there is.
 */
#ifndef TFPIPE_INSTALL_TOKEN_STORE_H
#define TFPIPE_INSTALL_TOKEN_STORE_H

#include "install/hosts/cli_hosts.h"

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

/* Keeps a token, in place of one that is there; the other hosts stay as they
 * are. -1 with *why, a sentence without a full stop. */
int token_store(struct arena *a, const struct cli_hosts *h, struct str host,
		struct str token, struct str *why);
int token_forget(struct arena *a, const struct cli_hosts *h, struct str host,
		 struct str *why);

#endif
