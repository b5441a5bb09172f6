/*
 * expression_static.c - what an expression says without being evaluated; see
 * ast.h
 */
#include "lang/eval/eval.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/json_syntax.h"
#include "lang/syntax/parse.h"

/* Of a string, the text between its delimiters. */
static struct span literal_start(const char *text, struct span s)
{
	const char *nl;

	if (text[s.start] == '"' && s.end - s.start > 2)
		return (struct span){ s.start + 1, s.end - 1 };
	if (text[s.start] == '"') /* as in OpenTofu */
		return (struct span){ s.end, s.end };
	if (text[s.start] != '<')
		return s;
	nl = memchr(text + s.start, '\n', s.end - s.start);
	if (nl)
		s.start = (uint32_t)(nl - text) + 1;
	while (s.end > s.start && text[s.end - 1] != '\n')
		s.end--;
	return s;
}

/* Is the first part of a template text, rather than a literal in "${...}"? */
static bool is_text(const char *text, const struct expr *x)
{
	uint32_t at = x->span.start;

	if (x->kind != EXPR_LITERAL)
		return false;
	while (at && memchr(" \t\r\n", text[at - 1], 4))
		at--;
	return at == 0 || (text[at - 1] != '{' && text[at - 1] != '~');
}

/* The part of an expression that its start is that of. */
static const struct expr *first_part(const char *text, const struct expr *x,
				     bool *delimited)
{
	*delimited = true;
	for (;;) {
		switch (x->kind) {
		case EXPR_CONDITIONAL:
			x = x->conditional.cond;
			break;
		case EXPR_BINARY:
			x = x->op.left;
			break;
		case EXPR_TEMPLATE:
			*delimited = !is_text(text, x->items[0]);
			x = x->items[0];
			break;
		case EXPR_PARENS:
			x = x->items[0];
			break;
		default:
			return x;
		}
	}
}

struct span expression_start(struct expression e)
{
	bool delimited;
	const struct expr *x = first_part(e.src->text.p, e.root, &delimited);
	struct span s = x->span;

	switch (x->kind) {
	case EXPR_LITERAL:
		return delimited ? literal_start(e.src->text.p, s) : s;
	case EXPR_CALL:
		return (struct span){ s.start, x->call.open.end };
	case EXPR_UNARY:
		return x->op.op_span;
	case EXPR_SPLAT:
		return x->splat.marker;
	case EXPR_FOR:
	case EXPR_FOR_TEMPLATE:
		return x->for_.open;
	case EXPR_INDEX:
		s.start = x->get.step.span.start;
		return (struct span){ s.start, s.start + 1 };
	case EXPR_TUPLE:
	case EXPR_OBJECT:
		return (struct span){ s.start, s.start + 1 };
	case EXPR_JSON:
		return json_node_start(x->json);
	default:
		return s;
	}
}

bool expression_is_quoted(struct expression e)
{
	if (e.root->kind == EXPR_TEMPLATE)
		return true;
	return e.root->kind == EXPR_LITERAL &&
	       e.root->literal->type == &type_string;
}

struct str expression_json_text(struct expression e)
{
	bool string = e.root->kind == EXPR_JSON &&
		      e.root->json->kind == JSON_NODE_STRING;

	return string ? e.root->json->text : STR_NONE;
}

static int not_of_form(struct diags *ds, struct expression e, struct span at,
		       const char *detail)
{
	struct range range = source_range(e.src, at);

	return diag_error(ds, &range, "Invalid expression", "%s", detail);
}

/* --- references --- */

/* The word that a literal was written as, where that could be a name. */
static struct str word_of(const struct expr *x)
{
	if (x->literal == &value_true)
		return STR("true");
	if (x->literal == &value_false)
		return STR("false");
	if (x->literal == &value_null_dynamic)
		return STR("null");
	return STR_NONE;
}

/* Steps on a name.  A variable has its own; the words true, false and null can
 * have theirs around them. */
static bool native_traversal(struct arena *a, const struct expr *x,
			     struct traversal *out)
{
	const struct expr *root = x;
	struct step *steps;
	size_t n = 0, i;

	while (root->kind == EXPR_GET_ATTR) {
		root = root->get.on;
		n++;
	}
	if (root->kind == EXPR_SCOPE) {
		*out = root->scope;
	} else if (root->kind == EXPR_LITERAL && word_of(root).p) {
		*out = (struct traversal){ .root = word_of(root),
					   .root_span = root->span };
	} else {
		return false;
	}
	if (n == 0)
		return true;
	steps = ARENA_ARRAY(a, struct step, out->nsteps + n);
	if (out->nsteps)
		memcpy(steps, out->steps, out->nsteps * sizeof(*steps));
	out->nsteps += n;
	out->steps = steps;
	for (i = out->nsteps; x != root; x = x->get.on)
		steps[--i] = x->get.step;
	return true;
}

static bool json_traversal(struct arena *a, struct expression e,
			   struct traversal_ref *out)
{
	struct diags quiet = DIAGS_INIT(a);
	struct source *src;

	if (e.root->json->kind != JSON_NODE_STRING)
		return false;
	src = source_fragment(a, e.src->name, e.root->json->text,
			      source_pos(e.src, e.root->span.start));
	*out = (struct traversal_ref){ .src = src,
				       .span = { 0, (uint32_t)src->text.n } };
	return parse_traversal(a, src, &out->traversal, &quiet) == 0;
}

static bool read_traversal(struct arena *a, struct expression e,
			   struct traversal_ref *out)
{
	if (e.root->kind == EXPR_JSON)
		return json_traversal(a, e, out);
	*out = (struct traversal_ref){ .src = e.src, .span = e.root->span };
	return native_traversal(a, e.root, &out->traversal);
}

int expression_traversal(struct arena *a, struct expression e,
			 struct traversal_ref *out, struct diags *ds)
{
	if (read_traversal(a, e, out))
		return 0;
	return not_of_form(ds, e, e.root->span,
			   "Only a reference can stand here: a name with "
			   "attributes and constant indexes. There can be no "
			   "calculation, function call or template.");
}

int expression_rel_traversal(struct arena *a, struct expression e,
			     struct traversal_ref *out, struct diags *ds)
{
	struct traversal *t = &out->traversal;
	struct step *steps;

	if (expression_traversal(a, e, out, ds))
		return -1;
	steps = ARENA_ARRAY(a, struct step, t->nsteps + 1);
	steps[0] = (struct step){ .kind = STEP_ATTR,
				  .name = t->root,
				  .span = t->root_span };
	if (t->nsteps)
		memcpy(steps + 1, t->steps, t->nsteps * sizeof(*steps));
	t->steps = steps;
	t->nsteps++;
	t->root = STR_NONE;
	return 0;
}

struct str expression_keyword(struct expression e)
{
	struct arena scratch = ARENA_INIT;
	struct traversal_ref ref;
	struct str kw = STR_NONE;

	switch (e.root->kind) {
	case EXPR_SCOPE:
		return e.root->scope.nsteps ? STR_NONE : e.root->scope.root;
	case EXPR_LITERAL:
		return word_of(e.root);
	case EXPR_JSON:
		/* The name is cut out of the node's text, not the arena. */
		if (json_traversal(&scratch, e, &ref) &&
		    ref.traversal.nsteps == 0)
			kw = ref.traversal.root;
		arena_release(&scratch);
		return kw;
	default:
		return STR_NONE;
	}
}

/* --- lists and maps --- */

int expression_list(struct arena *a, struct expression e,
		    struct expression **items, size_t *n, struct diags *ds)
{
	const struct expr *x = e.root;
	struct json_node *json;

	if (x->kind == EXPR_TUPLE) {
		*n = x->nitems;
		*items = ARENA_ARRAY(a, struct expression, *n);
		for (size_t i = 0; i < *n; i++)
			(*items)[i] = (struct expression){ e.src, x->items[i] };
		return 0;
	}
	if (x->kind != EXPR_JSON || x->json->kind != JSON_NODE_ARRAY)
		return not_of_form(
			ds, e, expression_start(e),
			"Only a list, written in brackets, can stand here.");
	json = x->json;
	*n = json->len;
	*items = ARENA_ARRAY(a, struct expression, *n);
	for (size_t i = 0; i < *n; i++)
		(*items)[i] = json_expression(a, e.src, &json->items[i]);
	return 0;
}

int expression_map(struct arena *a, struct expression e,
		   struct expression **keys, struct expression **values,
		   size_t *n, struct diags *ds)
{
	const struct expr *x = e.root;
	bool native = x->kind == EXPR_OBJECT;

	if (!native &&
	    (x->kind != EXPR_JSON || x->json->kind != JSON_NODE_OBJECT))
		return not_of_form(
			ds, e, expression_start(e),
			"Only a map, written in braces, can stand here.");
	*n = native ? x->object.nitems : x->json->len;
	*keys = ARENA_ARRAY(a, struct expression, *n);
	*values = ARENA_ARRAY(a, struct expression, *n);
	for (size_t i = 0; i < *n; i++) {
		if (native) {
			const struct object_item *it = &x->object.items[i];

			(*keys)[i] = (struct expression){ e.src, it->key };
			(*values)[i] = (struct expression){ e.src, it->value };
		} else {
			struct json_prop *p = &x->json->props[i];

			(*keys)[i] = json_expression(a, e.src, &p->name);
			(*values)[i] = json_expression(a, e.src, &p->value);
		}
	}
	return 0;
}
