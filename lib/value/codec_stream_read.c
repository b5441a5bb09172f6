/*
 * codec_stream_read.c - values from the stream's encoding
 *
 * The lists of paths become one tree of places (struct overlay), which the
 * reader follows while it reads the JSON.  A path that leads nowhere is an
 * error: the value was edited, but not the notes about it.
 */
#include "value/codec_json.h"
#include "json/tree.h"
#include "value/value_int.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/string.h"
#include "value/type.h"

enum { LONGEST_PATH = 1000 };

static const struct value *refuse(struct verror *err, const char *message)
{
	err->path = (struct path){ NULL, 0 };
	err->message = str_c(message);
	return NULL;
}

/* --- what is unknown --- */

/* 0, or -1 when the member is there but no number. */
static int read_bound(struct arena *a, const struct json *entry,
		      const char *name, const struct value **bound)
{
	const struct json *j = json_get(entry, name);

	if (!j)
		return 0;
	if (j->kind == JSON_STRING || j->kind == JSON_NUMBER)
		*bound = value_number_parse(a, j->text);
	return *bound ? 0 : -1;
}

const struct value *codec_read_unknown(struct arena *a,
				       const struct json *entry,
				       const struct type *t)
{
	struct refinement r = refinement_none;
	int64_t lo = json_get_int(entry, "len_min", 0);
	int64_t hi = json_get_int(entry, "len_max", -1);

	if (read_bound(a, entry, "min", &r.min) < 0 ||
	    read_bound(a, entry, "max", &r.max) < 0)
		return NULL;
	r.not_null = json_get_bool(entry, "not_null", false);
	r.prefix = str_nfc(a, json_get_str(entry, "prefix"));
	r.min_inclusive = json_get_bool(entry, "min_inclusive", false);
	r.max_inclusive = json_get_bool(entry, "max_inclusive", false);
	r.len_min = lo > 0 ? (uint64_t)lo : 0;
	r.len_max = hi >= 0 ? (uint64_t)hi : UINT64_MAX;
	return value_unknown_refined(a, t, &r);
}

/* --- the tree of places --- */

/* The place a path leads to, made if need be; NULL if it is no path. */
static struct overlay *place(struct arena *a, struct overlay *o,
			     const struct json *path)
{
	if (!path || path->kind != JSON_ARRAY || path->len > LONGEST_PATH)
		return NULL;
	for (uint32_t i = 0; i < path->len; i++) {
		const struct json *step = &path->items[i];
		struct map_entry *e;

		if (step->kind != JSON_STRING && step->kind != JSON_NUMBER)
			return NULL;
		e = map_slot(a, &o->below,
			     step->kind == JSON_STRING ? str_nfc(a, step->text)
						       : step->text);
		if (!e->value)
			e->value = ARENA_NEW(a, struct overlay);
		o = e->value;
	}
	return o;
}

static int add_places(struct arena *a, struct overlay *root,
		      const struct json *unknown, const struct json *sensitive)
{
	struct overlay *o;

	if ((unknown && unknown->kind != JSON_ARRAY) ||
	    (sensitive && sensitive->kind != JSON_ARRAY))
		return -1;
	for (uint32_t i = 0; unknown && i < unknown->len; i++) {
		o = place(a, root, json_get(&unknown->items[i], "path"));
		if (!o)
			return -1;
		o->unknown = &unknown->items[i];
	}
	for (uint32_t i = 0; sensitive && i < sensitive->len; i++) {
		o = place(a, root, &sensitive->items[i]);
		if (!o)
			return -1;
		o->sensitive = true;
	}
	return 0;
}

/* Paths are bounded, and so is this. */
static bool all_used(const struct overlay *o)
{
	if ((o->unknown || o->sensitive) && !o->used)
		return false;
	for (size_t i = 0; i < o->below.len; i++) {
		if (!all_used(o->below.entries[i].value))
			return false;
	}
	return true;
}

const struct value *value_from_stream(struct arena *a, const struct json *j,
				      struct verror *err)
{
	const struct json *value = json_get(j, "value");
	const struct json *type = json_get(j, "type");
	const struct json *unknown = json_get(j, "unknown");
	const struct json *sensitive = json_get(j, "sensitive");
	struct overlay root = { 0 };
	const struct value *v;
	const struct type *t;

	if (!value)
		return refuse(err, "an encoded value is required");
	if (!type && !unknown && !sensitive) {
		v = value_from_json_implied(a, value);
		return v ? v : refuse(err, "the value is not valid");
	}
	t = type ? type_from_json(a, type) : type_of_json(a, value);
	if (!t)
		return refuse(err, "the value's type is not valid");
	if (add_places(a, &root, unknown, sensitive) < 0)
		return refuse(err, "the value's list of paths is not valid");
	v = codec_read(a, value, type_without_optional(t), &root, err);
	if (v && !all_used(&root))
		return refuse(err,
			      "a path beside the value leads nowhere in it");
	return v;
}
