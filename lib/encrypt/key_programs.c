/*
 * key_programs.c - the key providers external and xor
 *
 * An external program gets what was stored for it, or null, and answers with
 * the keys and what to store: {"keys":{"encryption_key":"base64",
 * "decryption_key":"base64"},"meta":{"external_data":{...}}}.
 */
#include "encrypt/encrypt_int.h"
#include "json/tree.h"
#include "json/write.h"

static const struct key_argument external_arguments[] = {
	{ "command", &type_list_string, true, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

static bool only_members(const struct json *j, const char *x, const char *y)
{
	if (j->kind != JSON_OBJECT)
		return j->kind == JSON_NULL;
	for (size_t i = 0; i < j->len; i++)
		if (!str_is(j->members[i].name, x) &&
		    !str_is(j->members[i].name, y))
			return false;
	return true;
}

/* What is stored of it: {"external_data":...}. */
static struct str data_text(struct arena *a, const struct json *meta)
{
	const struct json *data = json_get(meta, "external_data");
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .html = true };

	jw_object(&w);
	jw_key(&w, "external_data");
	if (data)
		jw_json(&w, data);
	else
		jw_null(&w);
	jw_object_end(&w);
	return buf_take(a, &b);
}

static bool take_answer(struct key_job *j, const struct json *answer)
{
	const struct json *keys = json_get(answer, "keys");
	const struct json *meta = json_get(answer, "meta");
	bool bad = false;

	if (!only_members(answer, "keys", "meta") ||
	    (keys && !only_members(keys, "encryption_key", "decryption_key")) ||
	    (meta && !only_members(meta, "external_data", "external_data")))
		return false;
	j->keys.encrypt = key_json_bytes(j->e->a, keys, "encryption_key", &bad);
	j->keys.decrypt = key_json_bytes(j->e->a, keys, "decryption_key", &bad);
	j->out = data_text(j->e->a, meta);
	return !bad;
}

static int external(struct key_job *j, struct str *why, bool *build)
{
	const char *const *argv =
		key_argv(j->e, value_get(j->args, STR("command")));
	const struct json *data = json_get(j->in, "external_data"), *answer;

	if (!argv) {
		*build = true;
		*why = STR(
			"\"command\" must be a list that begins with the name of a program");
		return -1;
	}
	answer =
		encrypt_program(j->e->a, argv, "OpenTofu-External-Key-Provider",
				data && data->kind == JSON_OBJECT
					? data_text(j->e->a, j->in)
					: STR("null"),
				why);
	if (!answer)
		return -1;
	if (take_answer(j, answer))
		return 0;
	*why = str_printf(j->e->a,
			  "the answer of %s is not one of the protocol: "
			  "{\"keys\":{...},\"meta\":{...}}",
			  argv[0]);
	return -1;
}

const struct key_maker key_external = { "external", external_arguments,
					external, NULL };

/* --- two keys as one: who has one of them knows nothing --- */

static const struct key_argument xor_arguments[] = {
	{ "a", &type_dynamic, true, NULL, NULL },
	{ "b", &type_dynamic, true, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

static struct str both(struct arena *a, struct str x, struct str y)
{
	char *p = arena_alloc(a, x.n + 1);

	for (size_t i = 0; i < x.n; i++)
		p[i] = (char)(x.p[i] ^ y.p[i]);
	return (struct str){ p, x.n };
}

static int xor_provide(struct key_job *j, struct str *why, bool *build)
{
	struct diags unused = DIAGS_INIT(j->e->a); /* they have been read */
	struct key_pair x, y;

	*build = true;
	key_pair_of(j->e, value_get(j->args, STR("a")), &j->block->at, &x,
		    &unused);
	key_pair_of(j->e, value_get(j->args, STR("b")), &j->block->at, &y,
		    &unused);
	if (j->use == KEY_ENCRYPT && (!x.encrypt.n || !y.encrypt.n))
		*why = STR("one of the two keys is missing");
	else if (x.encrypt.n != y.encrypt.n || x.decrypt.n != y.decrypt.n)
		*why = STR("the two keys are not equal in length");
	if (why->n)
		return -1;
	j->keys.encrypt = both(j->e->a, x.encrypt, y.encrypt);
	j->keys.decrypt = both(j->e->a, x.decrypt, y.decrypt);
	return 0;
}

const struct key_maker key_xor = { "xor", xor_arguments, xor_provide, NULL };
