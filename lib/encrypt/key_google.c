/*
 * key_google.c - the key provider gcp_kms: keys made here, which Google's Cloud
 * Key Management Service encrypts and decrypts
 *
 * Stored is what the service has made of a key: {"ciphertext":"base64"}.
 * OpenTofu asks it by gRPC, this by the same service's REST interface.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/google_token.h"
#include "remote/remote.h"

enum { MOST_KEY = 1024, MOST_FILE = 1 << 20 };

static const struct key_argument arguments[] = {
	{ "kms_encryption_key", &type_string, true, NULL, NULL },
	{ "key_length", &type_number, true, NULL, NULL },
	{ "credentials", &type_string, false, NULL, NULL },
	{ "access_token", &type_string, false, NULL, NULL },
	{ "impersonate_service_account", &type_string, false, NULL, NULL },
	{ "impersonate_service_account_delegates", &type_list_string, false,
	  NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

/* An argument, or the first variable that is set. */
static struct str setting(const struct key_job *j, const char *name,
			  const char *const *variables)
{
	struct str s = key_string(j, name);

	for (; !s.n && *variables; variables++)
		s = str_env(*variables);
	return s;
}

/* JSON, or the path of a file with it. */
static int read_credentials(const struct key_job *j, struct str *text,
			    struct str *why)
{
	struct arena *a = j->e->a;
	const char *path = arena_strndup(a, text->p, text->n);
	const char *home = getenv("HOME");
	struct buf file = BUF_INIT;
	struct json_error err;

	if (path[0] == '~' && home)
		path = arena_printf(a, "%s%s", home, path + 1);
	if (access(path, F_OK) == 0) {
		if (io_read_file(path, &file, MOST_FILE)) {
			buf_release(&file);
			*why = str_printf(a, "the credentials: %s",
					  strerror(errno));
			return -1;
		}
		*text = buf_take(a, &file);
	}
	if (json_parse(a, *text, &err))
		return 0;
	*why = STR("the string provided in credentials is neither valid json "
		   "nor a valid file path");
	return -1;
}

static int find_token(const struct key_job *j, struct oauth_token *token,
		      struct str *why)
{
	static const char *const tokens[] = { "GOOGLE_OAUTH_ACCESS_TOKEN",
					      NULL };
	static const char *const files[] = { "GOOGLE_CREDENTIALS", NULL };
	static const char *const accounts[] = {
		"GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT",
		"GOOGLE_IMPERSONATE_SERVICE_ACCOUNT", NULL
	};
	const struct value *delegates =
		value_get(j->args,
			  STR("impersonate_service_account_delegates"));
	struct google_settings s = {
		.token = setting(j, "access_token", tokens),
		.credentials = setting(j, "credentials", files),
		.account = setting(j, "impersonate_service_account", accounts),
		.scope = STR(GOOGLE_SCOPE_ALL),
		.ask_machine = true,
	};

	for (size_t i = 0;
	     delegates && value_usable(delegates) && i < delegates->len; i++)
		if (value_usable(delegates->elems[i]))
			vec_push(j->e->a, &s.delegates,
				 delegates->elems[i]->string);
	if (!s.token.n && s.credentials.n &&
	    read_credentials(j, &s.credentials, why))
		return -1;
	*token = (struct oauth_token){ .text = STR_NONE };
	if (google_token(j->e->remote, &s, token, why))
		return -1;
	if (token->text.n)
		return 0;
	*why = STR("there are no credentials: neither an access_token, nor "
		   "credentials, nor Google's application default credentials");
	return -1;
}

/* The member `gives` of the answer, which is base64. */
static int ask(const struct key_job *j, const char *operation,
	       const char *takes, struct str bytes, const char *gives,
	       struct str *out, struct str *why)
{
	struct arena *a = j->e->a;
	const struct fetch_header type = { STR("Content-Type"),
					   STR("application/json") };
	struct str at = str_env("CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS");
	struct oauth_token token;
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	struct fetch_request r = { .headers = &type,
				   .nheaders = 1,
				   .method = STR("POST"),
				   .retries = REMOTE_RETRIES };
	struct fetch_answer answer;
	struct json_error err;
	struct fetch *f;
	bool bad = false;

	if (find_token(j, &token, why))
		return -1;
	f = remote_fetch(j->e->remote);
	while (at.n && at.p[at.n - 1] == '/')
		at.n--;
	r.url = str_printf(
		a, "%.*s/v1/%.*s:%s",
		STR_ARG(at.n ? at : STR("https://cloudkms." GOOGLE_UNIVERSE)),
		STR_ARG(key_string(j, "kms_encryption_key")), operation);
	jw_object(&w);
	jw_member_str(&w, takes, base64_encode(a, bytes));
	jw_object_end(&w);
	r.body = buf_take(a, &body);
	r.token = token.text;
	if (!f || fetch_wait(f, &r, &answer)) {
		*why = f ? answer.error : STR("the run was interrupted");
		return -1;
	}
	if (answer.status != 200) {
		*why = str_printf(
			a, "%.*s: %.*s",
			STR_ARG(fetch_status_text(a, answer.status)),
			STR_ARG(host_text(
				a,
				json_get_str(json_get(json_parse(a, answer.body,
								 &err),
						      "error"),
					     "message"))));
		return -1;
	}
	*out = key_json_bytes(a, json_parse(a, answer.body, &err), gives, &bad);
	if (out->n && !bad)
		return 0;
	*why = STR("the answer of the service is not what was asked for");
	return -1;
}

static int encrypting(struct key_job *j, size_t bytes, struct str *why)
{
	char *key = arena_alloc(j->e->a, bytes);
	struct buf stored = BUF_INIT;
	struct jw w = JW_INIT(&stored);
	struct str cipher;

	if (io_random(key, bytes)) {
		*why = STR("there are no random numbers");
		return -1;
	}
	j->keys.encrypt = (struct str){ key, bytes };
	if (ask(j, "encrypt", "plaintext", j->keys.encrypt, "ciphertext",
		&cipher, why))
		return -1;
	jw_object(&w);
	jw_member_str(&w, "ciphertext", base64_encode(j->e->a, cipher));
	jw_object_end(&w);
	j->out = buf_take(j->e->a, &stored);
	return 0;
}

static int provide(struct key_job *j, struct str *why, bool *build)
{
	const int64_t bytes = key_int(j, "key_length", 0);
	bool bad = false;
	struct str cipher;

	*build = true;
	if (!key_string(j, "kms_encryption_key").n)
		*why = STR("kms_encryption_key must be provided");
	else if (bytes < 1)
		*why = STR("key_length must be at least 1");
	else if (bytes > MOST_KEY)
		*why = STR(
			"key_length must be less than the GCP limit of 1024");
	if (why->n)
		return -1;
	*build = false;
	if (j->use == KEY_ENCRYPT)
		return encrypting(j, (size_t)bytes, why);
	cipher = key_json_bytes(j->e->a, j->in, "ciphertext", &bad);
	if (bad) {
		*why = STR("what was stored for it cannot be used");
		return -1;
	}
	return cipher.n ? ask(j, "decrypt", "ciphertext", cipher, "plaintext",
			      &j->keys.decrypt, why)
			: 0;
}

const struct key_maker key_gcp_kms = { "gcp_kms", arguments, provide, NULL };
