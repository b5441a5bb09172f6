/*
 * cli_hosts.h - what of the user's CLI configuration file is about hosts: their
 * services, credentials for them, and how patiently registries are asked
 */
#ifndef TFPIPE_INSTALL_CLI_HOSTS_H
#define TFPIPE_INSTALL_CLI_HOSTS_H

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

/* What a host is called: in small letters, without the port of https. */
struct str host_name(struct arena *a, struct str text);
/* The same of what somebody typed; -1 with *why, a sentence without a full
 * stop, where it is no name of a host. */
int host_check(struct arena *a, struct str text, struct str *out,
	       struct str *why);

/* Reads the blocks of a file.  Of files the first that sets something counts,
 * for a host and its credentials the last. */
int cli_hosts_read(struct arena *a, const struct body *b, struct cli_hosts *out,
		   struct diags *ds);
/* What the environment says comes before what files say; then the defaults. */
void cli_hosts_finish(struct cli_hosts *h);
/* A whole number, in quotes or not. */
int cli_count(struct arena *a, struct expression e, int *out, struct diags *ds);
/* Of a variable only a number above 0 counts. */
int cli_environment_count(const char *name, int otherwise);

#endif
