/*
 * explain_attr.c - the attributes of a change, and what each is from
 * (show_int.h)
 *
 * An attribute that the configuration sets is from its expression.  One that it
 * does not set is the provider's, or was set before.
 */
#include "addr/addr.h"
#include "funcs/table.h"
#include "lang/spec/decode.h"
#include "lang/syntax/walk.h"
#include "ui/show/show_int.h"

/* --- values along paths --- */

static const struct json *child(const struct json *j, struct str step)
{
	if (j && j->kind == JSON_OBJECT)
		for (uint32_t i = j->len; i-- > 0;)
			if (str_eq(j->members[i].name, step))
				return &j->members[i].value;
	if (j && j->kind == JSON_ARRAY && step.n && step.n < 9) {
		size_t at = 0;

		for (size_t i = 0; i < step.n; i++) {
			if (step.p[i] < '0' || step.p[i] > '9')
				return NULL;
			at = at * 10 + (size_t)(step.p[i] - '0');
		}
		return at < j->len ? &j->items[at] : NULL;
	}
	return NULL;
}

const struct json *explain_json_at(const struct json *j,
				   const struct why_path *path)
{
	for (size_t i = 0; i < path->len && j; i++)
		j = child(j, path->items[i]);
	return j;
}

static bool is_true(const struct json *j)
{
	return j && j->kind == JSON_BOOL && j->boolean;
}

/* Is it marked there, or around it? */
static bool marked_at(const struct json *marks, const struct why_path *path)
{
	for (size_t i = 0; i < path->len && !is_true(marks); i++)
		marks = child(marks, path->items[i]);
	return is_true(marks);
}

/* Or in it? */
static bool marked_in(const struct json *j)
{
	bool any = is_true(j);

	for (uint32_t i = 0; j && !any && j->kind >= JSON_ARRAY && i < j->len;
	     i++)
		any = marked_in(j->kind == JSON_ARRAY ? &j->items[i]
						      : &j->members[i].value);
	return any;
}

static bool secret_at(struct explain *x, struct explained *e,
		      const struct why_path *path)
{
	const struct diff_input *in = explain_values(x, e);
	const struct schema_attr *attr =
		e->schema && path->len
			? schema_attr_find(e->schema, path->items[0])
			: NULL;

	if (x->show_sensitive)
		return false;
	return (attr && schema_attr_any(attr, schema_attr_is_sensitive)) ||
	       marked_at(in->before_sensitive, path) ||
	       marked_at(in->after_sensitive, path) ||
	       marked_in(explain_json_at(in->before_sensitive, path)) ||
	       marked_in(explain_json_at(in->after_sensitive, path));
}

/* Is it a position?  A key of a map that is a number looks the same. */
static bool is_index(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n && n == s.n;
}

static void put_path(struct buf *b, const struct why_path *path)
{
	for (size_t i = 0; i < path->len; i++) {
		const struct str s = path->items[i];

		if (is_index(s))
			buf_addf(b, "[%.*s]", STR_ARG(s));
		else
			addr_attr_name(b, s);
	}
}

static struct str explain_path(struct explain *x, const struct why_path *path)
{
	struct buf b = BUF_INIT;

	put_path(&b, path);
	return buf_take(x->a, &b);
}

struct str explain_path_in(struct explain *x, struct str of,
			   const struct why_path *path)
{
	struct buf b = BUF_INIT;

	buf_str(&b, of);
	put_path(&b, path);
	return buf_take(x->a, &b);
}

/* --- what differs --- */

struct path_list VEC_OF(struct why_path);

struct differing {
	struct explain *x;
	struct why_path path;
	struct path_list found;
};

static void differ(struct differing *d, const struct json *before,
		   const struct json *after, const struct json *unknown);

static void differ_at(struct differing *d, struct str step,
		      const struct json *before, const struct json *after,
		      const struct json *unknown)
{
	vec_push(d->x->a, &d->path, step);
	differ(d, child(before, step), child(after, step),
	       child(unknown, step));
	d->path.len--;
}

/* The members of both, once each. */
static void differ_members(struct differing *d, const struct json *before,
			   const struct json *after, const struct json *unknown)
{
	const struct json *const all[] = { before, after, unknown };

	for (size_t k = 0; k < 3; k++)
		for (uint32_t i = 0;
		     all[k] && all[k]->kind == JSON_OBJECT && i < all[k]->len;
		     i++) {
			struct str name = all[k]->members[i].name;

			if ((k > 0 && child(before, name)) ||
			    (k > 1 && child(after, name)))
				continue;
			differ_at(d, name, before, after, unknown);
		}
}

static void differ(struct differing *d, const struct json *before,
		   const struct json *after, const struct json *unknown)
{
	struct why_path copy = { 0 };
	const bool objects =
		before && before->kind == JSON_OBJECT &&
		((after && after->kind == JSON_OBJECT) ||
		 (!after && unknown && unknown->kind == JSON_OBJECT));
	const bool arrays = before && after && before->kind == JSON_ARRAY &&
			    after->kind == JSON_ARRAY &&
			    before->len == after->len;

	if (!is_true(unknown) && objects) {
		differ_members(d, before, after, unknown);
		return;
	}
	if (!is_true(unknown) && arrays) {
		for (uint32_t i = 0; i < before->len; i++)
			differ_at(d, str_int(d->x->a, i), before, after,
				  unknown);
		return;
	}
	if (!is_true(unknown) && !marked_in(unknown) &&
	    ((!before && !after) || (!before && after->kind == JSON_NULL) ||
	     (!after && before->kind == JSON_NULL) ||
	     (before && after && diff_json_equal(before, after))))
		return;
	for (size_t i = 0; i < d->path.len; i++)
		vec_push(d->x->a, &copy, d->path.items[i]);
	vec_push(d->x->a, &d->found, copy);
}

/* Elements of sets have no places that one could go by. */
static bool is_set(const struct explained *e, struct str name)
{
	const struct schema_attr *attr =
		e->schema ? schema_attr_find(e->schema, name) : NULL;
	const struct schema_nested *block =
		e->schema ? schema_nested_find(e->schema, name) : NULL;

	return (attr && attr->type->kind == TYPE_SET) ||
	       (block && block->nesting == NESTING_SET);
}

static void differing_paths(struct explain *x, struct explained *e,
			    struct path_list *out)
{
	const struct diff_input *in = explain_values(x, e);
	struct differing d = { .x = x };

	differ_members(&d, in->before, in->after, in->unknown);
	for (size_t i = 0; i < d.found.len; i++) {
		struct why_path *p = &d.found.items[i];

		if (is_set(e, p->items[0]))
			p->len = 1;
		if (i && p->len == 1 && out->len &&
		    str_eq(out->items[out->len - 1].items[0], p->items[0]))
			continue;
		vec_push(x->a, out, *p);
	}
}

/* One of them leads to the other. */
static bool forces(const struct diff_input *in, const struct why_path *path)
{
	for (size_t i = 0; i < in->replace.n; i++) {
		const struct json *r = in->replace.paths[i];
		bool same = true;

		for (size_t k = 0; same && k < path->len && k < r->len; k++)
			same = str_eq(r->items[k].kind >= JSON_NUMBER &&
						      r->items[k].kind <=
							      JSON_STRING
					      ? r->items[k].text
					      : STR_NONE,
				      path->items[k]);
		if (same)
			return true;
	}
	return false;
}

/* --- the configuration of an attribute --- */

struct setting {
	struct expression_vec exprs;
	struct traversal_vec refs; /* of whole blocks */
	struct range at;           /* of the first */
	bool any;
	size_t used; /* steps of the path to the expression */
};

struct body_vec VEC_OF(const struct body *);

static void blocks_of(struct explain *x, const struct body *b, struct str type,
		      struct setting *s, struct body_vec *out)
{
	const char *name = arena_strndup(x->a, type.p, type.n);
	const struct attr_schema none[] = { { 0 } };
	const struct block_schema blocks[] = { { .type = name },
					       { "dynamic", { "type" } },
					       { 0 } };
	const struct body_schema only = { none, blocks };
	struct diags quiet = DIAGS_INIT(x->a);
	struct body_content c = { 0 };

	body_partial(x->a, b, &only, &c, NULL, &quiet);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *k = &c.blocks.items[i];

		if (k->nlabels && !str_eq(k->labels[0].text, type))
			continue;
		if (!s->any)
			s->at = source_range(k->src, k->header);
		s->any = true;
		vec_push(x->a, out, k->body);
		if (k->nlabels)
			body_variables_unshaped(x->a, k->body, &s->refs);
	}
}

static bool attr_of(struct explain *x, const struct body *b, struct str name,
		    struct setting *s)
{
	const char *text = arena_strndup(x->a, name.p, name.n);
	const struct attr_schema attrs[] = { { text, false }, { 0 } };
	const struct block_schema none[] = { { 0 } };
	const struct body_schema only = { attrs, none };
	struct diags quiet = DIAGS_INIT(x->a);
	struct body_content c = { 0 };

	body_partial(x->a, b, &only, &c, NULL, &quiet);
	if (!c.attrs.len)
		return false;
	vec_push(x->a, &s->exprs, c.attrs.items[0]->expr);
	if (!s->any)
		s->at = attribute_range(c.attrs.items[0]);
	s->any = true;
	return true;
}

static void set_in(struct explain *x, const struct body *b,
		   const struct why_path *path, size_t i, struct setting *s)
{
	struct body_vec inner = { 0 };
	const bool index = i + 1 < path->len &&
			   path->items[i + 1].p[0] >= '0' &&
			   path->items[i + 1].p[0] <= '9';

	if (attr_of(x, b, path->items[i], s)) {
		s->used = i + 1;
		return;
	}
	blocks_of(x, b, path->items[i], s, &inner);
	for (size_t k = 0; k < inner.len; k++)
		if (i + 1 + index < path->len)
			set_in(x, inner.items[k], path, i + 1 + index, s);
		else
			body_variables_unshaped(x->a, inner.items[k], &s->refs);
}

static void expressions_of(struct explain *x, struct explained *e,
			   const struct why_path *path, struct setting *s)
{
	*s = (struct setting){ 0 };
	if (e->scope.resource && path->len)
		set_in(x, e->scope.resource->body, path, 0, s);
}

static void add_sources(struct explain *x, struct explained *e,
			const struct setting *s, const struct why_path *path,
			int depth, struct why *w)
{
	struct why_scope in = e->scope;
	struct why_path rest = { path->items + s->used, path->len - s->used,
				 0 };

	in.depth = depth;
	in.secret = w->secret;
	if (s->exprs.len)
		explain_expression(x, &in, s->exprs.items[0], &rest, w);
	else
		w->at = explain_at(x, &s->at);
	for (size_t i = 1; i < s->exprs.len; i++) {
		struct traversal_vec refs = { 0 };

		expression_variables(x->a, s->exprs.items[i], &refs);
		explain_references(x, &in, &refs, w);
	}
	explain_references(x, &in, &s->refs, w);
	/* What a provider made of a secret has no mark, and may be one. */
	for (size_t i = 0; i < w->from.len; i++)
		w->secret |= w->from.items[i]->secret &&
			     str_is(str_c(w->from.items[i]->kind), "resource");
}

/* --- nodes --- */

static void set_values(struct explain *x, struct explained *e,
		       const struct why_path *path, struct why *w)
{
	const struct diff_input *in = explain_values(x, e);

	w->changes = true;
	w->before = explain_json_at(in->before, path);
	w->after = explain_json_at(in->after, path);
	w->unknown = marked_at(in->unknown, path) ||
		     marked_in(explain_json_at(in->unknown, path));
	w->secret = secret_at(x, e, path);
}

/* What somebody did to the object outside; NULL: nothing, here. */
static const struct json *drifted_from(struct explain *x, struct explained *e,
				       const struct why_path *path)
{
	struct explained *d = map_get(&x->drift, e->c.address);
	const struct diff_input *in;
	const struct json *was, *now;

	if (!d || d->c.action != DIFF_UPDATE)
		return NULL;
	in = explain_values(x, d);
	was = explain_json_at(in->before, path);
	now = explain_json_at(in->after, path);
	return was && now && !diff_json_equal(was, now) ? was : NULL;
}

static void add_word(struct explain *x, struct why *w, const char *says)
{
	w->says = w->says.n ? STR_CAT(x->a, w->says, STR(", "), str_c(says))
			    : str_c(says);
}

static bool planned_is(struct explain *x, struct explained *e,
		       const struct why_path *path, const struct json *value)
{
	const struct json *after =
		explain_json_at(explain_values(x, e)->after, path);

	return after && diff_json_equal(after, value);
}

/* May the same text with the same values come to something else?  What reads
 * files, the clock or chance does, and what a provider works out. */
static bool looks_elsewhere(struct explain *x, const struct setting *s)
{
	bool found = false;

	for (size_t i = 0; i < s->exprs.len; i++) {
		struct call_vec calls = { 0 };

		expression_calls(x->a, s->exprs.items[i], &calls);
		for (size_t k = 0; k < calls.len; k++) {
			const struct func *f =
				funcs_lookup(calls.items[k].name);

			found |= !f || func_looks_elsewhere(f);
		}
	}
	return found;
}

/* The attribute and its cause. */
static struct why *why_attribute(struct explain *x, struct explained *e,
				 const struct why_path *path, int depth)
{
	struct why *w = why_new(x, "attribute", explain_path(x, path));
	const struct json *was = drifted_from(x, e, path);
	const struct schema_attr *attr =
		e->schema ? schema_attr_find(e->schema, path->items[0]) : NULL;
	struct setting s;

	expressions_of(x, e, path, &s);
	set_values(x, e, path, w);
	if (forces(explain_values(x, e), path))
		add_word(x, w, "forces replacement");
	if (s.any)
		add_sources(x, e, &s, path, depth, w);
	if (was && planned_is(x, e, path, was)) {
		w->kind = "drift";
		w->from.len = 0;
		add_word(
			x, w,
			s.any ? "was changed outside, the configuration says what it said"
			      : "was changed outside");
	} else if (was) {
		add_word(x, w, "was changed outside as well");
	} else if (!s.any && attr && attr->computed) {
		w->kind = "provider";
		add_word(x, w,
			 "planned by the provider, not in the configuration");
	} else if (!s.any) {
		w->kind = "removed";
		add_word(x, w, "is not in the configuration any more");
	} else if (e->c.importing) {
		add_word(x, w, "imported with another value");
	} else if (!w->from.len && looks_elsewhere(x, &s)) {
		w->kind = "elsewhere";
		add_word(
			x, w,
			"was edited, or a function in it answers otherwise: nothing it refers to changes");
	} else if (!w->from.len) {
		w->kind = "edited";
		add_word(x, w, "was edited: nothing it refers to changes");
	}
	return w;
}

/* Attributes that follow, rather than cause: the provider's, where there are
 * others. */
static bool is_cause(const struct why *w)
{
	return w->kind[0] != 'p';
}

void explain_attributes(struct explain *x, struct explained *e, int depth,
			struct why_vec *out)
{
	const struct diff_input *in = explain_values(x, e);
	struct why_vec all = { 0 };
	struct path_list paths = { 0 };
	bool causes = out->len > 0, secret = false;

	differing_paths(x, e, &paths);
	for (int forced = 1; forced >= 0; forced--)
		for (size_t i = 0; i < paths.len; i++) {
			struct why *w;

			if (forces(in, &paths.items[i]) != forced)
				continue;
			w = why_attribute(x, e, &paths.items[i], depth);
			causes |= forced || is_cause(w);
			secret |= w->secret;
			why_add(x, &all, w);
		}
	for (size_t i = 0; i < all.len; i++) {
		struct why *w = all.items[i];

		/* What a provider makes of a secret may be one. */
		w->secret |= secret && !is_cause(w);
		if (!causes || is_cause(w) || str_starts(w->says, "forces"))
			why_add(x, out, w);
	}
}

static bool part_changes(struct explain *x, struct explained *e,
			 const struct why_path *path)
{
	const struct diff_input *in = explain_values(x, e);
	struct differing d = { .x = x };

	if (marked_at(in->unknown, path))
		return true;
	differ(&d, explain_json_at(in->before, path),
	       explain_json_at(in->after, path),
	       explain_json_at(in->unknown, path));
	return d.found.len;
}

/* How an attribute that the configuration does not set is made anew. */
static void from_provider(struct explain *x, struct explained *e, int depth,
			  struct why *w)
{
	add_word(x, w, "planned by the provider");
	explain_causes(x, e, depth + 1, &w->from);
	for (size_t i = 0; i < w->from.len; i++)
		w->secret |= w->from.items[i]->secret;
}

/* The arguments of a data source that changed, if any did. */
static void from_arguments(struct explain *x, struct explained *e, int depth,
			   struct why *w)
{
	struct why_vec all = { 0 };

	explain_attributes(x, e, depth + 1, &all);
	for (size_t i = 0; i < all.len; i++) {
		w->secret |= all.items[i]->secret;
		/* What it has beside them it answers. */
		if (is_cause(all.items[i]) &&
		    !str_is(str_c(all.items[i]->kind), "removed"))
			why_add(x, &w->from, all.items[i]);
	}
}

/* A part that no plan changes, and that is another than the state had. */
static struct why *drifted_part(struct explain *x, struct explained *e,
				const struct why_path *path)
{
	struct explained *d = map_get(&x->drift, e->c.address);
	struct why *w;

	if (!d || d->c.action != DIFF_UPDATE || !path->len ||
	    !part_changes(x, d, path))
		return NULL;
	w = why_new(x, "drift", explain_path_in(x, e->c.address, path));
	set_values(x, d, path, w);
	w->says = STR("was changed outside");
	return w;
}

static const char *happens(struct explained *e)
{
	if (!e->data)
		return explain_action(e->c.action);
	return e->in.before ? "was read anew, and answers otherwise"
			    : "was read for the first time";
}

struct why *explain_part(struct explain *x, struct explained *e,
			 const struct why_path *path, int depth)
{
	struct why *w;
	struct setting s;

	if (e->c.action == DIFF_NOOP || !part_changes(x, e, path))
		return e->data ? NULL : drifted_part(x, e, path);
	w = why_new(x, e->data ? "data" : "resource",
		    explain_path_in(x, e->c.address, path));
	set_values(x, e, path, w);
	if (!path->len)
		w->changes = w->unknown = false, w->after = NULL;
	w->says = str_c(happens(e));
	if (explain_again(x, w->name)) {
		add_word(x, w, "explained above");
		return w;
	}
	if (depth >= EXPLAIN_DEPTH) {
		add_word(x, w, "and so on");
		return w;
	}
	expressions_of(x, e, path, &s);
	if (s.any)
		add_sources(x, e, &s, path, depth, w);
	else if (e->data)
		from_arguments(x, e, depth, w);
	else
		from_provider(x, e, depth, w);
	return w;
}

/* --- ignore_changes --- */

static void ignored(struct explain *x, struct explained *e,
		    const struct why_path *path, struct str at,
		    struct why_vec *out)
{
	struct why *w = why_new(x, "ignored", explain_path(x, path));
	const struct json *says;
	struct setting s;

	expressions_of(x, e, path, &s);
	w->secret = secret_at(x, e, path);
	w->after = explain_json_at(explain_values(x, e)->after, path);
	w->says = str_printf(x->a, "as it is: ignore_changes (%.*s)",
			     STR_ARG(at));
	if (s.exprs.len) {
		says = explain_constant(x, &e->scope, s.exprs.items[0],
					&w->secret);
		if (says && w->after && !diff_json_equal(says, w->after))
			add_word(x, w, "the configuration says otherwise");
		add_sources(x, e, &s, path, 0, w);
	}
	why_add(x, out, w);
}

void explain_ignored(struct explain *x, struct explained *e,
		     struct why_vec *out)
{
	const struct cfg_lifecycle *l =
		e->scope.resource ? e->scope.resource->lifecycle : NULL;
	struct str at;

	if (!l)
		return;
	at = explain_at(x, &l->at);
	if (l->ignore_all) {
		struct why *w = why_new(x, "ignored", STR_NONE);

		w->says = STR("ignore_changes = all: only the state counts");
		w->at = at;
		why_add(x, out, w);
	}
	for (size_t i = 0; i < l->ignore_changes.len; i++) {
		const struct traversal *t =
			&l->ignore_changes.items[i].traversal;
		struct why_path path = { 0 };

		if (t->root.n)
			vec_push(x->a, &path, t->root);
		for (size_t k = 0; k < t->nsteps; k++) {
			if (t->steps[k].kind == STEP_ATTR)
				vec_push(x->a, &path, t->steps[k].name);
			else
				break;
		}
		if (path.len)
			ignored(x, e, &path, at, out);
	}
}
