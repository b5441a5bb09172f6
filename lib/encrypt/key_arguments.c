/*
 * key_arguments.c - the arguments of a key provider, evaluated
 *
 * All that is in an encryption block counts as confidential.  So errors of
 * arguments point at the block and not at the argument, whose line would be
 * shown, and do not say what variables are.
 */
#include "encrypt/encrypt_int.h"
#include "value/convert.h"
#include "value/number.h"

/* Copies diagnostics without what they show of values and lines. */
void key_tell(struct diags *ds, const struct diags *own, const struct range *at)
{
	for (size_t i = 0; i < own->len; i++) {
		struct diag d = own->items[i];

		d.subject = *at;
		d.context = (struct range){ .file = STR_NONE };
		d.values = NULL;
		d.nvalues = 0;
		diags_push(ds, d);
	}
}

const struct value *key_object(struct arena *a, const struct map *m)
{
	const struct value **items =
		ARENA_ARRAY(a, const struct value *, m->len + 1);
	struct str *names = ARENA_ARRAY(a, struct str, m->len + 1);

	for (size_t i = 0; i < m->len; i++) {
		names[i] = m->entries[i].key;
		items[i] = m->entries[i].value;
	}
	return value_object(a, names, items, m->len);
}

static const struct value *unsuitable(const struct key_scene *s, const char *of,
				      const char *name, struct str why,
				      struct diags *ds)
{
	diag_error(ds, &s->at, "Unsuitable value type",
		   "The attribute \"%s.%s\" of %s is not suitable: %.*s.", of,
		   name, s->subject, STR_ARG(why));
	return NULL;
}

/* One of an object: it must be there if the row says so, and not be null. */
static const struct value *member(struct encryption *e,
				  const struct key_scene *s, const char *of,
				  const struct value *object,
				  const struct key_argument *row,
				  struct diags *ds)
{
	const struct value *v = value_get(object, str_c(row->name)), *as;
	struct verror err = { 0 };

	if (!v && row->required)
		diag_error(ds, &s->at, "Missing required argument",
			   "The object \"%s\" of %s has no \"%s\".", of,
			   s->subject, row->name);
	if (!v)
		return value_null(e->a, row->type);
	if (!value_usable(v))
		return unsuitable(s, of, row->name,
				  STR("null value is not allowed"), ds);
	as = convert(e->a, v, row->type, &err);
	if (!as)
		return unsuitable(s, of, row->name, verror_text(e->a, &err),
				  ds);
	for (size_t i = 0; row->type->kind >= TYPE_LIST && i < as->len; i++)
		if (!value_usable(as->elems[i]))
			return unsuitable(s, of, row->name,
					  STR("null value is not allowed"), ds);
	return as;
}

static const struct value *members(struct encryption *e,
				   const struct key_scene *s, const char *of,
				   const struct value *v,
				   const struct key_argument *rows,
				   struct diags *ds)
{
	const size_t errors = ds->errors;
	struct map all = { 0 };

	if (v->type->kind != TYPE_OBJECT)
		return unsuitable(s, of, "*", STR("object required"), ds);
	for (const struct key_argument *row = rows; row->name; row++)
		map_put(e->a, &all, str_c(row->name),
			(void *)member(e, s, of, v, row, ds));
	for (size_t i = 0; i < v->len; i++)
		if (!map_get(&all, v->type->attrs[i].name))
			diag_error(
				ds, &s->at, "Unsupported argument",
				"The object \"%s\" of %s has \"%.*s\", which is not expected there.",
				of, s->subject,
				STR_ARG(v->type->attrs[i].name));
	return ds->errors > errors ? NULL : key_object(e->a, &all);
}

static const struct value *argument(struct encryption *e,
				    const struct key_scene *s,
				    const struct attribute *at,
				    const struct key_argument *row,
				    struct diags *ds)
{
	struct verror err = { 0 };
	const struct value *v, *as;
	struct key_pair pair;
	int64_t count;

	v = key_evaluate(e, s, at->expr, ds);
	if (!v || (row->type == &type_dynamic && !row->object &&
		   key_pair_of(e, v, &s->at, &pair, ds)))
		return NULL;
	if (row->object && value_usable(v))
		return members(e, s, row->name, v, row->object, ds);
	as = convert(e->a, v, row->type, &err);
	if (!as)
		diag_error(ds, &s->at, "Incorrect attribute value type",
			   "The argument \"%s\" of %s is not suitable: %.*s.",
			   row->name, s->subject,
			   STR_ARG(verror_text(e->a, &err)));
	/* All numbers are counts.  OpenTofu drops others, and takes what
	 * holds where nothing is set. */
	else if (row->type == &type_number && value_usable(as) &&
		 !value_get_int(as, &count))
		diag_error(
			ds, &s->at, "Incorrect attribute value type",
			"The argument \"%s\" of %s is not suitable: a whole number is required.",
			row->name, s->subject);
	return as;
}

static const struct value *inner_block(struct encryption *e,
				       const struct key_scene *s,
				       const struct body_content *c,
				       const struct key_argument *row,
				       struct diags *ds)
{
	const struct block *first = NULL;

	for (size_t i = 0; i < c->blocks.len; i++) {
		const struct block *b = &c->blocks.items[i];

		if (!str_is(b->type, row->name))
			continue;
		if (first) {
			diag_error(ds, &s->at,
				   arena_printf(e->a, "Duplicate %s block",
						row->name),
				   "%s may have one such block.", s->subject);
			return NULL;
		}
		first = b;
	}
	return first ? key_arguments(e, s, first->body, row->block, ds)
		     : &value_null_dynamic;
}

static void make_schema(struct arena *a, const struct key_argument *rows,
			struct body_schema *out)
{
	struct attr_schema *attrs;
	struct block_schema *blocks;
	size_t n = 0, na = 0, nb = 0;

	while (rows[n].name)
		n++;
	attrs = ARENA_ARRAY(a, struct attr_schema, n + 1);
	blocks = ARENA_ARRAY(a, struct block_schema, n + 1);
	for (size_t i = 0; i < n; i++)
		if (rows[i].block)
			blocks[nb++].type = rows[i].name;
		else
			attrs[na++] = (struct attr_schema){ rows[i].name,
							    rows[i].required };
	*out = (struct body_schema){ .attrs = attrs, .blocks = blocks };
}

/* An object with all arguments, null where they are not given. */
const struct value *key_arguments(struct encryption *e,
				  const struct key_scene *s,
				  const struct body *b,
				  const struct key_argument *rows,
				  struct diags *ds)
{
	struct diags own = DIAGS_INIT(e->a);
	const size_t errors = ds->errors;
	struct body_schema schema;
	struct body_content c;
	struct map all = { 0 };

	make_schema(e->a, rows, &schema);
	body_content(e->a, b, &schema, &c, &own);
	key_tell(ds, &own, &s->at);
	for (; rows->name; rows++) {
		const struct attribute *at =
			rows->block ? NULL : content_attr(&c, rows->name);
		const struct value *v;

		v = rows->block ? inner_block(e, s, &c, rows, ds)
		    : at        ? argument(e, s, at, rows, ds)
				: value_null(e->a, rows->type);
		if (v)
			map_put(e->a, &all, str_c(rows->name), (void *)v);
	}
	return ds->errors > errors ? NULL : key_object(e->a, &all);
}
