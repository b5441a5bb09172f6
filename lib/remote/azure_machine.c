/* azure_machine.c - tokens of Azure's that need no secret: of the machine's
 * identity, and of who has logged in; see azure.h */
#include <stdlib.h>
#include <time.h>

#include "json/read.h"
#include "json/tree.h"
#include "remote/remote.h"
#include "remote/remote_int.h"
#include "remote/credentials.h"

/* What older services call a scope. */
static struct str resource(const struct azure_asking *q)
{
	static const char ending[] = "/.default";

	return str_ends(q->scope, ending)
		       ? str_sub(q->scope, 0, q->scope.n - strlen(ending))
		       : q->scope;
}

static struct str query(const struct azure_asking *q, const char *version,
			const char *client)
{
	struct arena *a = q->rem->a;

	return STR_CAT(a, STR("?api-version="), str_c(version),
		       STR("&resource="), remote_escape(a, resource(q), false),
		       q->s->client.n ? str_c(client) : STR_NONE,
		       remote_escape(a, q->s->client, false));
}

static int ask(const struct azure_asking *q, struct str url, const char *name,
	       struct str value, struct str form, struct oauth_token *out,
	       struct str *why)
{
	const struct fetch_header header = { str_c(name), value };
	const struct fetch_proxies none = { STR(""), STR(""), STR("") };
	const struct fetch_request r = {
		.url = url, .headers = &header, .nheaders = 1, .proxies = &none
	};

	return oauth_ask(q->rem, &r, form, out, why);
}

/* A shell in the cloud. */
static int by_form(const struct azure_asking *q, struct str url,
		   struct oauth_token *out, struct str *why)
{
	struct buf form = BUF_INIT;
	int rc;

	oauth_form(&form, "resource", resource(q));
	rc = ask(q, url, "Metadata", STR("true"), buf_view(&form), out, why);
	buf_release(&form);
	return rc;
}

int azure_machine_token(const struct azure_asking *q, struct oauth_token *out,
			struct str *why)
{
	const struct str service = str_env("IDENTITY_ENDPOINT");
	const struct str key = str_env("IDENTITY_HEADER");
	const struct str secret = str_env("MSI_SECRET");
	struct arena *a = q->rem->a;
	struct str url = str_env("MSI_ENDPOINT");

	if (!url.n)
		url = q->s->machine_url;
	if (service.n && key.n)
		return ask(q,
			   STR_CAT(a, service,
				   query(q, "2019-08-01", "&client_id=")),
			   "X-IDENTITY-HEADER", key, STR_NONE, out, why);
	if (url.n && secret.n)
		return ask(q,
			   STR_CAT(a, url,
				   query(q, "2017-09-01", "&clientid=")),
			   "secret", secret, STR_NONE, out, why);
	if (url.n)
		return by_form(q, url, out, why);
	return ask(
		q,
		STR_CAT(a,
			STR("http://169.254.169.254/metadata/identity/oauth2/token"),
			query(q, "2018-02-01", "&client_id=")),
		"Metadata", STR("true"), STR_NONE, out, why);
}

/* --- az(1) --- */

static const struct json *az(struct remote *rem, const char *const argv[],
			     struct str *why)
{
	struct buf said = BUF_INIT;
	struct json_error wrong;
	const struct json *j = NULL;

	if (!secret_program_run(rem->a, argv, STR_NONE, &said, why)) {
		j = json_parse(rem->a, buf_dup(rem->a, &said), &wrong);
		if (!j || j->kind != JSON_OBJECT) {
			*why = STR("az has not answered with a JSON object");
			j = NULL;
		}
	}
	buf_release(&said);
	return j;
}

int azure_cli_subscription(struct remote *rem, struct str *out, struct str *why)
{
	static const char *const argv[] = { "az", "account", "show",
					    "-o", "json",    NULL };
	const struct json *j = az(rem, argv, why);

	*out = json_get_str(j, "id");
	if (j && !out->n)
		*why = STR("az has no subscription selected");
	return out->n ? 0 : -1;
}

int azure_cli_token(const struct azure_asking *q, struct oauth_token *out,
		    struct str *why)
{
	struct arena *a = q->rem->a;
	const char *argv[12] = { "az", "account", "get-access-token",
				 "-o", "json",    "--resource" };
	size_t n = 6;
	const struct json *j;

	argv[n++] = str_dup(a, resource(q)).p;
	if (q->s->tenant.n) {
		argv[n++] = "--tenant";
		argv[n++] = str_dup(a, q->s->tenant).p;
	}
	if (q->s->subscription.n) {
		argv[n++] = "--subscription";
		argv[n++] = str_dup(a, q->s->subscription).p;
	}
	j = az(q->rem, argv, why);
	if (!j)
		return -1;
	out->text = json_get_str(j, "accessToken");
	oauth_lives(out, json_get_int(j, "expires_on", time(NULL) + 600) -
				 time(NULL));
	if (out->text.n)
		return 0;
	*why = STR("az has given no token");
	return -1;
}
