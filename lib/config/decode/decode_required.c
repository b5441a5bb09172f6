/* decode_required.c - required_providers blocks and version constraints */

#include "addr/provider.h"
#include "config/decode/decode_int.h"
#include "config/module_int.h"
#include "config/source/version.h"
#include "lang/eval/eval.h"
#include "value/convert.h"

static const char bad_constraint[] =
	"This is not a version constraint such as \"~> 1.2\" or "
	"\">= 1.2.0, < 2.0.0\".";

int decode_version(struct decoder *d, const struct attribute *at,
		   struct str *out)
{
	static const char *const summary = "Invalid version constraint";
	size_t errors = d->ds->errors;
	const struct value *v = eval_expression(d->a, NULL, at->expr, d->ds);
	struct range r = expression_range(at->expr);
	struct version_constraints c;
	struct verror err = { 0 };

	if (d->ds->errors > errors)
		return -1;
	v = convert(d->a, v, &type_string, &err);
	if (!v)
		return diag_error(d->ds, &r, summary,
				  "\"%.*s\" must be a string.",
				  STR_ARG(at->name));
	if (!value_usable(v))
		return 0;
	if (!version_constraints_parse(d->a, v->string, &c))
		return diag_error(d->ds, &r, summary, "%s", bad_constraint);
	*out = v->string;
	return 0;
}

/* Versions of providers are semantic ones.  NULL: the constraints fit them. */
static const char *provider_fault(const struct version_constraints *c)
{
	for (size_t i = 0; i < c->len; i++) {
		if (c->items[i].v.letter)
			return "A version is written without the letter \"v\".";
		if (c->items[i].v.given > 3)
			return "The version of a provider has no more than three numbers.";
	}
	return NULL;
}

int decode_provider_version(struct decoder *d, const struct attribute *at,
			    struct str *out)
{
	struct range r = expression_range(at->expr);
	struct version_constraints c;
	struct str s = STR_NONE;
	const char *why;

	if (decode_version(d, at, &s))
		return -1;
	version_constraints_parse(d->a, s, &c);
	why = s.p ? provider_fault(&c) : NULL;
	if (why)
		return diag_error(d->ds, &r, "Invalid version constraint", "%s",
				  why);
	*out = s;
	return 0;
}

/* One NAME = { … } being decoded. */
struct entry {
	struct decoder *d;
	struct cfg_required_provider *rp;
	bool typed; /* a source gave the address */
};

static int implied_type(struct entry *e)
{
	struct str type;
	const char *why = provider_part_check(e->d->a, e->rp->name, &type);

	if (why)
		return diag_error(
			e->d->ds, &e->rp->at, "Invalid provider name",
			"\"%.*s\" cannot be the name of a provider: it %s.",
			STR_ARG(e->rp->name), why);
	e->rp->addr = provider_implied(e->d->config, type);
	return 0;
}

/* The string in e, or STR_NONE after the diagnostic. */
static struct str need_string(struct entry *en, struct expression e,
			      const char *summary, const char *what)
{
	struct diags ignored = DIAGS_INIT(en->d->a);
	const struct value *v = eval_expression(en->d->a, NULL, e, &ignored);
	struct range at = expression_range(e);

	if (!ignored.errors && v->type == &type_string && value_usable(v))
		return v->string;
	diag_error(en->d->ds, &at, summary, "%s must be given as a string.",
		   what);
	return STR_NONE;
}

static void take_version(struct entry *en, struct expression e)
{
	static const char *const summary = "Invalid version constraint";
	struct str s = need_string(en, e, summary, "The version");
	struct range at = expression_range(e);
	struct version_constraints c;
	const char *why = bad_constraint;

	if (!s.p)
		return;
	if (version_constraints_parse(en->d->a, s, &c))
		why = provider_fault(&c);
	if (why)
		diag_error(en->d->ds, &at, summary, "%s", why);
	else
		en->rp->version = s;
}

static void take_source(struct entry *en, struct expression e)
{
	struct str s = need_string(en, e, "Invalid source", "The source");
	struct range at = expression_range(e);

	if (!s.p || provider_addr_read(en->d->a, s, en->d->config->default_host,
				       &at, &en->rp->addr, en->d->ds))
		return;
	en->rp->source = s;
	en->typed = true;
}

static int read_alias(struct entry *en, struct expression e,
		      const struct range *all, struct str *out)
{
	static const char *const summary =
		"Invalid configuration_aliases value";
	struct decoder *d = en->d;
	struct traversal_ref t;
	const struct step *s;

	if (expression_traversal(d->a, e, &t, d->ds))
		return -1;
	s = t.traversal.steps;
	if (t.traversal.nsteps && s[0].kind != STEP_ATTR)
		return diag_error(
			d->ds, all, summary,
			"Each configuration alias is written provider.alias.");
	if (!str_eq(t.traversal.root, en->rp->name))
		return diag_error(
			d->ds, all, summary,
			"The aliases here must begin with \"%.*s\", not with \"%.*s\".",
			STR_ARG(en->rp->name), STR_ARG(t.traversal.root));
	*out = t.traversal.nsteps ? str_printf(d->a, "%.*s.%.*s",
					       STR_ARG(t.traversal.root),
					       STR_ARG(s[0].name))
				  : t.traversal.root;
	return 0;
}

static void take_aliases(struct entry *en, struct expression e)
{
	struct range all = expression_range(e);
	struct expression *items;
	struct str name;
	size_t n;

	if (expression_list(en->d->a, e, &items, &n, en->d->ds))
		return;
	for (size_t i = 0; i < n; i++)
		if (!read_alias(en, items[i], &all, &name))
			vec_push(en->d->a, &en->rp->aliases, name);
}

/* The text of a key of the object; STR_NONE after the diagnostic. */
static struct str key_of(struct entry *en, struct expression key)
{
	struct str keyword = expression_keyword(key);
	size_t errors = en->d->ds->errors;
	const struct value *v;
	struct range at;

	if (keyword.p && key.root->kind == EXPR_SCOPE)
		return keyword;
	v = eval_expression(en->d->a, NULL, key, en->d->ds);
	if (en->d->ds->errors > errors)
		return STR_NONE;
	if (v->type == &type_string && value_usable(v))
		return v->string;
	at = expression_range(key);
	diag_error(en->d->ds, &at, "Invalid Attribute",
		   "The names of a provider requirement are strings.");
	return STR_NONE;
}

static void take_object(struct entry *en, const struct attribute *at)
{
	struct diags ignored = DIAGS_INIT(en->d->a);
	struct range all = expression_range(at->expr), r;
	struct expression *keys, *values;
	size_t n;

	if (expression_map(en->d->a, at->expr, &keys, &values, &n, &ignored)) {
		diag_error(en->d->ds, &all, "Invalid required_providers object",
			   "A provider requirement is a string or an object.");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct str key = key_of(en, keys[i]);

		if (!key.p)
			continue;
		if (str_is(key, "version")) {
			take_version(en, values[i]);
		} else if (str_is(key, "source")) {
			take_source(en, values[i]);
		} else if (str_is(key, "configuration_aliases")) {
			take_aliases(en, values[i]);
		} else {
			r = expression_range(keys[i]);
			diag_error(en->d->ds, &r,
				   "Invalid required_providers object",
				   "A provider requirement has \"version\", "
				   "\"source\" and \"configuration_aliases\" "
				   "only; what configures the provider belongs "
				   "in a \"provider\" block.");
			return;
		}
	}
}

/* An old requirement is just a version. */
static bool is_primitive(struct decoder *d, struct expression e)
{
	struct diags ignored = DIAGS_INIT(d->a);
	const struct value *v = eval_expression(d->a, NULL, e, &ignored);

	return !ignored.len && type_is_primitive(v->type);
}

/* Returns -1 if the requirement cannot be used. */
static int decode_entry(struct decoder *d, const struct attribute *at,
			struct cfg_required_provider *rp, size_t errors)
{
	struct entry en = { .d = d, .rp = rp };

	if (is_primitive(d, at->expr)) {
		decode_provider_version(d, at, &rp->version);
		return implied_type(&en);
	}
	if (check_provider_name(d->a, rp->name, &rp->at, d->ds))
		return -1;
	take_object(&en, at);
	if (d->ds->errors > errors)
		return -1;
	return en.typed ? 0 : implied_type(&en);
}

void decode_required_providers(struct decoder *d, const struct block *b)
{
	struct cfg_required_block *out =
		ARENA_NEW(d->a, struct cfg_required_block);
	struct attribute_vec attrs = { 0 };
	size_t errors = d->ds->errors;

	out->at = block_range(b);
	vec_push(d->a, &d->out->required_blocks, out);
	if (body_attributes(d->a, b->body, &attrs, d->ds))
		return;
	for (size_t i = 0; i < attrs.len; i++) {
		struct attribute *at = &attrs.items[i];
		struct cfg_required_provider *rp =
			ARENA_NEW(d->a, struct cfg_required_provider);

		rp->name = at->name;
		rp->at = expression_range(at->expr);
		if (!decode_entry(d, at, rp, errors))
			vec_push(d->a, &out->items, rp);
	}
}
