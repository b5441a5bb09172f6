/*
 * body_path.c - the range in the body of a path into its decoded value, and the
 * checks of decoded values that report such ranges
 */
#include "lang/spec/decode.h"
#include "lang/eval/eval.h"
#include "schema/objects.h"
#include "value/marks.h"
#include "value/number.h"

/* The n-th block of a type, or with a label, among static blocks. */
static const struct block *find_block(const struct body_content *c,
				      const struct path_step *index)
{
	int64_t n = 0;

	if (index && index->index && index->index->type == &type_string) {
		for (size_t i = 0; i < c->blocks.len; i++)
			if (c->blocks.items[i].nlabels &&
			    str_eq(c->blocks.items[i].labels[0].text,
				   index->index->string))
				return &c->blocks.items[i];
		return NULL;
	}
	if (index && index->index && index->index->type == &type_number)
		value_get_int(index->index, &n);
	if (n < 0 || (uint64_t)n >= c->blocks.len)
		return NULL;
	return &c->blocks.items[n];
}

static bool step_into(struct arena *a, const struct expression e,
		      const struct path_step *s, struct expression *out)
{
	struct expression *keys, *vals;
	struct diags quiet = DIAGS_INIT(a);
	size_t n;
	int64_t i;

	if (s->index && s->index->type == &type_number &&
	    value_get_int(s->index, &i) && i >= 0 &&
	    !expression_list(a, e, &vals, &n, &quiet) && (size_t)i < n) {
		*out = vals[i];
		return true;
	}
	if (s->index && s->index->type != &type_string)
		return false;
	if (expression_map(a, e, &keys, &vals, &n, &quiet))
		return false;
	for (size_t k = 0; k < n; k++) {
		struct str want = s->index ? s->index->string : s->attr;
		struct str have = expression_keyword(keys[k]);
		const struct value *v;

		if (!have.p) {
			v = eval_expression(a, NULL, keys[k], &quiet);
			if (v->type == &type_string && value_usable(v))
				have = v->string;
		}
		if (str_eq(have, want)) {
			*out = vals[k];
			return true;
		}
	}
	return false;
}

static struct range in_expression(struct arena *a, struct expression e,
				  const struct path_step *s, size_t n)
{
	while (n && step_into(a, e, s, &e)) {
		s++;
		n--;
	}
	return expression_range(e);
}

struct range body_path_range(struct arena *a, const struct body *b,
			     struct path p)
{
	const struct path_step *s = p.steps;
	struct diags quiet = DIAGS_INIT(a);

	for (size_t n = p.len; n; n--, s++) {
		const char *name;
		const struct block *k;

		if (s->index)
			break;
		name = arena_strndup(a, s->attr.p, s->attr.n);
		const struct attr_schema attrs[] = { { name, false }, { 0 } };
		const struct block_schema none[] = { { 0 } };
		const struct body_schema as_attr = { attrs, none };
		const struct attr_schema no_attr[] = { { 0 } };
		const struct block_schema plain[] = { { .type = name }, { 0 } };
		const struct block_schema label[] = {
			{ name, { "key" } },
			{ 0 },
		};
		bool map =
			n > 1 && s[1].index && s[1].index->type == &type_string;
		const struct body_schema as_block = { no_attr,
						      map ? label : plain };
		struct body_content c = { 0 };

		body_partial(a, b, &as_attr, &c, NULL, &quiet);
		if (c.attrs.len)
			return in_expression(a, c.attrs.items[0]->expr, s + 1,
					     n - 1);
		/* A path to blocks as such points to the body around them. */
		if (n == (n > 1 && s[1].index ? 2 : 1))
			break;
		c = (struct body_content){ 0 };
		body_partial(a, b, &as_block, &c, NULL, &quiet);
		k = find_block(&c, n > 1 ? &s[1] : NULL);
		if (!k)
			break;
		b = k->body;
		if (n > 1 && s[1].index) {
			s++;
			n--;
		}
	}
	return source_range(b->src, b->end);
}

void body_ephemeral_paths(struct arena *a, const struct schema_block *schema,
			  const struct value *v, struct path_vec *out)
{
	struct path_vec paths = { 0 };

	if (!value_has_mark_deep(v, MARK_EPHEMERAL))
		return;
	value_marked_outermost(a, v, MARK_EPHEMERAL, &paths);
	for (size_t i = 0; i < paths.len; i++) {
		struct path p = paths.items[i];
		const struct schema_attr *s =
			schema_attr_on_path(schema, p, &p.len);

		if (s && s->write_only)
			continue;
		if (!s)
			p.len = paths.items[i].len;
		vec_push(a, out, p);
	}
}

void body_check_ephemeral(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  const struct value *v, struct diags *ds)
{
	struct path_vec paths = { 0 };

	body_ephemeral_paths(a, schema, v, &paths);
	for (size_t i = 0; i < paths.len; i++) {
		struct path p = paths.items[i];
		struct range at = body_path_range(a, b, p);

		diag_error(ds, &at,
			   "Ephemeral value used in non-ephemeral context",
			   "\"%.*s\" gets an ephemeral value, which only"
			   " ephemeral and write-only attributes may.",
			   STR_ARG(path_text(a, p)));
	}
}

const struct value *body_report_deprecated(struct arena *a,
					   const struct body *b,
					   const struct value *v,
					   struct diags *ds)
{
	struct path_vec paths = { 0 };

	if (!value_has_mark_deep(v, MARK_DEPRECATED))
		return v;
	value_marked_outermost(a, v, MARK_DEPRECATED, &paths);
	for (size_t i = 0; i < paths.len; i++) {
		const struct value *at_path = path_get(a, v, paths.items[i]);
		struct range at = body_path_range(a, b, paths.items[i]);

		if (at_path)
			eval_report_deprecated(a, at_path, &at, ds);
	}
	return value_without_marks(a, v, MARK_DEPRECATED);
}
