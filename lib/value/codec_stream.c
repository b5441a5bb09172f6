/*
 * codec_stream.c - the stream's encoding of values
 *
 * One walk writes the JSON and notes beside it, in three lists, the paths of
 * what JSON does not say.  A path is a list of attribute names, map keys and
 * positions (also in sets, which are written in their order).
 */
#include <assert.h>

#include "value/codec_json.h"
#include "json/write.h"
#include "value/value_int.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/type.h"

/* Fifteen significant decimal digits survive a double; so do exponents that
 * stay away from its ends. */
enum { DOUBLE_DIGITS = 15, LONGEST_NUMBER = 250 };
static const int64_t double_int = 999999999999999;

struct value_writer {
	struct jw value;
	struct buf unknown, sensitive, numbers; /* each ,-separated */
	bool untyped; /* the JSON alone does not give the type */
};

/* --- paths --- */

static void write_steps(struct jw *w, const struct frame *at)
{
	if (!at)
		return;
	write_steps(w, at->up);
	if (!at->index.type)
		jw_str(w, at->attr);
	else if (at->index.type == &type_string)
		jw_str(w, at->index.string);
	else
		jw_int(w, at->index.integer);
}

static void write_path(struct jw *w, const struct frame *at)
{
	jw_array(w);
	write_steps(w, at);
	jw_array_end(w);
}

static struct jw next_item(struct buf *list)
{
	if (list->len)
		buf_putc(list, ',');
	return (struct jw)JW_INIT(list);
}

static void note_path(struct buf *list, const struct frame *at)
{
	struct jw w = next_item(list);

	write_path(&w, at);
}

/* --- what is unknown --- */

static void write_bound(struct jw *w, const char *name, const char *inclusive,
			const struct value *v, bool is_inclusive)
{
	struct arena a = ARENA_INIT;

	if (v) {
		jw_member_str(w, name, number_exact_text(&a, v));
		jw_member_bool(w, inclusive, is_inclusive);
	}
	arena_release(&a);
}

static void note_unknown(struct value_writer *w, const struct frame *at,
			 const struct value *v)
{
	const struct refinement *r = value_refinement(v);
	struct jw out = next_item(&w->unknown);

	jw_object(&out);
	jw_key(&out, "path");
	write_path(&out, at);
	if (r->not_null)
		jw_member_bool(&out, "not_null", true);
	if (r->prefix.n)
		jw_member_str(&out, "prefix", r->prefix);
	write_bound(&out, "min", "min_inclusive", r->min, r->min_inclusive);
	write_bound(&out, "max", "max_inclusive", r->max, r->max_inclusive);
	if (r->len_min)
		jw_member_int(&out, "len_min", (int64_t)r->len_min);
	if (r->len_max <= INT64_MAX)
		jw_member_int(&out, "len_max", (int64_t)r->len_max);
	jw_object_end(&out);
}

/* --- numbers --- */

static bool survives_double(struct str s)
{
	size_t first = 0, last = 0, digits = 0;

	if (s.n > LONGEST_NUMBER || memchr(s.p, 'p', s.n))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			continue;
		if (!digits && s.p[i] == '0')
			continue; /* leading */
		if (!digits++)
			first = digits;
		if (s.p[i] != '0')
			last = digits;
	}
	return !digits || last - first < DOUBLE_DIGITS;
}

static void write_number(struct value_writer *w, const struct frame *at,
			 const struct value *v)
{
	struct arena a = ARENA_INIT;
	struct str s;

	if (!v->big && v->integer <= double_int && v->integer >= -double_int) {
		jw_int(&w->value, v->integer);
		return;
	}
	if (!number_sign(v)) { /* -0 */
		jw_int(&w->value, 0);
		return;
	}
	s = number_exact_text(&a, v);
	if (!number_is_infinite(v) && survives_double(s)) {
		jw_raw(&w->value, s);
	} else {
		note_path(&w->numbers, at);
		jw_str(&w->value, s);
		w->untyped = true;
	}
	arena_release(&a);
}

/* --- the walk --- */

static void write_value(struct value_writer *w, const struct frame *at,
			const struct value *v);

static void write_composite(struct value_writer *w, const struct frame *at,
			    const struct value *v)
{
	enum type_kind kind = v->type->kind;
	bool named = kind == TYPE_MAP || kind == TYPE_OBJECT;

	w->untyped |= kind != TYPE_TUPLE && kind != TYPE_OBJECT;
	named ? jw_object(&w->value) : jw_array(&w->value);
	for (uint32_t i = 0; i < v->len; i++) {
		struct frame here =
			kind == TYPE_MAP ? frame_key(at, v->keys[i])
			: named ? frame_attr(at, v->type->attrs[i].name)
				: frame_index(at, i);

		if (named)
			jw_key_str(&w->value, kind == TYPE_MAP
						      ? v->keys[i]
						      : v->type->attrs[i].name);
		write_value(w, &here, v->elems[i]);
	}
	named ? jw_object_end(&w->value) : jw_array_end(&w->value);
}

static void write_value(struct value_writer *w, const struct frame *at,
			const struct value *v)
{
	assert(!value_has_mark(v, MARK_EPHEMERAL));
	if (value_has_mark(v, MARK_SENSITIVE))
		note_path(&w->sensitive, at);
	if (v->state != VALUE_KNOWN) {
		w->untyped |=
			v != &value_null_dynamic && v->type != &type_dynamic;
		if (v->state == VALUE_UNKNOWN) {
			w->untyped = true;
			note_unknown(w, at, v);
		}
		jw_null(&w->value);
		return;
	}
	switch (v->type->kind) {
	case TYPE_BOOL:
		jw_bool(&w->value, v->boolean);
		break;
	case TYPE_NUMBER:
		write_number(w, at, v);
		break;
	case TYPE_STRING:
		jw_str(&w->value, v->string);
		break;
	default:
		write_composite(w, at, v);
	}
}

static void write_list(struct jw *w, const char *name, struct buf *list)
{
	if (list->len) {
		jw_key(w, name);
		jw_array(w);
		jw_raw(w, buf_view(list));
		jw_array_end(w);
	}
	buf_release(list);
}

void value_to_stream(struct jw *w, const struct value *v)
{
	struct value_writer out = { .unknown = BUF_INIT,
				    .sensitive = BUF_INIT,
				    .numbers = BUF_INIT };

	jw_object(w);
	jw_key(w, "value");
	out.value = *w;
	write_value(&out, NULL, v);
	*w = out.value;
	if (out.untyped) {
		jw_key(w, "type");
		type_to_json(w, v->type);
	}
	write_list(w, "unknown", &out.unknown);
	write_list(w, "sensitive", &out.sensitive);
	write_list(w, "numbers", &out.numbers);
	jw_object_end(w);
}
