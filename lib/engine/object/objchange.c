/*
 * objchange.c - the proposed new state: configuration over prior state
 *
 * Prior values may be unknown here: what would come from an unknown prior
 * becomes unknown (objchange_proposed_unknown).
 */
#include <stdarg.h>

#include "engine/object/object_int.h"
#include "value/value.h"
#include "value/set.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/type.h"

/* --- paths, members and comparisons --- */

void at_error(struct arena *a, struct verror_vec *out, const struct at *at,
	      const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(a, fmt, ap);
	va_end(ap);
	vec_push(a, out, (struct verror){ at_path(a, at), str_c(text) });
}

bool objchange_same(const struct value *x, const struct value *y)
{
	if (x == y)
		return true;
	if (x->type != y->type || x->state != y->state)
		return false;
	if (x->state == VALUE_UNKNOWN || x->state == VALUE_NULL)
		return true;
	if (!x->inner_unknown && !y->inner_unknown)
		return value_equal_unmarked(x, y);
	if (x->len != y->len)
		return false;
	for (size_t i = 0; i < x->len; i++) {
		if (x->type->kind == TYPE_MAP &&
		    !str_eq(x->keys[i], y->keys[i]))
			return false;
		if (!objchange_same(x->elems[i], y->elems[i]))
			return false;
	}
	return true;
}

static bool within_bounds(const struct refinement *r, const struct value *v)
{
	int c;

	if (r->min) {
		c = number_cmp(v, r->min);
		if (c < 0 || (c == 0 && !r->min_inclusive))
			return false;
	}
	if (r->max) {
		c = number_cmp(v, r->max);
		if (c > 0 || (c == 0 && !r->max_inclusive))
			return false;
	}
	return true;
}

bool objchange_includes(struct arena *a, const struct value *placeholder,
			const struct value *v)
{
	const struct refinement *r = placeholder->refined;
	const struct value *length;
	int64_t n;

	if (!r || v->state == VALUE_UNKNOWN)
		return true;
	if (v->state == VALUE_NULL)
		return !r->not_null;
	if (v->type->kind == TYPE_STRING)
		return v->string.n >= r->prefix.n &&
		       str_eq(str_sub(v->string, 0, r->prefix.n), r->prefix);
	if (v->type->kind == TYPE_NUMBER)
		return within_bounds(r, v);
	if (!type_is_collection(v->type))
		return true;
	length = value_length(a, v);
	if (!value_usable(length) || !value_get_int(length, &n))
		return true;
	return (uint64_t)n >= r->len_min && (uint64_t)n <= r->len_max;
}

enum { BRIEF_MAX = 200 };

const char *objchange_brief(struct arena *a, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	const char *text;
	size_t n = 0;

	if (v->state == VALUE_NULL)
		return "null";
	if (v->state == VALUE_UNKNOWN)
		return arena_printf(a, "an unknown %.*s",
				    STR_ARG(type_friendly(a, v->type)));
	value_to_json(&w, v, NULL);
	if (b.len > BRIEF_MAX) {
		while (n < BRIEF_MAX) {
			size_t c = utf8_len(b.p + n, b.len - n);

			n += c ? c : 1;
		}
		buf_set_len(&b, n);
		buf_puts(&b, "...");
	}
	text = arena_strndup(a, b.p, b.len);
	buf_release(&b);
	return text;
}

static const struct type *element_type(const struct value *v, size_t i)
{
	switch (v->type->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return v->type->elem;
	case TYPE_TUPLE:
		return i < v->type->len ? v->type->elems[i] : NULL;
	default:
		return &type_dynamic;
	}
}

const struct value *objchange_element_at(struct arena *a, const struct value *v,
					 size_t i)
{
	const struct type *t;

	if (v->state == VALUE_NULL)
		return NULL;
	if (v->state == VALUE_UNKNOWN) {
		t = element_type(v, i);
		return t ? value_unknown(a, t) : NULL;
	}
	if (v->type->kind != TYPE_LIST && v->type->kind != TYPE_TUPLE)
		return NULL;
	return i < v->len ? v->elems[i] : NULL;
}

const struct value *objchange_element_of(struct arena *a, const struct value *v,
					 struct str key)
{
	int i;

	if (v->state == VALUE_KNOWN)
		return is_keyed(v) ? value_get(v, key) : NULL;
	if (v->state == VALUE_NULL)
		return NULL;
	if (v->type->kind != TYPE_OBJECT)
		return value_unknown(a, element_type(v, 0));
	i = type_attr_index(v->type, key);
	return i < 0 ? NULL : value_unknown(a, v->type->attrs[i].type);
}

/* The element of `other` at the place, or with the key, of v's i-th element. */
static const struct value *objchange_element_like(struct arena *a,
						  const struct value *other,
						  const struct value *v,
						  size_t i)
{
	return is_keyed(v) ? objchange_element_of(a, other,
						  objchange_element_key(v, i))
			   : objchange_element_at(a, other, i);
}

struct str objchange_element_key(const struct value *v, size_t i)
{
	return v->type->kind == TYPE_MAP ? v->keys[i] : v->type->attrs[i].name;
}

/* --- the proposed object --- */

/* The schema of an object. */
struct shape {
	const struct schema_block *block;
	bool attr; /* the inside of a nested attribute */
};

static const struct value *merge_shape(struct arena *a, struct shape s,
				       const struct value *prior,
				       const struct value *config);

/* --- sets: which prior element a configured one continues --- */

static bool continues(struct arena *a, const struct schema_block *b,
		      const struct value *prior, const struct value *config);

/* An attribute that the provider computed may differ where the configuration
 * says nothing; anything else must be as configured. */
static bool attr_continues(struct arena *a, const struct schema_attr *attr,
			   const struct value *prior,
			   const struct value *config)
{
	if (objchange_same(config, prior))
		return true;
	if (config->type->kind == TYPE_SET)
		return false;
	if (attr->nested)
		return continues(a, attr->nested->block, prior, config);
	return attr->computed && value_is_null(config);
}

static bool member_continues(struct arena *a, const struct schema_block *b,
			     struct str name, const struct value *prior,
			     const struct value *config)
{
	const struct schema_attr *attr = schema_attr_find(b, name);
	const struct schema_nested *nested;

	if (attr)
		return attr_continues(a, attr, prior, config);
	nested = schema_nested_find(b, name);
	/* else a key of blocks in a map */
	return continues(a, nested ? nested->block : b, prior, config);
}

/* Could prior have been derived from config?  Objects are compared member by
 * member, lists and maps element by element. */
static bool continues(struct arena *a, const struct schema_block *b,
		      const struct value *prior, const struct value *config)
{
	if (objchange_same(config, prior))
		return true;
	if (config->type->kind == TYPE_SET)
		return false;
	if (prior->state != VALUE_KNOWN || (prior->type->kind < TYPE_LIST))
		return true; /* nothing inside to compare */
	for (size_t i = 0; i < prior->len; i++) {
		const struct value *c =
			objchange_element_like(a, config, prior, i);
		bool ok;

		if (!c)
			return false;
		if (prior->type->kind == TYPE_OBJECT)
			ok = member_continues(a, b,
					      objchange_element_key(prior, i),
					      prior->elems[i], c);
		else
			ok = continues(a, b, prior->elems[i], c);
		if (!ok)
			return false;
	}
	return true;
}

static const struct value *merge_set(struct arena *a, struct shape s,
				     const struct value *prior,
				     const struct value *config)
{
	size_t nprior = prior->state == VALUE_KNOWN ? prior->len : 0;
	bool *used = ARENA_ARRAY(a, bool, nprior);
	const struct value **elems;

	if (value_is_null(config) || config->len == 0)
		return config;
	elems = ARENA_ARRAY(a, const struct value *, config->len);
	for (size_t i = 0; i < config->len; i++) {
		const struct value *c = config->elems[i];
		const struct value *p = value_null(a, config->type->elem);

		for (size_t k = 0; k < nprior; k++) {
			if (used[k] ||
			    !continues(a, s.block, prior->elems[k], c))
				continue;
			p = prior->elems[k];
			used[k] = true;
			break;
		}
		elems[i] = merge_shape(a, s, p, c);
	}
	return value_set(a, config->type->elem, elems, config->len);
}

/* --- lists and maps: correlated by index and key --- */

static const struct value *merge_elements(struct arena *a, struct shape s,
					  const struct value *prior,
					  const struct value *config)
{
	const bool by_key = is_keyed(config);
	const struct value **elems;

	if (value_is_null(config) || config->len == 0)
		return config;
	elems = ARENA_ARRAY(a, const struct value *, config->len);
	for (size_t i = 0; i < config->len; i++) {
		const struct value *p = NULL;

		if (!by_key || prior->state == VALUE_KNOWN)
			p = objchange_element_like(a, prior, config, i);
		elems[i] = p ? merge_shape(a, s, p, config->elems[i])
			     : config->elems[i];
	}
	return value_rebuild(a, config, elems);
}

static const struct value *merge_nested(struct arena *a,
					const struct schema_nested *n,
					bool attr, const struct value *prior,
					const struct value *config)
{
	const struct shape s = { n->block, attr };

	/* Unknown as a whole: dynamic blocks over something unknown. */
	if (!value_is_known(config))
		return config;
	if (n->nesting == NESTING_SINGLE && value_is_null(config))
		return config;
	if (nesting_single(n->nesting))
		return merge_shape(a, s, prior, config);
	if (n->nesting == NESTING_SET)
		return merge_set(a, s, prior, config);
	return merge_elements(a, s, prior, config);
}

/* --- attributes --- */

static bool is_configured(const struct schema_attr *attr)
{
	return !attr->computed;
}

static const struct value *note_value(struct schema_walk *w,
				      const struct schema_attr *attr,
				      const struct value *v,
				      const struct at *at)
{
	bool *found = w->data;

	(void)attr;
	(void)at;
	*found |= !value_is_null(v);
	return v;
}

/* Does v hold something that only a configuration can have put there? */
static bool has_configured(struct arena *a, const struct schema_nested *n,
			   const struct value *v)
{
	bool found = false;
	struct schema_walk w = { a, is_configured, note_value, &found };

	schema_walk_nested(&w, n, v, NULL);
	return found;
}

static const struct value *merge_attr(struct arena *a,
				      const struct schema_attr *attr,
				      const struct value *prior,
				      const struct value *config)
{
	if (attr->computed && value_is_null(config)) {
		/* A nested value that had been configured is now removed. */
		if (attr->optional && attr->nested &&
		    has_configured(a, attr->nested, prior))
			return config;
		return prior;
	}
	if (attr->nested)
		return merge_nested(a, attr->nested, true, prior, config);
	return config;
}

static const struct value *merge_members(struct arena *a,
					 const struct schema_block *b,
					 const struct value *prior,
					 const struct value *config)
{
	const struct type *t = b->implied;
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, t->len);
	struct members m = { .a = a, .block = b, .of = { prior, config } };

	while (members_next(&m))
		elems[m.i] = m.attr ? merge_attr(a, m.attr, m.v[0], m.v[1])
				    : merge_nested(a, m.nested, false, m.v[0],
						   m.v[1]);
	return value_object_like(a,
				 config->type->kind == TYPE_OBJECT &&
						 config->type->len == t->len
					 ? config->type
					 : t,
				 elems);
}

static const struct value *merge_block(struct arena *a,
				       const struct schema_block *b,
				       const struct value *prior,
				       const struct value *config)
{
	return config->state == VALUE_KNOWN ? merge_members(a, b, prior, config)
					    : prior;
}

const struct value *objchange_proposed(struct arena *a,
				       const struct schema_block *b,
				       const struct value *prior,
				       const struct value *config)
{
	if (value_is_null(config) && value_is_null(prior))
		return prior;
	if (value_is_null(prior))
		prior = schema_empty_value(a, b);
	return merge_block(a, b, prior, config);
}

const struct value *objchange_proposed_unknown(struct arena *a,
					       const struct schema_block *b,
					       const struct value *config)
{
	return merge_block(a, b, value_unknown(a, b->implied), config);
}

static const struct value *merge_shape(struct arena *a, struct shape s,
				       const struct value *prior,
				       const struct value *config)
{
	if (!s.attr)
		return objchange_proposed(a, s.block, prior, config);
	if (value_is_null(config) || config->type->kind != TYPE_OBJECT)
		return config;
	return merge_members(a, s.block, prior, config);
}
