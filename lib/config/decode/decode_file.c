/* decode_file.c - a file's top level, and what all block decoders need */

#include "config/decode/decode_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/ident.h"
#include "lang/syntax/parse.h"
#include "value/convert.h"
#include "value/type.h"

const char decode_bad_name[] =
	"A name begins with a letter or underscore and holds only letters, "
	"digits, underscores and dashes.";

struct range block_range(const struct block *b)
{
	return source_range(b->src, b->header);
}

struct range label_range(const struct block *b, size_t i)
{
	return source_range(b->src, b->labels[i].span);
}

const char *range_text(struct arena *a, const struct range *r)
{
	if (r->start.line == r->end.line)
		return arena_printf(a, "%.*s:%u,%u-%u", STR_ARG(r->file),
				    r->start.line, r->start.column,
				    r->end.column);
	return arena_printf(a, "%.*s:%u,%u-%u,%u", STR_ARG(r->file),
			    r->start.line, r->start.column, r->end.line,
			    r->end.column);
}

void check_name(struct decoder *d, const struct block *b, size_t label,
		const char *summary)
{
	struct range at;

	if (ident_valid(b->labels[label].text))
		return;
	at = label_range(b, label);
	diag_error(d->ds, &at, summary, "%s", decode_bad_name);
}

bool decode_is_duplicate(struct decoder *d, const struct block *b,
			 const struct block **seen, const char *summary,
			 const char *what)
{
	struct range first, at;

	if (!*seen) {
		*seen = b;
		return false;
	}
	first = block_range(*seen);
	at = block_range(b);
	diag_error(d->ds, &at, summary, "%s stands at %s already.", what,
		   range_text(d->a, &first));
	return true;
}

/* --- static values --- */

/* e as a value of a primitive type that must be known and not null. */
static const struct value *static_value(struct decoder *d, struct expression e,
					const struct type *t)
{
	size_t errors = d->ds->errors;
	struct verror err = { 0 };
	const struct value *v;
	const char *why = "";
	struct range at;
	struct diag *diag;

	if (e.root->kind == EXPR_LITERAL && e.root->literal->type == t)
		v = e.root->literal;
	else
		v = eval_expression(d->a, NULL, e, d->ds);
	if (d->ds->errors > errors)
		return NULL;
	v = convert(d->a, v, t, &err);
	if (!v)
		why = verror_text(d->a, &err).p;
	else if (value_is_null(v))
		why = "it must not be null";
	else if (!value_is_known(v))
		why = "it must be known";
	else
		return v;
	at = source_range(e.src, expression_start(e));
	diag_error(d->ds, &at, "Unsuitable value type",
		   "This value cannot be used: %s.", why);
	diag = &d->ds->items[d->ds->len - 1];
	diag->context = expression_range(e);
	return NULL;
}

int decode_static_string(struct decoder *d, const struct attribute *at,
			 struct str *out)
{
	const struct value *v = static_value(d, at->expr, &type_string);

	if (!v)
		return -1;
	*out = v->string;
	return 0;
}

int decode_static_bool(struct decoder *d, const struct attribute *at, bool *out)
{
	const struct value *v = static_value(d, at->expr, &type_bool);

	if (!v)
		return -1;
	*out = v->boolean;
	return 0;
}

/* --- references in strings --- */

int decode_unwrap_json(struct arena *a, struct expression *e, struct diags *ds)
{
	size_t errors = ds->errors;
	const struct value *v;
	struct range at;

	if (e->root->kind != EXPR_JSON)
		return 0;
	v = eval_expression(a, NULL, *e, ds);
	if (ds->errors > errors)
		return -1;
	at = expression_range(*e);
	if (v->type != &type_string || !value_usable(v))
		return diag_error(
			ds, &at, "Expected string expression",
			"This value must be a string that holds an expression, not %.*s.",
			STR_ARG(type_friendly(a, v->type)));
	*e = parse_expression(a,
			      source_fragment(a, at.file, v->string, at.start),
			      ds);
	return ds->errors > errors || !e->root ? -1 : 0;
}

int decode_unquoted(struct arena *a, struct expression *e, bool keyword,
		    struct diags *ds)
{
	struct diags inner = DIAGS_INIT(a);
	const struct value *v;
	struct traversal t;
	struct expr *x;
	struct range at;
	int rc;

	if (!expression_is_quoted(*e))
		return 0;
	v = eval_expression(a, NULL, *e, &inner);
	if (inner.errors || !value_usable(v) || v->type != &type_string)
		return 0; /* the caller says what is wrong with it */
	at = expression_range(*e);
	x = ARENA_NEW(a, struct expr);
	at.start.column++; /* inside the quote */
	at.start.byte++;
	e->src = source_fragment(a, at.file, v->string, at.start);
	rc = parse_traversal(a, e->src, &t, ds);
	at.start.column--;
	at.start.byte--;
	diag_warning(ds, &at,
		     keyword ? "Quoted keywords are deprecated"
			     : "Quoted references are deprecated",
		     "%s are written without quotes here; the quotes are "
		     "an old form that a later version may refuse.",
		     keyword ? "Keywords" : "References");
	x->kind = EXPR_SCOPE;
	x->span = (struct span){ 0, (uint32_t)v->string.n };
	x->scope = t;
	e->root = x;
	return rc;
}

void decode_depends_on(struct decoder *d, const struct attribute *at,
		       struct traversal_vec *out)
{
	struct expression *items;
	size_t n;

	if (!at || expression_list(d->a, at->expr, &items, &n, d->ds))
		return;
	for (size_t i = 0; i < n; i++) {
		struct traversal_ref t;

		if (decode_unquoted(d->a, &items[i], false, d->ds))
			continue;
		if (!expression_traversal(d->a, items[i], &t, d->ds))
			vec_push(d->a, out, t);
	}
}

void check_repetition(struct decoder *d, const struct repeating *r,
		      const char *what)
{
	struct range at = RANGE_NONE;
	const struct {
		bool given;
		const char *name;
		struct range at;
	} all[] = {
		{ r->count.root, "\"count\"", r->count_at },
		{ r->enabled.root, "\"enabled\"", r->enabled_at },
		{ r->for_each.root, "\"for_each\"", r->for_each_at },
	};
	const char *names = "";
	int n = 0, left;

	for (int i = 0; i < 3; i++)
		n += all[i].given;
	if (n < 2)
		return;
	left = n;
	for (int i = 0; i < 3; i++) {
		const char *sep = left == n  ? ""
				  : left > 1 ? ", "
				  : n > 2    ? ", and "
					     : " and ";

		if (!all[i].given)
			continue;
		names = arena_printf(d->a, "%s%s%s", names, sep, all[i].name);
		left--;
		if (!range_present(&at))
			at = all[i].at;
		if (all[i].at.start.byte < at.start.byte)
			at.start = all[i].at.start;
		if (all[i].at.end.byte > at.end.byte)
			at.end = all[i].at.end;
	}
	diag_error(d->ds, &at,
		   arena_printf(d->a, "Invalid combination of %s", names),
		   "The arguments %s exclude one another: only one can say how "
		   "many %s there are.",
		   names, what);
}

/* --- the top level --- */

static void misplaced_required_providers(struct decoder *d,
					 const struct block *b)
{
	struct range at = source_range(b->src, b->type_span);

	diag_error(
		d->ds, &at, "Invalid required_providers block",
		"A \"required_providers\" block belongs inside a \"terraform\" block.");
}

static void decode_managed(struct decoder *d, const struct block *b)
{
	decode_resource(d, b, MODE_MANAGED);
}

static void decode_data(struct decoder *d, const struct block *b)
{
	decode_resource(d, b, MODE_DATA);
}

static void decode_ephemeral(struct decoder *d, const struct block *b)
{
	decode_resource(d, b, MODE_EPHEMERAL);
}

static const struct top {
	struct block_schema schema;
	void (*decode)(struct decoder *d, const struct block *b);
} tops[] = {
	{ { "resource", { "type", "name" } }, decode_managed },
	{ { "data", { "type", "name" } }, decode_data },
	{ { "ephemeral", { "type", "name" } }, decode_ephemeral },
	{ { "variable", { "name" } }, decode_variable },
	{ { "locals", { NULL } }, decode_locals },
	{ { "output", { "name" } }, decode_output },
	{ { "module", { "name" } }, decode_call },
	{ { "provider", { "name" } }, decode_provider },
	{ { "terraform", { NULL } }, decode_terraform },
	{ { "check", { "name" } }, decode_check },
	{ { "moved", { NULL } }, decode_moved },
	{ { "removed", { NULL } }, decode_removed },
	{ { "import", { NULL } }, decode_import },
	{ { "language", { NULL } }, decode_language },
	{ { "required_providers", { NULL } }, misplaced_required_providers },
};

enum { NTOPS = sizeof(tops) / sizeof(*tops) };

void decode_file(struct decoder *d, const struct cfg_file *f)
{
	struct block_schema blocks[NTOPS + 1] = { 0 };
	const struct attr_schema none[] = { { NULL, false } };
	static const char *const terraforms[] = { "action", "list", NULL };
	const struct body_schema schema = { none, blocks, terraforms };
	struct body_content content;

	for (size_t i = 0; i < NTOPS; i++)
		blocks[i] = tops[i].schema;
	check_compatible(d, f);
	body_content(d->a, f->body, &schema, &content, d->ds);
	for (size_t i = 0; i < content.blocks.len; i++) {
		const struct block *b = &content.blocks.items[i];

		for (size_t k = 0; k < NTOPS; k++) {
			if (!str_is(b->type, tops[k].schema.type))
				continue;
			tops[k].decode(d, b);
			break;
		}
	}
}
