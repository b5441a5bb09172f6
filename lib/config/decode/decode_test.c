/* decode_test.c - see decode_int.h */
#include "config/decode/decode_int.h"
#include "addr/walk.h"
#include "config/source/source.h"
#include "lang/eval/eval.h"
#include "lang/syntax/ident.h"
#include "lang/syntax/walk.h"

static const struct attr_schema no_attrs[] = { { NULL, false } };
static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

/* --- mocks and overrides --- */

static bool is_module(const struct block *b)
{
	return str_is(b->type, "override_module");
}

/* An object that refers to nothing.  Functions are called when a run uses it,
 * so that what they make is not known here. */
static void take_object(struct decoder *d, const struct attribute *at,
			struct expression *out)
{
	const size_t errors = d->ds->errors;
	struct traversal_vec vars = { 0 };
	struct call_vec calls = { 0 };
	const struct value *v;
	struct range whole = attribute_range(at);

	expression_uses(d->a, at->expr, &vars, &calls);
	if (calls.len && !vars.len) {
		*out = at->expr;
		return;
	}
	v = eval_expression(d->a, NULL, at->expr, d->ds);
	if (d->ds->errors > errors)
		return;
	if (v->type->kind == TYPE_OBJECT)
		*out = at->expr;
	else
		diag_error(d->ds, &whole, "Object expected",
			   "The value of \"%.*s\" must be an object.",
			   STR_ARG(at->name));
}

/* The target as the address of a resource, of an instance, or of a module. */
static int take_target(struct decoder *d, const struct block *b,
		       struct expression e, struct cfg_override *o)
{
	struct target t;
	struct buf text = BUF_INIT;

	if (expression_traversal(d->a, e, &o->ref, d->ds))
		return -1;
	o->at = source_range(o->ref.src, o->ref.span);
	if (target_from_traversal(d->a, &o->ref, &t, d->ds))
		return -1;
	if (is_module(b) != (t.kind == TARGET_MODULE))
		return diag_error(
			d->ds, &o->at,
			is_module(b) ? "Invalid module address"
				     : "Resource specification not allowed",
			is_module(b) ? "The target must be a module."
				     : "The target must be a resource.");
	if (is_module(b))
		for (size_t i = 0; i < t.addr.module.len; i++)
			if (t.addr.module.steps[i].key.kind != KEY_NONE)
				return diag_error(
					d->ds, &o->at,
					"Module instance keys not allowed",
					"A module is overridden as a whole: leave the key out.");
	if (is_module(b))
		module_addr_print(&text, t.addr.module);
	else
		instance_addr_print(&text, &t.addr);
	o->target = buf_dup(d->a, &text);
	buf_release(&text);
	return 0;
}

static void decode_override(struct decoder *d, const struct block *b,
			    struct cfg_override_vec *out)
{
	const struct attr_schema attrs[] = {
		{ "target", true },
		{ is_module(b) ? "outputs" : "values", false },
		{ NULL, false },
	};
	const struct body_schema schema = { attrs, no_blocks };
	struct cfg_override o = { .kind = b->type };
	const size_t errors = d->ds->errors;
	const struct attribute *at;
	struct body_content c;

	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "target")))
		take_target(d, b, at->expr, &o);
	if ((at = content_attr(&c, attrs[1].name)))
		take_object(d, at, &o.values);
	if (d->ds->errors == errors)
		vec_push(d->a, out, o);
}

static void decode_mock(struct decoder *d, const struct block *b,
			struct cfg_provider *p)
{
	static const struct attr_schema attrs[] = { { "defaults", false },
						    { NULL, false } };
	static const struct body_schema schema = { attrs, no_blocks };
	struct cfg_override o = { .kind = b->type,
				  .target = b->labels[0].text,
				  .at = block_range(b) };
	const size_t errors = d->ds->errors;
	const struct attribute *at;
	struct body_content c;

	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "defaults")))
		take_object(d, at, &o.values);
	if (d->ds->errors == errors)
		vec_push(d->a, &p->overrides, o);
}

/* Of two for the same the second is an error. */
static void refuse_repeated(struct decoder *d, const struct cfg_provider *p)
{
	for (size_t i = 0; i < p->overrides.len; i++)
		for (size_t k = 0; k < i; k++) {
			const struct cfg_override *x = &p->overrides.items[i];
			const struct cfg_override *y = &p->overrides.items[k];

			if (!str_eq(x->kind, y->kind) ||
			    !str_eq(x->target, y->target))
				continue;
			diag_error(
				d->ds, &p->at,
				arena_printf(d->a, "Duplicated `%.*s` block",
					     STR_ARG(x->kind)),
				"This mock_provider has two of them for %.*s.",
				STR_ARG(x->target));
			break;
		}
}

static void take_alias(struct decoder *d, const struct attribute *at,
		       struct cfg_provider *p)
{
	struct range r = expression_range(at->expr);

	decode_static_string(d, at, &p->alias);
	if (!ident_valid(p->alias))
		diag_error(d->ds, &r,
			   "Invalid mock provider configuration alias",
			   "An alias must be a name. %s", decode_bad_name);
}

static const struct attr_schema mock_attrs[] = {
	{ "alias", false },
	{ "for_each", false },
	{ NULL, false },
};
static const struct block_schema mock_blocks[] = {
	{ "mock_resource", { "type" } },
	{ "mock_data", { "type" } },
	{ "override_resource", { NULL } },
	{ "override_data", { NULL } },
	{ NULL, { NULL } },
};
static const struct body_schema mock_schema = { mock_attrs, mock_blocks };

static struct cfg_provider *decode_mock_provider(struct decoder *d,
						 const struct block *b)
{
	struct cfg_provider *p = ARENA_NEW(d->a, struct cfg_provider);
	const size_t errors = d->ds->errors;
	const struct attribute *at;
	struct body_content c;
	struct range r;

	p->mocked = true;
	p->name = b->labels[0].text;
	p->at = block_range(b);
	body_partial(d->a, b->body, &mock_schema, &c, &p->body, d->ds);
	body_content(d->a, b->body, &mock_schema, &c, d->ds);
	if (check_provider_name(d->a, p->name, &p->at, d->ds))
		return NULL;
	if ((at = content_attr(&c, "alias")))
		take_alias(d, at, p);
	if ((at = content_attr(&c, "for_each")))
		p->for_each = at->expr;
	if (p->for_each.root && !p->alias.n) {
		r = expression_range(p->for_each);
		diag_error(d->ds, &r, "Alias required when using \"for_each\"",
			   "A mock_provider with \"for_each\" needs an alias.");
	}
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *in = &c.blocks.items[i];

		if (in->nlabels)
			decode_mock(d, in, p);
		else
			decode_override(d, in, &p->overrides);
	}
	refuse_repeated(d, p);
	return d->ds->errors == errors ? p : NULL;
}

/* --- run blocks --- */

static void decode_variables(struct decoder *d, const struct block *b,
			     const struct block **first,
			     struct attribute_vec *out, const char *where)
{
	if (!decode_is_duplicate(d, b, first, "Multiple \"variables\" blocks",
				 arena_printf(d->a, "The variables block of %s",
					      where)))
		body_attributes(d->a, b->body, out, d->ds);
}

static void bad_keyword(struct decoder *d, const struct attribute *at,
			const char *words)
{
	struct range r = expression_range(at->expr);

	diag_error(d->ds, &r,
		   arena_printf(d->a, "Invalid \"%.*s\" keyword",
				STR_ARG(at->name)),
		   "\"%.*s\" is one of these words, without quotes: %s.",
		   STR_ARG(at->name), words);
}

static void decode_plan_options(struct decoder *d, const struct block *b,
				struct cfg_run *run)
{
	static const struct attr_schema attrs[] = {
		{ "mode", false },   { "refresh", false }, { "replace", false },
		{ "target", false }, { NULL, false },
	};
	static const struct body_schema schema = { attrs, no_blocks };
	const struct attribute *at;
	struct body_content c;
	bool refresh = true;
	struct str word;
	struct range r;

	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "mode"))) {
		word = expression_keyword(at->expr);
		run->refresh_only = str_is(word, "refresh-only");
		if (!run->refresh_only && !str_is(word, "normal"))
			bad_keyword(d, at, "normal, refresh-only");
	}
	if ((at = content_attr(&c, "refresh")) &&
	    !decode_static_bool(d, at, &refresh))
		run->skip_refresh = !refresh;
	decode_depends_on(d, content_attr(&c, "replace"), &run->replace);
	decode_depends_on(d, content_attr(&c, "target"), &run->target);
	if (run->skip_refresh && run->refresh_only) {
		r = attribute_range(content_attr(&c, "refresh"));
		diag_error(
			d->ds, &r, "Incompatible plan options",
			"In the mode \"refresh-only\" \"refresh\" cannot be false.");
	}
}

static void take_source(struct decoder *d, const struct attribute *at,
			struct cfg_run *run)
{
	enum source_kind kind;
	const char *summary;
	struct str raw, why;

	run->source_at = attribute_range(at);
	run->source_expr = at->expr;
	if (decode_static_string(d, at, &raw))
		return;
	run->source = source_read(d->a, raw, run->version_expr.root != NULL,
				  &kind, &summary, &why);
	if (!run->source.p)
		diag_error(d->ds, &run->source_at, summary, "%.*s",
			   STR_ARG(why));
}

static void decode_module(struct decoder *d, const struct block *b,
			  struct cfg_run *run)
{
	static const struct attr_schema attrs[] = { { "source", false },
						    { "version", false },
						    { NULL, false } };
	static const struct body_schema schema = { attrs, no_blocks };
	const struct attribute *at;
	struct body_content c;

	run->alternate = true;
	run->module_at = block_range(b);
	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "version"))) {
		run->version_expr = at->expr;
		decode_static_string(d, at, &run->version);
	}
	if ((at = content_attr(&c, "source")))
		take_source(d, at, run);
	else
		diag_error(
			d->ds, &run->module_at,
			"Missing \"source\" attribute for module block",
			"The module block of a run says by \"source\" which module it runs.");
}

static void decode_run_providers(struct decoder *d, const struct attribute *at,
				 struct cfg_run *run)
{
	struct cfg_call call = { .name = run->name };

	decode_passes(d, at, &call);
	run->providers = call.providers;
}

struct run_blocks { /* those that may occur once */
	const struct block *variables, *options, *module;
};

static void decode_run_block(struct decoder *d, const struct block *b,
			     struct run_blocks *seen, struct cfg_run *run)
{
	struct cfg_condition cond;

	if (str_is(b->type, "assert")) {
		if (!decode_condition(d, b, &cond))
			vec_push(d->a, &run->asserts, cond);
	} else if (str_is(b->type, "variables")) {
		decode_variables(d, b, &seen->variables, &run->variables,
				 "this run block");
	} else if (str_is(b->type, "plan_options")) {
		if (!decode_is_duplicate(d, b, &seen->options,
					 "Multiple \"plan_options\" blocks",
					 "The plan_options block of this run"))
			decode_plan_options(d, b, run);
	} else if (str_is(b->type, "module")) {
		if (!decode_is_duplicate(d, b, &seen->module,
					 "Multiple \"module\" blocks",
					 "The module block of this run"))
			decode_module(d, b, run);
	} else {
		decode_override(d, b, &run->overrides);
	}
}

static const struct attr_schema run_attrs[] = {
	{ "command", false },  { "providers", false },
	{ "parallel", false }, { "expect_failures", false },
	{ NULL, false },
};
static const struct block_schema run_blocks[] = {
	{ "plan_options", { NULL } },      { "assert", { NULL } },
	{ "variables", { NULL } },         { "module", { NULL } },
	{ "override_resource", { NULL } }, { "override_data", { NULL } },
	{ "override_module", { NULL } },   { NULL, { NULL } },
};
static const struct body_schema run_schema = { run_attrs, run_blocks };

static void decode_run(struct decoder *d, const struct block *b,
		       struct cfg_run_vec *out)
{
	struct cfg_run run = { .name = b->labels[0].text,
			       .at = block_range(b),
			       .name_at = label_range(b, 0) };
	struct run_blocks seen = { NULL, NULL, NULL };
	const struct attribute *at;
	struct body_content c;
	struct str word;

	body_content(d->a, b->body, &run_schema, &c, d->ds);
	check_name(d, b, 0, "Invalid run block name");
	for (size_t i = 0; i < c.blocks.len; i++)
		decode_run_block(d, &c.blocks.items[i], &seen, &run);
	if ((at = content_attr(&c, "command"))) {
		word = expression_keyword(at->expr);
		run.plan = str_is(word, "plan");
		if (!run.plan && !str_is(word, "apply"))
			bad_keyword(d, at, "apply, plan");
	}
	if ((at = content_attr(&c, "parallel")))
		decode_static_bool(d, at, &run.parallel);
	if ((at = content_attr(&c, "providers")))
		decode_run_providers(d, at, &run);
	decode_depends_on(d, content_attr(&c, "expect_failures"),
			  &run.expect_failures);
	vec_push(d->a, out, run);
}

/* --- the file --- */

static struct str provider_key(struct arena *a, const struct cfg_provider *p)
{
	return p->alias.n ? STR_CAT(a, p->name, STR("."), p->alias) : p->name;
}

/* Of two provider blocks the last counts; two mocks are an error. */
static void add_provider(struct decoder *d, struct cfg_provider *p,
			 struct cfg_test_file *out)
{
	struct str key = provider_key(d->a, p);

	for (size_t i = 0; i < out->providers.len; i++) {
		const struct cfg_provider *q = out->providers.items[i];

		if (!p->mocked || !q->mocked ||
		    !str_eq(key, provider_key(d->a, q)))
			continue;
		diag_error(
			d->ds, &p->at, "Duplicated `mock_provider` block",
			"There is a mock_provider %.*s in this file already.",
			STR_ARG(key));
		return;
	}
	vec_push(d->a, &out->providers, p);
}

static const struct block_schema file_blocks[] = {
	{ "run", { "name" } },           { "provider", { "name" } },
	{ "variables", { NULL } },       { "override_resource", { NULL } },
	{ "override_data", { NULL } },   { "override_module", { NULL } },
	{ "mock_provider", { "name" } }, { NULL, { NULL } },
};
static const struct body_schema file_schema = { no_attrs, file_blocks };

void decode_test_file(struct decoder *d, const struct body *b,
		      struct cfg_test_file *out)
{
	const struct block *variables = NULL;
	struct body_content c;

	body_content(d->a, b, &file_schema, &c, d->ds);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *in = &c.blocks.items[i];
		const size_t had = d->out->providers.len;
		struct cfg_provider *mock;

		if (str_is(in->type, "run")) {
			decode_run(d, in, &out->runs);
		} else if (str_is(in->type, "variables")) {
			decode_variables(d, in, &variables, &out->variables,
					 "this file");
		} else if (str_is(in->type, "provider")) {
			decode_provider(d, in);
			if (d->out->providers.len > had)
				add_provider(d, d->out->providers.items[had],
					     out);
		} else if (str_is(in->type, "mock_provider")) {
			mock = decode_mock_provider(d, in);
			if (mock)
				add_provider(d, mock, out);
		} else {
			decode_override(d, in, &out->overrides);
		}
	}
}
