/*
 * template_funcs.c - templatefile, templatestring
 *
 * A template is evaluated in a scope of its own: the given variables, and the
 * functions of the scope it is called from.
 */
#include <errno.h>
#include <stdlib.h>

#include "funcs/funcs_int.h"
#include "lang/eval/eval.h"
#include "lang/eval/func.h"
#include "lang/syntax/ident.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "value/marks.h"

struct template
{
	struct func_call *c;
	struct scope scope;
	struct map vars;  /* name -> const struct value * */
	const char *name; /* of the file; NULL: none */
};

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct template *t = data;

	(void)ev;
	(void)ds;
	*used = 0;
	return map_get(&t->vars, r->root);
}

static const struct func *find_function(void *data, struct str name)
{
	const struct template *t = data;
	const struct scope *s = t->c->eval->scope;

	return s && s->function ? s->function(s->data, name) : NULL;
}

static struct str function_name(void *data, size_t i)
{
	const struct template *t = data;
	const struct scope *s = t->c->eval->scope;

	return s && s->function_name ? s->function_name(s->data, i) : STR_NONE;
}

/* Takes the variables out of a map or an object; -1 with the call failed. */
static int set_vars(struct template *t, const struct value *vars)
{
	struct func_call *c = t->c;
	enum type_kind kind = vars->type->kind;

	if (kind != TYPE_MAP && kind != TYPE_OBJECT) {
		func_fail(c, 1, "invalid vars value: must be a map");
		return -1;
	}
	if (vars->marks) {
		func_fail(
			c, -1,
			"the variables must be marked one by one, not as a whole");
		return -1;
	}
	for (uint32_t i = 0; i < vars->len; i++) {
		struct str name = kind == TYPE_MAP ? vars->keys[i]
						   : vars->type->attrs[i].name;

		if (!ident_valid(name)) {
			func_fail(c, 1,
				  "invalid template variable name "
				  "%.*s: must start with a letter, followed "
				  "by letters, digits and underscores",
				  STR_ARG(func_quote(c->arena, name)));
			return -1;
		}
		map_put(c->arena, &t->vars, name, (void *)vars->elems[i]);
	}
	return 0;
}

/* As "main.tftpl:1,9-15"; over several lines "1,9-2,3". */
static struct str range_text(struct arena *a, const struct range *r)
{
	if (r->start.line == r->end.line)
		return str_printf(a, "%.*s:%u,%u-%u", STR_ARG(r->file),
				  r->start.line, r->start.column,
				  r->end.column);
	return str_printf(a, "%.*s:%u,%u-%u,%u", STR_ARG(r->file),
			  r->start.line, r->start.column, r->end.line,
			  r->end.column);
}

/* A missing variable is an error of the caller. */
static int check_refs(struct template *t, struct expression e)
{
	struct func_call *c = t->c;
	struct traversal_vec refs = { 0 };

	expression_variables(c->arena, e, &refs);
	for (size_t i = 0; i < refs.len; i++) {
		const struct traversal *tr = &refs.items[i].traversal;
		struct range at;
		struct str where = STR("");

		if (map_has(&t->vars, tr->root))
			continue;
		if (t->name) {
			at = source_range(refs.items[i].src, tr->root_span);
			where = str_printf(c->arena, ", referenced at %.*s",
					   STR_ARG(range_text(c->arena, &at)));
		}
		func_fail(c, 1, "vars map does not contain key %.*s%.*s",
			  STR_ARG(func_quote(c->arena, tr->root)),
			  STR_ARG(where));
		return -1;
	}
	return 0;
}

/* The first error, and how many there are besides. */
static const struct value *fail_with(struct func_call *c,
				     const struct diags *ds)
{
	const struct diag *d = NULL;
	struct str more = STR(""), detail;

	for (size_t i = 0; i < ds->len && !d; i++) {
		if (ds->items[i].severity == SEV_ERROR)
			d = &ds->items[i];
	}
	detail = d->detail;
	while (detail.n && detail.p[detail.n - 1] == '.')
		detail.n--; /* the call's own error ends in one */
	if (ds->errors > 1)
		more = str_printf(c->arena, ", and %zu more error(s)",
				  ds->errors - 1);
	return func_fail(c, -1, "%.*s: %s; %.*s%.*s",
			 STR_ARG(range_text(c->arena, &d->subject)),
			 arena_strndup(c->arena, d->summary.p, d->summary.n),
			 STR_ARG(detail), STR_ARG(more));
}

/* text as a template with vars; marks of neither are put on the result. */
static const struct value *render(struct func_call *c, const char *name,
				  struct str text, const struct value *vars)
{
	struct source *src =
		source_new(c->arena, str_c(name ? name : "NoFileNeeded"), text);
	struct diags ds = DIAGS_INIT(c->arena);
	struct template t = { .c = c, .name = name };
	struct expression e = parse_template(c->arena, src, &ds);
	const struct value *v;

	if (diags_failed(&ds))
		return fail_with(c, &ds);
	if (set_vars(&t, vars) || check_refs(&t, e))
		return NULL;
	if (c->eval->scope)
		t.scope = *c->eval->scope;
	t.scope.resolve = resolve;
	t.scope.function = find_function;
	t.scope.function_name = function_name;
	t.scope.root_name = NULL;
	t.scope.data = &t;
	v = eval_sub(c->eval, &t.scope, e, &ds);
	return diags_failed(&ds) ? fail_with(c, &ds) : v;
}

/* How deep templates may render themselves; -1 with the call failed. */
static long depth_limit(struct func_call *c)
{
	const char *name = "TF_TEMPLATE_RECURSION_DEPTH", *text = getenv(name);
	char *end;
	long n;

	if (!text || !*text)
		return 1024;
	errno = 0;
	n = strtol(text, &end, 10);
	if (*end || errno || n < 0) {
		func_fail(c, -1, "invalid value for %s: \"%s\"", name, text);
		return -1;
	}
	return n;
}

static const struct value *render_file(struct func_call *c, struct str path,
				       const struct marks *m)
{
	char *name = arena_strndup(c->arena, path.p, path.n);
	struct buf b = BUF_INIT;
	struct str text;

	if (func_read_file(c, path, m, &b))
		return NULL;
	text = buf_dup(c->arena, &b);
	buf_release(&b);
	if (!str_utf8_valid(text))
		return func_fail(c, -1, "contents of %.*s are not valid UTF-8",
				 STR_ARG(func_quote_unless_secret(c->arena,
								  path, m)));
	return render(c, name, text, c->args[1]);
}

static const struct value *do_templatefile(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *path = func_unmark(c, 0, &m), *v;
	long limit = depth_limit(c);

	if (limit < 0)
		return NULL;
	if (c->eval->template_depth > (unsigned long)limit)
		return func_fail(c, -1,
				 "maximum recursion depth %ld reached in %.*s",
				 limit,
				 STR_ARG(func_quote_unless_secret(
					 c->arena, path->string, m)));
	c->eval->template_depth++;
	v = render_file(c, path->string, m);
	c->eval->template_depth--;
	return v ? value_with_marks(c->arena, v, m) : NULL;
}

const struct func func_templatefile = {
	.name = "templatefile",
	.description = "The contents of a file as a template, rendered with "
		       "the given variables.",
	.params = PARAMS({ "path", &type_string, PARAM_MARKED, NULL },
			 { "vars", &type_dynamic, 0, NULL }),
	.impl = do_templatefile,
	.flags = FUNC_NULLABLE | FUNC_ELSEWHERE,
};

static const struct value *do_templatestring(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *text = func_unmark(c, 0, &m), *v;

	c->hidden = m; /* errors show parts of the text */
	v = render(c, NULL, text->string, c->args[1]);
	return v ? value_with_marks(c->arena, v, m) : NULL;
}

const struct func func_templatestring = {
	.name = "templatestring",
	.description =
		"The string as a template, rendered with the given variables.",
	.params = PARAMS({ "data", &type_string, PARAM_MARKED, NULL },
			 { "vars", &type_dynamic, PARAM_MARKED, NULL }),
	.impl = do_templatestring,
	.flags = FUNC_NULLABLE,
};
