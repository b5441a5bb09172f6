/* kubernetes_user.c - who asks an API server, see kubernetes.c */
#include <stdlib.h>

#include "base/base64.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/credentials.h"
#include "state/backend/backend_int.h"
#include "state/backend/kubernetes/kubernetes_int.h"

/* --- the program of a user --- */

/* A member that a kubeconfig and the block spell differently. */
static const struct value *member(const struct value *exec, const char *file,
				  const char *block)
{
	const struct value *v = argument_member(exec, file);

	return v ? v : argument_member(exec, block);
}

static const char **arguments(struct backend *b, const struct value *exec)
{
	struct kubernetes_backend *k = b->data;
	const struct value *args = argument_member(exec, "args");
	const uint32_t n = args ? args->len : 0;
	const char **argv = ARENA_ARRAY(b->arena, const char *, n + 2);
	struct str command = argument_string(argument_member(exec, "command"));

	if (command.n && *command.p != '/' && str_chr(command, '/') >= 0)
		command = STR_CAT(b->arena, k->user.exec_dir, command);
	argv[0] = arena_strndup(b->arena, command.p, command.n);
	for (uint32_t i = 0; i < n; i++) {
		struct str s = argument_string(args->elems[i]);

		argv[i + 1] = arena_strndup(b->arena, s.p ? s.p : "", s.n);
	}
	return argv;
}

/* In the environment, where no list of processes shows them. */
static void set(struct backend *b, struct str name, struct str value, bool on)
{
	const char *n = arena_strndup(b->arena, name.p, name.n);

	if (on)
		setenv(n, arena_strndup(b->arena, value.p, value.n), 1);
	else
		unsetenv(n);
}

/* env: a list of names and values in a kubeconfig, a map in the block. */
static void set_environment(struct backend *b, const struct value *exec,
			    bool on)
{
	const struct value *env = argument_member(exec, "env");
	struct str version =
		argument_string(member(exec, "apiVersion", "api_version"));

	set(b, STR("KUBERNETES_EXEC_INFO"),
	    STR_CAT(b->arena,
		    STR("{\"kind\":\"ExecCredential\",\"apiVersion\":\""),
		    version, STR("\",\"spec\":{\"interactive\":false}}")),
	    on);
	for (uint32_t i = 0; env && i < env->len; i++) {
		const bool map = env->type->kind == TYPE_MAP;
		const struct value *one = env->elems[i];
		struct str name =
			map ? env->keys[i]
			    : argument_string(argument_member(one, "name"));

		if (name.n)
			set(b, name,
			    map ? argument_string(one)
				: argument_string(
					  argument_member(one, "value")),
			    on);
	}
}

static int take_answer(struct backend *b, struct str text, struct str *why)
{
	struct kubernetes_backend *k = b->data;
	struct json_error err;
	const struct json *status =
		json_get(str_utf8_valid(text) ? json_parse(b->arena, text, &err)
					      : NULL,
			 "status");
	struct str token = json_get_str(status, "token");
	struct str pem = json_get_str(status, "clientCertificateData");

	if (token.n)
		k->user.token = token;
	if (pem.n) {
		k->tls.certificate = pem;
		k->tls.key = json_get_str(status, "clientKeyData");
	}
	*why = STR("the program of the configuration's exec tells neither a "
		   "token nor a certificate");
	return token.n || pem.n ? 0 : -1;
}

static int run_program(struct backend *b, struct str *why)
{
	struct kubernetes_backend *k = b->data;
	struct buf out = BUF_INIT;
	int rc;

	set_environment(b, k->user.exec, true);
	rc = secret_program_run(b->arena, arguments(b, k->user.exec), STR_NONE,
				&out, why);
	set_environment(b, k->user.exec, false);
	if (rc)
		*why = STR_CAT(b->arena, STR("getting credentials: "), *why);
	else
		rc = take_answer(b, buf_dup(b->arena, &out), why);
	buf_release(&out);
	return rc;
}

/* Somebody writes a new one there before the old one's time is up. */
static void read_token(struct backend *b)
{
	struct kubernetes_backend *k = b->data;
	struct str path = k->user.token_file, token;
	struct buf text = BUF_INIT;

	if (io_read_file(arena_strndup(b->arena, path.p, path.n), &text, 0))
		buf_set_len(&text, 0);
	token = str_trim(buf_dup(b->arena, &text));
	buf_release(&text);
	if (token.n)
		k->user.token = token;
}

int kubernetes_identify(struct backend *b, struct str *why)
{
	struct kubernetes_backend *k = b->data;
	struct str who = STR_NONE;

	if (k->user.token_file.n)
		read_token(b);
	if (k->user.exec && run_program(b, why))
		return -1;
	k->nheaders = 0;
	if (k->user.token.n)
		who = STR_CAT(b->arena, STR("Bearer "), k->user.token);
	else if (k->user.name.n)
		who = STR_CAT(b->arena, STR("Basic "),
			      base64_encode(b->arena,
					    STR_CAT(b->arena, k->user.name,
						    STR(":"),
						    k->user.password)));
	k->headers[k->nheaders++] =
		(struct fetch_header){ STR("Content-Type"),
				       STR("application/json") };
	if (who.n)
		k->headers[k->nheaders++] =
			(struct fetch_header){ STR("Authorization"), who };
	return 0;
}
