/* fields_read.c - see fields_read_int.h */
#include "config/record/fields_read_int.h"

#include "addr/provider.h"
#include "config/decode/decode_lifecycle_int.h"
#include "config/module.h"
#include "json/tree.h"
#include "lang/eval/eval.h"
#include "stream/record_at.h"
#include "stream/record_body.h"
#include "stream/record_expr.h"
#include "value/convert.h"

static struct str read_text(struct reader *r, const struct json *j)
{
	return j && j->kind == JSON_STRING && j->text.n ? str_dup(r->a, j->text)
							: STR_NONE;
}

/* The elements of an array; none when it is absent. */
static const struct json *elements(const struct json *j, size_t *n)
{
	*n = j && j->kind == JSON_ARRAY ? j->len : 0;
	return *n ? j->items : NULL;
}

static void read_texts(struct reader *r, const struct json *j,
		       struct str_vec *out)
{
	size_t n;
	const struct json *l = elements(j, &n);

	for (size_t i = 0; i < n; i++)
		if (l[i].kind == JSON_STRING)
			vec_push(r->a, out, str_dup(r->a, l[i].text));
}

static int read_expressions(struct reader *r, const struct json *j,
			    struct expression_vec *out)
{
	size_t n;
	const struct json *l = elements(j, &n);

	for (size_t i = 0; i < n; i++) {
		struct expression e;

		if (record_expression_read(&r->in, &l[i], &e))
			return -1;
		vec_push(r->a, out, e);
	}
	return 0;
}

static int read_traversals(struct reader *r, const struct json *j,
			   bool relative, struct traversal_vec *out)
{
	size_t n;
	const struct json *l = elements(j, &n);

	for (size_t i = 0; i < n; i++) {
		struct traversal_ref t;

		if (record_traversal_read(&r->in, &l[i], relative, &t))
			return -1;
		vec_push(r->a, out, t);
	}
	return 0;
}

static int read_mode(struct reader *r, const struct json *j,
		     enum resource_mode *out)
{
	static const enum resource_mode all[] = { MODE_MANAGED, MODE_DATA,
						  MODE_EPHEMERAL };

	for (int i = 0; i < 3; i++) {
		*out = all[i];
		if (j && j->kind == JSON_STRING &&
		    str_is(j->text, resource_mode_name(all[i])))
			return 0;
	}
	return record_invalid(r->ds, "a resource's \"mode\" is unknown");
}

/* Most often the one that was read last. */
static int read_source(struct reader *r, const struct json *j,
		       struct provider_addr *out)
{
	struct config *c = r->c;
	struct str why;

	if (!j || j->kind != JSON_STRING || !j->text.n)
		return 0;
	if (!str_eq(j->text, c->source)) {
		c->source = STR_NONE;
		if (provider_addr_parse(r->a, j->text, c->default_host,
					&c->source_addr, &why))
			return record_invalid(r->ds,
					      "a provider's source is wrong");
		c->source = str_dup(r->a, j->text);
	}
	*out = c->source_addr;
	return 0;
}

static int read_ref(struct reader *r, const struct json *j,
		    struct cfg_provider_ref *out)
{
	if (fields_read(r, &fields_ref, j, out))
		return -1;
	out->given = out->name.n != 0;
	return 0;
}

static int read_provider(struct reader *r, const struct json *j,
			 const struct cfg_provider_ref **out,
			 struct provider_addr *addr)
{
	struct cfg_provider_ref ref = { 0 };

	if (read_ref(r, j, &ref) || read_source(r, json_get(j, "source"), addr))
		return -1;
	*out = ref.given ? arena_dup(r->a, &ref, sizeof(ref))
			 : &cfg_no_provider_ref;
	return 0;
}

static int read_list(struct reader *r, const struct field *f,
		     const struct json *j, void *into)
{
	const size_t size = f->inner->size;
	struct any_vec list = { 0 };
	const struct json *l = elements(j, &list.len);

	if (!list.len)
		return 0;
	r->list = f->name;
	list.cap = list.len;
	list.items = arena_array(r->a, list.len, size);
	for (size_t i = 0; i < list.len; i++)
		if (fields_read(r, f->inner, &l[i], list.items + i * size))
			return -1;
	r->list = NULL;
	memcpy(into, &list, sizeof(list));
	return 0;
}

/* What the language demands to be constant. */
static void settle_lifecycle(struct reader *r, struct cfg_lifecycle *l)
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

static int read_lifecycle(struct reader *r, const struct json *j,
			  const struct cfg_lifecycle **out)
{
	struct cfg_lifecycle *l;

	if (!j)
		return 0;
	l = ARENA_NEW(r->a, struct cfg_lifecycle);
	if (fields_read(r, &fields_lifecycle, j, l))
		return -1;
	settle_lifecycle(r, l);
	*out = l;
	return 0;
}

/* config_finish puts the check itself in its place. */
static struct cfg_check *read_check(struct reader *r, const struct json *j)
{
	struct str name = read_text(r, j);
	struct cfg_check *c;

	if (!name.n)
		return NULL;
	c = ARENA_NEW(r->a, struct cfg_check);
	c->name = name;
	return c;
}

static int lacks(struct reader *r, const struct fields *f, const char *name)
{
	return record_invalid(
		r->ds,
		r->list ? arena_printf(r->a, "one of \"%s\" lacks \"%s\"",
				       r->list, name)
			: arena_printf(r->a, "%s lacks \"%s\"", f->what, name));
}

/* Did the member say something?  Of kinds that may be needed. */
static bool is_there(const struct field *f, const char *into)
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

static int read_field(struct reader *r, const struct field *f,
		      const struct json *j, char *into)
{
	void *at = into + f->at, *beside = into + f->beside;
	bool word;

	switch (f->kind) {
	case FIELD_TEXT:
		*(struct str *)at = read_text(r, j);
		return 0;
	case FIELD_OTHER:
		*(struct str *)at = read_text(r, j);
		if (!((struct str *)at)->n)
			*(struct str *)at = *(struct str *)beside;
		return 0;
	case FIELD_LABEL:
	case FIELD_DATA:
		return 0;
	case FIELD_MODE:
		return read_mode(r, j, at);
	case FIELD_FLAG:
	case FIELD_TRUE:
	case FIELD_GIVEN:
		*(bool *)at = j && j->kind == JSON_BOOL ? j->boolean
							: f->kind == FIELD_TRUE;
		if (f->kind == FIELD_GIVEN)
			*(bool *)beside = j != NULL;
		return 0;
	case FIELD_RANGE:
		/* only missed in messages, if absent */
		record_at_read(&r->in, j, at);
		return 0;
	case FIELD_TEXTS:
		read_texts(r, j, at);
		return 0;
	case FIELD_EXPRESSION:
		return record_expression_read(&r->in, j, at);
	case FIELD_EXPRESSIONS:
		return read_expressions(r, j, at);
	case FIELD_TRAVERSAL:
		return record_traversal_read(&r->in, j, false, at);
	case FIELD_TRAVERSALS:
		return read_traversals(r, j, false, at);
	case FIELD_WORD:
	case FIELD_IGNORED:
		word = j && j->kind == JSON_STRING && str_is(j->text, f->word);
		*(bool *)(f->kind == FIELD_WORD ? at : beside) = word;
		return f->kind == FIELD_WORD ? 0
					     : read_traversals(r, j, true, at);
	case FIELD_BODY:
		return record_body_read(&r->in, j, at);
	case FIELD_SOURCE:
		return read_source(r, j, at);
	case FIELD_REF:
		return read_ref(r, j, at);
	case FIELD_PROVIDER:
		return read_provider(r, j, at, beside);
	case FIELD_LIFECYCLE:
		return read_lifecycle(r, j, at);
	case FIELD_CHECK:
		*(struct cfg_check **)at = read_check(r, j);
		return 0;
	case FIELD_LIST:
		if (f->beside)
			*(bool *)beside = j != NULL;
		return read_list(r, f, j, at);
	}
	return 0;
}

/* The members by field.  They mostly come in the order of the table; of those
 * with one name the last counts. */
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

int fields_read(struct reader *r, const struct fields *f, const struct json *j,
		void *into)
{
	const struct json *found[FIELDS_MOST] = { NULL };

	find_members(f, j, found);
	for (size_t i = 0; i < f->n; i++) {
		const struct field *field = &f->items[i];

		if ((found[i] || field->kind <= FIELD_ABSENT_COUNTS) &&
		    read_field(r, field, found[i], into))
			return -1;
		/* Bodies of resources were left out. */
		if (field->needed &&
		    !(field->kind == FIELD_BODY && r->outline) &&
		    !is_there(field, into))
			return lacks(r, f, field->name);
	}
	return 0;
}
