/*
 * yaml_decode.c - yamldecode
 *
 * One document of mappings (objects), sequences (tuples) and scalars; anchors
 * and merge keys are resolved.  libyaml reads the text as events.
 */
#include "funcs/yaml_int.h"

enum {
	DEPTH_MAX = 1000,
	/* Aliases of aliases can stand for more than any memory holds. */
	NODES_MAX = 10000000,
};

struct anchor {
	const struct value *value; /* of the last node that had this name */
	size_t nodes;              /* how many values it stands for */
	unsigned pending;          /* nodes of this name being read */
};

struct reader {
	struct func_call *c;
	struct arena *arena;
	yaml_parser_t parser;
	yaml_event_t event; /* the current one */
	bool has_event;
	struct map anchors; /* name -> struct anchor * */
	size_t nodes;       /* values so far, aliases expanded */
	int flow;           /* how many [ and { are open */
	int depth;
};

/* Reports with the place of the current event. */
static const struct value *fail_at(struct reader *r, const char *what)
{
	yaml_mark_t m = r->event.start_mark;

	return func_fail(r->c, -1, "on line %zu, column %zu: %s", m.line + 1,
			 m.column + 1, what);
}

/* The same, of what holds a part of the text. */
static const struct value *fail_about(struct reader *r, const char *what)
{
	yaml_mark_t m = r->event.start_mark;

	return func_fail(r->c, -1, "on line %zu, column %zu: %.*s",
			 m.line + 1, m.column + 1, STR_ARG(str_c(what)));
}

static int next_event(struct reader *r)
{
	yaml_mark_t m;

	if (r->has_event)
		yaml_event_delete(&r->event);
	r->has_event = yaml_parser_parse(&r->parser, &r->event);
	if (r->has_event)
		return 0;
	m = r->parser.problem_mark;
	func_fail(r->c, -1, "on line %zu, column %zu: %s", m.line + 1,
		  m.column + 1, r->parser.problem ? r->parser.problem
						  : "invalid YAML syntax");
	return -1;
}

static struct str event_str(struct reader *r, const yaml_char_t *s)
{
	return s ? str_dup(r->arena, str_c((const char *)s)) : STR("");
}

static const struct value *read_node(struct reader *r);

/* The anchor of the event, entered as not yet complete; NULL: none. */
static struct anchor *begin_anchor(struct reader *r, const yaml_char_t *name)
{
	struct map_entry *e;
	struct anchor *a;

	if (!name || !*name)
		return NULL;
	e = map_slot(r->arena, &r->anchors, event_str(r, name));
	if (!e->value)
		e->value = ARENA_NEW(r->arena, struct anchor);
	a = e->value;
	a->pending++;
	return a;
}

/* start: how many values there were before the node. */
static const struct value *end_anchor(struct reader *r, struct anchor *a,
				      size_t start, const struct value *v)
{
	if (a && v) {
		a->value = v;
		a->nodes = r->nodes - start + 1;
		a->pending--;
	}
	return v;
}

static const struct value *read_alias(struct reader *r)
{
	struct str name = event_str(r, r->event.data.alias.anchor);
	const struct anchor *a = map_get(&r->anchors, name);

	if (!a)
		return fail_about(r, arena_printf(r->arena, "reference to "
					       "undefined anchor %.*s",
					       STR_ARG(quote(r->arena,
							     name))));
	if (a->pending)
		return fail_about(r, arena_printf(r->arena, "cannot refer to "
					       "anchor %.*s from inside its "
					       "own definition",
					       STR_ARG(quote(r->arena,
							     name))));
	r->nodes += a->nodes;
	if (r->nodes > NODES_MAX)
		return fail_at(r, "aliases stand for too many values");
	return a->value;
}

/* OpenTofu ends a plain scalar within brackets at '?', where nothing follows
 * that it would accept. */
static bool flow_allows(struct reader *r)
{
	return r->flow == 0 ||
	       r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
	       !memchr(r->event.data.scalar.value, '?',
		       r->event.data.scalar.length);
}

/* The value of the current scalar event, without its anchor. */
static const struct value *scalar_value(struct reader *r)
{
	yaml_scalar_style_t style = r->event.data.scalar.style;
	struct str text = { (const char *)r->event.data.scalar.value,
			    r->event.data.scalar.length };
	struct str tag = event_str(r, r->event.data.scalar.tag);
	const struct value *v;
	const char *wrong;

	if (!flow_allows(r))
		return fail_at(r, "did not find expected ',' or ']'");
	v = yaml_scalar(r->arena, str_dup(r->arena, text), tag,
			style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
				style == YAML_DOUBLE_QUOTED_SCALAR_STYLE,
			&wrong);
	return v ? v : fail_about(r, wrong);
}

static const struct value *read_scalar(struct reader *r)
{
	struct anchor *a = begin_anchor(r, r->event.data.scalar.anchor);
	size_t start = r->nodes;
	const struct value *v = scalar_value(r);

	/* A block scalar is a string, though it is first read as if plain. */
	if (v && !r->event.data.scalar.tag &&
	    !r->event.data.scalar.plain_implicit)
		v = func_convert(r->c, -1, v, &type_string);
	return end_anchor(r, a, start, v);
}

static bool tag_allowed(struct reader *r, const yaml_char_t *tag,
			const char *expected, const char *what)
{
	if (!tag || strcmp((const char *)tag, expected) == 0)
		return true;
	fail_about(r, arena_printf(r->arena, "can't interpret %s as %s", what,
				(const char *)tag));
	return false;
}

static const struct value *read_sequence(struct reader *r)
{
	struct anchor *a = begin_anchor(r,
					r->event.data.sequence_start.anchor);
	bool flow = r->event.data.sequence_start.style ==
		    YAML_FLOW_SEQUENCE_STYLE;
	size_t start = r->nodes;
	struct value_vec items = { 0 };

	if (!tag_allowed(r, r->event.data.sequence_start.tag, YAML_SEQ_TAG,
			 "sequence"))
		return NULL;
	r->flow += flow;
	for (;;) {
		const struct value *v;

		if (next_event(r))
			return NULL;
		if (r->event.type == YAML_SEQUENCE_END_EVENT)
			break;
		v = read_node(r);
		if (!v)
			return NULL;
		vec_push(r->arena, &items, v);
	}
	r->flow -= flow;
	return end_anchor(r, a, start, value_tuple(r->arena, items.items,
						   items.len));
}

/* Members of an object under construction; of equal names the last counts. */
struct yaml_members {
	VEC(struct str) names;
	struct value_vec values;
};

static bool is_merge_key(const yaml_event_t *e)
{
	const char *tag = (const char *)e->data.scalar.tag;

	if (e->type != YAML_SCALAR_EVENT)
		return false;
	if (tag)
		return strcmp(tag, "tag:yaml.org,2002:merge") == 0;
	return e->data.scalar.length == 2 &&
	       memcmp(e->data.scalar.value, "<<", 2) == 0;
}

static void add_members(struct reader *r, struct yaml_members *m,
			const struct value *object)
{
	for (uint32_t i = 0; i < object->len; i++) {
		vec_push(r->arena, &m->names, object->type->attrs[i].name);
		vec_push(r->arena, &m->values, object->elems[i]);
	}
	r->nodes += object->len;
}

static int cannot_merge(struct reader *r, const struct value *v)
{
	fail_about(r, arena_printf(r->arena, "cannot merge %.*s into mapping",
				STR_ARG(type_friendly(r->arena, v->type))));
	return -1;
}

/* <<: mapping, or a sequence of them. */
static int merge(struct reader *r, struct yaml_members *m)
{
	const struct value *v;

	if (next_event(r) || !(v = read_node(r)))
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

/* The key that the current event is; -1 with the call failed. */
static int read_key(struct reader *r, struct str *name)
{
	const struct value *v;

	if (r->event.type != YAML_SCALAR_EVENT) {
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

static const struct value *read_mapping(struct reader *r)
{
	struct anchor *a = begin_anchor(r,
					r->event.data.mapping_start.anchor);
	bool flow = r->event.data.mapping_start.style ==
		    YAML_FLOW_MAPPING_STYLE;
	size_t start = r->nodes;
	struct yaml_members m = { 0 };
	const struct value *v;
	struct str name;

	if (!tag_allowed(r, r->event.data.mapping_start.tag, YAML_MAP_TAG,
			 "mapping"))
		return NULL;
	r->flow += flow;
	for (;;) {
		if (next_event(r))
			return NULL;
		if (r->event.type == YAML_MAPPING_END_EVENT)
			break;
		if (is_merge_key(&r->event)) {
			if (merge(r, &m))
				return NULL;
			continue;
		}
		if (read_key(r, &name) || next_event(r) ||
		    !(v = read_node(r)))
			return NULL;
		vec_push(r->arena, &m.names, name);
		vec_push(r->arena, &m.values, v);
	}
	r->flow -= flow;
	v = value_object(r->arena, m.names.items, m.values.items,
			 m.values.len);
	return end_anchor(r, a, start, v);
}

/* The value that begins with the current event. */
static const struct value *read_node(struct reader *r)
{
	const struct value *v;

	r->nodes++;
	if (r->depth == DEPTH_MAX)
		return fail_at(r, "too many levels of nesting");
	r->depth++;
	switch (r->event.type) {
	case YAML_SCALAR_EVENT:
		v = read_scalar(r);
		break;
	case YAML_ALIAS_EVENT:
		v = read_alias(r);
		break;
	case YAML_MAPPING_START_EVENT:
		v = read_mapping(r);
		break;
	case YAML_SEQUENCE_START_EVENT:
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
static const struct value *read_stream(struct reader *r)
{
	const yaml_version_directive_t *version;
	const struct value *v;

	if (next_event(r) || next_event(r))
		return NULL;
	if (r->event.type != YAML_DOCUMENT_START_EVENT)
		return fail_at(r, "missing start of document");
	version = r->event.data.document_start.version_directive;
	if (version && (version->major != 1 || version->minor != 1))
		return fail_at(r, "found incompatible YAML document");
	if (next_event(r) || !(v = read_node(r)) || next_event(r))
		return NULL;
	if (r->event.type != YAML_DOCUMENT_END_EVENT || next_event(r))
		return NULL;
	if (r->event.type != YAML_STREAM_END_EVENT)
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
		struct reader r = { .c = c, .arena = c->arena };

		if (!yaml_parser_initialize(&r.parser))
			return func_fail(c, -1, "not enough memory");
		yaml_parser_set_input_string(&r.parser,
					     (const unsigned char *)s.p, s.n);
		v = read_stream(&r);
		again = !v && yaml_repair(c->arena, &r.parser, &s);
		if (r.has_event)
			yaml_event_delete(&r.event);
		yaml_parser_delete(&r.parser);
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
