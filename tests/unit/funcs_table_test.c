/* funcs_table_test.c - the table of functions and its published form */
#include "funcs/table.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "test.h"

static void test_order(void)
{
	const struct func *f, *before = NULL;

	for (size_t i = 0; (f = funcs_at(i)); i++) {
		CHECK_ROW(!before || strcmp(before->name, f->name) < 0,
			  f->name);
		CHECK_ROW(funcs_lookup(str_c(f->name)) == f, f->name);
		CHECK_ROW(f->impl && f->description && *f->description,
			  f->name);
		before = f;
	}
	CHECK(funcs_lookup(STR("core::abs")) == funcs_lookup(STR("abs")));
	CHECK(!funcs_lookup(STR("core::core::abs")));
	CHECK(!funcs_lookup(STR("")));
	CHECK(!funcs_lookup(STR("nosuch")));
	CHECK(!funcs_lookup(STR("ABS")));
}

static void test_available(void)
{
	const struct func *type = funcs_lookup(STR("type")),
			  *plan = funcs_lookup(STR("plantimestamp"));

	CHECK(funcs_available(type, true) && !funcs_available(type, false));
	CHECK(!funcs_available(plan, true) && funcs_available(plan, false));
	CHECK(funcs_available(funcs_lookup(STR("abs")), true));
}

static void test_metadata(void)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct json_error err;
	const struct json *j, *sigs, *f;

	funcs_metadata_json(&w);
	j = json_parse(&a, buf_view(&b), &err);
	CHECK_STR(json_get_str(j, "format_version"), "1.0");
	sigs = json_get(j, "function_signatures");
	CHECK(sigs && sigs->len == 242);
	for (uint32_t i = 1; i < sigs->len; i++)
		CHECK(str_cmp(sigs->members[i - 1].name,
			      sigs->members[i].name) < 0);
	f = json_get(sigs, "core::lookup");
	CHECK_STR(json_get_str(f, "return_type"), "dynamic");
	CHECK(json_get_bool(json_get(f, "variadic_parameter"), "is_nullable",
			    false));
	CHECK_STR(json_get_str(json_get(sigs, "length"), "return_type"),
		  "number");
	CHECK_STR(json_get_str(json_get(sigs, "sum"), "return_type"),
		  "dynamic");
	CHECK(!json_get(json_get(sigs, "timestamp"), "parameters"));
	CHECK(!json_get(sigs, "type") && !json_get(sigs, "list"));
	buf_release(&b);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_order());
	RUN(test_available());
	RUN(test_metadata());
	return test_done("funcs_table");
}
