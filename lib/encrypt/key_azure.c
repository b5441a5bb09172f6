/*
 * key_azure.c - the key provider azure_vault: keys made here, which Azure's Key
 * Vault encrypts and decrypts
 *
 * Stored is what the vault has made of a key: {"ciphertext", "iv",
 * "authentication_tag", "additional_authenticated_data"} in base64, the
 * "key_version" that encrypted it, and "algo".
 *
 * Whom a token must be for the vault says itself: a first request without a
 * token and a body is answered by 401 with a challenge.
 */
#include <stdlib.h>

#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "config/source/url.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/azure.h"
#include "remote/remote.h"

enum { MOST_KEY = 1 << 20, MOST_NAME = 127, LEAST_VAULT = 3, MOST_VAULT = 24 };

static const struct key_argument arguments[] = {
	{ "use_cli", &type_bool, false, NULL, NULL },
	{ "client_id", &type_string, false, NULL, NULL },
	{ "client_id_file_path", &type_string, false, NULL, NULL },
	{ "client_secret", &type_string, false, NULL, NULL },
	{ "client_secret_file_path", &type_string, false, NULL, NULL },
	{ "client_certificate", &type_string, false, NULL, NULL },
	{ "client_certificate_password", &type_string, false, NULL, NULL },
	{ "client_certificate_path", &type_string, false, NULL, NULL },
	{ "use_oidc", &type_bool, false, NULL, NULL },
	{ "oidc_token", &type_string, false, NULL, NULL },
	{ "oidc_token_file_path", &type_string, false, NULL, NULL },
	{ "oidc_request_url", &type_string, false, NULL, NULL },
	{ "oidc_request_token", &type_string, false, NULL, NULL },
	{ "use_msi", &type_bool, false, NULL, NULL },
	{ "msi_endpoint", &type_string, false, NULL, NULL },
	{ "use_aks_workload_identity", &type_bool, false, NULL, NULL },
	{ "metadata_host", &type_string, false, NULL, NULL },
	{ "environment", &type_string, false, NULL, NULL },
	{ "subscription_id", &type_string, false, NULL, NULL },
	{ "tenant_id", &type_string, false, NULL, NULL },
	{ "vault_uri", &type_string, true, NULL, NULL },
	{ "vault_key_name", &type_string, true, NULL, NULL },
	{ "key_length", &type_number, true, NULL, NULL },
	{ "symmetric", &type_bool, false, NULL, NULL },
	{ "symmetric_key_size", &type_number, false, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

/* Who asks, and how: the same for all requests of a provider. */
struct vault {
	struct str url; /* without a slash at its end */
	struct str name, algorithm;
	struct azure_settings who;
	struct azure_cloud cloud;
	struct str scope; /* empty: the vault has not said it yet */
	struct oauth_token token;
};

/* --- settings --- */

/* An argument, or a variable: ARM_NAME, or of the service that runs this. */
static struct str setting(const struct key_job *j, const char *name,
			  const char *variable, const char *other)
{
	struct str s = key_string(j, name);

	if (!s.n)
		s = str_env(variable);
	return !s.n && other ? str_env(other) : s;
}

static bool flag(const struct key_job *j, const char *name, bool otherwise)
{
	const struct value *v = value_get(j->args, str_c(name));

	return v && value_usable(v) ? v->boolean : otherwise;
}

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= '9') &&
		    !(s.p[i] >= 'a' && s.p[i] <= 'z') &&
		    !(s.p[i] >= 'A' && s.p[i] <= 'Z') && s.p[i] != '-')
			return false;
	return s.n > 0;
}

/* The first label of the host is the vault's name. */
static bool is_vault(struct str host)
{
	const ptrdiff_t dot = str_chr(host, '.');
	const ptrdiff_t port = str_chr(host, ':');
	const struct str v = str_sub(host, 0,
				     dot >= 0    ? (size_t)dot
				     : port >= 0 ? (size_t)port
						 : host.n);

	return is_name(v) && v.n >= LEAST_VAULT && v.n <= MOST_VAULT &&
	       v.p[0] > '9' && v.p[v.n - 1] != '-' &&
	       str_find(v, STR("--")) < 0;
}

static const char *algorithm(const struct key_job *j, struct str *out)
{
	const int64_t bits = key_int(j, "symmetric_key_size", 0);

	*out = STR("RSA-OAEP-256");
	if (!flag(j, "symmetric", false))
		return NULL;
	*out = str_printf(j->e->a, "A%dGCM", (int)bits);
	return bits == 128 || bits == 192 || bits == 256
		       ? NULL
		       : "when symmetric is set to true, symmetric_key_size "
			 "must be given a value of 128, 192, or 256";
}

static const char *read_key(const struct key_job *j, struct vault *v)
{
	const char *wrong = algorithm(j, &v->algorithm);
	const int64_t bytes = key_int(j, "key_length", 0);
	struct url u;

	v->name = key_string(j, "vault_key_name");
	v->url = key_string(j, "vault_uri");
	if (wrong)
		return wrong;
	if (!v->name.n)
		return "vault_key_name must be provided";
	if (!v->url.n)
		return "vault_uri must be provided";
	if (v->name.n > MOST_NAME || !is_name(v->name))
		return "vault_key_name is no name of a key, which has 1 to 127 "
		       "letters, digits and hyphens";
	if (url_parse(j->e->a, v->url, &u) || !is_vault(u.host))
		return "vault_uri is no URL of a vault, whose name has 3 to 24 "
		       "letters, digits and single hyphens, begins with a "
		       "letter and does not end with a hyphen";
	if (bytes < 1)
		return "key_length must be at least 1";
	if (bytes > MOST_KEY)
		return "key_length is larger than any key of a vault";
	while (str_ends(v->url, "/"))
		v->url.n--;
	return NULL;
}

/* Returns what is wrong with them, or NULL. */
static const char *text_or_file(const struct key_job *j, const char *name,
				const char *variable, struct str *out)
{
	const char *file = arena_printf(j->e->a, "%s_file_path", name);

	*out = setting(j, name, variable, NULL);
	return azure_text(
		j->e->a, file, out,
		setting(j, file,
			arena_printf(j->e->a, "%s_FILE_PATH", variable), NULL));
}

static void read_who(const struct key_job *j, struct azure_settings *s)
{
	*s = (struct azure_settings){
		.tenant = setting(j, "tenant_id", "ARM_TENANT_ID", NULL),
		.subscription = setting(j, "subscription_id",
					"ARM_SUBSCRIPTION_ID", NULL),
		.use_oidc = flag(j, "use_oidc", false),
		.oidc_token = setting(j, "oidc_token", "ARM_OIDC_TOKEN", NULL),
		.oidc_file = setting(j, "oidc_token_file_path",
				     "ARM_OIDC_TOKEN_FILE_PATH", NULL),
		.oidc_url =
			setting(j, "oidc_request_url", "ARM_OIDC_REQUEST_URL",
				"ACTIONS_ID_TOKEN_REQUEST_URL"),
		.oidc_url_token = setting(j, "oidc_request_token",
					  "ARM_OIDC_REQUEST_TOKEN",
					  "ACTIONS_ID_TOKEN_REQUEST_TOKEN"),
		.use_machine = flag(j, "use_msi", false),
		.machine_url = key_string(j, "msi_endpoint"),
		.use_workload = flag(j, "use_aks_workload_identity", false),
		.use_cli = flag(j, "use_cli", true),
	};
	s->client_wrong =
		text_or_file(j, "client_id", "ARM_CLIENT_ID", &s->client);
	s->secret_wrong = text_or_file(j, "client_secret", "ARM_CLIENT_SECRET",
				       &s->secret);
	azure_certificate(j->e->a, s,
			  setting(j, "client_certificate",
				  "ARM_CLIENT_CERTIFICATE", NULL),
			  setting(j, "client_certificate_path",
				  "ARM_CLIENT_CERTIFICATE_PATH", NULL),
			  setting(j, "client_certificate_password",
				  "ARM_CLIENT_CERTIFICATE_PASSWORD", NULL));
}

static int read_cloud(const struct key_job *j, struct azure_cloud *out,
		      struct str *why)
{
	const struct str name =
		setting(j, "environment", "ARM_ENVIRONMENT", NULL);
	const struct str host =
		setting(j, "metadata_host", "ARM_METADATA_HOST", NULL);

	if (host.n)
		return azure_cloud_asked(j->e->remote, host, out, why);
	if (!azure_cloud_named(name, out))
		return 0;
	*why = str_printf(j->e->a, "unknown environment identifier: %.*s",
			  STR_ARG(name));
	return -1;
}

/* Of the block; NULL with *why. */
static struct vault *vault_of(const struct key_job *j, struct str *why)
{
	struct encryption *e = j->e;
	const struct str id = str_printf(e->a, "%p", (const void *)j->block);
	struct vault *v = map_get(&e->vaults, id);

	if (v)
		return v;
	v = ARENA_NEW(e->a, struct vault);
	*why = str_c(read_key(j, v));
	if (why->n || read_cloud(j, &v->cloud, why))
		return NULL;
	read_who(j, &v->who);
	map_put(e->a, &e->vaults, id, v);
	return v;
}

/* --- tokens --- */

/* A parameter of "Bearer authorization=\"URL\", resource=\"URL\"". */
static struct str parameter(struct str challenge, struct str name)
{
	const ptrdiff_t at = str_find(challenge, name);
	struct str rest;
	size_t n = 0;

	if (at < 0)
		return STR_NONE;
	rest = str_sub(challenge, (size_t)at + name.n, challenge.n);
	if (str_starts(rest, "\""))
		rest = str_sub(rest, 1, rest.n);
	while (n < rest.n && rest.p[n] != '"' && rest.p[n] != ',' &&
	       rest.p[n] != ' ')
		n++;
	return str_sub(rest, 0, n);
}

/* A vault that names another service's domain wants a token that is not for
 * it. */
static bool same_domain(struct arena *a, struct str url, struct str resource)
{
	struct url vault, whom;

	return !url_parse(a, url, &vault) && !url_parse(a, resource, &whom) &&
	       whom.host.n &&
	       str_ends(vault.host,
			arena_printf(a, ".%.*s", STR_ARG(whom.host)));
}

static int challenged(const struct key_job *j, struct vault *v, struct str url,
		      struct str *why)
{
	struct arena *a = j->e->a;
	const struct fetch_header accept = { STR("Accept"),
					     STR("application/json") };
	const struct fetch_request r = { .url = url,
					 .method = STR("POST"),
					 .headers = &accept,
					 .nheaders = 1,
					 .retries = REMOTE_RETRIES,
					 .redirects = FETCH_NO_REDIRECTS };
	struct fetch *f = remote_fetch(j->e->remote);
	struct fetch_answer answer;
	struct str challenge, whom;

	if (!f || fetch_wait(f, &r, &answer)) {
		*why = f ? answer.error : STR("the run was interrupted");
		return -1;
	}
	challenge = fetch_answer_header(&answer, "www-authenticate");
	whom = parameter(challenge, STR("scope="));
	if (!whom.n)
		whom = parameter(challenge, STR("resource="));
	if (answer.status != 401 || !whom.n) {
		*why = str_printf(
			a,
			"the vault does not say whom a token for it is for: %.*s",
			STR_ARG(fetch_status_text(a, answer.status)));
		return -1;
	}
	if (!same_domain(a, v->url, whom)) {
		*why = str_printf(
			a,
			"the vault wants a token for %.*s, which is not its domain",
			STR_ARG(host_text(a, whom)));
		return -1;
	}
	v->scope = str_ends(whom, "/.default")
			   ? str_dup(a, whom)
			   : STR_CAT(a, whom, STR("/.default"));
	return 0;
}

static int find_token(const struct key_job *j, struct vault *v, struct str url,
		      struct str *why)
{
	int rc;

	if (!v->scope.n && challenged(j, v, url, why))
		return -1;
	rc = azure_token(j->e->remote, &v->who, &v->cloud, v->scope, &v->token,
			 why);
	if (rc > 0)
		*why = STR_CAT(j->e->a,
			       STR("No valid azure auth methods found: "),
			       *why);
	return rc ? -1 : 0;
}

/* --- requests --- */

/* The answer; NULL with *why. */
static const struct json *ask(const struct key_job *j, struct vault *v,
			      struct str version, const char *operation,
			      struct str body, struct str *why)
{
	struct arena *a = j->e->a;
	const struct fetch_header headers[] = {
		{ STR("Accept"), STR("application/json") },
		{ STR("Content-Type"), STR("application/json") },
	};
	struct fetch_request r = { .headers = headers,
				   .nheaders = 2,
				   .method = STR("POST"),
				   .body = body,
				   .retries = REMOTE_RETRIES,
				   .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer;
	struct json_error err;
	const struct json *got;
	struct fetch *f;

	r.url = str_printf(a, "%.*s/keys/%.*s%s%.*s/%s?api-version=7.6",
			   STR_ARG(v->url), STR_ARG(v->name),
			   version.n ? "/" : "",
			   STR_ARG(remote_escape(a, version, false)),
			   operation);
	if (find_token(j, v, r.url, why))
		return NULL;
	f = remote_fetch(j->e->remote);
	r.token = v->token.text;
	if (!f || fetch_wait(f, &r, &answer)) {
		*why = f ? answer.error : STR("the run was interrupted");
		return NULL;
	}
	got = json_parse(a, answer.body, &err);
	if (answer.status == 200 && got)
		return got;
	*why = answer.status == 200
		       ? STR("the vault's answer is not JSON")
		       : str_printf(
				 a, "%.*s: %.*s",
				 STR_ARG(fetch_status_text(a, answer.status)),
				 STR_ARG(host_text(
					 a, json_get_str(json_get(got, "error"),
							 "message"))));
	return NULL;
}

/* A member that is base64 of URLs, in the standard alphabet; *bad as in
 * key_json_bytes. */
static struct str member(struct arena *a, const struct json *answer,
			 const char *name, bool *bad)
{
	struct str text = json_get_str(answer, name), out = STR_NONE;
	char *p = arena_alloc(a, text.n + 4);
	size_t n = 0;

	for (; n < text.n && text.p[n] != '='; n++)
		p[n] = text.p[n] == '-'   ? '+'
		       : text.p[n] == '_' ? '/'
					  : text.p[n];
	while (n % 4)
		p[n++] = '=';
	if (n && !base64_decode(a, (struct str){ p, n }, &out))
		*bad = true;
	return out;
}

static struct str version_of(struct str kid)
{
	size_t from = kid.n;

	while (from && kid.p[from - 1] != '/')
		from--;
	return str_sub(kid, from, kid.n);
}

static void put_bytes(struct arena *a, struct jw *w, const char *name,
		      struct str bytes)
{
	if (bytes.n) {
		jw_member_str(w, name, base64_encode(a, bytes));
	} else {
		jw_key(w, name);
		jw_null(w);
	}
}

static int encrypting(struct key_job *j, struct vault *v, struct str *why)
{
	struct arena *a = j->e->a;
	const size_t bytes = (size_t)key_int(j, "key_length", 0);
	char *key = arena_alloc(a, bytes);
	struct buf body = BUF_INIT, stored = BUF_INIT;
	struct jw w = JW_INIT(&body), out = JW_INIT(&stored);
	const struct json *answer;
	struct str cipher;
	bool bad = false;

	if (io_random(key, bytes)) {
		*why = STR("there are no random numbers");
		return -1;
	}
	j->keys.encrypt = (struct str){ key, bytes };
	jw_object(&w);
	jw_member_str(&w, "alg", v->algorithm);
	jw_member_str(&w, "value", base64_url(a, j->keys.encrypt));
	jw_object_end(&w);
	answer = ask(j, v, STR_NONE, "encrypt", buf_take(a, &body), why);
	if (!answer)
		return -1;
	cipher = member(a, answer, "value", &bad);
	jw_object(&out);
	put_bytes(a, &out, "ciphertext", cipher);
	put_bytes(a, &out, "iv", member(a, answer, "iv", &bad));
	put_bytes(a, &out, "authentication_tag",
		  member(a, answer, "tag", &bad));
	put_bytes(a, &out, "additional_authenticated_data",
		  member(a, answer, "aad", &bad));
	jw_member_str(&out, "key_version",
		      version_of(json_get_str(answer, "kid")));
	jw_member_str(&out, "algo", v->algorithm);
	jw_object_end(&out);
	j->out = buf_take(a, &stored);
	if (cipher.n && !bad)
		return 0;
	*why = STR("the vault's answer has no encrypted key");
	return -1;
}

static void put_url(struct arena *a, struct jw *w, const char *name,
		    struct str bytes)
{
	if (bytes.n)
		jw_member_str(w, name, base64_url(a, bytes));
}

static int decrypting(struct key_job *j, struct vault *v, struct str *why)
{
	struct arena *a = j->e->a;
	struct str algo = json_get_str(j->in, "algo");
	bool bad = false;
	struct str cipher = key_json_bytes(a, j->in, "ciphertext", &bad);
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	const struct json *answer;

	if (!cipher.n && !bad)
		return 0;
	jw_object(&w);
	put_url(a, &w, "aad",
		key_json_bytes(a, j->in, "additional_authenticated_data",
			       &bad));
	jw_member_str(&w, "alg", algo.n ? algo : v->algorithm);
	put_url(a, &w, "iv", key_json_bytes(a, j->in, "iv", &bad));
	put_url(a, &w, "tag",
		key_json_bytes(a, j->in, "authentication_tag", &bad));
	put_url(a, &w, "value", cipher);
	jw_object_end(&w);
	if (bad) {
		buf_release(&body);
		*why = STR("what was stored for it cannot be used");
		return -1;
	}
	answer = ask(j, v, json_get_str(j->in, "key_version"), "decrypt",
		     buf_take(a, &body), why);
	if (!answer)
		return -1;
	j->keys.decrypt = member(a, answer, "value", &bad);
	if (j->keys.decrypt.n && !bad)
		return 0;
	*why = STR("the vault's answer has no key");
	return -1;
}

static int provide(struct key_job *j, struct str *why, bool *build)
{
	struct vault *v;

	*build = true;
	v = vault_of(j, why);
	if (!v)
		return -1;
	*build = false;
	return j->use == KEY_ENCRYPT ? encrypting(j, v, why)
				     : decrypting(j, v, why);
}

const struct key_maker key_azure_vault = { "azure_vault", arguments, provide,
					   NULL };
