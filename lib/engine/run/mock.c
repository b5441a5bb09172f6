/* mock.c - see mock.h */
#include "engine/run/mock.h"
#include "config/test.h"
#include "engine/run/values.h"
#include "lang/eval/eval.h"
#include "provider/request.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/type.h"

/* --- made values --- */

/* The same for all instances of a type, each time: a plan and the apply of it
 * agree. */
struct dice {
	uint64_t state;
};

static struct dice dice_new(struct str type)
{
	struct dice d = { 1469598103934665603u };

	for (size_t i = 0; i < type.n; i++)
		d.state = (d.state ^ (unsigned char)type.p[i]) * 1099511628211u;
	return d;
}

static unsigned roll(struct dice *d, unsigned n)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(d->state >> 33) % n;
}

static const struct value *made_string(struct arena *a, struct dice *d)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890";
	char text[16];
	size_t n = 4 + roll(d, 12);

	for (size_t i = 0; i < n; i++)
		text[i] = letters[roll(d, sizeof(letters) - 1)];
	return value_string(a, str_dup(a, (struct str){ text, n }));
}

static const struct value *made(struct arena *a, struct dice *d,
				const struct type *t);

static const struct value *made_object(struct arena *a, struct dice *d,
				       const struct type *t)
{
	const struct value **v = ARENA_ARRAY(a, const struct value *, t->len);

	for (uint32_t i = 0; i < t->len; i++)
		v[i] = made(a, d, t->attrs[i].type);
	return value_object_of(a, t, v);
}

static const struct value *made(struct arena *a, struct dice *d,
				const struct type *t)
{
	switch (t->kind) {
	case TYPE_BOOL:
		return &value_false;
	case TYPE_NUMBER:
		return &value_zero;
	case TYPE_STRING:
		return made_string(a, d);
	case TYPE_OBJECT:
		return made_object(a, d, t);
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP: {
		struct verror err;
		const struct value *empty =
			t->kind == TYPE_MAP ? value_object(a, NULL, NULL, 0)
					    : value_tuple(a, NULL, 0);
		const struct value *v = convert(a, empty, t, &err);

		return v ? v : value_null(a, t);
	}
	default:
		return value_null(a, t);
	}
}

/* --- the value of an object --- */

struct compose {
	struct arena *a;
	struct dice dice;
	struct provider_request *q;
};

static const struct value *compose_block(struct compose *x,
					 const struct schema_block *s,
					 const struct value *config,
					 const struct value *given);

static void wrong(struct compose *x, const char *summary, struct str name,
		  const char *detail)
{
	request_error(x->q, (struct path){ NULL, 0 },
		      arena_printf(x->a, summary, STR_ARG(name)), "%s", detail);
}

static const struct value *converted(struct compose *x,
				     const struct schema_attr *at,
				     const struct value *given)
{
	struct verror err;
	const struct value *v = convert(x->a, given, at->type, &err);

	if (!v)
		wrong(x, "Invalid mock/override field `%.*s`", at->name,
		      arena_printf(
			      x->a,
			      "The value given does not fit the type of the attribute: %.*s.",
			      STR_ARG(verror_text(x->a, &err))));
	return v;
}

/* config is null where nothing is configured; given NULL where nothing is. */
static const struct value *compose_attr(struct compose *x,
					const struct schema_attr *at,
					const struct value *config,
					const struct value *given)
{
	static const char *const field = "Invalid mock/override field `%.*s`";
	const struct value *v = NULL;

	if (at->computed && !at->optional) /* not the configuration's */
		config = value_null(x->a, at->type);
	if (given && !value_is_null(config))
		wrong(x, field, at->name,
		      "The attribute is configured, and that cannot be overridden.");
	if (given && !at->computed)
		wrong(x,
		      "Non-computed field `%.*s` is not allowed to be overridden",
		      at->name,
		      "Only what a provider can compute can be overridden.");
	if (given)
		v = converted(x, at, given);
	if (at->write_only) {
		if (given)
			request_diag(
				x->q, SEV_WARNING, (struct path){ NULL, 0 },
				arena_printf(
					x->a,
					"Encountered override for write-only attribute `%.*s`",
					STR_ARG(at->name)),
				STR("It is null whatever is given."));
		return value_null(x->a, at->type);
	}
	if (!value_is_null(config) || at->required)
		return config;
	if (v)
		return v;
	if (given || !at->computed)
		return value_null(x->a, at->type);
	return made(x->a, &x->dice, at->type);
}

static const struct value *compose_each(struct compose *x,
					const struct schema_block *s,
					const struct value *config,
					const struct value *given)
{
	const struct value **v =
		ARENA_ARRAY(x->a, const struct value *, config->len);
	const struct value *all;
	struct verror err;

	for (uint32_t i = 0; i < config->len; i++)
		v[i] = compose_block(x, s, config->elems[i], given);
	if (config->type->kind == TYPE_MAP ||
	    config->type->kind == TYPE_OBJECT) {
		struct str *names = ARENA_ARRAY(x->a, struct str, config->len);

		for (uint32_t i = 0; i < config->len; i++)
			names[i] = config->type->kind == TYPE_MAP
					   ? config->keys[i]
					   : config->type->attrs[i].name;
		all = value_object(x->a, names, v, config->len);
	} else {
		all = value_tuple(x->a, v, config->len);
	}
	all = convert(x->a, all, config->type, &err);
	return all ? all : config;
}

/* Blocks stay as they are configured, but for what is computed in them. */
static const struct value *compose_nested(struct compose *x,
					  const struct schema_nested *n,
					  const struct value *config,
					  const struct value *given)
{
	static const char *const summary =
		"Invalid override for block field `%.*s`";
	bool single = nesting_single(n->nesting);

	if (given && given->type->kind != TYPE_OBJECT &&
	    given->type->kind != TYPE_MAP) {
		wrong(x, summary, n->type_name,
		      arena_printf(
			      x->a,
			      "Blocks are overridden by an object; this is %.*s.",
			      STR_ARG(type_friendly(x->a, given->type))));
		return config;
	}
	if (!value_usable(config) || (!single && !config->len)) {
		if (given)
			wrong(x, summary, n->type_name,
			      "There is no such block in the configuration.");
		return config;
	}
	return single ? compose_block(x, n->block, config, given)
		      : compose_each(x, n->block, config, given);
}

static void refuse_unknown(struct compose *x, const struct schema_block *s,
			   const struct value *given)
{
	for (uint32_t i = 0; given && i < given->len; i++) {
		struct str name = given->type->kind == TYPE_MAP
					  ? given->keys[i]
					  : given->type->attrs[i].name;

		if (!schema_attr_find(s, name) && !schema_nested_find(s, name))
			wrong(x, "Invalid override for block field `%.*s`",
			      name, "There is no such attribute or block.");
	}
}

static const struct value *compose_block(struct compose *x,
					 const struct schema_block *s,
					 const struct value *config,
					 const struct value *given)
{
	const struct type *t = s->implied;
	const struct value **v =
		ARENA_ARRAY(x->a, const struct value *, t->len);
	struct str *names;

	if (!value_usable(config))
		return config;
	for (uint32_t i = 0; i < t->len; i++) {
		const struct schema_member *m = &s->members[i];
		const struct value *own =
			given ? value_get(given, t->attrs[i].name) : NULL;

		v[i] = m->attr ? compose_attr(x, m->attr, config->elems[i], own)
			       : compose_nested(x, m->nested, config->elems[i],
						own);
	}
	if (!diags_failed(&x->q->diags))
		refuse_unknown(x, s, given);
	/* Types within may differ where the schema leaves them open. */
	if (!t->has_dynamic)
		return value_object_of(x->a, t, v);
	names = ARENA_ARRAY(x->a, struct str, t->len);
	for (uint32_t i = 0; i < t->len; i++)
		names[i] = t->attrs[i].name;
	return value_object(x->a, names, v, t->len);
}

/* --- what the test says of an instance --- */

static bool of_mode(const struct cfg_override *o, enum resource_mode mode,
		    bool mock)
{
	if (mode == MODE_DATA)
		return str_is(o->kind, mock ? "mock_data" : "override_data");
	return mode == MODE_MANAGED &&
	       str_is(o->kind, mock ? "mock_resource" : "override_resource");
}

static const struct cfg_override *find(const struct cfg_override_vec *all,
				       enum resource_mode mode, bool mock,
				       struct str target)
{
	for (size_t i = 0; i < all->len; i++)
		if (of_mode(&all->items[i], mode, mock) &&
		    str_eq(all->items[i].target, target))
			return &all->items[i];
	return NULL;
}

/* The instance first, then its resource wherever its module is repeated. */
static const struct cfg_override *find_override(
	struct worker *w, const struct cfg_override_vec *v)
{
	const struct cfg_override *o = NULL;
	struct buf text = BUF_INIT;

	if (!v->len)
		return NULL;
	instance_addr_print(&text, &w->addr);
	o = find(v, w->addr.resource.mode, false, buf_view(&text));
	if (!o && w->addr.key.kind != KEY_NONE) {
		struct instance_addr all = w->addr;

		all.key = KEY_ABSENT;
		buf_set_len(&text, 0);
		instance_addr_print(&text, &all);
		o = find(v, w->addr.resource.mode, false, buf_view(&text));
	}
	if (!o && w->addr.module.len) {
		buf_set_len(&text, 0);
		module_addr_print_path(&text, w->addr.module);
		buf_putc(&text, '.');
		resource_addr_print(&text, w->addr.resource);
		o = find(v, w->addr.resource.mode, false, buf_view(&text));
	}
	buf_release(&text);
	return o;
}

/* false: it is not mocked. */
static bool said_of(struct worker *w, const struct cfg_override **o)
{
	const struct cfg_test *t = w->run->config->test;
	const struct cfg_override_vec *own;

	*o = t ? find_override(w, &t->overrides) : NULL;
	if (*o)
		return true;
	if (!t || !run_provider_mocked(w->provider))
		return false;
	own = &w->provider->config->overrides;
	*o = find_override(w, own);
	if (!*o)
		*o = find(own, w->addr.resource.mode, true,
			  w->addr.resource.type);
	return true;
}

/* Nothing but functions can be in it. */
static const struct value *given_value(struct worker *w,
				       const struct cfg_override *o)
{
	struct range at;
	struct run_scope s;
	const struct value *v;
	const size_t errors = w->q.diags.errors;

	if (!o || !o->values.root)
		return NULL;
	run_scope_init(&s, w->run->root, NULL);
	s.scope.pure_only = false;
	v = eval_expression(w->q.arena, &s.scope, o->values, &w->q.diags);
	if (w->q.diags.errors > errors)
		return NULL;
	if (v->type->kind == TYPE_OBJECT || v->type->kind == TYPE_MAP)
		return value_unmark_deep(w->q.arena, v, NULL);
	at = expression_range(o->values);
	diag_error(&w->q.diags, &at, "Object expected",
		   "The values of a mock or override must be an object.");
	return NULL;
}

static const struct value *compose(struct worker *w,
				   const struct cfg_override *o,
				   const struct value *config)
{
	struct provider_request *q = &w->q;
	struct compose x = { .a = q->arena, .dice = dice_new(q->type), .q = q };
	const struct value *given = given_value(w, o), *v = NULL;

	if (!diags_failed(&q->diags))
		v = compose_block(&x, w->schema->block, config, given);
	while (q->diag_paths.len < q->diags.len)
		vec_push(q->arena, &q->diag_paths, (struct path){ NULL, 0 });
	return v;
}

static void done(void *data)
{
	struct provider_request *q = data;

	q->done(q);
}

static void refuse(struct provider_request *q, const char *summary)
{
	request_error(q, (struct path){ NULL, 0 }, summary,
		      "A mocked provider has no objects to find.");
}

bool mock_answer(struct worker *w)
{
	struct provider_request *q = &w->q;
	const struct cfg_override *o;

	if (!w->run->config->test || !said_of(w, &o))
		return false;
	switch (q->call) {
	case CALL_READ_RESOURCE:
		q->read.out = q->read.in;
		break;
	case CALL_PLAN:
		q->plan.out.planned.value =
			value_is_null(q->plan.in.config)
				? q->plan.in.proposed
				: compose(w, o, q->plan.in.config);
		break;
	case CALL_APPLY:
		q->apply.out.object.value = q->apply.in.planned.value;
		break;
	case CALL_READ_DATA:
		q->read_data.out.value = compose(w, o, q->read_data.in.config);
		break;
	case CALL_OPEN_EPHEMERAL:
		q->open.out.value = compose(w, o, q->open.in.config);
		break;
	case CALL_IMPORT:
		refuse(q, "Importing is not supported in testing context");
		break;
	case CALL_MOVE:
		refuse(q, "Moving is not supported in testing context");
		break;
	default:
		return false;
	}
	loop_defer(w->run->loop, done, q);
	return true;
}

void mock_or_start(struct run_provider *p, struct provider_request *q)
{
	if (run_provider_mocked(p))
		loop_defer(p->module->run->loop, done, q);
	else
		provider_start(p->provider, q);
}
