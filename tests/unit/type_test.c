/* type_test.c - interning, conformance and the texts of types */
#include "json/read.h"
#include "json/write.h"
#include "test.h"
#include "value/type.h"

static const struct type *parse(struct arena *a, const char *text)
{
	struct json_error err;
	const struct json *j = json_parse(a, str_c(text), &err);

	return j ? type_from_json(a, j) : NULL;
}

static const struct {
	const char *json, *friendly, *constraint, *rendered;
} texts[] = {
	{ "\"string\"", "string", "string", "string" },
	{ "\"number\"", "number", "number", "number" },
	{ "\"bool\"", "bool", "bool", "bool" },
	{ "\"dynamic\"", "dynamic", "any type", "dynamic" },
	{ "[\"list\",\"string\"]", "list of string", "list of string",
	  "list(string)" },
	{ "[\"set\",\"number\"]", "set of number", "set of number",
	  "set(number)" },
	{ "[\"map\",\"bool\"]", "map of bool", "map of bool", "map(bool)" },
	{ "[\"list\",\"dynamic\"]", "list of dynamic",
	  "list of any single type", "list(dynamic)" },
	{ "[\"list\",[\"map\",\"dynamic\"]]", "list of map of dynamic",
	  "list of map of any single type", "list(map(dynamic))" },
	{ "[\"tuple\",[]]", "tuple", "tuple", "tuple([])" },
	{ "[\"object\",{}]", "object", "object", "object({})" },
	{ "[\"tuple\",[\"string\",[\"list\",\"bool\"]]]", "tuple", "tuple",
	  "tuple([\n    string,\n    list(bool),\n])" },
	{ "[\"object\",{\"a\":\"string\",\"b\":[\"tuple\",[\"number\"]]}]",
	  "object", "object",
	  "object({\n    a: string,\n    b: tuple([\n        number,\n    ]),"
	  "\n})" },
	{ "[\"list\",[\"object\",{\"a\":\"string\"}]]", "list of object",
	  "list of object",
	  "list(\n    object({\n        a: string,\n    }),\n)" },
	{ "[\"set\",[\"set\",[\"tuple\",[]]]]", "set of set of tuple",
	  "set of set of tuple", "set(set(\n    tuple([]),\n))" },
	{ "[\"object\",{\"a\":\"string\",\"b\":\"bool\"},[\"b\"]]", "object",
	  "object", "object({\n    a: string,\n    b: bool,\n})" },
};

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct jw w = JW_INIT(&b);
		const struct type *t = parse(&a, texts[i].json);

		CHECK_ROW(t, texts[i].json);
		type_to_json(&w, t);
		CHECK_STR(buf_view(&b), texts[i].json);
		CHECK_STR(type_friendly(&a, t), texts[i].friendly);
		CHECK_STR(type_friendly_constraint(&a, t),
			  texts[i].constraint);
		buf_set_len(&b, 0);
		type_render(&b, t);
		CHECK_STR(buf_view(&b), texts[i].rendered);
		CHECK_ROW(parse(&a, texts[i].json) == t, texts[i].json);
		buf_release(&b);
		arena_release(&a);
	}
}

static const char *const refused[] = {
	"null",
	"1",
	"\"str\"",
	"[]",
	"[\"list\"]",
	"[\"list\",\"string\",1]",
	"[\"list\",null]",
	"[\"seq\",\"string\"]",
	"[1,\"string\"]",
	"[\"tuple\",\"string\"]",
	"[\"tuple\",[null]]",
	"[\"tuple\",[],[]]",
	"[\"object\",[]]",
	"[\"object\",{\"a\":1}]",
	"[\"object\",{\"a\":\"bool\"},[\"b\"]]",
	"[\"object\",{\"a\":\"bool\"},[1]]",
	"[\"object\",{\"a\":\"bool\"},\"a\"]",
	"{\"a\":\"bool\"}",
};

static void test_refused(void)
{
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		CHECK_ROW(parse(&a, refused[i]) == NULL, refused[i]);
	arena_release(&a);
}

static void test_interning(void)
{
	struct type_attr ab[] = { { STR("a"), &type_string, false },
				  { STR("b"), &type_bool, false } };
	struct type_attr ba[] = { { STR("b"), &type_bool, false },
				  { STR("a"), &type_bool, false },
				  { STR("a"), &type_string, false } };
	struct type_attr opt[] = { { STR("a"), &type_string, true },
				   { STR("b"), &type_bool, false } };
	struct type_attr nfd[] = { { STR("e\xcc\x81"), &type_bool, false } };
	const struct type *t = type_object(ab, 2), *o = type_object(opt, 2);
	const struct type *pair[] = { o, &type_dynamic };

	CHECK(t == type_object(ba, 3));
	CHECK(t != o && o->has_optional && !t->has_optional);
	CHECK(type_without_optional(o) == t);
	CHECK(type_without_optional(type_list(o)) == type_list(t));
	CHECK(type_tuple(pair, 2)->has_optional);
	CHECK(type_tuple(pair, 2)->has_dynamic);
	CHECK(type_without_optional(type_tuple(pair, 2))->elems[0] == t);
	CHECK(type_list(t) == type_list(t));
	CHECK(type_list(t) != type_set(t));
	CHECK(type_tuple(NULL, 0) == type_tuple(NULL, 0));
	CHECK(type_object(NULL, 0)->len == 0);
	CHECK(type_attr_index(t, STR("a")) == 0);
	CHECK(type_attr_index(t, STR("b")) == 1);
	CHECK(type_attr_index(t, STR("c")) == -1);
	CHECK(type_attr_index(&type_string, STR("c")) == -1);
	CHECK_STR(type_object(nfd, 1)->attrs[0].name, "\xc3\xa9");
	CHECK(type_list(type_list(&type_bool))->depth == 3);
	CHECK(type_object(NULL, 0)->depth == 1);
}

static void test_many(void)
{
	struct arena a = ARENA_INIT;
	const struct type *first[3000];
	bool same = true;

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 3000; i++) {
			struct type_attr at = { str_printf(&a, "n%d", i),
						&type_string, false };
			const struct type *t = type_object(&at, 1);

			if (round == 0)
				first[i] = t;
			else
				same &= first[i] == t;
		}
	}
	CHECK(same);
	arena_release(&a);
}

static const struct {
	const char *given, *want;
	bool conforms;
} conformance[] = {
	{ "\"string\"", "\"string\"", true },
	{ "\"string\"", "\"dynamic\"", true },
	{ "\"dynamic\"", "\"string\"", false },
	{ "\"string\"", "\"number\"", false },
	{ "[\"list\",\"string\"]", "[\"list\",\"dynamic\"]", true },
	{ "[\"list\",\"string\"]", "[\"set\",\"dynamic\"]", false },
	{ "[\"tuple\",[\"bool\"]]", "[\"tuple\",[\"dynamic\"]]", true },
	{ "[\"tuple\",[\"bool\"]]", "[\"tuple\",[]]", false },
	{ "[\"object\",{\"a\":\"bool\"}]", "[\"object\",{\"a\":\"dynamic\"}]",
	  true },
	{ "[\"object\",{\"a\":\"bool\"}]", "[\"object\",{\"b\":\"bool\"}]",
	  false },
	{ "[\"object\",{\"a\":\"bool\"}]",
	  "[\"object\",{\"a\":\"bool\",\"b\":\"bool\"}]", false },
	{ "[\"object\",{\"a\":\"bool\"}]", "[\"map\",\"bool\"]", false },
};

static void test_conformance(void)
{
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(conformance) / sizeof(*conformance); i++)
		CHECK_ROW(type_conforms(parse(&a, conformance[i].given),
					parse(&a, conformance[i].want)) ==
				  conformance[i].conforms,
			  conformance[i].given);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_texts());
	RUN(test_refused());
	RUN(test_interning());
	RUN(test_many());
	RUN(test_conformance());
	return test_done("type");
}
