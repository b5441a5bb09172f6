/* inputs_parse.c - see inputs.h: given texts to values of variables */
#include "engine/run/inputs.h"
#include "base/diag.h"
#include "base/didyoumean.h"
#include "engine/run/values.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"

/* No names, no functions: given values are constants. */
static const struct value *constant(struct arena *a, struct expression e,
				    struct diags *ds)
{
	return eval_expression(a, NULL, e, ds);
}

static void parse_text(struct arena *a, struct input *i, bool literal,
		       struct diags *ds)
{
	const struct source *src;
	const size_t errors = ds->errors;
	struct expression e;

	if (literal) {
		i->value = value_string(a, i->text);
		return;
	}
	src = source_new(
		a, str_printf(a, "<value for var.%.*s>", STR_ARG(i->name)),
		i->text);
	e = parse_expression(a, src, ds);
	if (e.root && ds->errors == errors)
		i->value = constant(a, e, ds);
	i->bad = ds->errors != errors;
}

void input_parse(struct arena *a, struct input *i, const struct cfg_variable *v,
		 struct diags *ds)
{
	const size_t errors = ds->errors;

	if (i->value || i->bad)
		return;
	if (i->expr.root) {
		i->value = constant(a, i->expr, ds);
		i->bad = ds->errors != errors;
	} else {
		parse_text(a, i, v->parse_literal, ds);
	}
}

static void undeclared(struct arena *a, struct input *i,
		       const struct cfg_module *root, size_t *in_files,
		       struct diags *ds)
{
	struct diags quiet = DIAGS_INIT(a);
	struct str file;

	if (i->source == INPUT_DEFAULT || i->source == INPUT_ENV ||
	    i->source == INPUT_STREAM)
		return;
	if (i->source == INPUT_CLI) {
		diag_error(ds, NULL, "Value for undeclared variable",
			   "The command line gives a value to \"%.*s\", but "
			   "the root module declares no variable of that "
			   "name.%.*s",
			   STR_ARG(i->name),
			   STR_ARG(didyoumean_key(a, i->name,
						  &root->variables)));
		return;
	}
	constant(a, i->expr, &quiet);
	if (diags_failed(&quiet) || ++*in_files > 2)
		return;
	file = i->expr.src->name;
	diag_warning(ds, NULL, "Value for undeclared variable",
		     "The file \"%.*s\" gives a value to \"%.*s\", but the "
		     "root module declares no variable of that name.%.*s For "
		     "settings shared by several configurations, TF_VAR_%.*s "
		     "in the environment gives no warning.",
		     STR_ARG(file), STR_ARG(i->name),
		     STR_ARG(didyoumean_key(a, i->name, &root->variables)),
		     STR_ARG(i->name));
}

static bool is_missing(const struct inputs *in, const struct cfg_variable *v)
{
	const struct input *i = map_get(&in->by_name, v->name);

	return (!i || i->bad) && !v->default_value.root;
}

int inputs_check_constants(struct arena *a, const struct inputs *in,
			   const struct cfg_module *root, struct diags *ds)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < root->variables.len; i++) {
		const struct cfg_variable *v = root->variables.entries[i].value;

		if (!v->constant || !is_missing(in, v))
			continue;
		diag_error(
			ds, &v->at,
			arena_printf(
				a,
				"Failed to request input from user for variable var.%.*s",
				STR_ARG(v->name)),
			"var.%.*s has \"const\", so its value must be known "
			"early, but it has no default and was not given.",
			STR_ARG(v->name));
		diag_error(
			ds, NULL, "Unable to compute static value",
			"The root module depends on var.%.*s, which is not available.",
			STR_ARG(v->name));
	}
	return ds->errors == errors ? 0 : -1;
}

static void required(const struct inputs *in, const struct cfg_variable *v,
		     struct diags *ds)
{
	if (!is_missing(in, v))
		return;
	diag_coded(ds, SEV_ERROR, DIAG_VARIABLE_MISSING, &v->at,
		   "The root module's variable \"%.*s\" has no default and "
		   "was not set. Give it a value with -var, -var-file or the "
		   "environment variable TF_VAR_%.*s.",
		   STR_ARG(v->name), STR_ARG(v->name));
}

int inputs_parse(struct arena *a, struct inputs *in,
		 const struct cfg_module *root, struct diags *ds)
{
	const size_t errors = ds->errors;
	size_t in_files = 0;

	for (size_t k = 0; k < in->by_name.len; k++) {
		struct input *i = in->by_name.entries[k].value;
		const struct cfg_variable *v =
			map_get(&root->variables, i->name);

		if (v)
			input_parse(a, i, v, ds);
	}
	for (size_t k = 0; k < in->by_name.len; k++) {
		struct input *i = in->by_name.entries[k].value;

		if (!map_has(&root->variables, i->name))
			undeclared(a, i, root, &in_files, ds);
	}
	if (in_files > 2)
		diag_warning(ds, NULL, "Values for undeclared variables",
			     "%zu more values are given to variables that "
			     "the root module does not declare.",
			     in_files - 2);
	if (inputs_check_constants(a, in, root, ds))
		return -1;
	for (size_t k = 0; k < root->variables.len; k++)
		required(in, root->variables.entries[k].value, ds);
	return ds->errors == errors ? 0 : -1;
}

/* Says in words where the value came from; at: its place in a file. */
static const char *how_given(struct arena *a, const struct cfg_variable *v,
			     const struct input *in, const struct range *at)
{
	switch (in->source == INPUT_STREAM ? in->origin : in->source) {
	case INPUT_CLI:
		return arena_printf(a, "set with -var=\"%.*s=...\"",
				    STR_ARG(v->name));
	case INPUT_ENV:
		return arena_printf(
			a, "set by the environment variable TF_VAR_%.*s",
			STR_ARG(v->name));
	case INPUT_PROMPT:
		return "typed at the prompt";
	case INPUT_AUTO_FILE:
	case INPUT_FILE:
		if (range_present(at))
			return arena_printf(a, "set in %.*s line %u",
					    STR_ARG(at->file), at->start.line);
		return "set in a file";
	default:
		return "set from outside of the configuration";
	}
}

const struct value *input_value(struct arena *a, const struct cfg_variable *v,
				const struct input *in, struct diags *ds)
{
	struct range at = v->at, place;

	if (!in || in->bad || !in->value)
		return variable_settle(a, v, NULL, &at, NULL, ds);
	if (in->converted)
		return in->converted;
	place = in->expr.root ? expression_range(in->expr) : in->at;
	if (range_present(&place))
		at = place;
	return variable_settle(a, v, in->value, &at,
			       how_given(a, v, in, &place), ds);
}
