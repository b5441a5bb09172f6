/* login.c - see login.h */

#include "base/product.h"
#include "install/hosts/hosts_int.h"

/* --- what the host has --- */

struct found {
	struct service service;
	bool over;
};

static void on_service(void *data, const struct service *s)
{
	struct found *f = data;

	f->service = *s;
	f->over = true;
}

static struct service find_service(struct login *l, const char *id)
{
	struct found f = { .over = false };

	services_find(l->hosts->services, l->host, id, on_service, &f);
	loop_run(l->hosts->remote.loop, &f.over);
	return f.service;
}

static const char other_version[] =
	"The host %.*s gives tokens, but in a way that only newer versions know.";

static const char *unsupported(const struct login *l, const char *what)
{
	return arena_printf(l->arena, "Host does not support %s %s",
			    product_peer(), what);
}

/* 1: the host has none; -1: service discovery failed. */
static int find_oauth(struct login *l, struct oauth_client *c)
{
	const char *summary = unsupported(l, "login");
	struct service s = find_service(l, "login.v1");
	struct str why = STR_NONE;

	if (s.status == SERVICE_UNREACHABLE && !s.entry)
		return diag_error(
			l->ds, NULL,
			arena_printf(l->arena,
				     "Service discovery failed for %.*s",
				     STR_ARG(l->host)),
			"%.*s: %.*s.", STR_ARG(l->host), STR_ARG(s.why));
	if (!s.entry) {
		if (s.status == SERVICE_OTHER_VERSION)
			diag_warning(l->ds, NULL, summary, other_version,
				     STR_ARG(l->host));
		return 1;
	}
	if (!oauth_client_read(l->arena, &s, c, &why))
		return 0;
	diag_warning(l->ds, NULL, summary, "The host %.*s: %.*s.",
		     STR_ARG(l->host), STR_ARG(why));
	return 1;
}

/* A service whose users make tokens themselves, on a page of it. */
static int find_tokens(struct login *l, struct str *url)
{
	const char *summary = unsupported(l, "tokens API");
	struct service s = find_service(l, "tfe.v2");

	*url = s.url;
	switch (s.status) {
	case SERVICE_FOUND:
		return 0;
	case SERVICE_NONE:
		return diag_error(l->ds, NULL, summary,
				  "The host %.*s offers no way to make tokens.",
				  STR_ARG(l->host));
	case SERVICE_OTHER_VERSION:
		return diag_error(l->ds, NULL, summary, other_version,
				  STR_ARG(l->host));
	default:
		return diag_error(l->ds, NULL, summary, "The host %.*s: %.*s.",
				  STR_ARG(l->host), STR_ARG(s.why));
	}
}

/* --- both commands --- */

static int get_token(struct login *l, const struct oauth_client *c,
		     struct str service, struct str *token)
{
	if (service.n)
		return login_by_page(l, service, token);
	if (c->code)
		return login_by_code(l, c, token);
	if (c->password && str_is(l->host, LOGIN_PASSWORD_HOST))
		return login_by_password(l, c, token);
	return diag_error(
		l->ds, NULL, unsupported(l, "login"),
		"The host %.*s gives tokens, but in no way that is known here.",
		STR_ARG(l->host));
}

static int configured(struct login *l, const char *command)
{
	return diag_error(
		l->ds, NULL,
		arena_printf(l->arena,
			     "Credentials for %.*s are manually configured",
			     STR_ARG(l->host)),
		"A file of the CLI configuration has them, which \"%s %s\" does "
		"not change: remove them there, after revoking the token.",
		product_command(), command);
}

int login_host(struct arena *a, struct login *l, struct str typed,
	       struct diags *ds)
{
	struct str why;

	if (!host_check(a, typed, &l->host, &why))
		return 0;
	return diag_error(ds, NULL, "Invalid hostname",
			  "\"%.*s\" is no name of a host: %.*s.",
			  STR_ARG(typed), STR_ARG(why));
}

int login_run(struct arena *a, struct login *l, struct diags *ds)
{
	struct str service = STR_NONE, token, why = STR_NONE;
	struct oauth_client c = { .min_port = 0 };
	int rc;

	l->arena = a;
	l->ds = ds;
	l->place = token_place(a, l->cli, l->host);
	rc = find_oauth(l, &c);
	if (rc < 0)
		return -1;
	if (rc > 0)
		find_tokens(l, &service);
	if (l->place == TOKEN_OTHER)
		configured(l, "login");
	if (diags_failed(ds) || get_token(l, &c, service, &token))
		return -1;
	l->cloud = service.n != 0;
	if (!token_store(a, l->cli, l->host, token, &why))
		return 0;
	return diag_error(
		ds, NULL, "Failed to save API token",
		"The host has given a token, but it cannot be kept: %.*s.",
		STR_ARG(why));
}

int login_forget(struct arena *a, struct login *l, struct diags *ds)
{
	struct str why = STR_NONE;

	l->arena = a;
	l->ds = ds;
	l->place = token_place(a, l->cli, l->host);
	if (l->place == TOKEN_OTHER)
		return configured(l, "logout");
	if (l->place == TOKEN_NOWHERE) {
		l->told(l->data, l, LOGOUT_NOTHING, STR_NONE);
		return 1;
	}
	l->told(l->data, l, LOGOUT_REMOVING, STR_NONE);
	if (!token_forget(a, l->cli, l->host, &why))
		return 0;
	return diag_error(ds, NULL, "Failed to remove API token",
			  "The token cannot be removed: %.*s.", STR_ARG(why));
}
