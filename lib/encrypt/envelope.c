/*
 * envelope.c - texts in envelopes, see encrypt.h
 *
 * Opening tries the methods of a target in turn.  A plain text counts where one
 * of them is `unencrypted`, which says so.
 */
#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "json/read.h"
#include "json/write.h"

#define FORM "v0"

/* --- the object --- */

struct sealed { /* an envelope, parsed */
	struct str version, data, lineage;
	struct str serial; /* its text; or empty */
	struct map meta;   /* -> const struct str *, JSON texts */
};

static bool scan_meta(struct arena *a, struct str text, struct sealed *out)
{
	struct json_scan sc = json_scan_start(a, text);
	struct str name, value, *json;
	bool first = true;
	int rc;

	if (str_is(text, "null"))
		return true;
	if (json_scan_open(&sc, '{'))
		return false;
	while ((rc = json_scan_member(&sc, &first, &name)) == 1) {
		if (json_scan_string(&sc, &value))
			return false;
		json = ARENA_NEW(a, struct str);
		if (!base64_decode(a, value, json))
			return false;
		map_put(a, &out->meta, str_dup(a, name), json);
	}
	return rc == 0;
}

/* Only objects begin as envelopes do: most texts need no reading. */
static bool scan(struct arena *a, struct str text, struct sealed *out)
{
	struct json_scan sc = json_scan_start(a, text);
	struct str name, value, meta = STR_NONE;
	bool first = true;
	int rc;

	*out = (struct sealed){ .version = STR_NONE };
	if (json_scan_open(&sc, '{'))
		return false;
	while ((rc = json_scan_member(&sc, &first, &name)) == 1) {
		struct str *to = str_is(name, "encryption_version")
					 ? &out->version
				 : str_is(name, "encrypted_data") ? &out->data
				 : str_is(name, "lineage") ? &out->lineage
							   : NULL;

		if (to) {
			if (json_scan_string(&sc, to))
				return false;
			continue;
		}
		if (json_scan_value(&sc, &value))
			return false;
		if (str_is(name, "meta"))
			meta = value;
		else if (str_is(name, "serial") && !str_is(value, "null"))
			out->serial = value;
	}
	if (rc || json_scan_end(&sc))
		return false;
	return !out->version.n || !meta.n || scan_meta(a, meta, out);
}

bool envelope_is(struct str text)
{
	struct arena scratch = ARENA_INIT;
	struct sealed s;
	bool is = scan(&scratch, text, &s) && s.version.n;

	arena_release(&scratch);
	return is;
}

/* --- opening --- */

static bool allows_plain(const struct envelope *env)
{
	for (size_t i = 0; i < env->methods.len; i++)
		if (method_is_unencrypted(env->methods.items[i]))
			return true;
	return false;
}

static int open_plain(const struct envelope *env, struct str text,
		      struct str *plain, bool *stale, struct diags *ds)
{
	if (!allows_plain(env))
		return diag_error(
			ds, NULL,
			"encountered unencrypted payload without unencrypted method configured",
			"What was read for \"%.*s\" is plain text. A fallback "
			"to a method \"unencrypted\" lets it be read, and "
			"the next time it is written it is encrypted.",
			STR_ARG(env->name));
	*plain = text;
	*stale = !method_is_unencrypted(env->methods.items[0]);
	return 0;
}

/* What is outside must be what is inside. */
static int check_state(const struct sealed *s, struct str plain,
		       struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct sealed in;
	int rc = 0;

	scan(&scratch, plain, &in);
	if (s->serial.n && in.serial.n && !str_eq(s->serial, in.serial))
		rc = diag_error(ds, NULL,
				"invalid state metadata, serial field mismatch",
				"The serial beside the encrypted data is %.*s, "
				"and the one in it %.*s: somebody has edited "
				"the file.",
				STR_ARG(s->serial), STR_ARG(in.serial));
	else if (s->lineage.n && !str_eq(s->lineage, in.lineage))
		rc = diag_error(
			ds, NULL,
			"invalid state metadata, lineage field mismatch",
			"The lineage beside the encrypted data is not the one "
			"in it: somebody has edited the file.");
	arena_release(&scratch);
	return rc;
}

/* One method: 1: it cannot; *said tells why.  -1: what it is told is wrong. */
static int try_method(struct envelope *env,
		      const struct cfg_encryption_block *block,
		      const struct sealed *s, struct str data, struct buf *out,
		      struct buf *said, struct diags *ds)
{
	struct diags own = DIAGS_INIT(env->e->a);
	struct method m = { .block = block,
			    .meta = { .use = KEY_DECRYPT, .in = s->meta } };
	struct str why = STR_NONE;

	if (method_setup(env->e, &m, &own)) {
		if (!m.meta.unavailable) {
			diags_append(ds, &own);
			return -1;
		}
	} else if (!method_decrypt(env->e, &m, data, out, &why)) {
		return 0;
	}
	buf_addf(said, "%smethod.%.*s.%.*s: ", said->len ? "\n" : "",
		 STR_ARG(block->type), STR_ARG(block->name));
	if (why.n)
		buf_addf(said, "%.*s.", STR_ARG(why));
	for (size_t i = 0; i < own.len; i++)
		if (own.items[i].severity == SEV_ERROR)
			buf_addf(said, "%s%.*s: %.*s", i ? " " : "",
				 STR_ARG(own.items[i].summary),
				 STR_ARG(own.items[i].detail));
	return 1;
}

static int open_sealed(struct envelope *env, struct arena *a,
		       const struct sealed *s, struct str *plain, bool *stale,
		       struct diags *ds)
{
	struct buf out = BUF_INIT, said = BUF_INIT;
	struct str data;
	int rc = 1;

	if (!str_is(s->version, FORM))
		return diag_error(
			ds, NULL, "invalid encrypted payload version",
			"It was encrypted in the form \"%.*s\", and \"" FORM
			"\" is the only one that is known here.",
			STR_ARG(s->version));
	if (!base64_decode(a, s->data, &data))
		return diag_error(ds, NULL,
				  "invalid data format for decryption",
				  "\"encrypted_data\" is not base64.");
	for (size_t i = 0; rc > 0 && i < env->methods.len; i++) {
		if (method_is_unencrypted(env->methods.items[i]))
			continue;
		rc = try_method(env, env->methods.items[i], s, data, &out,
				&said, ds);
		*stale = i != 0;
	}
	if (rc > 0)
		rc = diag_error(ds, NULL,
				"decryption failed for all provided methods",
				"\"%.*s\" was encrypted with another key, or "
				"was damaged.\n%.*s",
				STR_ARG(env->name), STR_ARG(buf_view(&said)));
	else if (!rc)
		*plain = buf_dup(a, &out);
	buf_release(&out);
	buf_release(&said);
	return rc;
}

int envelope_open(struct envelope *env, struct arena *a,
		  enum envelope_kind kind, struct str text, struct str *plain,
		  bool *stale, struct diags *ds)
{
	struct sealed s;

	*stale = false;
	*plain = text;
	if (!env || !text.n)
		return 0;
	if (!scan(a, text, &s) && kind == ENVELOPE_STATE)
		return 0; /* one that is torn, or none: who parses it says so */
	if (!s.version.n)
		return open_plain(env, text, plain, stale, ds);
	if (open_sealed(env, a, &s, plain, stale, ds))
		return -1;
	return kind == ENVELOPE_STATE ? check_state(&s, *plain, ds) : 0;
}

int envelope_open_plan(struct envelope *env, struct buf *b, struct str name,
		       struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct diags own = DIAGS_INIT(&scratch);
	struct buf plain = BUF_INIT;
	struct str text;
	bool stale;
	int rc = envelope_open(env, &scratch, ENVELOPE_PLAIN, buf_view(b),
			       &text, &stale, &own);

	if (!rc && !env && envelope_is(text))
		rc = diag_error(
			&own, NULL, "the given plan file is encrypted",
			"It requires a valid encryption configuration to decrypt");
	if (rc) {
		diag_error(
			ds, NULL,
			name.n ? arena_printf(
					 ds->arena,
					 "Failed to load \"%.*s\" as a plan file",
					 STR_ARG(name))
			       : "Failed to load the plan file",
			"%.*s: %.*s", STR_ARG(own.items[0].summary),
			STR_ARG(own.items[0].detail));
	} else if (text.p != b->p) {
		buf_str(&plain, text);
		buf_release(b);
		*b = plain;
	}
	arena_release(&scratch);
	return rc;
}

/* --- sealing --- */

int envelope_finish(struct envelope *env, struct diags *ds)
{
	struct method *m;

	if (env->sealer)
		return 0;
	m = ARENA_NEW(env->e->a, struct method);
	m->block = env->methods.items[0];
	m->meta.use = KEY_ENCRYPT;
	if (method_setup(env->e, m, ds))
		return -1;
	env->sealer = m;
	return 0;
}

int envelope_prepare(struct envelope *env, struct diags *ds)
{
	if (!envelope_seals(env) || env->sealer ||
	    method_begin(env->e, env->methods.items[0]))
		return 0;
	return envelope_finish(env, ds);
}

bool envelope_seals(struct envelope *env)
{
	return env && !method_is_unencrypted(env->methods.items[0]);
}

static void write_meta(struct arena *a, struct jw *w, const struct map *meta)
{
	const struct map_entry *sorted = map_sorted(a, meta);

	jw_key(w, "meta");
	jw_object(w);
	for (size_t i = 0; i < meta->len; i++) {
		const struct str *json = sorted[i].value;

		jw_key_str(w, sorted[i].key);
		jw_str(w, base64_encode(a, *json));
	}
	jw_object_end(w);
}

static void write_sealed(struct envelope *env, struct arena *a,
			 enum envelope_kind kind, struct str plain,
			 struct str data, struct buf *out)
{
	struct jw w = { .out = out,
			.indent = kind == ENVELOPE_STATE ? 2 : 0,
			.html = true };
	struct sealed s;

	jw_object(&w);
	if (kind == ENVELOPE_STATE && scan(a, plain, &s)) {
		jw_key(&w, "serial");
		jw_raw(&w, s.serial.n ? s.serial : STR("null"));
		jw_member_str(&w, "lineage", s.lineage);
	}
	write_meta(a, &w, &env->sealer->meta.out);
	jw_member_str(&w, "encrypted_data", base64_encode(a, data));
	jw_member_str(&w, "encryption_version", STR(FORM));
	jw_object_end(&w);
	if (kind == ENVELOPE_STATE)
		buf_putc(out, '\n');
}

int envelope_seal(struct envelope *env, enum envelope_kind kind,
		  struct str plain, struct buf *out, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct buf data = BUF_INIT;
	struct str why = STR_NONE;
	int rc = 0;

	if (!envelope_seals(env)) {
		buf_str(out, plain);
		return 0;
	}
	if (envelope_finish(env, ds))
		return -1;
	if (method_encrypt(env->e, env->sealer, plain, &data, &why))
		rc = diag_error(
			ds, NULL, "encryption failed",
			"method.%.*s.%.*s could not encrypt \"%.*s\": %.*s.",
			STR_ARG(env->sealer->block->type),
			STR_ARG(env->sealer->block->name), STR_ARG(env->name),
			STR_ARG(why));
	else
		write_sealed(env, &scratch, kind, plain, buf_view(&data), out);
	buf_release(&data);
	arena_release(&scratch);
	return rc;
}
