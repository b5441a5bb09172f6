/* credentials.h - tokens for hosts; see cli_hosts.h */
#ifndef TFPIPE_REMOTE_CREDENTIALS_H
#define TFPIPE_REMOTE_CREDENTIALS_H

#include "remote/cli_hosts.h"

/* The token for a host: of TF_TOKEN_host, of the files, or of the helper. 0
 * with an empty token: there is none.  -1 with *why: the helper failed. */
int host_token(struct arena *a, const struct cli_hosts *h, struct str host,
	       struct str *token, struct str *why);
/* The program of the helper; empty: there is none, or it is not found. */
struct str host_helper(struct arena *a, const struct cli_hosts *h);
/* Runs PROGRAM ARGUMENTS... VERB HOST, with input on its standard input; its
 * output goes to *out, if that is not NULL.  -1 with *why. */
int host_helper_run(struct arena *a, const struct cli_hosts *h,
		    const char *verb, struct str host, struct str input,
		    struct buf *out, struct str *why);

#endif
