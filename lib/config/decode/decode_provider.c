/* decode_provider.c - provider blocks, references to them, requirements */

#include "addr/provider.h"
#include "config/decode/decode_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "lang/syntax/ident.h"

int check_provider_name(struct arena *a, struct str name,
			const struct range *at, struct diags *ds)
{
	static const char *const summary = "Invalid provider local name";
	struct str normal;
	const char *why = provider_part_check(a, name, &normal);

	if (why)
		return diag_error(
			ds, at, summary,
			"\"%.*s\" cannot be the local name of a provider: it %s.",
			STR_ARG(name), why);
	if (!str_eq(name, normal))
		return diag_error(ds, at, summary,
				  "The local name of a provider must be in its "
				  "normal form: write \"%.*s\" instead of "
				  "\"%.*s\".",
				  STR_ARG(normal), STR_ARG(name));
	return 0;
}

struct str provider_ref_name(struct arena *a, const struct cfg_provider_ref *r)
{
	if (!r->alias.n)
		return r->name;
	return str_printf(a, "%.*s.%.*s", STR_ARG(r->name), STR_ARG(r->alias));
}

/* --- NAME, NAME.ALIAS, NAME[KEY], NAME.ALIAS[KEY] --- */

static const char ref_summary[] = "Invalid provider configuration reference";

/* Splits off a key that is an expression. */
static void split_key(struct expression *e, struct expression *key)
{
	*key = EXPRESSION_NONE;
	if (e->root->kind != EXPR_INDEX)
		return;
	*key = (struct expression){ e->src, e->root->get.key };
	e->root = e->root->get.on;
}

static int bad_form(struct decoder *d, struct expression e,
		    const char *argument)
{
	struct range at = expression_range(e);

	if (expression_is_quoted(e))
		return diag_error(
			d->ds, &at, ref_summary,
			"A provider configuration is not referred to in quotes.");
	return diag_error(d->ds, &at, ref_summary,
			  "\"%s\" takes the local name of a provider, then "
			  "optionally a dot and an alias, and an instance key "
			  "in brackets.",
			  argument);
}

static int bad_step(struct decoder *d, const struct traversal_ref *t, size_t i)
{
	struct range at = source_range(t->src, t->traversal.steps[i].span);

	return diag_error(d->ds, &at, ref_summary,
			  "Only a dot and an alias, then a key in brackets, "
			  "can follow the name of a provider.");
}

/* A literal key in a traversal, as an expression. */
static struct expression literal_key(struct arena *a,
				     const struct traversal_ref *t,
				     const struct step *s)
{
	struct expr *x = ARENA_NEW(a, struct expr);

	x->kind = EXPR_LITERAL;
	x->literal = s->key;
	/* between the brackets */
	x->span = (struct span){ s->span.start + 1, s->span.end - 1 };
	return (struct expression){ t->src, x };
}

static int read_steps(struct decoder *d, const struct traversal_ref *t,
		      struct cfg_provider_ref *out)
{
	const struct step *s = t->traversal.steps;
	size_t i = 0, n = t->traversal.nsteps;

	if (i < n && s[i].kind == STEP_ATTR)
		out->alias = s[i++].name;
	if (i < n && s[i].kind == STEP_INDEX && !out->key.root) {
		out->key = literal_key(d->a, t, &s[i]);
		i++;
	}
	return i < n ? bad_step(d, t, i) : 0;
}

int decode_provider_ref(struct decoder *d, struct expression e,
			const char *argument, struct cfg_provider_ref *out)
{
	struct diags ignored = DIAGS_INIT(d->a);
	struct expression key, given;
	struct traversal_ref t;
	size_t max;

	*out = (struct cfg_provider_ref){ .given = false };
	if (decode_unwrap_json(d->a, &e, d->ds))
		return -1;
	out->at = expression_range(e);
	split_key(&e, &key);
	max = key.root ? 1 : 2;
	given = e;
	if (decode_unquoted(d->a, &e, false, d->ds))
		return -1;
	if (expression_traversal(d->a, e, &t, &ignored) ||
	    t.traversal.nsteps > max)
		return bad_form(d, given, argument);
	out->name_at = source_range(t.src, t.traversal.root_span);
	if (check_provider_name(d->a, t.traversal.root, &out->name_at, d->ds))
		return -1;
	out->name = t.traversal.root;
	out->key = key;
	out->given = true;
	return read_steps(d, &t, out);
}

/* --- provider blocks --- */

static const struct attr_schema attrs[] = {
	{ "alias", false },      { "version", false },
	{ "for_each", false },   { "count", false }, /* reserved */
	{ "depends_on", false },                     /* reserved */
	{ "source", false },                         /* reserved */
	{ NULL, false },
};
static const struct block_schema blocks[] = {
	{ "_", { NULL } },
	{ "lifecycle", { NULL } }, /* reserved */
	{ "locals", { NULL } },    /* reserved */
	{ NULL, { NULL } },
};
static const struct body_schema schema = { attrs, blocks };

static void take_version(struct decoder *d, const struct attribute *at,
			 struct cfg_provider *p)
{
	struct range r = expression_range(at->expr);

	diag_warning(
		d->ds, &r,
		"Version constraints inside provider configuration blocks are deprecated",
		"The version constraint of a provider belongs in the "
		"required_providers block.");
	decode_provider_version(d, at, &p->version);
}

static void take_attrs(struct decoder *d, const struct body_content *c,
		       struct cfg_provider *p)
{
	static const char *const reserved[] = { "count", "depends_on",
						"source" };
	const struct attribute *at;
	struct range r;

	if ((at = content_attr(c, "alias"))) {
		decode_static_string(d, at, &p->alias);
		if (!ident_valid(p->alias))
			diag_error(d->ds, NULL,
				   "Invalid provider configuration alias",
				   "An alias must be a name. %s",
				   decode_bad_name);
	}
	if ((at = content_attr(c, "version")))
		take_version(d, at, p);
	if ((at = content_attr(c, "for_each")))
		p->for_each = at->expr;
	if (!p->alias.n && (at = content_attr(c, "count"))) {
		p->count = at->expr;
		r = attribute_name_range(at);
		if (p->for_each.root)
			diag_error(
				d->ds, &r,
				"Invalid combination of \"count\" and \"for_each\"",
				"A provider block can have one of them.");
	}
	for (size_t i = 0; i < 3; i++) {
		at = content_attr(c, reserved[i]);
		if (!at || (i == 0 && p->count.root))
			continue;
		r = attribute_name_range(at);
		diag_error(
			d->ds, &r, "Reserved argument name in provider block",
			"The argument \"%s\" is reserved for a future version.",
			reserved[i]);
	}
}

void decode_provider(struct decoder *d, const struct block *b)
{
	struct cfg_provider *p = ARENA_NEW(d->a, struct cfg_provider);
	const struct block *escape = NULL;
	struct body_content c;

	p->name = b->labels[0].text;
	p->at = block_range(b);
	body_partial(d->a, b->body, &schema, &c, &p->body, d->ds);
	if (check_provider_name(d->a, p->name, &p->at, d->ds))
		return;
	take_attrs(d, &c, p);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *in = &c.blocks.items[i];
		struct range at = source_range(in->src, in->type_span);

		if (!str_is(in->type, "_"))
			diag_error(
				d->ds, &at,
				"Reserved block type name in provider block",
				"The block type \"%.*s\" is reserved for a future version.",
				STR_ARG(in->type));
		else if (!decode_is_duplicate(
				 d, in, &escape, "Duplicate escaping block",
				 "The escaping block of this block"))
			p->body =
				body_merge(d->a, BODY_UNION, p->body, in->body);
	}
	vec_push(d->a, &d->out->providers, p);
}
