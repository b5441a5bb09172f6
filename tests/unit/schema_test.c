/*
 * schema_test.c - schemas prepared, and the walks over them and their values
 *
 * The schema has an attribute `w`, write-only and sensitive, at every place where
 * there can be one; values are JSON.
 */
#include "json/read.h"
#include "provider/provider.h"
#include "provider/schema_cache.h"
#include "schema/objects.h"
#include "show_value.h"
#include "test.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/number.h"

static struct arena arena;

#define W "\"w\":{\"type\":\"string\",\"optional\":true," \
	"\"sensitive\":true,\"write_only\":true}"
#define INSIDE "\"attributes\":{\"n\":{\"type\":\"number\"," \
	"\"optional\":true}," W "}"
#define NESTED(mode) "{\"optional\":true,\"nested_type\":{" INSIDE "," \
	"\"nesting_mode\":\"" mode "\"}}"
#define BLOCKS(mode) "{\"nesting_mode\":\"" mode "\",\"block\":{" INSIDE "}}"

static const char everywhere[] =
	"{\"attributes\":{"
	"\"a_list\":" NESTED("list") ",\"a_map\":" NESTED("map") ","
	"\"a_set\":" NESTED("set") ",\"a_single\":" NESTED("single") ","
	"\"plain\":{\"type\":[\"list\",\"string\"],\"optional\":true}," W "},"
	"\"block_types\":{"
	"\"b_group\":" BLOCKS("group") ",\"b_list\":" BLOCKS("list") ","
	"\"b_map\":" BLOCKS("map") ",\"b_set\":" BLOCKS("set") ","
	"\"b_single\":" BLOCKS("single") "}}";

static const char full[] =
	"{\"a_list\":[{\"n\":1,\"w\":\"x\"},{\"n\":2,\"w\":null}],"
	"\"a_map\":{\"k\":{\"n\":3,\"w\":\"x\"}},"
	"\"a_set\":[{\"n\":4,\"w\":\"x\"}],\"a_single\":{\"n\":5,\"w\":\"x\"},"
	"\"plain\":[\"p\"],\"w\":\"x\",\"b_group\":{\"n\":6,\"w\":\"x\"},"
	"\"b_list\":[{\"n\":7,\"w\":\"x\"}],\"b_map\":{\"k\":{\"n\":8,"
	"\"w\":\"x\"}},\"b_set\":[{\"n\":9,\"w\":\"x\"}],"
	"\"b_single\":{\"n\":10,\"w\":\"x\"}}";

/* Blocks of which the type is known from their values alone. */
static const char any_schema[] =
	"{\"attributes\":{\"v\":{\"type\":\"dynamic\",\"optional\":true}," W
	"},\"block_types\":{\"many\":{\"nesting_mode\":\"list\",\"block\":{"
	"\"attributes\":{\"v\":{\"type\":\"dynamic\",\"optional\":true}," W
	"}}}}}";

static const struct schema_block *schema(const char *json)
{
	struct json_error err;
	const struct json *j = json_parse(&arena, str_c(json), &err);
	const struct schema_block *b =
		j ? schema_block_from_json(&arena, j) : NULL;

	CHECK_ROW(b != NULL, json);
	return b;
}

static const struct value *value(const char *json, const struct type *t)
{
	struct json_error err;
	struct verror misfit;
	const struct value *v = value_from_json(
		&arena, json_parse(&arena, str_c(json), &err), t, &misfit);

	CHECK_ROW(v != NULL, json);
	return v;
}

static const struct value *of(const struct schema_block *b, const char *json)
{
	return value(json, b->implied);
}

static struct str shown(const struct value *v)
{
	struct buf b = BUF_INIT;
	struct str s;

	show(&arena, &b, v);
	s = buf_dup(&arena, &b);
	buf_release(&b);
	return s;
}

static bool is_number(const struct schema_attr *attr)
{
	return str_is(attr->name, "n");
}

static bool is_nothing(const struct schema_attr *attr)
{
	(void)attr;
	return false;
}

/* --- one value --- */

static const struct value *visit(struct schema_walk *w,
				 const struct schema_attr *attr,
				 const struct value *v, const struct at *at)
{
	struct buf *to = w->data;

	(void)attr;
	buf_str(to, path_text(w->a, at_path(w->a, at)));
	buf_addf(to, "=%.*s ", STR_ARG(shown(v)));
	return v;
}

static struct str visited(schema_attr_test *wanted,
			  const struct schema_block *b, const struct value *v)
{
	struct buf to = BUF_INIT;
	struct schema_walk w = { &arena, wanted, visit, &to };
	struct str s;

	CHECK(schema_walk(&w, b, v) == v);
	s = buf_dup(&arena, &to);
	buf_release(&to);
	return s;
}

static void test_visits(void)
{
	const struct schema_block *b = schema(everywhere);

	CHECK_STR(visited(schema_attr_is_write_only, b, of(b, full)),
		  ".a_list[0].w=\"x\" .a_list[1].w=string:null "
		  ".a_map[\"k\"].w=\"x\" .a_set[...].w=\"x\" "
		  ".a_single.w=\"x\" .b_group.w=\"x\" .b_list[0].w=\"x\" "
		  ".b_map[\"k\"].w=\"x\" .b_set[...].w=\"x\" "
		  ".b_single.w=\"x\" .w=\"x\" ");
	CHECK_STR(visited(is_nothing, b, of(b, full)), "");
	CHECK_STR(visited(schema_attr_is_write_only, b,
			  value_null(&arena, b->implied)), "");
	CHECK_STR(visited(schema_attr_is_write_only, b,
			  value_unknown(&arena, b->implied)), "");
}

/* Of matching attributes within each other only the outermost is visited. */
static void test_outermost(void)
{
	const struct schema_block *b = schema(
		"{\"attributes\":{\"o\":{\"optional\":true,\"write_only\":"
		"true,\"nested_type\":{\"nesting_mode\":\"single\","
		INSIDE "}}}}");

	CHECK_STR(visited(schema_attr_is_write_only, b,
			  of(b, "{\"o\":{\"n\":1,\"w\":\"x\"}}")),
		  ".o={n:1,w:\"x\"} ");
	CHECK_STR(visited(is_number, b,
			  of(b, "{\"o\":{\"n\":1,\"w\":\"x\"}}")),
		  ".o.n=1 ");
}

/* A state's values of dynamic types need not match the schema. */
static void test_misfits(void)
{
	const struct schema_block *b = schema(any_schema);
	static const struct {
		const char *many, *visits;
	} rows[] = {
		{ "[{\"v\":1,\"w\":\"x\"}]", ".many[0].w=\"x\" .w=\"y\" " },
		{ "[{\"w\":\"x\",\"v\":1,\"z\":2}]",
		  ".many[0].w=\"x\" .w=\"y\" " },
		{ "[{\"z\":2},7,null]", ".w=\"y\" " },
		{ "\"text\"", ".w=\"y\" " },
		{ "null", ".w=\"y\" " },
		{ "{\"w\":\"x\"}", ".w=\"y\" " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *text = arena_printf(
			&arena, "{\"v\":null,\"w\":\"y\",\"many\":%s}",
			rows[i].many);

		struct json_error err;
		const struct json *j = json_parse(&arena, str_c(text), &err);

		CHECK_STR(visited(schema_attr_is_write_only, b,
				  value_from_json_implied(&arena, j)),
			  rows[i].visits);
	}
}

static void test_changes(void)
{
	const struct schema_block *b = schema(everywhere);
	const struct value *v = of(b, full);
	const struct value *list = value_get(v, STR("a_list"));
	const struct value *got;

	CHECK_STR(shown(value_without_write_only(&arena, b, v)),
		  "{a_list:[{n:1,w:string:null},{n:2,w:string:null}],"
		  "a_map:{k:{n:3,w:string:null}},"
		  "a_set:set[{n:4,w:string:null}],"
		  "a_single:{n:5,w:string:null},"
		  "b_group:{n:6,w:string:null},"
		  "b_list:[{n:7,w:string:null}],"
		  "b_map:{k:{n:8,w:string:null}},"
		  "b_set:set[{n:9,w:string:null}],"
		  "b_single:{n:10,w:string:null},"
		  "plain:[\"p\"],w:string:null}");
	got = value_without_write_only(&arena, b, v);
	CHECK(value_without_write_only(&arena, b, got) == got);
	CHECK(value_get(got, STR("plain")) == value_get(v, STR("plain")));
	/* what is around keeps its marks */
	list = value_with_marks(&arena, list, &marks_sensitive);
	got = value_without_write_only(
		&arena, b, value_object(&arena,
					(struct str[]){ STR("a_list") },
					&list, 1));
	CHECK_STR(shown(got), "{a_list:sensitive([{n:1,w:string:null},"
			      "{n:2,w:string:null}])}");
}

static void test_sensitive(void)
{
	const struct schema_block *b = schema(everywhere);

	/* a set is sensitive as a whole */
	CHECK_STR(shown(schema_mark_sensitive(&arena, of(b, full), b)),
		  "{a_list:[{n:1,w:sensitive(\"x\")},"
		  "{n:2,w:sensitive(string:null)}],"
		  "a_map:{k:{n:3,w:sensitive(\"x\")}},"
		  "a_set:sensitive(set[{n:4,w:\"x\"}]),"
		  "a_single:{n:5,w:sensitive(\"x\")},"
		  "b_group:{n:6,w:sensitive(\"x\")},"
		  "b_list:[{n:7,w:sensitive(\"x\")}],"
		  "b_map:{k:{n:8,w:sensitive(\"x\")}},"
		  "b_set:sensitive(set[{n:9,w:\"x\"}]),"
		  "b_single:{n:10,w:sensitive(\"x\")},"
		  "plain:[\"p\"],w:sensitive(\"x\")}");
}

static void test_any(void)
{
	static const struct {
		const char *schema;
		bool any;
	} rows[] = {
		{ "{\"attributes\":{" W "}}", true },
		{ "{\"attributes\":{\"o\":" NESTED("set") "}}", true },
		{ "{\"block_types\":{\"b\":" BLOCKS("map") "}}", true },
		{ "{\"attributes\":{\"n\":{\"type\":\"number\"}}}", false },
		{ "{}", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_ROW(schema_any(schema(rows[i].schema),
				     schema_attr_is_sensitive) == rows[i].any,
			  rows[i].schema);
}

/* --- paths --- */

static struct path path(const char *names)
{
	struct path p = { NULL, 0 };
	char *rest = arena_strndup(&arena, names, strlen(names)), *name;

	while ((name = strsep(&rest, ".")))
		p = str_is(str_c(name), "0")
			    ? path_index(&arena, p, value_int(&arena, 0))
			    : path_attr(&arena, p, str_c(name));
	return p;
}

static void test_on_path(void)
{
	const struct schema_block *b = schema(everywhere);
	static const struct {
		const char *path, *attr;
		size_t len;
	} rows[] = {
		{ "w", "w", 1 },
		{ "plain.0", "plain", 1 },
		{ "a_list", "a_list", 1 },
		{ "a_list.0", "a_list", 1 },
		{ "a_list.0.w", "w", 3 },
		{ "a_single.n", "n", 2 },
		{ "b_list.0.w", "w", 3 },
		{ "b_single.n", "n", 2 },
		{ "w.inside", "w", 1 },
		{ "b_list.0", NULL, 0 },
		{ "nowhere", NULL, 1 },
		{ "a_list.0.nowhere", NULL, 3 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len;
		const struct schema_attr *attr = schema_attr_on_path(
			b, path(rows[i].path), &len);

		CHECK_ROW(len == rows[i].len, rows[i].path);
		CHECK_ROW(attr ? rows[i].attr &&
				 str_is(attr->name, rows[i].attr)
			       : !rows[i].attr, rows[i].path);
	}
}

/* --- objects side by side --- */

static void test_members(void)
{
	const struct schema_block *b = schema(
		"{\"attributes\":{\"b\":{\"type\":\"string\"},\"d\":"
		NESTED("list") "},\"block_types\":{\"a\":" BLOCKS("single")
		",\"c\":" BLOCKS("list") "}}");
	const struct value *v = of(
		b, "{\"a\":null,\"b\":\"x\",\"c\":[],\"d\":null}");
	const struct value *other = value(
		"{\"b\":true}", type_object((struct type_attr[]){
			{ STR_INIT("b"), &type_bool, false } }, 1));
	const struct at up = { .attr = STR_INIT("up") };
	struct members m = { .a = &arena, .block = b,
			     .of = { v, value_unknown(&arena, b->implied),
				     other }, .at.up = &up };
	struct buf text = BUF_INIT;

	while (members_next(&m))
		buf_addf(&text, "%u%.*s%s%s: %.*s, %.*s, %.*s\n", m.i,
			 STR_ARG(path_text(&arena, at_path(&arena, &m.at))),
			 m.attr ? " attribute" : "", m.nested ? " nested" : "",
			 STR_ARG(shown(m.v[0])),
			 STR_ARG(str_sub(shown(m.v[1]), 0, 8)),
			 STR_ARG(shown(m.v[2])));
	CHECK_STR(buf_view(&text),
		  "0.up.a nested: object:null, unknown(, object:null\n"
		  "1.up.b attribute: \"x\", unknown(, true\n"
		  "2.up.c nested: [], unknown(, list of object:null\n"
		  "3.up.d attribute nested: list of object:null, unknown(, "
		  "list of object:null\n");
	buf_release(&text);
}

/* --- objects made --- */

static void test_objects(void)
{
	const struct schema_block *b = schema(everywhere);
	const struct value *v = schema_unknown_object(&arena, b);

	CHECK_STR(shown(schema_empty_value(&arena, b)),
		  "{a_list:list of object:null,a_map:map of object:null,"
		  "a_set:set of object:null,a_single:object:null,"
		  "b_group:{n:number:null,w:string:null},b_list:[],b_map:{},"
		  "b_set:set[],b_single:object:null,"
		  "plain:list of string:null,w:string:null}");
	CHECK_STR(shown(value_get(v, STR("w"))), "sensitive(unknown(string))");
	CHECK_STR(shown(value_get(v, STR("plain"))),
		  "unknown(list of string)");
	/* of objects that differ in type a tuple */
	b = schema(any_schema);
	CHECK(schema_nested_type(&b->blocks[0]) == &type_dynamic);
	CHECK(schema_nested_value(&arena, &b->blocks[0], NULL, NULL, 0)
		      ->type->kind == TYPE_TUPLE);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_visits());
	RUN(test_outermost());
	RUN(test_misfits());
	RUN(test_changes());
	RUN(test_sensitive());
	RUN(test_any());
	RUN(test_on_path());
	RUN(test_members());
	RUN(test_objects());
	arena_release(&arena);
	return test_done("schema");
}
