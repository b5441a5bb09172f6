/* path_test.c - paths: following, comparing, texts, marks */
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/path.h"
#include "value_text.h"
#include "value/number.h"

static const char object_type[] =
	"[\"object\",{\"a\":[\"list\",[\"object\",{\"b\":\"string\"}]],"
	"\"m\":[\"map\",\"number\"],\"s\":[\"set\",\"string\"],"
	"\"t\":[\"tuple\",[\"bool\",\"number\"]],\"u\":[\"list\",\"string\"]}]";
static const char object_value[] =
	"{\"a\":[{\"b\":\"x\"},{\"b\":{\"!\":\"y\"}}],\"m\":{\"k\":1,\"l\":2},"
	"\"s\":[\"p\",\"q\"],\"t\":[true,5],\"u\":\"?\"}";

/* A path as JSON: ["attr"] is an attribute, a string an index by name, a number
 * an index, {"v":x} a set element, null and "?" likewise. */
static struct path path_of(struct arena *a, const char *text)
{
	struct json_error err;
	const struct json *j = json_parse(a, str_c(text), &err);
	struct path p = { NULL, 0 };

	for (uint32_t i = 0; i < j->len; i++) {
		const struct json *s = &j->items[i];
		const struct value *v;

		if (s->kind == JSON_ARRAY) {
			p = path_attr(a, p, s->items[0].text);
			continue;
		}
		if (s->kind == JSON_NULL)
			v = value_null(a, &type_string);
		else if (s->kind == JSON_OBJECT)
			v = value_from_json_implied(a, json_get(s, "v"));
		else if (s->kind == JSON_STRING && str_is(s->text, "?"))
			v = value_unknown(a, &type_number);
		else
			v = value_from_json_implied(a, s);
		p = path_index(a, p, v);
	}
	return p;
}

static const struct {
	const char *path;
	const char *text;
	const char *found;  /* NULL: nothing there */
	const char *state;  /* the state's form */
	const char *plan;   /* the plan's form */
} rows[] = {
	{ "[[\"a\"],0,[\"b\"]]", ".a[0].b", "\"x\"",
	  "[{\"type\":\"get_attr\",\"value\":\"a\"},{\"type\":\"index\","
	  "\"value\":{\"value\":0,\"type\":\"number\"}},"
	  "{\"type\":\"get_attr\",\"value\":\"b\"}]",
	  "[\"a\",0,\"b\"]" },
	{ "[[\"a\"],1,[\"b\"]]", ".a[1].b", "{\"!\":\"y\"}", NULL, NULL },
	{ "[[\"a\"],2]", ".a[2]", NULL, NULL, NULL },
	{ "[[\"a\"],-1]", ".a[-1]", NULL, NULL, NULL },
	{ "[[\"a\"],0.5]", ".a[0.5]", NULL, NULL, NULL },
	{ "[[\"a\"],\"0\"]", ".a[\"0\"]", NULL, NULL, NULL },
	{ "[[\"a\"],\"?\"]", ".a[(not yet known)]", "\"?\"", "[{\"type\":"
	  "\"get_attr\",\"value\":\"a\"}]", "[\"a\",null]" },
	{ "[[\"m\"],\"k\"]", ".m[\"k\"]", "1",
	  "[{\"type\":\"get_attr\",\"value\":\"m\"},{\"type\":\"index\","
	  "\"value\":{\"value\":\"k\",\"type\":\"string\"}}]",
	  "[\"m\",\"k\"]" },
	{ "[[\"m\"],[\"l\"]]", ".m.l", "2", NULL, "[\"m\",\"l\"]" },
	{ "[[\"m\"],\"z\"]", ".m[\"z\"]", NULL, NULL, NULL },
	{ "[[\"m\"],0]", ".m[0]", NULL, NULL, NULL },
	{ "[[\"m\"],null]", ".m[null]", NULL, NULL, NULL },
	{ "[[\"s\"],{\"v\":\"q\"}]", ".s[\"q\"]", "\"q\"", NULL,
	  "[\"s\",\"q\"]" },
	{ "[[\"s\"],{\"v\":\"z\"}]", ".s[\"z\"]", NULL, NULL, NULL },
	{ "[[\"s\"],{\"v\":{\"k\":1}}]", ".s[...]", NULL,
	  "[{\"type\":\"get_attr\",\"value\":\"s\"},{\"type\":\"index\","
	  "\"value\":{\"value\":{\"k\":1},\"type\":[\"object\",{\"k\":"
	  "\"number\"}]}}]",
	  "[\"s\",{\"k\":1}]" },
	{ "[[\"t\"],1]", ".t[1]", "5", NULL, NULL },
	{ "[[\"t\"],2]", ".t[2]", NULL, NULL, NULL },
	{ "[[\"u\"],7]", ".u[7]", "\"?\"", NULL, NULL },
	{ "[[\"u\"],[\"x\"]]", ".u.x", NULL, NULL, NULL },
	{ "[[\"z\"]]", ".z", NULL, NULL, NULL },
	{ "[\"a\"]", "[\"a\"]", NULL, NULL, NULL },
	{ "[999999]", "[999999]", NULL, NULL, NULL },
	{ "[1000000]", "[1e+06]", NULL, NULL, NULL },
	{ "[1234567]", "[1.234567e+06]", NULL, NULL, NULL },
	{ "[-120000000000]", "[-1.2e+11]", NULL, NULL, NULL },
	{ "[\"q\\\"\\n\"]", "[\"q\\\"\\n\"]", NULL, NULL, NULL },
};

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct jw w = JW_INIT(&b);
		const struct value *v = value_of(&a, object_type, object_value);
		struct path p = path_of(&a, rows[i].path), back;
		const struct value *found = path_get(&a, v, p);
		struct json_error err;

		CHECK_STR(path_text(&a, p), rows[i].text);
		CHECK_ROW(!found == !rows[i].found, rows[i].path);
		if (found && rows[i].found)
			CHECK_STR(dump(&a, found), rows[i].found);
		path_to_state_json(&w, p);
		if (rows[i].state)
			CHECK_STR(buf_view(&b), rows[i].state);
		CHECK(path_from_state_json(
			      &a, json_parse(&a, buf_view(&b), &err), &back) ==
		      0);
		CHECK_ROW(path_has_prefix(p, back), rows[i].path);
		CHECK_ROW(path_equal(p, back) || strchr(rows[i].path, '?'),
			  rows[i].path);
		buf_set_len(&b, 0);
		CHECK_ROW((path_to_plan_json(&w, p) == 0) ==
				  !strchr(rows[i].path, '?'),
			  rows[i].path);
		if (rows[i].plan)
			CHECK_STR(buf_view(&b), rows[i].plan);
		buf_release(&b);
		arena_release(&a);
	}
}

static void test_special(void)
{
	struct arena a = ARENA_INIT;
	struct path p = path_of(&a, "[[\"x\"],0]");
	const struct value *v;

	CHECK(path_get(&a, &value_unknown_dynamic, p) ==
	      &value_unknown_dynamic);
	CHECK(path_get(&a, &value_null_dynamic, p) == NULL);
	CHECK(path_get(&a, &value_true, p) == NULL);
	v = value_of(&a, "[\"list\",[\"object\",{\"b\":\"bool\"}]]",
		     "{\"!\":[{\"b\":true}]}");
	CHECK_STR(dump(&a, path_get(&a, v, path_of(&a, "[0,[\"b\"]]"))),
		  "{\"!\":true}");
	v = value_of(&a, "[\"set\",\"string\"]", "[\"a\",\"?\"]");
	CHECK_STR(dump(&a, path_get(&a, v, path_of(&a, "[\"a\"]"))), "\"a\"");
	CHECK_STR(dump(&a, path_get(&a, v, path_of(&a, "[\"b\"]"))), "\"?\"");
	CHECK(path_equal(path_of(&a, "[1]"), path_of(&a, "[1.0]")));
	CHECK(!path_equal(path_of(&a, "[\"a\"]"), path_of(&a, "[[\"a\"]]")));
	CHECK(path_has_prefix(p, path_of(&a, "[]")));
	CHECK(path_has_prefix(p, path_of(&a, "[[\"x\"]]")));
	CHECK(!path_has_prefix(p, path_of(&a, "[[\"y\"]]")));
	CHECK(!path_has_prefix(path_of(&a, "[]"), p));
	arena_release(&a);
}

static const char *const bad_state[] = {
	"1",
	"{}",
	"[1]",
	"[{}]",
	"[{\"type\":\"get_attr\"}]",
	"[{\"type\":\"get_attr\",\"value\":1}]",
	"[{\"type\":\"index\",\"value\":1}]",
	"[{\"type\":\"index\",\"value\":{\"value\":\"x\",\"type\":\"number\"}}]",
	"[{\"type\":\"other\",\"value\":\"a\"}]",
};

static void test_bad_state(void)
{
	struct arena a = ARENA_INIT;
	struct json_error err;
	struct path p;

	for (size_t i = 0; i < sizeof(bad_state) / sizeof(*bad_state); i++)
		CHECK_ROW(path_from_state_json(
				  &a, json_parse(&a, str_c(bad_state[i]), &err),
				  &p) < 0,
			  bad_state[i]);
	CHECK(path_from_state_json(&a, NULL, &p) < 0);
	arena_release(&a);
}

static void test_marks(void)
{
	struct arena a = ARENA_INIT;
	const struct value *v = value_of(&a, object_type, object_value), *w;
	const char *const add[] = { "[[\"m\"],\"l\"]", "[[\"s\"],\"p\"]",
				    "[[\"t\"]]", "[[\"none\"],1]", "[[\"a\"],9]",
				    "[[\"m\"],\"l\"]", "[[\"u\"],0]" };
	struct path_vec paths = { 0 };

	value_marked_paths(&a, v, MARK_SENSITIVE, &paths);
	CHECK(paths.len == 1);
	CHECK_STR(path_text(&a, paths.items[0]), ".a[1].b");
	CHECK(value_mark_paths(&a, v, &(struct path_vec){ 0 },
			       &marks_sensitive) == v);
	paths.len = 0;
	for (size_t i = 0; i < sizeof(add) / sizeof(*add); i++)
		vec_push(&a, &paths, path_of(&a, add[i]));
	w = value_mark_paths(&a, v, &paths, &marks_sensitive);
	CHECK_STR(dump(&a, w),
		  "{\"a\":[{\"b\":\"x\"},{\"b\":{\"!\":\"y\"}}],"
		  "\"m\":{\"k\":1,\"l\":{\"!\":2}},"
		  "\"s\":{\"!\":[\"p\",\"q\"]},\"t\":{\"!\":[true,5]},"
		  "\"u\":\"?\"}");
	paths.len = 0;
	value_marked_paths(&a, w, MARK_SENSITIVE, &paths);
	CHECK(paths.len == 4);
	paths.len = 0;
	value_marked_paths(&a, w, MARK_EPHEMERAL, &paths);
	CHECK(paths.len == 0);
	arena_release(&a);
}

/* As many paths as elements. */
static void test_many_marks(void)
{
	enum { COUNT = 20000 };
	struct arena a = ARENA_INIT;
	const struct value **elems = arena_alloc(&a, COUNT * sizeof(*elems));
	struct str *keys = arena_alloc(&a, COUNT * sizeof(*keys));
	struct path_vec paths = { 0 };
	const struct value *v;

	for (int i = 0; i < COUNT; i++) {
		keys[i] = str_printf(&a, "k%d", i);
		elems[i] = value_int(&a, i);
		vec_push(&a, &paths,
			 path_index(&a, (struct path){ NULL, 0 },
				    value_string(&a, keys[i])));
	}
	v = value_map(&a, &type_number, keys, elems, COUNT);
	v = value_mark_paths(&a, v, &paths, &marks_sensitive);
	paths.len = 0;
	value_marked_paths(&a, v, MARK_SENSITIVE, &paths);
	CHECK(paths.len == COUNT);
	arena_release(&a);
}

static struct path named(struct arena *a, const char *text)
{
	struct path p = { NULL, 0 };
	char *rest = arena_strdup(a, text), *name;

	while ((name = strsep(&rest, ".")))
		p = *name >= '0' && *name <= '9'
			    ? path_index(a, p, value_int(a, *name - '0'))
			    : path_attr(a, p, str_c(name));
	return p;
}

/* As OpenTofu 1.12.6 lists replace_paths. */
static void test_plan_order(void)
{
	static const char *const orders[][2] = {
		{ "keepers length min_lower override_special",
		  ".min_lower .keepers .length .override_special" },
		{ "keepers max min seed", ".max .keepers .seed .min" },
		{ "keepers length prefix separator",
		  ".separator .prefix .keepers .length" },
		{ "input keepers result_count seed keepers",
		  ".result_count .input .keepers .seed" },
		{ "prefix keepers byte_length prefix",
		  ".byte_length .prefix .keepers" },
		{ "a.1.b a.0.b a.1.b", ".a[1].b .a[0].b" },
	};
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		char *rest = arena_strdup(&a, orders[i][0]), *name;
		struct path_vec paths = { 0 };
		struct buf b = BUF_INIT;

		while ((name = strsep(&rest, " ")))
			vec_push(&a, &paths, named(&a, name));
		paths_in_plan_order(&paths);
		for (size_t k = 0; k < paths.len; k++) {
			buf_puts(&b, k ? " " : "");
			buf_str(&b, path_text(&a, paths.items[k]));
		}
		CHECK_STR(buf_view(&b), orders[i][1]);
		buf_release(&b);
	}
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_rows());
	RUN(test_plan_order());
	RUN(test_special());
	RUN(test_bad_state());
	RUN(test_marks());
	RUN(test_many_marks());
	mpfr_free_cache();
	return test_done("path");
}
