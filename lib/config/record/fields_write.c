/* fields_write.c - see record_int.h */
#include "config/record/record_int.h"
#include "addr/addr.h"
#include "stream/record.h"

/* A member that is to be written. */
struct member {
	struct cfg_writer *wr;
	struct jw *w;
	const struct cfg_field *f;
	const void *at;     /* the field in the struct */
	const void *beside; /* and its neighbour; NULL: it has none */
};

static bool is_given(const struct member *m)
{
	return m->beside && *(const bool *)m->beside;
}

static void put_text(const struct member *m)
{
	const struct str *s = m->at;

	if (s->n)
		jw_member_str(m->w, m->f->name, *s);
}

static void put_other(const struct member *m)
{
	const struct str *s = m->at, *usual = m->beside;

	if (!str_eq(*s, *usual))
		put_text(m);
}

static void put_mode(const struct member *m)
{
	const enum resource_mode *mode = m->at;

	jw_member_str(m->w, m->f->name, str_c(resource_mode_name(*mode)));
}

static void put_bool(const struct member *m)
{
	jw_member_bool(m->w, m->f->name, *(const bool *)m->at);
}

static void put_flag(const struct member *m)
{
	if (*(const bool *)m->at)
		put_bool(m);
}

static void put_given(const struct member *m)
{
	if (is_given(m))
		put_bool(m);
}

static void put_word(const struct member *m)
{
	if (*(const bool *)m->at)
		jw_member_str(m->w, m->f->name, str_c(m->f->word));
}

static void put_range(const struct member *m)
{
	record_at(m->w, m->f->name, m->at);
}

static void put_texts(const struct member *m)
{
	const struct str_vec *v = m->at;

	if (!v->len)
		return;
	jw_key(m->w, m->f->name);
	jw_array(m->w);
	for (size_t i = 0; i < v->len; i++)
		jw_str(m->w, v->items[i]);
	jw_array_end(m->w);
}

static void put_expression(const struct member *m)
{
	const struct expression *e = m->at;

	record_expression_member(m->w, m->f->name, *e);
}

static void put_expressions(const struct member *m)
{
	const struct expression_vec *v = m->at;

	if (!v->len)
		return;
	jw_key(m->w, m->f->name);
	jw_array(m->w);
	for (size_t i = 0; i < v->len; i++)
		record_expression(m->w, v->items[i]);
	jw_array_end(m->w);
}

static void put_traversal(const struct member *m)
{
	jw_key(m->w, m->f->name);
	record_traversal(m->w, m->at);
}

static void put_traversals(const struct member *m)
{
	const struct traversal_vec *v = m->at;

	if (!v->len)
		return;
	jw_key(m->w, m->f->name);
	jw_array(m->w);
	for (size_t i = 0; i < v->len; i++)
		record_traversal(m->w, &v->items[i]);
	jw_array_end(m->w);
}

static void put_ignored(const struct member *m)
{
	if (is_given(m))
		jw_member_str(m->w, m->f->name, str_c(m->f->word));
	else
		put_traversals(m);
}

static void put_body(const struct member *m)
{
	struct body *const *b = m->at;

	if (!*b)
		return;
	jw_key(m->w, m->f->name);
	record_body(m->w, *b);
}

static void write_source(const struct member *m, const char *name,
			 const struct provider_addr *p)
{
	struct buf *text = &m->wr->text;

	if (!p->type.n)
		return;
	buf_set_len(text, 0);
	buf_addf(text, "%.*s/%.*s/%.*s", STR_ARG(p->host),
		 STR_ARG(p->namespace), STR_ARG(p->type));
	jw_member_str(m->w, name, buf_view(text));
}

static void put_source(const struct member *m)
{
	write_source(m, m->f->name, m->at);
}

static void put_ref(const struct member *m)
{
	jw_key(m->w, m->f->name);
	jw_object(m->w);
	fields_write(m->wr, m->w, &fields_ref, m->at);
	jw_object_end(m->w);
}

/* Writes the resolved source, and the reference if there is one. */
static void put_provider(const struct member *m)
{
	const struct cfg_provider_ref *const *r = m->at;

	jw_key(m->w, m->f->name);
	jw_object(m->w);
	write_source(m, "source", m->beside);
	if ((*r)->given)
		fields_write(m->wr, m->w, &fields_ref, *r);
	jw_object_end(m->w);
}

static void put_lifecycle(const struct member *m)
{
	const struct cfg_lifecycle *const *l = m->at;

	if (!range_present(&(*l)->at))
		return;
	jw_key(m->w, m->f->name);
	jw_object(m->w);
	fields_write(m->wr, m->w, &fields_lifecycle, *l);
	jw_object_end(m->w);
}

static void put_check(const struct member *m)
{
	struct cfg_check *const *c = m->at;

	if (*c)
		jw_member_str(m->w, m->f->name, (*c)->name);
}

static void put_data(const struct member *m)
{
	struct cfg_resource *const *r = m->at;
	struct buf *text = &m->wr->text;

	if (!*r)
		return;
	buf_set_len(text, 0);
	resource_addr_print(text, (*r)->addr);
	jw_member_str(m->w, m->f->name, buf_view(text));
}

static void put_list(const struct member *m)
{
	const struct fields *inner = m->f->inner;
	struct any_vec v;

	memcpy(&v, m->at, sizeof(v));
	if (!v.len && !is_given(m))
		return;
	jw_key(m->w, m->f->name);
	jw_array(m->w);
	for (size_t i = 0; i < v.len; i++) {
		jw_object(m->w);
		fields_write(m->wr, m->w, inner, v.items + i * inner->size);
		jw_object_end(m->w);
	}
	jw_array_end(m->w);
}

static void (*const put[])(const struct member *m) = {
	[FIELD_MODE] = put_mode,
	[FIELD_TRUE] = put_bool,
	[FIELD_OTHER] = put_other,
	[FIELD_TRAVERSAL] = put_traversal,
	[FIELD_PROVIDER] = put_provider,
	[FIELD_TEXT] = put_text,
	[FIELD_LABEL] = put_text,
	[FIELD_FLAG] = put_flag,
	[FIELD_GIVEN] = put_given,
	[FIELD_WORD] = put_word,
	[FIELD_RANGE] = put_range,
	[FIELD_TEXTS] = put_texts,
	[FIELD_EXPRESSION] = put_expression,
	[FIELD_EXPRESSIONS] = put_expressions,
	[FIELD_TRAVERSALS] = put_traversals,
	[FIELD_IGNORED] = put_ignored,
	[FIELD_BODY] = put_body,
	[FIELD_SOURCE] = put_source,
	[FIELD_REF] = put_ref,
	[FIELD_LIFECYCLE] = put_lifecycle,
	[FIELD_CHECK] = put_check,
	[FIELD_DATA] = put_data,
	[FIELD_LIST] = put_list,
};

void fields_write(struct cfg_writer *wr, struct jw *w, const struct fields *f,
		  const void *from)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct cfg_field *field = &f->items[i];
		const char *base = from;
		const struct member m = {
			.wr = wr,
			.w = w,
			.f = field,
			.at = base + field->at,
			.beside = field->beside ? base + field->beside : NULL,
		};

		put[field->kind](&m);
	}
}
