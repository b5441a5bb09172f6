/*
 * reference.c - what a traversal in an expression refers to
 *
 * The root name decides: var.x, local.x, count.index, each.key, path.module,
 * terraform.workspace, self, module.m…, data.T.N…, ephemeral.T.N…,
 * resource.T.N… and, for any other root, T.N….
 */
#include "addr/reference.h"
#include "value/number.h"

static int invalid(const struct source *src, struct span at, const char *detail,
		   struct diags *ds)
{
	struct range r = source_range(src, at);

	return diag_error(ds, &r, "Invalid reference", "%s", detail);
}

static void take(struct reference *out, const struct traversal *t,
		 size_t nsteps)
{
	out->span = t->root_span;
	if (nsteps)
		out->span.end = t->steps[nsteps - 1].span.end;
	out->rest = nsteps < t->nsteps ? t->steps + nsteps : NULL;
	out->nrest = t->nsteps - nsteps;
}

/* root.NAME */
static int read_attr(struct arena *a, const struct traversal_ref *tr,
		     struct reference *out, struct diags *ds)
{
	const struct traversal *t = &tr->traversal;

	if (!t->nsteps)
		return invalid(
			tr->src, t->root_span,
			arena_printf(
				a,
				"\"%.*s\" has no value of its own; name one of its attributes.",
				STR_ARG(t->root)),
			ds);
	if (t->steps[0].kind != STEP_ATTR)
		return invalid(
			tr->src, t->steps[0].span,
			arena_printf(
				a,
				"The \"%.*s\" object does not support this operation.",
				STR_ARG(t->root)),
			ds);
	out->name = t->steps[0].name;
	take(out, t, 1);
	return 0;
}

static int read_key(const struct traversal_ref *tr, size_t i, const char *what,
		    struct inst_key *out, struct diags *ds)
{
	const struct step *s = &tr->traversal.steps[i];
	struct range r;
	const char *why;

	if (!inst_key_from_value(s->key, out, &why))
		return 0;
	r = source_range(tr->src, s->span);
	return diag_error(ds, &r, "Invalid index key",
			  "Invalid index for %s instance: %s.", what, why);
}

/* module.NAME[KEY].OUTPUT */
static int read_module(struct arena *a, const struct traversal_ref *tr,
		       struct reference *out, struct diags *ds)
{
	const struct traversal *t = &tr->traversal;
	size_t i = 1;

	if (read_attr(a, tr, out, ds))
		return -1;
	if (i < t->nsteps && t->steps[i].kind == STEP_INDEX) {
		if (read_key(tr, i, "module", &out->key, ds))
			return -1;
		i++;
	}
	if (i < t->nsteps && t->steps[i].kind == STEP_ATTR)
		out->output = t->steps[i++].name;
	else if (i < t->nsteps)
		return invalid(
			tr->src, t->steps[i].span,
			"A module instance does not support this operation.",
			ds);
	take(out, t, i);
	return 0;
}

/* TYPE.NAME[KEY]; i is the step that holds NAME; TYPE is before it. */
static int read_resource(const struct traversal_ref *tr, size_t i,
			 struct reference *out, struct diags *ds)
{
	static const char *const name_missing[] = {
		[MODE_MANAGED] = ("A resource type must be followed by the "
				  "name of a resource, after a dot."),
		[MODE_DATA] =
			"A data source must be followed by the name of a resource, after a dot.",
		[MODE_EPHEMERAL] =
			"An ephemeral resource type must be followed by a name, after a dot.",
	};
	const struct traversal *t = &tr->traversal;
	enum resource_mode mode = out->resource.mode;

	if (i == 0) {
		out->resource.type = t->root;
	} else if (t->steps[i - 1].kind == STEP_ATTR) {
		out->resource.type = t->steps[i - 1].name;
	} else {
		return invalid(tr->src, t->steps[i - 1].span,
			       "This object does not support this operation.",
			       ds);
	}
	if (i >= t->nsteps)
		return invalid(tr->src, t->root_span, name_missing[mode], ds);
	if (t->steps[i].kind != STEP_ATTR)
		return invalid(tr->src, t->steps[i].span, name_missing[mode],
			       ds);
	out->resource.name = t->steps[i++].name;
	if (i < t->nsteps && t->steps[i].kind == STEP_INDEX) {
		if (read_key(tr, i, "resource", &out->key, ds))
			return -1;
		i++;
	}
	take(out, t, i);
	return 0;
}

/* data.T.N, ephemeral.T.N, resource.T.N */
static int read_prefixed(struct arena *a, const struct traversal_ref *tr,
			 struct reference *out, struct diags *ds)
{
	const struct traversal *t = &tr->traversal;
	struct span all = t->root_span;

	if (t->nsteps >= 2)
		return read_resource(tr, 1, out, ds);
	if (t->nsteps)
		all.end = t->steps[t->nsteps - 1].span.end;
	return invalid(
		tr->src, all,
		arena_printf(
			a,
			"\"%.*s\" must be followed by two attribute names: a type and a name.",
			STR_ARG(t->root)),
		ds);
}

static int reserved(const struct traversal_ref *tr, struct diags *ds)
{
	struct range r = source_range(tr->src, tr->traversal.root_span);

	return diag_error(ds, &r, "Reserved symbol name",
			  "\"%.*s\" is reserved for a future version. A "
			  "resource type of that name can be written "
			  "\"resource.%.*s\".",
			  STR_ARG(tr->traversal.root),
			  STR_ARG(tr->traversal.root));
}

static const struct root {
	const char *name;
	enum ref_kind kind;
	enum resource_mode mode;
} roots[] = {
	{ "var", REF_VARIABLE, MODE_MANAGED },
	{ "local", REF_LOCAL, MODE_MANAGED },
	{ "module", REF_MODULE, MODE_MANAGED },
	{ "each", REF_EACH, MODE_MANAGED },
	{ "count", REF_COUNT, MODE_MANAGED },
	{ "data", REF_RESOURCE, MODE_DATA },
	{ "path", REF_PATH, MODE_MANAGED },
	{ "terraform", REF_TERRAFORM, MODE_MANAGED },
	{ "tofu", REF_TERRAFORM, MODE_MANAGED },
	{ "self", REF_SELF, MODE_MANAGED },
	{ "ephemeral", REF_RESOURCE, MODE_EPHEMERAL },
	{ "resource", REF_RESOURCE, MODE_MANAGED },
};

static const struct root *find_root(struct str name)
{
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (str_is(name, roots[i].name))
			return &roots[i];
	return NULL;
}

int reference_parse(struct arena *a, const struct traversal_ref *tr,
		    struct reference *out, struct diags *ds)
{
	const struct traversal *t = &tr->traversal;
	const struct root *root = find_root(t->root);

	memset(out, 0, sizeof(*out));
	out->src = tr->src;
	out->root = t->root;
	if (!root) {
		if (str_is(t->root, "template") || str_is(t->root, "lazy") ||
		    str_is(t->root, "arg"))
			return reserved(tr, ds);
		out->kind = REF_RESOURCE;
		return read_resource(tr, 0, out, ds);
	}
	out->kind = root->kind;
	out->resource.mode = root->mode;
	switch (root->kind) {
	case REF_RESOURCE:
		return read_prefixed(a, tr, out, ds);
	case REF_MODULE:
		return read_module(a, tr, out, ds);
	case REF_SELF:
		take(out, t, 0);
		return 0;
	default:
		return read_attr(a, tr, out, ds);
	}
}

void reference_print(struct buf *b, const struct reference *r)
{
	if (r->kind == REF_SELF) {
		buf_puts(b, "self");
		return;
	}
	if (r->kind == REF_RESOURCE) {
		resource_addr_print(b, r->resource);
		inst_key_print(b, r->key);
		return;
	}
	buf_str(b, r->root);
	buf_putc(b, '.');
	buf_str(b, r->name);
	inst_key_print(b, r->key);
	if (r->output.n) {
		buf_putc(b, '.');
		buf_str(b, r->output);
	}
}

static void print_steps(struct arena *a, struct buf *b,
			const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (steps[i].kind == STEP_ATTR) {
			buf_putc(b, '.');
			buf_str(b, steps[i].name);
		} else if (steps[i].key->type == &type_string) {
			buf_putc(b, '[');
			addr_print_quoted(b, steps[i].key->string);
			buf_putc(b, ']');
		} else {
			buf_putc(b, '[');
			buf_str(b, value_number_text(a, steps[i].key));
			buf_putc(b, ']');
		}
	}
}

void traversal_print(struct arena *a, struct buf *b, const struct traversal *t)
{
	size_t from = 0;

	buf_str(b, t->root);
	if (!t->root.n && t->nsteps && t->steps[0].kind == STEP_ATTR) {
		buf_str(b, t->steps[0].name); /* relative: no leading dot */
		from = 1;
	}
	print_steps(a, b, t->steps + from, t->nsteps - from);
}

void reference_publish(struct arena *a, const struct reference *r,
		       struct str_vec *out)
{
	struct buf b = BUF_INIT;
	struct reference outer = *r;

	for (size_t n = r->nrest + 1; n-- > 0;) {
		buf_set_len(&b, 0);
		reference_print(&b, r);
		print_steps(a, &b, r->rest, n);
		vec_push(a, out, buf_dup(a, &b));
	}
	if (r->kind == REF_MODULE && r->output.n)
		outer.output = STR_NONE; /* the call, with its key */
	else
		outer.key = KEY_ABSENT;
	if (r->output.n || r->key.kind != KEY_NONE) {
		buf_set_len(&b, 0);
		reference_print(&b, &outer);
		vec_push(a, out, buf_dup(a, &b));
	}
	buf_release(&b);
}
