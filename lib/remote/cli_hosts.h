/*
 * cli_hosts.h - the part of the user's CLI configuration about hosts: their
 * services, their credentials, retries and timeouts of registries
 */
#ifndef TFPIPE_REMOTE_CLI_HOSTS_H
#define TFPIPE_REMOTE_CLI_HOSTS_H

#include "addr/addr.h"
#include "base/opts.h"

struct cli_hosts {
	struct map services; /* host -> const struct json *: `host`, as a
				discovery document would have it */
	struct map tokens;   /* host -> struct str *: `credentials` */
	struct str helper;   /* credentials_helper; empty: there is none */
	struct str_vec helper_args;
	/* registry_protocols and the environment; -1: not said */
	int retries, seconds;
};

#define CLI_HOSTS_INIT \
	{ \
		.retries = -1, .seconds = -1 \
	}

/* Normalises a host name: in small letters, without the port of https. */
struct str host_name(struct arena *a, struct str text);
/* Normalises what a user typed; -1 with *why, a sentence without a full stop,
 * if it is not a host name. */
int host_check(struct arena *a, struct str text, struct str *out,
	       struct str *why);

/* Reads the blocks of a file.  The first file that sets something counts; for a
 * host and its credentials, the last. */
int cli_hosts_read(struct arena *a, const struct body *b, struct cli_hosts *out,
		   struct diags *ds);
/* The same of all files (cli_files.h), of which nothing else is read. */
int cli_hosts_load(struct arena *a, struct cli_hosts *out, struct diags *ds);
/* Applies the environment, which overrides the files, and then the defaults. */
void cli_hosts_finish(struct cli_hosts *h);
/* A whole number, in quotes or not. */
int cli_count(struct arena *a, struct expression e, int *out, struct diags *ds);
/* Of a variable only a number above 0 counts. */
int cli_environment_count(const char *name, int otherwise);

#endif
