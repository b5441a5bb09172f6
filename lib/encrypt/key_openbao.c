/*
 * key_openbao.c - the key provider openbao: keys that the transit engine of
 * OpenBao, or of a server like it, makes and decrypts
 *
 * Stored is the text that the engine has made of a key: {"ciphertext":"base64"}
 * of "vault:v1:...".  Requests as OpenTofu 1.12.6 makes them were recorded.
 */
#include <errno.h>
#include <stdlib.h>

#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote.h"

static const struct key_argument arguments[] = {
	{ "address", &type_string, false, NULL, NULL },
	{ "token", &type_string, false, NULL, NULL },
	{ "key_name", &type_string, true, NULL, NULL },
	{ "key_length", &type_number, false, NULL, NULL },
	{ "transit_engine_path", &type_string, false, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

/* BAO_NAME, or what it was called before. */
static struct str variable(struct arena *a, const char *name)
{
	struct str s = str_env(arena_printf(a, "BAO_%s", name));

	return s.n ? s : str_env(arena_printf(a, "VAULT_%s", name));
}

static int read_pem(struct arena *a, const char *name, struct str *out,
		    struct str *why)
{
	struct str path = variable(a, name);
	struct buf text = BUF_INIT;
	int rc = 0;

	if (path.n && (rc = io_read_file(arena_strndup(a, path.p, path.n),
					 &text, 1 << 20)))
		*why = str_printf(a, "the file that BAO_%s names: %s", name,
				  strerror(errno));
	*out = buf_take(a, &text);
	return rc;
}

static int read_tls(struct arena *a, struct fetch_tls *tls, struct str *why)
{
	struct str skip = variable(a, "SKIP_VERIFY");

	*tls = (struct fetch_tls){
		.insecure = str_is(skip, "1") || str_is(skip, "t") ||
			    str_is(skip, "T") || str_is(skip, "true") ||
			    str_is(skip, "TRUE") || str_is(skip, "True")
	};
	return read_pem(a, "CACERT", &tls->ca, why) ||
			       read_pem(a, "CLIENT_CERT", &tls->certificate,
					why) ||
			       read_pem(a, "CLIENT_KEY", &tls->key, why)
		       ? -1
		       : 0;
}

/* ADDRESS/v1/ENGINE/WHAT/KEY */
static struct str url_of(const struct key_job *j, const char *what)
{
	struct arena *a = j->e->a;
	struct str address = key_string(j, "address");
	struct str engine = key_string(j, "transit_engine_path");

	if (!address.n)
		address = variable(a, "ADDR");
	if (!address.n)
		address = STR("https://127.0.0.1:8200");
	if (!engine.n)
		engine = STR("transit");
	while (address.n && address.p[address.n - 1] == '/')
		address.n--;
	while (engine.n && engine.p[0] == '/')
		engine = str_sub(engine, 1, engine.n);
	while (engine.n && engine.p[engine.n - 1] == '/')
		engine.n--;
	return str_printf(a, "%.*s/v1/%.*s/%s/%.*s", STR_ARG(address),
			  STR_ARG(engine), what,
			  STR_ARG(remote_escape(a, key_string(j, "key_name"),
						false)));
}

/* What a server says that an error is, for people. */
static struct str error_text(struct arena *a, const struct fetch_answer *answer)
{
	struct json_error err;
	const struct json *all =
		json_get(json_parse(a, answer->body, &err), "errors");
	struct str_vec texts = { 0 };
	struct str status = fetch_status_text(a, answer->status);

	if (!all || json_texts(a, all, &texts) || !texts.len)
		return status;
	return str_printf(a, "%.*s: %.*s", STR_ARG(status),
			  STR_ARG(host_text(a, texts.items[0])));
}

/* The answer's member "data"; NULL with *why. */
static const struct json *ask(const struct key_job *j, const char *what,
			      struct str body, struct str *why)
{
	struct arena *a = j->e->a;
	struct str token = key_string(j, "token");
	struct str space = variable(a, "NAMESPACE");
	struct fetch_header headers[3] = {
		{ STR("X-Vault-Request"), STR("true") },
	};
	size_t n = 1;
	struct fetch_tls tls;
	struct fetch_request r = { .url = url_of(j, what),
				   .method = STR("PUT"),
				   .headers = headers,
				   .body = body,
				   .tls = &tls,
				   .retries = REMOTE_RETRIES };
	struct fetch *f = remote_fetch(j->e->remote);
	struct fetch_answer answer;
	struct json_error err;
	const struct json *data;

	if (read_tls(a, &tls, why))
		return NULL;
	if (!token.n)
		token = variable(a, "TOKEN");
	if (token.n)
		headers[n++] =
			(struct fetch_header){ STR("X-Vault-Token"), token };
	if (space.n)
		headers[n++] = (struct fetch_header){ STR("X-Vault-Namespace"),
						      space };
	r.nheaders = n;
	if (!f || fetch_wait(f, &r, &answer)) {
		*why = f ? answer.error : STR("the run was interrupted");
		return NULL;
	}
	if (answer.status != 200) {
		*why = error_text(a, &answer);
		return NULL;
	}
	data = json_get(json_parse(a, answer.body, &err), "data");
	if (!data)
		*why = STR("the server's answer is none of a transit engine");
	return data;
}

static int plaintext(const struct key_job *j, const struct json *data,
		     struct str *out, struct str *why)
{
	if (!data)
		return -1;
	if (base64_decode(j->e->a, json_get_str(data, "plaintext"), out) &&
	    out->n)
		return 0;
	*why = STR("the server's answer has no key");
	return -1;
}

static int encrypting(struct key_job *j, int64_t bytes, struct str *why)
{
	const struct json *data;
	struct buf stored = BUF_INIT;
	struct jw w = JW_INIT(&stored);

	data = ask(j, "datakey/plaintext",
		   str_printf(j->e->a, "{\"bits\":%d}", (int)bytes * 8), why);
	if (plaintext(j, data, &j->keys.encrypt, why))
		return -1;
	jw_object(&w);
	jw_member_str(&w, "ciphertext",
		      base64_encode(j->e->a, json_get_str(data, "ciphertext")));
	jw_object_end(&w);
	j->out = buf_take(j->e->a, &stored);
	return 0;
}

static int decrypting(struct key_job *j, struct str *why)
{
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	bool bad = false;
	struct str cipher = key_json_bytes(j->e->a, j->in, "ciphertext", &bad);

	if (bad) {
		*why = STR("what was stored for it cannot be used");
		return -1;
	}
	if (!cipher.n)
		return 0;
	jw_object(&w);
	jw_member_str(&w, "ciphertext", cipher);
	jw_object_end(&w);
	return plaintext(j, ask(j, "decrypt", buf_take(j->e->a, &body), why),
			 &j->keys.decrypt, why);
}

static int provide(struct key_job *j, struct str *why, bool *build)
{
	const int64_t bytes = key_int(j, "key_length", 32);

	*build = true;
	if (!key_string(j, "key_name").n)
		*why = STR("no key name found");
	else if (bytes != 16 && bytes != 32 && bytes != 64)
		*why = STR(
			"data key length should be one of 16, 32 or 64 bytes");
	if (why->n)
		return -1;
	*build = false;
	return j->use == KEY_ENCRYPT ? encrypting(j, bytes, why)
				     : decrypting(j, why);
}

const struct key_maker key_openbao = { "openbao", arguments, provide, NULL };
