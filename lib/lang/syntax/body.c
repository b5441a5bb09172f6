/*
 * body.c - reading bodies by a schema; native bodies
 *
 * body_json.c and body_merge.c answer for the other kinds.
 */
#include "lang/syntax/syntax_int.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"

/* --- what was consumed --- */

/* In JSON only a schema distinguishes an argument from a block. */
static bool hides(const struct body *b, struct str name, bool attr, bool block)
{
	attr |= b->json;
	block |= b->json;
	for (const struct body_hidden *h = b->hidden; h; h = h->before) {
		if ((attr && schema_attr(&h->schema, name)) ||
		    (block && schema_block(&h->schema, name)) ||
		    map_has(&h->names, name))
			return true;
	}
	return false;
}

bool body_hides_attr(const struct body *b, struct str name)
{
	return b->hidden && hides(b, name, true, false);
}

bool body_hides_block(const struct body *b, struct str type)
{
	return b->hidden && hides(b, type, false, true);
}

static struct body *hide(struct arena *a, const struct body *b,
			 struct body_hidden what)
{
	struct body *copy = arena_dup(a, b, sizeof(*b));

	what.before = b->hidden;
	copy->hidden = arena_dup(a, &what, sizeof(what));
	return copy;
}

struct body *body_without(struct arena *a, const struct body *b,
			  const struct body_schema *schema)
{
	return hide(a, b, (struct body_hidden){ .schema = *schema });
}

struct body *body_hide(struct arena *a, const struct body *b,
		       const struct str *names, size_t n)
{
	struct body_hidden h = { .before = NULL };

	if (b->merged)
		return body_merge(a, b->merged->kind,
				  body_hide(a, b->merged->first, names, n),
				  body_hide(a, b->merged->second, names, n));
	for (size_t i = 0; i < n; i++)
		map_put(a, &h.names, names[i], (void *)b);
	return hide(a, b, h);
}

/* --- schemas --- */

const struct attr_schema *schema_attr(const struct body_schema *s,
				      struct str name)
{
	for (const struct attr_schema *at = s->attrs; at && at->name; at++)
		if (str_is(name, at->name))
			return at;
	return NULL;
}

const struct block_schema *schema_block(const struct body_schema *s,
					struct str type)
{
	for (const struct block_schema *bl = s->blocks; bl && bl->type; bl++)
		if (str_is(type, bl->type))
			return bl;
	return NULL;
}

void body_missing_argument(const struct body *b, const char *name,
			   struct diags *ds)
{
	struct range at = source_range(b->src, b->end);

	diag_error(ds, &at, "Missing required argument",
		   "\"%s\" must be set here.", name);
}

/* --- native bodies: what is asked for --- */

static const struct attribute *find_attr(const struct body *b, const char *name)
{
	struct str wanted = str_c(name);

	for (size_t i = 0; i < b->attrs.len; i++)
		if (str_eq(b->attrs.items[i].name, wanted))
			return &b->attrs.items[i];
	return NULL;
}

/* Reserves room for all possible results, so that the list need not grow. */
static void reserve_attrs(struct arena *a, const struct body *b,
			  const struct body_schema *schema,
			  struct attribute_list *out)
{
	size_t n = 0;

	while (n < b->attrs.len && schema->attrs && schema->attrs[n].name)
		n++;
	out->items = arena_alloc(a, n * sizeof(*out->items));
	out->cap = n;
}

static void read_attrs(struct arena *a, const struct body *b,
		       const struct body_schema *schema,
		       struct body_content *out, struct diags *ds)
{
	reserve_attrs(a, b, schema, &out->attrs);
	for (const struct attr_schema *s = schema->attrs; s && s->name; s++) {
		const struct attribute *at = find_attr(b, s->name);

		if (at && !body_hides_attr(b, at->name))
			vec_push(a, &out->attrs, at);
		else if (s->required)
			body_missing_argument(b, s->name, ds);
	}
}

static size_t count_labels(const struct block_schema *s)
{
	size_t n = 0;

	while (n < 4 && s->labels[n])
		n++;
	return n;
}

static const char *label_names(struct diags *ds, const struct block_schema *s)
{
	const char *text = s->labels[0];

	for (size_t i = 1; i < count_labels(s); i++)
		text = arena_printf(ds->arena, "%s, %s", text, s->labels[i]);
	return text;
}

static void label_error(const struct block *bl, const struct block_schema *s,
			struct diags *ds)
{
	size_t want = count_labels(s);
	bool extra = bl->nlabels > want;
	struct span context = { bl->type_span.start, bl->open.end };
	struct diag d = {
		.severity = SEV_ERROR,
		.subject = source_range(bl->src, extra ? bl->labels[want].span
						       : bl->open),
		.context = source_range(bl->src, context),
	};

	d.summary = extra ? str_printf(ds->arena, "Extraneous label for %s",
				       s->type)
			  : str_printf(ds->arena, "Missing %s for %s",
				       s->labels[bl->nlabels], s->type);
	if (want == 0)
		d.detail = str_printf(ds->arena,
				      "Blocks of type \"%s\" have no labels.",
				      s->type);
	else
		d.detail = str_printf(
			ds->arena,
			"Blocks of type \"%s\" have %zu label%s (%s).", s->type,
			want, want == 1 ? "" : "s", label_names(ds, s));
	diags_push(ds, d);
}

static bool takes_block(const struct body *b, const struct body_schema *schema,
			const struct block *bl)
{
	const struct block_schema *s = schema_block(schema, bl->type);

	return s && bl->nlabels == count_labels(s) &&
	       !body_hides_block(b, bl->type);
}

static void read_blocks(struct arena *a, const struct body *b,
			const struct body_schema *schema,
			struct body_content *out, struct diags *ds)
{
	size_t n = 0;

	/* Most readers ask for all blocks: then they need no copy. */
	while (n < b->blocks.len && takes_block(b, schema, &b->blocks.items[n]))
		n++;
	out->blocks.items = b->blocks.items;
	out->blocks.len = out->blocks.cap = n;
	for (size_t i = n; i < b->blocks.len; i++) {
		const struct block *bl = &b->blocks.items[i];
		const struct block_schema *s = schema_block(schema, bl->type);

		if (!s || body_hides_block(b, bl->type))
			continue;
		if (bl->nlabels != count_labels(s))
			label_error(bl, s, ds);
		else
			vec_push(a, &out->blocks, *bl);
	}
}

/* --- native bodies: what is not --- */

/* What may be meant; other: there is something of the other kind by the name,
 * and how that is written. */
static const char *hint(struct arena *a, struct str name,
			const struct body_schema *schema,
			const char *const *names, const char *other)
{
	const char *const *t = schema->terraforms;
	const char *near;

	for (; t && *t; t++)
		if (str_is(name, *t))
			return " Terraform has it, this language does not.";
	near = text_suggest(name, names);
	if (near)
		return arena_printf(a, " Did you mean \"%s\"?", near);
	return other ? other : "";
}

/* The first sentences of both are what other programs look for. */
static void unsupported_attr(const struct attribute *at,
			     const struct body_schema *schema,
			     const struct body_content *got, struct diags *ds)
{
	struct range range = attribute_name_range(at);
	struct arena scratch = ARENA_INIT;
	VEC(const char *) names = { 0 };
	bool block = schema_block(schema, at->name) != NULL;

	for (const struct attr_schema *s = schema->attrs; s && s->name; s++)
		if (!content_attr(got, s->name))
			vec_push(&scratch, &names, s->name);
	vec_push(&scratch, &names, NULL);
	diag_error(ds, &range, "Unsupported argument",
		   "An argument named \"%.*s\" is not expected here.%s",
		   STR_ARG(at->name),
		   hint(&scratch, at->name, schema, names.items,
			block ? " It is a block: write it without \"=\"."
			      : NULL));
	arena_release(&scratch);
}

static void unsupported_block(const struct block *bl,
			      const struct body_schema *schema,
			      struct diags *ds)
{
	struct range range = source_range(bl->src, bl->type_span);
	struct arena scratch = ARENA_INIT;
	VEC(const char *) names = { 0 };
	bool attr = schema_attr(schema, bl->type) != NULL;

	for (const struct block_schema *s = schema->blocks; s && s->type; s++)
		vec_push(&scratch, &names, s->type);
	vec_push(&scratch, &names, NULL);
	diag_error(
		ds, &range, "Unsupported block type",
		"Blocks of type \"%.*s\" are not expected here.%s",
		STR_ARG(bl->type),
		hint(&scratch, bl->type, schema, names.items,
		     attr ? " It is an argument: write \"=\" before its value."
			  : NULL));
	arena_release(&scratch);
}

/* Nobody reads more than that. */
static bool few_errors(const struct diags *ds, size_t before)
{
	return ds->errors - before < LANG_MAX_ERRORS;
}

static void read_strictly(const struct body *b,
			  const struct body_schema *schema,
			  const struct body_content *got, struct diags *ds)
{
	size_t before = ds->errors;

	for (size_t i = 0; i < b->attrs.len && few_errors(ds, before); i++) {
		const struct attribute *at = &b->attrs.items[i];

		if (!schema_attr(schema, at->name) &&
		    !body_hides_attr(b, at->name))
			unsupported_attr(at, schema, got, ds);
	}
	for (size_t i = 0; i < b->blocks.len && few_errors(ds, before); i++) {
		const struct block *bl = &b->blocks.items[i];

		if (!schema_block(schema, bl->type) &&
		    !body_hides_block(b, bl->type))
			unsupported_block(bl, schema, ds);
	}
}

static int native_read(struct arena *a, const struct body *b,
		       const struct body_schema *schema,
		       struct body_content *out, struct body **rest,
		       bool strict, struct diags *ds)
{
	size_t before = ds->errors;

	out->missing = b->end;
	read_attrs(a, b, schema, out, ds);
	read_blocks(a, b, schema, out, ds);
	if (strict)
		read_strictly(b, schema, out, ds);
	if (rest)
		*rest = body_without(a, b, schema);
	return ds->errors > before ? -1 : 0;
}

static int native_attributes(struct arena *a, const struct body *b,
			     struct attribute_vec *out, struct diags *ds)
{
	struct range at;

	for (size_t i = 0; i < b->attrs.len; i++)
		if (!body_hides_attr(b, b->attrs.items[i].name))
			vec_push(a, out, b->attrs.items[i]);
	if (b->blocks.len == 0)
		return 0;
	at = source_range(b->blocks.items[0].src, b->blocks.items[0].type_span);
	return diag_error(ds, &at,
			  arena_printf(ds->arena, "Unexpected \"%.*s\" block",
				       STR_ARG(b->blocks.items[0].type)),
			  "Only arguments can stand here, no blocks.");
}

/* --- any body --- */

static int body_read(struct arena *a, const struct body *b,
		     const struct body_schema *schema, struct body_content *out,
		     struct body **rest, bool strict, struct diags *ds)
{
	*out = (struct body_content){ 0 };
	if (b->merged)
		return body_merged_read(a, b, schema, out, rest, strict, ds);
	if (b->json)
		return json_body_read(a, b, schema, out, rest, strict, ds);
	return native_read(a, b, schema, out, rest, strict, ds);
}

int body_content(struct arena *a, const struct body *b,
		 const struct body_schema *schema, struct body_content *out,
		 struct diags *ds)
{
	return body_read(a, b, schema, out, NULL, true, ds);
}

int body_partial(struct arena *a, const struct body *b,
		 const struct body_schema *schema, struct body_content *out,
		 struct body **rest, struct diags *ds)
{
	return body_read(a, b, schema, out, rest, false, ds);
}

int body_attributes(struct arena *a, const struct body *b,
		    struct attribute_vec *out, struct diags *ds)
{
	*out = (struct attribute_vec){ 0 };
	if (b->merged)
		return body_merged_attributes(a, b, out, ds);
	if (b->json)
		return json_body_attributes(a, b, out, ds);
	return native_attributes(a, b, out, ds);
}

const struct attribute *content_attr(const struct body_content *c,
				     const char *name)
{
	for (size_t i = 0; i < c->attrs.len; i++)
		if (str_is(c->attrs.items[i]->name, name))
			return c->attrs.items[i];
	return NULL;
}
