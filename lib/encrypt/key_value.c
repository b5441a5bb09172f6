/*
 * key_value.c - keys as values of the language, and the arguments of key
 * providers as they are used
 */
#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "json/tree.h"
#include "value/convert.h"
#include "value/number.h"
#include "value/type.h"

/* --- bytes as values --- */

static const struct value *bytes_value(struct arena *a, struct str bytes)
{
	const struct value **items;

	if (!bytes.n)
		return value_null(a, type_list(&type_number));
	items = ARENA_ARRAY(a, const struct value *, bytes.n);
	for (size_t i = 0; i < bytes.n; i++)
		items[i] = value_int(a, (unsigned char)bytes.p[i]);
	return value_list(a, &type_number, items, bytes.n);
}

/* NULL: it is no list of bytes. */
static const char *value_bytes(struct arena *a, const struct value *v,
			       struct str *out)
{
	static const char why[] = "a list of bytes is required";
	struct verror err = { 0 };
	const struct value *list = convert(a, v, type_list(&type_number), &err);
	char *p;

	*out = STR_NONE;
	if (!list || !value_wholly_known(list))
		return why;
	if (value_is_null(list))
		return NULL;
	p = arena_alloc(a, list->len + 1);
	for (size_t i = 0; i < list->len; i++) {
		int64_t n;

		if (value_is_null(list->elems[i]) ||
		    !value_get_int(list->elems[i], &n) || n < 0 || n > 255)
			return why;
		p[i] = (char)n;
	}
	*out = (struct str){ p, list->len };
	return NULL;
}

const struct value *key_pair_value(struct arena *a, const struct key_pair *k)
{
	const struct str names[2] = { STR("encryption_key"),
				      STR("decryption_key") };
	const struct value *both[2] = { bytes_value(a, k->encrypt),
					bytes_value(a, k->decrypt) };

	return value_object(a, names, both, 2);
}

int key_pair_of(struct encryption *e, const struct value *v,
		const struct range *at, struct key_pair *out, struct diags *ds)
{
	const struct value *x, *y;

	*out = (struct key_pair){ STR_NONE, STR_NONE };
	if (!value_usable(v) ||
	    (v->type->kind != TYPE_OBJECT && v->type->kind != TYPE_MAP))
		return diag_error(
			ds, at, "Expected key_provider value",
			"Keys are a key provider, as in key_provider.pbkdf2.main, not %.*s.",
			STR_ARG(type_friendly(e->a, v->type)));
	x = value_get(v, STR("encryption_key"));
	y = value_get(v, STR("decryption_key"));
	if (!x)
		return diag_error(
			ds, at, "Missing encryption_key value",
			"An object with keys needs an attribute \"encryption_key\".");
	if (value_bytes(e->a, x, &out->encrypt) ||
	    (y && value_bytes(e->a, y, &out->decrypt)))
		return diag_error(
			ds, at, "Incorrect attribute value type",
			"A key is a list of bytes: numbers from 0 to 255.");
	return 0;
}

/* --- for the kinds --- */

struct str key_string(const struct key_job *j, const char *name)
{
	const struct value *v = value_get(j->args, str_c(name));

	return v && value_usable(v) ? v->string : STR_NONE;
}

int64_t key_int(const struct key_job *j, const char *name, int64_t otherwise)
{
	const struct value *v = value_get(j->args, str_c(name));
	int64_t n;

	if (!v || !value_usable(v))
		return otherwise;
	return value_get_int(v, &n) ? n : -1;
}

const char *const *key_argv(struct encryption *e, const struct value *list)
{
	const char **argv;

	if (!list || !value_usable(list) || !list->len)
		return NULL;
	argv = ARENA_ARRAY(e->a, const char *, list->len + 1);
	for (size_t i = 0; i < list->len; i++) {
		const struct value *v = list->elems[i];

		if (!value_usable(v) || v->type != &type_string)
			return NULL;
		argv[i] = arena_strndup(e->a, v->string.p, v->string.n);
	}
	return *argv[0] ? argv : NULL;
}

struct str key_json_bytes(struct arena *a, const struct json *j,
			  const char *name, bool *bad)
{
	const struct json *m = json_get(j, name);
	struct str out = STR_NONE;

	if (m && m->kind != JSON_NULL &&
	    (m->kind != JSON_STRING || !base64_decode(a, m->text, &out)))
		*bad = true;
	return out;
}
