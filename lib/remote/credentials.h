/* credentials.h - tokens for hosts; see cli_hosts.c */
#ifndef TFPIPE_REMOTE_CREDENTIALS_H
#define TFPIPE_REMOTE_CREDENTIALS_H

#include "addr/addr.h"
#include "lang/syntax/body.h"
#include "base/str.h"

/*
 * cli_hosts.c: the part of the user's CLI configuration about hosts: their
 * services, their credentials, retries and timeouts of registries
 */

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
/* Reads the blocks about hosts alone, of all files (cli_files.c). */
int cli_hosts_load(struct arena *a, struct cli_hosts *out, struct diags *ds);
/* Applies the environment, which overrides the files, and then the defaults. */
void cli_hosts_finish(struct cli_hosts *h);
/* A whole number, in quotes or not. */
int cli_count(struct arena *a, struct expression e, int *out, struct diags *ds);
/* The number in an environment variable if it is above 0, or else this one. */
int cli_environment_count(const char *name, int otherwise);

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

/*
 * cli_files.c: the files that the CLI configuration is in, and their bodies
 *
 * The file that TF_CLI_CONFIG_FILE (or TERRAFORM_CONFIG) names; else ~/.tofurc
 * or ~/.terraformrc or, where there is neither,
 * $XDG_CONFIG_HOME/opentofu/tofurc, and all *.tfrc and *.tfrc.json of
 * ~/.terraform.d, or of $XDG_CONFIG_HOME/opentofu where there is no such
 * directory.
 */

/* The files that exist, in the order in which the first to set something
 * counts.  One that is named and does not exist is a warning. */
void cli_files(struct arena *a, struct str_vec *out, struct diags *ds);

struct cli_insertion {
	uint32_t before; /* a byte of the file */
	uint32_t n;      /* so many more bytes are parsed in front of it */
};

/* One of them, and how the text that is parsed differs from it. */
struct cli_file {
	struct source *written;               /* NULL: there is none */
	VEC(struct cli_insertion) insertions; /* in their order */
};

/* Reads one, in OpenTofu's old syntax or in JSON.  *out: NULL where the file is
 * /dev/null, which stands for none. */
int cli_file_read(struct arena *a, struct str path, struct cli_file *f,
		  struct body **out, struct diags *ds);

/* To be called when the body has been gone through: diagnostics from index
 * `from` on get their places in the file as it is written, and its text to be
 * shown with them.  Not so where that may show credentials, as any line may of
 * a file that cannot be parsed (b is NULL). */
void cli_file_told(const struct cli_file *f, const struct body *b,
		   struct diags *ds, size_t from);

/* ~/.terraform.d, or where that is not there $XDG_CONFIG_HOME/opentofu; empty
 * where there is no home. */
struct str cli_dir(struct arena *a);

/* DIR/SUB for each directory in which providers are looked for by default. */
void cli_plugin_dirs(struct arena *a, struct str_vec *out);

/* A path with a leading ~ replaced; and $NAME and ${NAME}. */
struct str cli_home(struct arena *a, struct str path);
struct str cli_expand(struct arena *a, struct str path);

/*
 * secret_program.c: programs that know secrets: credential helpers, and
 * processes that profiles name
 */

/* Runs argv, which ends with NULL, with `input` through a pipe.  -1 with *why,
 * a sentence without its full stop; *out has its output even then, and is the
 * caller's to release. */
int secret_program_run(struct arena *a, const char *const argv[],
		       struct str input, struct buf *out, struct str *why);

#endif
