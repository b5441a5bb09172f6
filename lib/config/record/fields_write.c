/* fields_write.c - see fields_write_int.h */
#include "config/record/fields_write_int.h"

#include "addr/addr.h"
#include "stream/record_at.h"
#include "stream/record_body.h"
#include "stream/record_expr.h"

static void write_text(struct jw *w, const char *name, struct str s)
{
	if (s.n)
		jw_member_str(w, name, s);
}

static void write_texts(struct jw *w, const char *name, const struct str_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++)
		jw_str(w, v->items[i]);
	jw_array_end(w);
}

static void write_expressions(struct jw *w, const char *name,
			      const struct expression_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++)
		record_expression(w, v->items[i]);
	jw_array_end(w);
}

static void write_traversals(struct jw *w, const char *name,
			     const struct traversal_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++)
		record_traversal(w, &v->items[i]);
	jw_array_end(w);
}

static void write_body(struct jw *w, const char *name, const struct body *b)
{
	if (!b)
		return;
	jw_key(w, name);
	record_body(w, b);
}

static void write_source(struct writer *wr, struct jw *w, const char *name,
			 struct provider_addr p)
{
	if (!p.type.n)
		return;
	buf_set_len(&wr->text, 0);
	buf_addf(&wr->text, "%.*s/%.*s/%.*s", STR_ARG(p.host),
		 STR_ARG(p.namespace), STR_ARG(p.type));
	jw_member_str(w, name, buf_view(&wr->text));
}

static void write_ref(struct writer *wr, struct jw *w, const char *name,
		      const struct cfg_provider_ref *r)
{
	jw_key(w, name);
	jw_object(w);
	fields_write(wr, w, &fields_ref, r);
	jw_object_end(w);
}

/* The resolved source, and the reference if one was given. */
static void write_provider(struct writer *wr, struct jw *w, const char *name,
			   const struct cfg_provider_ref *r,
			   struct provider_addr p)
{
	jw_key(w, name);
	jw_object(w);
	write_source(wr, w, "source", p);
	if (r->given)
		fields_write(wr, w, &fields_ref, r);
	jw_object_end(w);
}

static void write_lifecycle(struct writer *wr, struct jw *w, const char *name,
			    const struct cfg_lifecycle *l)
{
	if (!range_present(&l->at))
		return;
	jw_key(w, name);
	jw_object(w);
	fields_write(wr, w, &fields_lifecycle, l);
	jw_object_end(w);
}

static void write_data(struct writer *wr, struct jw *w, const char *name,
		       const struct cfg_resource *r)
{
	if (!r)
		return;
	buf_set_len(&wr->text, 0);
	resource_addr_print(&wr->text, r->addr);
	jw_member_str(w, name, buf_view(&wr->text));
}

static void write_list(struct writer *wr, struct jw *w, const struct field *f,
		       const struct any_vec *v)
{
	jw_key(w, f->name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++) {
		jw_object(w);
		fields_write(wr, w, f->inner, v->items + i * f->inner->size);
		jw_object_end(w);
	}
	jw_array_end(w);
}

/* Does a bool beside the field say so? */
static bool is_given(const struct field *f, const char *from)
{
	return f->beside && *(const bool *)(const void *)(from + f->beside);
}

static void write_field(struct writer *wr, struct jw *w, const struct field *f,
			const char *from)
{
	const void *at = from + f->at;
	const void *beside = f->beside ? from + f->beside : NULL;
	struct any_vec list;
	struct cfg_check *check;

	switch (f->kind) {
	case FIELD_TEXT:
	case FIELD_LABEL:
		write_text(w, f->name, *(const struct str *)at);
		break;
	case FIELD_OTHER:
		if (!str_eq(*(const struct str *)at,
			    *(const struct str *)beside))
			write_text(w, f->name, *(const struct str *)at);
		break;
	case FIELD_MODE:
		jw_member_str(w, f->name,
			      str_c(resource_mode_name(
				      *(const enum resource_mode *)at)));
		break;
	case FIELD_FLAG:
		if (*(const bool *)at)
			jw_member_bool(w, f->name, true);
		break;
	case FIELD_TRUE:
		jw_member_bool(w, f->name, *(const bool *)at);
		break;
	case FIELD_GIVEN:
		if (is_given(f, from))
			jw_member_bool(w, f->name, *(const bool *)at);
		break;
	case FIELD_WORD:
		if (*(const bool *)at)
			jw_member_str(w, f->name, str_c(f->word));
		break;
	case FIELD_RANGE:
		record_at(w, f->name, at);
		break;
	case FIELD_TEXTS:
		write_texts(w, f->name, at);
		break;
	case FIELD_EXPRESSION:
		record_expression_member(w, f->name,
					 *(const struct expression *)at);
		break;
	case FIELD_EXPRESSIONS:
		write_expressions(w, f->name, at);
		break;
	case FIELD_TRAVERSAL:
		jw_key(w, f->name);
		record_traversal(w, at);
		break;
	case FIELD_IGNORED:
		if (is_given(f, from))
			jw_member_str(w, f->name, str_c(f->word));
		else
			write_traversals(w, f->name, at);
		break;
	case FIELD_TRAVERSALS:
		write_traversals(w, f->name, at);
		break;
	case FIELD_BODY:
		write_body(w, f->name, *(struct body *const *)at);
		break;
	case FIELD_SOURCE:
		write_source(wr, w, f->name, *(const struct provider_addr *)at);
		break;
	case FIELD_REF:
		write_ref(wr, w, f->name, at);
		break;
	case FIELD_PROVIDER:
		write_provider(wr, w, f->name,
			       *(const struct cfg_provider_ref *const *)at,
			       *(const struct provider_addr *)beside);
		break;
	case FIELD_LIFECYCLE:
		write_lifecycle(wr, w, f->name,
				*(const struct cfg_lifecycle *const *)at);
		break;
	case FIELD_CHECK:
		check = *(struct cfg_check *const *)at;
		if (check)
			write_text(w, f->name, check->name);
		break;
	case FIELD_DATA:
		write_data(wr, w, f->name, *(struct cfg_resource *const *)at);
		break;
	case FIELD_LIST:
		memcpy(&list, at, sizeof(list));
		if (list.len || is_given(f, from))
			write_list(wr, w, f, &list);
		break;
	}
}

void fields_write(struct writer *wr, struct jw *w, const struct fields *f,
		  const void *from)
{
	for (size_t i = 0; i < f->n; i++)
		write_field(wr, w, &f->items[i], from);
}
