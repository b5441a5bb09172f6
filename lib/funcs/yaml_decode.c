/*
 * yaml_decode.c - yamldecode
 *
 * One document of mappings (objects), sequences (tuples) and scalars; anchors
 * and merge keys are resolved.
 */
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/type.h"

enum {
	DEPTH_MAX = 1000,
	/* Aliases of aliases can expand to more than any memory holds. */
	NODES_MAX = 10000000,
};

struct anchor {
	const struct value *value; /* of the last node that had this name */
	size_t nodes;              /* how many values it expands to */
	unsigned pending;          /* nodes of this name being read */
};

struct yaml_reader {
	struct func_call *c;
	struct arena *arena;
	struct yaml_text *text;
	struct yaml_item item; /* the current one */
	struct map anchors;    /* name -> struct anchor * */
	size_t nodes;          /* values so far, aliases expanded */
	int flow;              /* how many [ and { are open */
	int depth;
};

/* Reports with the place of the current item. */
static const struct value *fail_at(struct yaml_reader *r, const char *what)
{
	struct yaml_place m = r->item.at;

	return func_fail(r->c, -1, "on line %zu, column %zu: %s", m.line + 1,
			 m.column + 1, what);
}

/* Fails with a message that contains a part of the text. */
static const struct value *fail_about(struct yaml_reader *r, const char *what)
{
	struct yaml_place m = r->item.at;

	return func_fail(r->c, -1, "on line %zu, column %zu: %.*s", m.line + 1,
			 m.column + 1, STR_ARG(str_c(what)));
}

static int next_item(struct yaml_reader *r)
{
	struct yaml_error e;

	if (yaml_next(r->text, &r->item))
		return 0;
	e = yaml_error(r->text);
	func_fail(r->c, -1, "on line %zu, column %zu: %s",
		  e.problem_at.line + 1, e.problem_at.column + 1, e.problem);
	return -1;
}

static struct str kept(struct yaml_reader *r, const char *s)
{
	return s ? str_dup(r->arena, str_c(s)) : STR("");
}

static const struct value *read_node(struct yaml_reader *r);

/* The anchor of the item, entered as not yet complete; NULL: none. */
static struct anchor *begin_anchor(struct yaml_reader *r)
{
	const char *name = r->item.anchor;
	struct map_entry *e;
	struct anchor *a;

	if (!name || !*name)
		return NULL;
	e = map_slot(r->arena, &r->anchors, kept(r, name));
	if (!e->value)
		e->value = ARENA_NEW(r->arena, struct anchor);
	a = e->value;
	a->pending++;
	return a;
}

/* start: how many values there were before the node. */
static const struct value *end_anchor(struct yaml_reader *r, struct anchor *a,
				      size_t start, const struct value *v)
{
	if (a && v) {
		a->value = v;
		a->nodes = r->nodes - start + 1;
		a->pending--;
	}
	return v;
}

static const struct value *read_alias(struct yaml_reader *r)
{
	struct str name = kept(r, r->item.anchor);
	const struct anchor *a = map_get(&r->anchors, name);

	if (!a)
		return fail_about(
			r, arena_printf(r->arena,
					"reference to undefined anchor %.*s",
					STR_ARG(func_quote(r->arena, name))));
	if (a->pending)
		return fail_about(
			r,
			arena_printf(
				r->arena,
				"cannot refer to anchor %.*s from inside its own definition",
				STR_ARG(func_quote(r->arena, name))));
	r->nodes += a->nodes;
	if (r->nodes > NODES_MAX)
		return fail_at(r, "aliases stand for too many values");
	return a->value;
}

/* OpenTofu ends a plain scalar within brackets at '?', where nothing follows
 * that it would accept. */
static bool flow_allows(struct yaml_reader *r)
{
	return r->flow == 0 || !r->item.plain ||
	       !memchr(r->item.scalar.p, '?', r->item.scalar.n);
}

/* The value of the current scalar, without its anchor. */
static const struct value *scalar_value(struct yaml_reader *r)
{
	struct str tag = kept(r, r->item.tag);
	const struct value *v;
	const char *wrong;

	if (!flow_allows(r))
		return fail_at(r, "did not find expected ',' or ']'");
	v = yaml_scalar(r->arena, str_dup(r->arena, r->item.scalar), tag,
			r->item.quoted, &wrong);
	return v ? v : fail_about(r, wrong);
}

static const struct value *read_scalar(struct yaml_reader *r)
{
	struct anchor *a = begin_anchor(r);
	size_t start = r->nodes;
	const struct value *v = scalar_value(r);

	/* A block scalar is a string, though it is first read as if plain. */
	if (v && !r->item.tag && !r->item.like_plain)
		v = func_convert(r->c, -1, v, &type_string);
	return end_anchor(r, a, start, v);
}

static bool tag_allowed(struct yaml_reader *r, const char *expected,
			const char *what)
{
	if (!r->item.tag || strcmp(r->item.tag, expected) == 0)
		return true;
	fail_about(r, arena_printf(r->arena, "can't interpret %s as %s", what,
				   r->item.tag));
	return false;
}

static const struct value *read_sequence(struct yaml_reader *r)
{
	struct anchor *a = begin_anchor(r);
	bool flow = r->item.flow;
	size_t start = r->nodes;
	struct value_vec items = { 0 };

	if (!tag_allowed(r, "tag:yaml.org,2002:seq", "sequence"))
		return NULL;
	r->flow += flow;
	for (;;) {
		const struct value *v;

		if (next_item(r))
			return NULL;
		if (r->item.kind == YAML_SEQUENCE_END)
			break;
		v = read_node(r);
		if (!v)
			return NULL;
		vec_push(r->arena, &items, v);
	}
	r->flow -= flow;
	return end_anchor(r, a, start,
			  value_tuple(r->arena, items.items, items.len));
}

/* Members of an object under construction; of equal names the last counts. */
struct yaml_members {
	VEC(struct str) names;
	struct value_vec values;
};

static bool is_merge_key(const struct yaml_item *i)
{
	if (i->kind != YAML_SCALAR)
		return false;
	if (i->tag)
		return strcmp(i->tag, "tag:yaml.org,2002:merge") == 0;
	return str_is(i->scalar, "<<");
}

static void add_members(struct yaml_reader *r, struct yaml_members *m,
			const struct value *object)
{
	for (uint32_t i = 0; i < object->len; i++) {
		vec_push(r->arena, &m->names, object->type->attrs[i].name);
		vec_push(r->arena, &m->values, object->elems[i]);
	}
	r->nodes += object->len;
}

static int cannot_merge(struct yaml_reader *r, const struct value *v)
{
	fail_about(r, arena_printf(r->arena, "cannot merge %.*s into mapping",
				   STR_ARG(type_friendly(r->arena, v->type))));
	return -1;
}

/* <<: mapping, or a sequence of them. */
static int merge(struct yaml_reader *r, struct yaml_members *m)
{
	const struct value *v;

	if (next_item(r) || !(v = read_node(r)))
		return -1;
	if (v->type->kind == TYPE_OBJECT)
		add_members(r, m, v);
	else if (v->type->kind != TYPE_TUPLE)
		return cannot_merge(r, v);
	for (uint32_t i = 0; v->type->kind == TYPE_TUPLE && i < v->len; i++) {
		if (v->elems[i]->type->kind != TYPE_OBJECT)
			return cannot_merge(r, v->elems[i]);
		add_members(r, m, v->elems[i]);
	}
	return 0;
}

/* The key that the current item is; -1 with the call failed. */
static int read_key(struct yaml_reader *r, struct str *name)
{
	const struct value *v;

	if (r->item.kind != YAML_SCALAR) {
		fail_at(r, "only strings are allowed as mapping keys");
		return -1;
	}
	v = scalar_value(r);
	if (!v)
		return -1;
	v = func_try_convert(r->c, v, &type_string);
	if (!v || value_is_null(v)) {
		fail_at(r, v ? "mapping key cannot be null"
			     : "only strings are allowed as mapping keys");
		return -1;
	}
	*name = v->string;
	return 0;
}

static const struct value *read_mapping(struct yaml_reader *r)
{
	struct anchor *a = begin_anchor(r);
	bool flow = r->item.flow;
	size_t start = r->nodes;
	struct yaml_members m = { 0 };
	const struct value *v;
	struct str name;

	if (!tag_allowed(r, "tag:yaml.org,2002:map", "mapping"))
		return NULL;
	r->flow += flow;
	for (;;) {
		if (next_item(r))
			return NULL;
		if (r->item.kind == YAML_MAPPING_END)
			break;
		if (is_merge_key(&r->item)) {
			if (merge(r, &m))
				return NULL;
			continue;
		}
		if (read_key(r, &name) || next_item(r) || !(v = read_node(r)))
			return NULL;
		vec_push(r->arena, &m.names, name);
		vec_push(r->arena, &m.values, v);
	}
	r->flow -= flow;
	v = value_object(r->arena, m.names.items, m.values.items, m.values.len);
	return end_anchor(r, a, start, v);
}

/* The value that begins with the current item. */
static const struct value *read_node(struct yaml_reader *r)
{
	const struct value *v;

	r->nodes++;
	if (r->depth == DEPTH_MAX)
		return fail_at(r, "too many levels of nesting");
	r->depth++;
	switch (r->item.kind) {
	case YAML_SCALAR:
		v = read_scalar(r);
		break;
	case YAML_ALIAS:
		v = read_alias(r);
		break;
	case YAML_MAPPING:
		v = read_mapping(r);
		break;
	case YAML_SEQUENCE:
		v = read_sequence(r);
		break;
	default:
		v = fail_at(r, "a value is missing");
		break;
	}
	r->depth--;
	return v;
}

/* Exactly one document. */
static const struct value *read_stream(struct yaml_reader *r)
{
	const struct value *v;

	if (next_item(r) || next_item(r))
		return NULL;
	if (r->item.kind != YAML_DOCUMENT)
		return fail_at(r, "missing start of document");
	if (r->item.major && (r->item.major != 1 || r->item.minor != 1))
		return fail_at(r, "found incompatible YAML document");
	if (next_item(r) || !(v = read_node(r)) || next_item(r))
		return NULL;
	if (r->item.kind != YAML_DOCUMENT_END || next_item(r))
		return NULL;
	if (r->item.kind != YAML_TEXT_END)
		return fail_at(r, "unexpected extra content after value");
	return v;
}

static const struct value *do_yamldecode(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	const struct value *v = NULL;
	bool again = true;

	/* Each repair costs another reading, so there are not many. */
	for (int repairs = 0; again && repairs < 100; repairs++) {
		struct yaml_reader r = { .c = c,
					 .arena = c->arena,
					 .text = yaml_open(s) };

		if (!r.text)
			return func_fail(
				c, -1, "YAML is not available on this machine");
		v = read_stream(&r);
		again = !v && yaml_repair(c->arena, yaml_error(r.text), &s);
		yaml_close(r.text);
	}
	return v;
}

const struct func func_yamldecode = {
	.name = "yamldecode",
	.description = "The value of a YAML document.",
	.params = PARAMS({ "src", &type_string, 0, NULL }),
	.impl = do_yamldecode,
	.flags = FUNC_NULLABLE,
};
