/* scope_names.c - names with a meaning in all scopes: count, each, path,
 * terraform, self */
#include "base/didyoumean.h"
#include "engine/run/run_int.h"
#include "value/marks.h"

struct range scope_range(const struct ref *r)
{
	return source_range(r->src, r->span);
}

/* The range of root and the first n steps. */
struct range scope_prefix_range(const struct ref *r, size_t n)
{
	struct span s = r->root_span;

	if (n)
		s.end = r->steps[n - 1].span.end;
	return source_range(r->src, s);
}

const struct value *scope_wrong(struct diags *ds, struct range at,
				const char *summary, const char *fmt, ...)
{
	va_list ap;
	char *detail;

	va_start(ap, fmt);
	detail = arena_vprintf(ds->arena, fmt, ap);
	va_end(ap);
	diag_error(ds, &at, summary, "%s", detail);
	return &value_unknown_dynamic;
}

const struct value *scope_count(struct run_scope *s, const struct ref *r,
				struct str name, struct diags *ds)
{
	if (!str_is(name, "index"))
		return scope_wrong(
			ds, scope_prefix_range(r, 1),
			"Invalid \"count\" attribute",
			"\"count\" has one attribute only: index. There is no \"%.*s\".",
			STR_ARG(name));
	if (s->rep.count_index)
		return s->rep.count_index;
	scope_wrong(
		ds, scope_prefix_range(r, 1),
		"Reference to \"count\" in non-counted context",
		"\"count\" can be used only in \"module\", \"resource\" and "
		"\"data\" blocks that have a \"count\" argument.");
	return value_unknown(ds->arena, &type_number);
}

const struct value *scope_each(struct run_scope *s, const struct ref *r,
			       struct str name, struct diags *ds)
{
	struct range at = scope_prefix_range(r, 1);
	const struct value *v = NULL;

	if (str_is(name, "key"))
		v = s->rep.each_key;
	else if (str_is(name, "value"))
		v = s->rep.each_value;
	else
		return scope_wrong(
			ds, at, "Invalid \"each\" attribute",
			"\"each\" has the attributes key and value only. There is no \"%.*s\".",
			STR_ARG(name));
	if (v)
		return v;
	if (str_is(name, "value"))
		return scope_wrong(ds, at,
				   "each.value cannot be used in this context",
				   "\"each.value\" has no value here: there is "
				   "no \"for_each\", or it no longer holds "
				   "this instance's key.");
	return scope_wrong(ds, at,
			   "Reference to \"each\" in context without for_each",
			   "\"each\" can be used only in \"module\" and "
			   "\"resource\" blocks that have a \"for_each\" "
			   "argument.");
}

const struct value *scope_path(struct run_scope *s, struct eval *ev,
			       const struct ref *r, struct str name,
			       struct diags *ds)
{
	static const struct str names[] = { STR_INIT("cwd"), STR_INIT("module"),
					    STR_INIT("root") };
	struct str dir, hint;

	if (str_is(name, "cwd")) {
		dir = s->run->opts.original_dir;
	} else if (str_is(name, "module")) {
		dir = s->module->config->dir;
	} else if (str_is(name, "root")) {
		dir = s->run->root->config->dir;
	} else {
		hint = didyoumean(name, names, 3);
		if (hint.n)
			hint = str_printf(ds->arena, " Did you mean \"%.*s\"?",
					  STR_ARG(hint));
		return scope_wrong(
			ds, scope_prefix_range(r, 1),
			"Invalid \"path\" attribute",
			"The \"path\" object has no attribute named \"%.*s\".%.*s",
			STR_ARG(name), STR_ARG(hint));
	}
	return value_string(ev->arena, dir.n ? dir : STR("."));
}

const struct value *scope_terraform(struct run_scope *s, struct eval *ev,
				    const struct ref *r, struct str name,
				    struct diags *ds)
{
	char *summary;

	if (str_is(name, "workspace"))
		return value_string(ev->arena, s->run->opts.workspace);
	if (str_is(name, "applying"))
		return value_with_marks(
			ev->arena, value_bool(s->run->opts.phase == RUN_APPLY),
			&marks_ephemeral);
	summary = arena_printf(ds->arena, "Invalid \"%.*s\" attribute",
			       STR_ARG(r->root));
	return scope_wrong(ds, scope_prefix_range(r, 1), summary,
			   "The \"%.*s\" object has no attribute named "
			   "\"%.*s\"; the name of the workspace is "
			   "%.*s.workspace.",
			   STR_ARG(r->root), STR_ARG(name), STR_ARG(r->root));
}

const struct value *scope_self(struct run_scope *s, const struct ref *r,
			       struct diags *ds)
{
	const struct range at = scope_prefix_range(r, 0);

	if (s->self)
		return s->self;
	scope_wrong(ds, at, "Invalid \"self\" reference",
		    "\"self\" can be used only in provisioner, connection and "
		    "postcondition blocks of a resource.");
	/* Conditions are evaluated even so, and that fails as well. */
	if (s->condition)
		scope_wrong(ds, at, "Unknown variable",
			    "There is no variable \"self\" here.");
	return &value_unknown_dynamic;
}
