/* fields_read.c - see record_int.h */
#include "config/record/record_int.h"
#include "addr/provider.h"
#include "config/decode/decode_int.h"
#include "json/tree.h"
#include "lang/eval/eval.h"
#include "stream/record.h"
#include "value/convert.h"

/* A member that is to be read. */
struct member {
	struct cfg_reader *r;
	const struct cfg_field *f;
	const struct json *j; /* NULL: absent */
	void *at;             /* the field in the struct */
	void *beside;         /* and its neighbour, if it has one */
};

static bool is_word(const struct member *m)
{
	return m->j->kind == JSON_STRING && str_is(m->j->text, m->f->word);
}

/* The elements of an array; none if the member is none. */
static const struct json *elements(const struct member *m, size_t *n)
{
	*n = m->j->kind == JSON_ARRAY ? m->j->len : 0;
	return *n ? m->j->items : NULL;
}

static int take_text(const struct member *m)
{
	struct str *out = m->at;

	if (m->j && m->j->kind == JSON_STRING && m->j->text.n)
		*out = str_dup(m->r->a, m->j->text);
	return 0;
}

static int take_other(const struct member *m)
{
	struct str *out = m->at, *usual = m->beside;

	take_text(m);
	if (!out->n)
		*out = *usual;
	return 0;
}

static int take_nothing(const struct member *m)
{
	(void)m;
	return 0;
}

static int take_mode(const struct member *m)
{
	static const enum resource_mode all[] = { MODE_MANAGED, MODE_DATA,
						  MODE_EPHEMERAL };
	enum resource_mode *out = m->at;

	for (int i = 0; i < 3; i++) {
		*out = all[i];
		if (m->j && m->j->kind == JSON_STRING &&
		    str_is(m->j->text, resource_mode_name(all[i])))
			return 0;
	}
	return record_invalid(m->r->ds, "a resource's \"mode\" is unknown");
}

static int take_bool(const struct member *m)
{
	*(bool *)m->at = m->j->kind == JSON_BOOL && m->j->boolean;
	return 0;
}

static int take_true(const struct member *m)
{
	*(bool *)m->at = !m->j || m->j->kind != JSON_BOOL || m->j->boolean;
	return 0;
}

static int take_given(const struct member *m)
{
	*(bool *)m->beside = true;
	return take_bool(m);
}

static int take_word(const struct member *m)
{
	*(bool *)m->at = is_word(m);
	return 0;
}

/* A place that cannot be read is only missing in messages. */
static int take_range(const struct member *m)
{
	record_at_read(&m->r->in, m->j, m->at);
	return 0;
}

static int take_texts(const struct member *m)
{
	struct str_vec *out = m->at;
	size_t n;
	const struct json *l = elements(m, &n);

	for (size_t i = 0; i < n; i++)
		if (l[i].kind == JSON_STRING)
			vec_push(m->r->a, out, str_dup(m->r->a, l[i].text));
	return 0;
}

static int take_expression(const struct member *m)
{
	return record_expression_read(&m->r->in, m->j, m->at);
}

static int take_expressions(const struct member *m)
{
	struct expression_vec *out = m->at;
	size_t n;
	const struct json *l = elements(m, &n);

	for (size_t i = 0; i < n; i++) {
		struct expression e;

		if (record_expression_read(&m->r->in, &l[i], &e))
			return -1;
		vec_push(m->r->a, out, e);
	}
	return 0;
}

static int take_traversal(const struct member *m)
{
	return record_traversal_read(&m->r->in, m->j, false, m->at);
}

static int read_traversals(const struct member *m, bool relative)
{
	struct traversal_vec *out = m->at;
	size_t n;
	const struct json *l = elements(m, &n);

	for (size_t i = 0; i < n; i++) {
		struct traversal_ref t;

		if (record_traversal_read(&m->r->in, &l[i], relative, &t))
			return -1;
		vec_push(m->r->a, out, t);
	}
	return 0;
}

static int take_traversals(const struct member *m)
{
	return read_traversals(m, false);
}

static int take_ignored(const struct member *m)
{
	*(bool *)m->beside = is_word(m);
	return read_traversals(m, true);
}

static int take_body(const struct member *m)
{
	return record_body_read(&m->r->in, m->j, m->at);
}

/* Most sources are the one that was read last. */
static int read_source(struct cfg_reader *r, const struct json *j,
		       struct provider_addr *out)
{
	struct config *c = r->c;

	if (!j || j->kind != JSON_STRING || !j->text.n)
		return 0;
	if (!str_eq(j->text, c->source)) {
		c->source = STR_NONE;
		if (provider_addr_recorded(r->a, j->text, c->default_host,
					   &c->source_addr))
			return record_invalid(r->ds,
					      "a provider's source is wrong");
		c->source = str_dup(r->a, j->text);
	}
	*out = c->source_addr;
	return 0;
}

static int take_source(const struct member *m)
{
	return read_source(m->r, m->j, m->at);
}

static int read_ref(struct cfg_reader *r, const struct json *j,
		    struct cfg_provider_ref *out)
{
	if (fields_read(r, &fields_ref, j, out))
		return -1;
	out->given = out->name.n != 0;
	return 0;
}

static int take_ref(const struct member *m)
{
	return read_ref(m->r, m->j, m->at);
}

static int take_provider(const struct member *m)
{
	const struct cfg_provider_ref **out = m->at;
	struct cfg_provider_ref ref = { 0 };

	if (read_ref(m->r, m->j, &ref) ||
	    read_source(m->r, json_get(m->j, "source"), m->beside))
		return -1;
	*out = ref.given ? arena_dup(m->r->a, &ref, sizeof(ref))
			 : &cfg_no_provider_ref;
	return 0;
}

/* Evaluates the arguments that the language demands to be constant. */
static void settle_lifecycle(struct cfg_reader *r, struct cfg_lifecycle *l)
{
	struct diags ignored = DIAGS_INIT(r->a);
	struct verror err = { 0 };
	const struct value *v;

	lifecycle_destroy(r->a, l);
	if (!l->create_before_destroy.root)
		return;
	v = eval_expression(r->a, NULL, l->create_before_destroy, &ignored);
	v = convert(r->a, v, &type_bool, &err);
	l->create_before_destroy_value = v && value_usable(v) && v->boolean;
}

static int take_lifecycle(const struct member *m)
{
	const struct cfg_lifecycle **out = m->at;
	struct cfg_lifecycle *l = ARENA_NEW(m->r->a, struct cfg_lifecycle);

	if (fields_read(m->r, &fields_lifecycle, m->j, l))
		return -1;
	settle_lifecycle(m->r, l);
	*out = l;
	return 0;
}

/* Makes a check that has only its name; config_finish replaces it. */
static int take_check(const struct member *m)
{
	struct cfg_check **out = m->at;

	if (m->j->kind != JSON_STRING || !m->j->text.n)
		return 0;
	*out = ARENA_NEW(m->r->a, struct cfg_check);
	(*out)->name = str_dup(m->r->a, m->j->text);
	return 0;
}

static int take_list(const struct member *m)
{
	const struct fields *inner = m->f->inner;
	struct cfg_reader *r = m->r;
	struct any_vec v = { 0 };
	const struct json *l = elements(m, &v.len);

	if (m->f->beside)
		*(bool *)m->beside = true;
	if (!v.len)
		return 0;
	r->list = m->f->name;
	v.cap = v.len;
	v.items = arena_array(r->a, v.len, inner->size);
	for (size_t i = 0; i < v.len; i++)
		if (fields_read(r, inner, &l[i], v.items + i * inner->size))
			return -1;
	r->list = NULL;
	memcpy(m->at, &v, sizeof(v));
	return 0;
}

static int (*const take[])(const struct member *m) = {
	[FIELD_MODE] = take_mode,
	[FIELD_TRUE] = take_true,
	[FIELD_OTHER] = take_other,
	[FIELD_TRAVERSAL] = take_traversal,
	[FIELD_PROVIDER] = take_provider,
	[FIELD_TEXT] = take_text,
	[FIELD_LABEL] = take_nothing,
	[FIELD_FLAG] = take_bool,
	[FIELD_GIVEN] = take_given,
	[FIELD_WORD] = take_word,
	[FIELD_RANGE] = take_range,
	[FIELD_TEXTS] = take_texts,
	[FIELD_EXPRESSION] = take_expression,
	[FIELD_EXPRESSIONS] = take_expressions,
	[FIELD_TRAVERSALS] = take_traversals,
	[FIELD_IGNORED] = take_ignored,
	[FIELD_BODY] = take_body,
	[FIELD_SOURCE] = take_source,
	[FIELD_REF] = take_ref,
	[FIELD_LIFECYCLE] = take_lifecycle,
	[FIELD_CHECK] = take_check,
	[FIELD_DATA] = take_nothing,
	[FIELD_LIST] = take_list,
};

static int lacks(struct cfg_reader *r, const struct fields *f, const char *name)
{
	return record_invalid(
		r->ds,
		r->list ? arena_printf(r->a, "one of \"%s\" lacks \"%s\"",
				       r->list, name)
			: arena_printf(r->a, "%s lacks \"%s\"", f->what, name));
}

/* Is the field of use?  Asked of those that are needed. */
static bool is_there(const struct cfg_field *f, const char *into)
{
	const void *at = into + f->at;
	const void *beside = into + f->beside;

	switch (f->kind) {
	case FIELD_TEXT:
		return ((const struct str *)at)->n;
	case FIELD_EXPRESSION:
		return ((const struct expression *)at)->root;
	case FIELD_BODY:
		return *(struct body *const *)at;
	case FIELD_SOURCE:
		return ((const struct provider_addr *)at)->type.n;
	case FIELD_REF:
		return ((const struct cfg_provider_ref *)at)->given;
	case FIELD_PROVIDER:
		return ((const struct provider_addr *)beside)->type.n;
	default:
		return true;
	}
}

/* Finds the member of each field.  They mostly come in the order of the table;
 * of several with one name the last counts. */
static void find_members(const struct fields *f, const struct json *j,
			 const struct json **found)
{
	size_t next = 0;

	if (!j || j->kind != JSON_OBJECT)
		return;
	for (size_t i = 0; i < j->len; i++) {
		size_t k = next, left = f->n;

		while (left && (k == f->n || !str_is(j->members[i].name,
						     f->items[k].name))) {
			if (k == f->n)
				k = 0;
			else
				k++, left--;
		}
		if (left) {
			found[k] = &j->members[i].value;
			next = k + 1;
		}
	}
}

int fields_read(struct cfg_reader *r, const struct fields *f,
		const struct json *j, void *into)
{
	const struct json *found[FIELDS_MOST] = { NULL };

	find_members(f, j, found);
	for (size_t i = 0; i < f->n; i++) {
		const struct cfg_field *field = &f->items[i];

		const struct member m = {
			.r = r,
			.f = field,
			.j = found[i],
			.at = (char *)into + field->at,
			.beside = (char *)into + field->beside,
		};

		if ((m.j || field->kind <= FIELD_ABSENT_COUNTS) &&
		    take[field->kind](&m))
			return -1;
		/* Bodies of resources were left out. */
		if (field->needed &&
		    !(field->kind == FIELD_BODY && r->outline) &&
		    !is_there(field, into))
			return lacks(r, f, field->name);
	}
	return 0;
}
