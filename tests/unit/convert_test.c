/*
 * convert_test.c - conversion, unification, defaults
 *
 * The rows of tests/golden/value were made at random and worked out with an
 * independent implementation of the type system; value_text.h says how values
 * are written.
 */
#include "base/io.h"
#include "json/read.h"
#include "json/tree.h"
#include "value/convert.h"
#include "value/type.h"
#include "value_text.h"
#include "value/number.h"

/* What a row has for a name, as it is written there; "" where it has none. */
static const char *text_of(struct arena *a, struct str row, const char *name)
{
	struct json_slice member = JSON_SLICE_INIT(row);

	while (json_slice_next(&member))
		if (str_is(member.name, name))
			return arena_strndup(a, member.value.p, member.value.n);
	CHECK(!member.bad);
	return "";
}

static void each_row(const char *file, size_t count,
		     void (*check)(struct arena *, struct str row))
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct str text, row;
	size_t n = 0;

	CHECK(!io_read_file(arena_printf(&a, "%s/tests/golden/value/%s.jsonl",
					 test_srcdir(), file),
			    &b, 0));
	text = buf_view(&b);
	for (; text.n; n++) {
		struct arena its = ARENA_INIT;
		size_t end = (size_t)str_chr(text, '\n');

		row = str_sub(text, 0, end);
		text = str_sub(text, end + 1, text.n);
		check(&its, row);
		arena_release(&its);
	}
	if (n != count)
		test_note("%s has %zu rows", file, n);
	CHECK(n == count);
	buf_release(&b);
	arena_release(&a);
}

static void check_conversion(struct arena *a, struct str row)
{
	const char *text = text_of(a, row, "value");
	const struct value *in = value_of(a, text_of(a, row, "type"), text);
	const struct type *want = type_of(a, text_of(a, row, "to"));
	struct verror err = { 0 };
	struct json_error je;
	const struct value *v = convert(a, in, want, &err);

	if (v) {
		CHECK_STR(type_text(a, v->type), text_of(a, row, "of"));
		CHECK_STR(dump(a, v), text_of(a, row, "gives"));
		CHECK_ROW(type_convertible(in->type, want), text);
		CHECK_ROW(type_conforms(v->type, type_without_optional(want)) ||
				  v->type->has_dynamic,
			  text);
	} else {
		CHECK_ROW(str_eq(verror_text(a, &err),
				 json_get_str(json_parse(a, row, &je), "error")),
			  text);
	}
}

static void check_unification(struct arena *a, struct str row)
{
	struct json_error je;
	struct verror err;
	const struct json *j = json_parse(a, row, &je);
	const struct json *types = json_get(j, "types");
	const struct json *values = json_get(j, "values");
	const char *want = text_of(a, row, "converted");
	const struct value *v[8];
	const struct type *t[8], *u;
	struct buf b = BUF_INIT;

	for (uint32_t k = 0; k < types->len; k++) {
		t[k] = type_from_json(a, &types->items[k]);
		v[k] = build(a, t[k], &values->items[k]);
	}
	u = unify(a, t, types->len);
	CHECK_STR(u ? type_text(a, u) : STR(""), text_of(a, row, "unified"));
	if (!unify_values(a, v, types->len, &err)) {
		CHECK_STR(STR(""), want);
		return;
	}
	CHECK(u != NULL);
	for (uint32_t k = 0; k < types->len; k++) {
		buf_putc(&b, k ? ',' : '[');
		dump_to(a, &b, v[k]);
	}
	buf_putc(&b, ']');
	CHECK_STR(buf_view(&b), want);
	buf_release(&b);
}

static struct type_defaults *read_defaults(struct arena *a,
					   const struct json *j)
{
	struct type_defaults *d = ARENA_NEW(a, struct type_defaults);
	const struct json *values = json_get(j, "values");
	const struct json *children = json_get(j, "children");

	d->type = type_from_json(a, json_get(j, "type"));
	for (uint32_t i = 0; i < values->len; i++) {
		const struct json *pair = &values->members[i].value;

		map_put(a, &d->values, values->members[i].name,
			(void *)build(a, type_from_json(a, &pair->items[0]),
				      &pair->items[1]));
	}
	for (uint32_t i = 0; i < children->len; i++)
		map_put(a, &d->children, children->members[i].name,
			read_defaults(a, &children->members[i].value));
	return d;
}

static void check_defaults(struct arena *a, struct str row)
{
	struct json_error err;
	const struct json *j = json_parse(a, row, &err);
	const struct value *v = type_defaults_apply(
		a, read_defaults(a, json_get(j, "defaults")),
		value_of(a, text_of(a, row, "type"), text_of(a, row, "value")));

	CHECK_STR(type_text(a, v->type), text_of(a, row, "of"));
	CHECK_STR(dump(a, v), text_of(a, row, "gives"));
}

/* Many elements and many types: nothing quadratic. */
static void test_large(void)
{
	enum { COUNT = 30000 };
	struct arena a = ARENA_INIT;
	const struct value **elems =
		arena_alloc(&a, COUNT * sizeof(*elems));
	const struct value **some = arena_alloc(&a, COUNT * sizeof(*some));
	struct verror err;
	const struct value *tuple, *list;

	for (int i = 0; i < COUNT; i++)
		elems[i] = i % 2 ? value_int(&a, i) :
				   value_string(&a, str_printf(&a, "%d", i));
	tuple = value_tuple(&a, elems, COUNT);
	list = convert(&a, tuple, type_list(&type_dynamic), &err);
	CHECK(list && list->type == type_list(&type_string));
	list = convert(&a, tuple, type_set(&type_number), &err);
	CHECK(list && list->len == COUNT);
	for (int i = 0; i < COUNT; i++)
		some[i] = value_tuple(&a, elems, (size_t)i % 50);
	some[0] = &value_true;
	tuple = value_tuple(&a, some, COUNT);
	CHECK(convert(&a, tuple, type_list(&type_dynamic), &err) == NULL);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(each_row("conversions", 400, check_conversion));
	RUN(each_row("unifications", 190, check_unification));
	RUN(each_row("defaults", 110, check_defaults));
	RUN(test_large());
	mpfr_free_cache();
	return test_done("convert");
}
