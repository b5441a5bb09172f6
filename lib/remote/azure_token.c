/* azure_token.c - tokens of Azure's for an application, and which way to one is
 * taken; see azure.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base64.h"
#include "base/io.h"
#include "base/uuid.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote.h"
#include "remote/remote_int.h"

enum { MOST_FILE = 1 << 20, VALID = 600 /* seconds */ };

static const char assertion_type[] =
	"urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

static struct str token_url(const struct azure_asking *q, struct str tenant)
{
	return STR_CAT(q->rem->a, q->cloud->login,
		       remote_escape(q->rem->a, tenant, false),
		       STR("/oauth2/v2.0/token"));
}

/* With a secret, or with a text that says who it is. */
static int ask(const struct azure_asking *q, struct str tenant,
	       struct str client, struct str secret, struct str assertion,
	       struct oauth_token *out, struct str *why)
{
	const struct fetch_request r = { .url = token_url(q, tenant) };
	struct buf form = BUF_INIT;
	int rc;

	oauth_form(&form, "client_id", client);
	if (assertion.n) {
		oauth_form(&form, "client_assertion", assertion);
		oauth_form(&form, "client_assertion_type",
			   str_c(assertion_type));
	} else {
		oauth_form(&form, "client_secret", secret);
	}
	oauth_form(&form, "grant_type", STR("client_credentials"));
	oauth_form(&form, "scope", q->scope);
	rc = oauth_ask(q->rem, &r, buf_view(&form), out, why);
	buf_release(&form);
	return rc;
}

static int by_secret(const struct azure_asking *q, struct oauth_token *out,
		     struct str *why)
{
	return ask(q, q->s->tenant, q->s->client, q->s->secret, STR_NONE, out,
		   why);
}

/* --- a certificate --- */

/* The DER of the first one in a PEM. */
static bool der_of(struct arena *a, struct str pem, struct str *der)
{
	static const char begin[] = "-----BEGIN CERTIFICATE-----";
	const ptrdiff_t from = str_find(pem, str_c(begin));
	struct buf text = BUF_INIT;
	bool rc;

	if (from < 0)
		return false;
	for (size_t i = (size_t)from + strlen(begin);
	     i < pem.n && pem.p[i] != '-'; i++)
		if (!strchr("\r\n\t ", pem.p[i]))
			buf_putc(&text, pem.p[i]);
	rc = base64_decode(a, buf_dup(a, &text), der);
	buf_release(&text);
	return rc;
}

static struct str header(struct arena *a, struct str der)
{
	unsigned char sum[DIGEST_MAX];
	const size_t n = digest_of("sha1", der, sum);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	struct str out;

	jw_object(&w);
	jw_member_str(&w, "alg", STR("RS256"));
	jw_member_str(&w, "typ", STR("JWT"));
	jw_member_str(&w, "x5t",
		      base64_url(a, (struct str){ (const char *)sum, n }));
	jw_object_end(&w);
	out = buf_dup(a, &text);
	buf_release(&text);
	return out;
}

static struct str claims(const struct azure_asking *q)
{
	const int64_t now = time(NULL);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	char id[UUID_SIZE] = "";
	struct str out;

	while (uuid_random(id))
		;
	jw_object(&w);
	jw_member_str(&w, "aud", token_url(q, q->s->tenant));
	jw_member_int(&w, "exp", now + VALID);
	jw_member_str(&w, "iss", q->s->client);
	jw_member_str(&w, "jti", str_c(id));
	jw_member_int(&w, "nbf", now);
	jw_member_str(&w, "sub", q->s->client);
	jw_object_end(&w);
	out = buf_dup(q->rem->a, &text);
	buf_release(&text);
	return out;
}

static int by_certificate(const struct azure_asking *q, struct oauth_token *out,
			  struct str *why)
{
	struct arena *a = q->rem->a;
	struct str der, assertion;

	if (!der_of(a, q->s->certificate, &der)) {
		*why = STR("the client certificate is none");
		return -1;
	}
	if (oauth_sign(a, q->s->key, header(a, der), claims(q), &assertion,
		       why)) {
		*why = STR_CAT(
			a, STR("the client certificate's key is of no use: "),
			*why);
		return -1;
	}
	return ask(q, q->s->tenant, q->s->client, STR_NONE, assertion, out,
		   why);
}

/* --- identities that others vouch for --- */

static int read_file(struct arena *a, struct str path, struct str *out,
		     struct str *why)
{
	if (!io_read_regular(a, str_dup(a, path).p, MOST_FILE, out))
		return 0;
	*why = str_printf(a, "%.*s cannot be read: %s", STR_ARG(path),
			  strerror(errno));
	return -1;
}

static int ask_vouching(const struct azure_asking *q, struct str method,
			struct str url, const char *member, struct str *out,
			struct str *why)
{
	const struct fetch_header headers[] = {
		{ STR("Accept"), STR("application/json; api-version=2.0") },
		{ STR("Content-Type"), STR("application/json") },
	};
	const struct fetch_request r = { .url = url,
					 .method = method,
					 .token = q->s->oidc_url_token,
					 .headers = headers,
					 .nheaders = 2,
					 .retries = REMOTE_RETRIES,
					 .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer;
	struct json_error wrong;

	fetch_wait(remote_fetch(q->rem), &r, &answer);
	*out = json_get_str(json_parse(q->rem->a, answer.body, &wrong), member);
	if (answer.status == 200 && out->n)
		return 0;
	*why = str_printf(
		q->rem->a, "%.*s gives no token of who runs this: %.*s",
		STR_ARG(url_redacted(q->rem->a, url)),
		STR_ARG(answer.error.n ? answer.error
			: answer.status == 200
				? STR("the answer has none")
				: fetch_status_text(q->rem->a, answer.status)));
	return -1;
}

static struct str audience(const struct azure_cloud *c)
{
	if (str_is(c->login, "https://login.chinacloudapi.cn/"))
		return STR("api://AzureADTokenExchangeChina");
	if (str_is(c->login, "https://login.microsoftonline.us/"))
		return STR("api://AzureADTokenExchangeUSGov");
	return STR("api://AzureADTokenExchange");
}

static int by_oidc(const struct azure_asking *q, struct oauth_token *out,
		   struct str *why)
{
	const struct azure_settings *s = q->s;
	struct arena *a = q->rem->a;
	struct str token = s->oidc_token, url = s->oidc_url;

	if (!token.n && s->oidc_file.n) {
		if (read_file(a, s->oidc_file, &token, why))
			return -1;
	} else if (!token.n) {
		if (str_find(url, STR("audience=")) < 0)
			url = STR_CAT(
				a, url,
				str_chr(url, '?') < 0 ? STR("?") : STR("&"),
				STR("audience="),
				remote_escape(a, audience(q->cloud), false));
		if (ask_vouching(q, STR("GET"), url, "value", &token, why))
			return -1;
	}
	return ask(q, s->tenant, s->client, STR_NONE, str_trim(token), out,
		   why);
}

static int by_pipeline(const struct azure_asking *q, struct oauth_token *out,
		       struct str *why)
{
	struct arena *a = q->rem->a;
	struct str url = str_env("SYSTEM_OIDCREQUESTURI"), token;

	url = STR_CAT(a, url, STR("?api-version=7.1&serviceConnectionId="),
		      remote_escape(a, q->s->connection, false));
	if (ask_vouching(q, STR("POST"), url, "oidcToken", &token, why))
		return -1;
	return ask(q, q->s->tenant, q->s->client, STR_NONE, token, out, why);
}

static int by_workload(const struct azure_asking *q, struct oauth_token *out,
		       struct str *why)
{
	const struct str file = str_env("AZURE_FEDERATED_TOKEN_FILE");
	const struct str tenant = str_env("AZURE_TENANT_ID");
	const struct str client = str_env("AZURE_CLIENT_ID");
	struct str token;

	if (!file.n || !tenant.n || !client.n) {
		*why = STR("AZURE_FEDERATED_TOKEN_FILE, AZURE_TENANT_ID or "
			   "AZURE_CLIENT_ID is not set");
		return -1;
	}
	if (read_file(q->rem->a, file, &token, why))
		return -1;
	return ask(q, tenant, client, STR_NONE, str_trim(token), out, why);
}

/* --- which of them --- */

static const char *no_client(const struct azure_settings *s)
{
	if (!s->tenant.n)
		return "there is no tenant_id";
	if (s->client_wrong)
		return s->client_wrong;
	return s->client.n ? NULL : "there is no client_id";
}

static const char *no_certificate(const struct azure_settings *s)
{
	if (s->certificate_wrong)
		return s->certificate_wrong;
	if (!s->certificate.n)
		return "there is no client_certificate";
	return no_client(s);
}

static const char *no_secret(const struct azure_settings *s)
{
	if (s->secret_wrong)
		return s->secret_wrong;
	if (!s->secret.n)
		return "there is no client_secret";
	return no_client(s);
}

static const char *no_pipeline(const struct azure_settings *s)
{
	const char *url = getenv("SYSTEM_OIDCREQUESTURI");

	if (!s->use_oidc)
		return "use_oidc is not true";
	if (!s->connection.n)
		return "there is no ado_service_connection_id";
	if (!url || !*url)
		return "SYSTEM_OIDCREQUESTURI is not set";
	if (!s->oidc_url_token.n)
		return "there is no oidc_request_token";
	return no_client(s);
}

static const char *no_oidc(const struct azure_settings *s)
{
	if (!s->use_oidc)
		return "use_oidc is not true";
	if (!s->oidc_token.n && !s->oidc_file.n &&
	    (!s->oidc_url.n || !s->oidc_url_token.n))
		return "there is no oidc_token, no oidc_token_file_path, and "
		       "no oidc_request_url with an oidc_request_token";
	return no_client(s);
}

static const char *no_machine(const struct azure_settings *s)
{
	return s->use_machine ? NULL : "use_msi is not true";
}

static const char *no_workload(const struct azure_settings *s)
{
	return s->use_workload ? NULL : "use_aks_workload_identity is not true";
}

static const char *no_cli(const struct azure_settings *s)
{
	return s->use_cli ? NULL : "use_cli is false";
}

static const struct {
	const char *name;
	const char *(*lacks)(const struct azure_settings *s);
	int (*ask)(const struct azure_asking *q, struct oauth_token *out,
		   struct str *why);
} ways[] = {
	{ "client certificate", no_certificate, by_certificate },
	{ "client secret", no_secret, by_secret },
	{ "Azure DevOps", no_pipeline, by_pipeline },
	{ "OpenID Connect", no_oidc, by_oidc },
	{ "managed identity", no_machine, azure_machine_token },
	{ "AKS workload identity", no_workload, by_workload },
	{ "az login", no_cli, azure_cli_token },
};
enum { NWAYS = sizeof(ways) / sizeof(*ways) };

int azure_token(struct remote *rem, const struct azure_settings *s,
		const struct azure_cloud *cloud, struct str scope,
		struct oauth_token *token, struct str *why)
{
	const struct azure_asking q = { rem, s, cloud, scope };
	struct oauth_token fresh = { .text = STR_NONE };

	if (oauth_fresh(token))
		return 0;
	*why = STR_NONE;
	for (size_t i = 0; i < NWAYS; i++) {
		const char *lacks = ways[i].lacks(s);

		if (lacks) {
			*why = str_printf(rem->a, "%.*s%s%s: %s", STR_ARG(*why),
					  why->n ? "; " : "", ways[i].name,
					  lacks);
			continue;
		}
		if (ways[i].ask(&q, &fresh, why)) {
			*why = str_printf(rem->a, "%s: %.*s", ways[i].name,
					  STR_ARG(*why));
			return -1;
		}
		*token = fresh;
		return 0;
	}
	return 1;
}
