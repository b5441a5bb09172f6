/*
 * codec_test.c - values as JSON, as stream values and as msgpack
 */
#include <math.h>
#include <stdlib.h>

#include "json/read.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/codec_msgpack.h"
#include "value/number.h"
#include "value_text.h"
#include "value/string.h"
#include "codec_rows.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/refine.h"
#include "value/set.h"

static struct str from_hex(struct arena *a, const char *hex)
{
	size_t n = strlen(hex) / 2;
	char *p = arena_alloc(a, n + 1);

	for (size_t i = 0; i < n; i++) {
		char two[3] = { hex[2 * i], hex[2 * i + 1], 0 };

		p[i] = (char)strtol(two, NULL, 16);
	}
	return (struct str){ p, n };
}

static struct str to_hex(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n * 2 + 1);

	for (size_t i = 0; i < s.n; i++)
		snprintf(p + 2 * i, 3, "%02x", (unsigned char)s.p[i]);
	p[s.n * 2] = '\0';
	return (struct str){ p, s.n * 2 };
}

static const struct json *parse(struct arena *a, struct str text)
{
	struct json_error err;

	return json_parse(a, text, &err);
}

/* --- every form of msgpack, where it begins and where it ends --- */

static void check_form(struct arena *a, const struct value *v,
		       const char *head)
{
	struct buf b = BUF_INIT;
	struct verror err;
	const struct value *back;
	char *hex;

	CHECK(value_to_msgpack(&b, v, v->type) == 0);
	hex = arena_printf(a, "%.*s", STR_ARG(to_hex(a, buf_view(&b))));
	hex[strlen(head)] = '\0';
	CHECK_STR(str_c(hex), head);
	back = value_from_msgpack(a, buf_view(&b), v->type, &err);
	CHECK_ROW(back && value_identical(back, v), head);
	buf_release(&b);
}

static void test_numbers(void)
{
	static const struct {
		int64_t n;
		const char *hex;
	} forms[] = {
		{ 0, "00" }, { 127, "7f" }, { 128, "cc80" }, { 255, "ccff" },
		{ 256, "cd0100" }, { 65535, "cdffff" },
		{ 65536, "ce00010000" }, { 4294967295, "ceffffffff" },
		{ 4294967296, "cf0000000100000000" },
		{ INT64_MAX, "cf7fffffffffffffff" },
		{ -1, "ff" }, { -32, "e0" }, { -33, "d0df" },
		{ -128, "d080" }, { -129, "d1ff7f" }, { -32768, "d18000" },
		{ -32769, "d2ffff7fff" }, { INT32_MIN, "d280000000" },
		{ (int64_t)INT32_MIN - 1, "d3ffffffff7fffffff" },
		{ INT64_MIN, "d38000000000000000" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct arena a = ARENA_INIT;

		check_form(&a, value_int(&a, forms[i].n), forms[i].hex);
		arena_release(&a);
	}
}

static void test_lengths(void)
{
	static const struct {
		size_t n;
		const char *string, *list, *map;
	} forms[] = {
		{ 0, "a0", "90", "80" }, { 15, "af61", "9fc3", "8f" },
		{ 16, "b061", "dc0010c3", "de0010" },
		{ 31, "bf61", "dc001fc3", "de001f" },
		{ 32, "d92061", "dc0020c3", "de0020" },
		{ 255, "d9ff61", "dc00ffc3", "de00ff" },
		{ 256, "da010061", "dc0100c3", "de0100" },
		{ 65535, "daffff61", "dcffffc3", "deffff" },
		{ 65536, "db0001000061", "dd00010000c3", "df00010000" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct arena a = ARENA_INIT;
		const size_t n = forms[i].n;
		char *text = arena_alloc(&a, n + 1);
		const struct value **elems = ARENA_ARRAY(
			&a, const struct value *, n + 1);
		struct str *keys = ARENA_ARRAY(&a, struct str, n + 1);

		memset(text, 'a', n);
		for (size_t k = 0; k < n; k++) {
			elems[k] = &value_true;
			keys[k] = str_printf(&a, "%06zu", k);
		}
		check_form(&a, value_string(&a, (struct str){ text, n }),
			   forms[i].string);
		check_form(&a, value_list(&a, &type_bool, elems, n),
			   forms[i].list);
		check_form(&a, value_map(&a, &type_bool, keys, elems, n),
			   forms[i].map);
		arena_release(&a);
	}
}

/* --- plain JSON and msgpack against the rows --- */

static void check_json(struct arena *a, const struct value *v,
		       const struct type *t, const char *want)
{
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .html = true };
	struct verror err;
	const struct value *back;

	value_to_json(&w, v, t);
	CHECK_STR(buf_view(&b), want);
	back = value_from_json(a, parse(a, buf_view(&b)), t, &err);
	CHECK_ROW(back && value_identical(back, v), want);
	buf_release(&b);
}

static void check_msgpack(struct arena *a, const struct value *v,
			  const struct type *t, const char *want)
{
	struct buf b = BUF_INIT;
	struct verror err;
	const struct value *back;

	CHECK(value_to_msgpack(&b, v, t) == 0);
	CHECK_STR(to_hex(a, buf_view(&b)), want);
	back = value_from_msgpack(a, from_hex(a, want), t, &err);
	CHECK_ROW(back && value_identical(back, v), want);
	buf_release(&b);
}

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		const struct value *v =
			value_of(&a, rows[i].type, rows[i].value);
		const struct type *t = type_of(&a, rows[i].type);

		check_msgpack(&a, v, t, rows[i].msgpack);
		if (rows[i].json)
			check_json(&a, v, t, rows[i].json);
		if (rows[i].dynamic)
			check_msgpack(&a, v, &type_dynamic, rows[i].dynamic);
		if (rows[i].dynamic_json)
			check_json(&a, v, &type_dynamic, rows[i].dynamic_json);
		arena_release(&a);
	}
}

static void test_refined(void)
{
	for (size_t i = 0; i < sizeof(refined) / sizeof(*refined); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		const struct type *t = type_of(&a, refined[i].type);
		struct verror err;
		const struct value *v = value_from_msgpack(
			&a, from_hex(&a, refined[i].msgpack), t, &err);

		CHECK_ROW(v, refined[i].msgpack);
		if (strlen(refined[i].value) < 200) {
			struct str want = parse(&a, str_c(refined[i].value))
						  ->text;
			struct str got = parse(&a, dump(&a, v))->text;

			CHECK_STR(got, str_dup(&a, want).p);
		}
		value_to_msgpack(&b, v, t);
		CHECK_STR(to_hex(&a, buf_view(&b)), refined[i].msgpack);
		buf_release(&b);
		arena_release(&a);
	}
}

static void test_sets(void)
{
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		struct arena a = ARENA_INIT;

		CHECK_STR(dump(&a, value_of(&a, sets[i].type, sets[i].value)),
			  sets[i].ordered);
		arena_release(&a);
	}
}

/* --- reading JSON by type --- */

static const struct {
	const char *type, *json;
	const char *want; /* dumped value, or */
	const char *error;
} readings[] = {
	{ "\"string\"", "12.50", "\"12.50\"", NULL },
	{ "\"string\"", "true", "\"true\"", NULL },
	{ "\"string\"", "[]", NULL, "string is required" },
	{ "\"number\"", "\"0x1\"", NULL, "a number is required" },
	{ "\"number\"", "\"1e3\"", "1000", NULL },
	{ "\"number\"", "1e9999999999", NULL, "a number is required" },
	{ "\"number\"", "false", NULL, "number is required" },
	{ "\"bool\"", "\"true\"", "true", NULL },
	{ "\"bool\"", "\"0\"", "false", NULL },
	{ "\"bool\"", "\"yes\"", NULL, "a bool is required" },
	{ "\"bool\"", "1", NULL, "bool is required" },
	{ "[\"list\",\"number\"]", "[1,\"2\",null]", "[1,2,null]", NULL },
	{ "[\"list\",\"number\"]", "[1,\"x\"]", NULL,
	  "[1]: a number is required" },
	{ "[\"list\",\"number\"]", "{}", NULL, "a list is required" },
	{ "[\"set\",\"string\"]", "[\"b\",\"a\",\"b\"]", "[\"a\",\"b\"]", NULL },
	{ "[\"set\",\"string\"]", "1", NULL, "a set is required" },
	{ "[\"map\",\"bool\"]", "{\"b\":true,\"a\":false,\"b\":false}",
	  "{\"a\":false,\"b\":false}", NULL },
	{ "[\"map\",\"bool\"]", "{\"x\":[]}", NULL,
	  "[\"x\"]: bool is required" },
	{ "[\"map\",\"bool\"]", "[]", NULL, "a map is required" },
	{ "[\"tuple\",[\"string\",\"bool\"]]", "[\"a\"]", NULL,
	  "a tuple of length 2 is required" },
	{ "[\"tuple\",[\"string\"]]", "[1]", "[\"1\"]", NULL },
	{ "[\"object\",{\"a\":\"string\",\"b\":\"bool\"}]", "{\"a\":\"x\"}",
	  "{\"a\":\"x\",\"b\":null}", NULL },
	{ "[\"object\",{\"a\":\"string\"}]", "{\"b\\\"\":1}", NULL,
	  "unsupported attribute \"b\\\"\"" },
	{ "[\"object\",{\"a\":[\"list\",\"bool\"]}]", "{\"a\":[true,3]}", NULL,
	  ".a[1]: bool is required" },
	{ "[\"object\",{\"a\":\"bool\"}]", "[]", NULL,
	  "an object is required" },
	{ "\"dynamic\"", "{\"value\":[1],\"type\":[\"list\",\"string\"]}",
	  "[\"1\"]", NULL },
	{ "\"dynamic\"", "null", "null", NULL },
	{ "\"dynamic\"", "{\"value\":1}", NULL,
	  "a value with its type is required" },
	{ "\"dynamic\"", "{\"value\":1,\"type\":\"what\"}", NULL,
	  "a value with its type is required" },
	{ "\"dynamic\"", "{\"type\":\"string\"}", NULL,
	  "a value with its type is required" },
	{ "\"dynamic\"", "3", NULL, "a value with its type is required" },
	{ "[\"list\",\"dynamic\"]",
	  "[{\"value\":1,\"type\":\"number\"},{\"value\":2,\"type\":\"number\"}"
	  ",null]",
	  "[1,2,null]", NULL },
	{ "[\"list\",\"dynamic\"]",
	  "[{\"value\":1,\"type\":\"number\"},{\"value\":2,\"type\":\"string\"}"
	  "]",
	  NULL, "all elements must have the same type" },
};

static void test_readings(void)
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(*readings); i++) {
		struct arena a = ARENA_INIT;
		struct verror err;
		const struct value *v = value_from_json(
			&a, parse(&a, str_c(readings[i].json)),
			type_of(&a, readings[i].type), &err);

		CHECK_ROW(!v == !readings[i].want, readings[i].json);
		if (v && readings[i].want)
			CHECK_STR(dump(&a, v), readings[i].want);
		else if (!v)
			CHECK_STR(verror_text(&a, &err), readings[i].error);
		arena_release(&a);
	}
}

static const char *const implied[][2] = {
	{ "null", "\"dynamic\"" },
	{ "[1,\"a\",null,{}]",
	  "[\"tuple\",[\"number\",\"string\",\"dynamic\",[\"object\",{}]]]" },
	{ "{\"b\":[],\"a\":true}",
	  "[\"object\",{\"a\":\"bool\",\"b\":[\"tuple\",[]]}]" },
	{ "{\"a\":1,\"a\":2}", "[\"object\",{\"a\":\"number\"}]" },
	{ "{\"a\":1,\"a\":\"2\"}", NULL },
	{ "[{\"x\":1e99999999999}]", NULL },
};

static void test_implied(void)
{
	for (size_t i = 0; i < sizeof(implied) / sizeof(*implied); i++) {
		struct arena a = ARENA_INIT;
		const struct json *j = parse(&a, str_c(implied[i][0]));
		const struct type *t = type_of_json(&a, j);

		CHECK_ROW(!t == !implied[i][1], implied[i][0]);
		if (t && implied[i][1])
			CHECK_STR(type_text(&a, t), implied[i][1]);
		arena_release(&a);
	}
}

/* --- the published maps --- */

static const struct {
	const char *type, *value, *known, *unknown, *sensitive;
} maps[] = {
	{ "\"string\"", "\"?\"", "null", "true", "false" },
	{ "\"string\"", "{\"!\":\"a\"}", "\"a\"", "false", "true" },
	{ "\"string\"", "null", "null", "false", "false" },
	{ "[\"list\",\"string\"]", "\"?\"", "null", "true", "[]" },
	{ "[\"map\",\"string\"]", "\"?\"", "null", "true", "{}" },
	{ "[\"object\",{}]", "null", "null", "false", "false" },
	{ "[\"list\",\"string\"]", "[\"a\",\"?\",{\"!\":\"b\"}]",
	  "[\"a\",null,\"b\"]", "[false,true,false]", "[false,false,true]" },
	{ "[\"object\",{\"a\":\"string\",\"b\":[\"map\",\"number\"],\"c\":"
	  "[\"tuple\",[\"bool\"]]}]",
	  "{\"a\":\"?\",\"b\":{\"x\":1,\"y\":\"?\",\"z\":{\"!\":2}},"
	  "\"c\":[true]}",
	  "{\"b\":{\"x\":1,\"z\":2},\"c\":[true]}",
	  "{\"a\":true,\"b\":{\"y\":true},\"c\":[false]}",
	  "{\"b\":{\"z\":true},\"c\":[false]}" },
	{ "[\"object\",{\"a\":[\"list\",\"bool\"]}]", "{\"a\":{\"!\":[true]}}",
	  "{\"a\":[true]}", "{\"a\":[false]}", "{\"a\":true}" },
	{ "[\"tuple\",[\"dynamic\",\"dynamic\"]]", "[null,\"?\"]",
	  "[null,null]", "[false,true]", "[false,false]" },
	{ "[\"tuple\",[\"number\"]]", "[-0]", "[0]", "[false]", "[false]" },
};

static void test_maps(void)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct jw w = JW_INIT(&b);
		const struct value *v =
			value_of(&a, maps[i].type, maps[i].value);

		value_known_json(&w, v);
		CHECK_STR(buf_view(&b), maps[i].known);
		buf_set_len(&b, 0);
		value_unknown_json(&w, v);
		CHECK_STR(buf_view(&b), maps[i].unknown);
		buf_set_len(&b, 0);
		value_sensitive_json(&w, v);
		CHECK_STR(buf_view(&b), maps[i].sensitive);
		buf_release(&b);
		arena_release(&a);
	}
}

/* --- stream values --- */

static const struct {
	const char *type, *value, *stream;
} streams[] = {
	{ "\"string\"", "\"a\"", "{\"value\":\"a\"}" },
	{ "\"number\"", "1.5", "{\"value\":1.5}" },
	{ "\"number\"", "999999999999999", "{\"value\":999999999999999}" },
	{ "\"number\"", "1234567890123456",
	  "{\"value\":\"1234567890123456\",\"type\":\"number\","
	  "\"numbers\":[[]]}" },
	{ "\"number\"", "-0.1234567890123456",
	  "{\"value\":\"-0.1234567890123456\",\"type\":\"number\","
	  "\"numbers\":[[]]}" },
	{ "\"number\"", "1e20", "{\"value\":100000000000000000000}" },
	{ "\"number\"", "0.001", "{\"value\":0.001}" },
	{ "\"number\"", "-0", "{\"value\":0}" },
	{ "\"dynamic\"", "null", "{\"value\":null}" },
	{ "\"string\"", "null", "{\"value\":null,\"type\":\"string\"}" },
	{ "\"dynamic\"", "\"?\"",
	  "{\"value\":null,\"type\":\"dynamic\",\"unknown\":[{\"path\":[]}]}" },
	{ "\"string\"", "{\"!\":\"a\"}",
	  "{\"value\":\"a\",\"sensitive\":[[]]}" },
	{ "[\"tuple\",[\"string\",\"bool\"]]", "[\"a\",true]",
	  "{\"value\":[\"a\",true]}" },
	{ "[\"object\",{\"a\":[\"tuple\",[]]}]", "{\"a\":[]}",
	  "{\"value\":{\"a\":[]}}" },
	{ "[\"list\",\"string\"]", "[\"a\"]",
	  "{\"value\":[\"a\"],\"type\":[\"list\",\"string\"]}" },
	{ "[\"set\",\"string\"]", "[\"b\",{\"!\":\"a\"}]",
	  "{\"value\":[\"a\",\"b\"],\"type\":[\"set\",\"string\"],"
	  "\"sensitive\":[[]]}" },
	{ "[\"map\",\"number\"]", "{\"k\":12345678901234567890}",
	  "{\"value\":{\"k\":\"12345678901234567890\"},"
	  "\"type\":[\"map\",\"number\"],\"numbers\":[[\"k\"]]}" },
	{ "[\"object\",{\"a\":[\"list\",\"string\"],\"b\":\"bool\"}]",
	  "{\"a\":[\"x\",\"?\",{\"!\":\"s\"}],\"b\":{\"!\":\"?\"}}",
	  "{\"value\":{\"a\":[\"x\",null,\"s\"],\"b\":null},"
	  "\"type\":[\"object\",{\"a\":[\"list\",\"string\"],\"b\":\"bool\"}],"
	  "\"unknown\":[{\"path\":[\"a\",1]},{\"path\":[\"b\"]}],"
	  "\"sensitive\":[[\"a\",2],[\"b\"]]}" },
	{ "[\"tuple\",[[\"tuple\",[\"string\"]]]]", "[{\"!\":[{\"!\":\"a\"}]}]",
	  "{\"value\":[[\"a\"]],\"sensitive\":[[0],[0,0]]}" },
};

static const struct value *through_stream(struct arena *a,
					  const struct value *v, struct buf *b)
{
	struct jw w = JW_INIT(b);
	struct verror err;
	const struct json *j;

	value_to_stream(&w, v);
	j = parse(a, buf_view(b));
	return j ? value_from_stream(a, j, &err) : NULL;
}

static void test_streams(void)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		const struct value *v =
			value_of(&a, streams[i].type, streams[i].value);
		const struct value *back = through_stream(&a, v, &b);

		CHECK_STR(buf_view(&b), streams[i].stream);
		CHECK_ROW(back, streams[i].stream);
		if (back && i + 1 < sizeof(streams) / sizeof(*streams))
			CHECK_ROW(value_identical(v, back), streams[i].stream);
		buf_release(&b);
		arena_release(&a);
	}
}

/* Numbers whose text is not theirs: powers of two, integers of doubles. */
static void test_exact_numbers(void)
{
	struct arena a = ARENA_INIT;
	const struct value *two = value_int(&a, 2);
	const struct {
		const struct value *v;
		const char *stream;
	} exact[] = {
		{ value_number_parse(&a, STR("2p0020000")),
		  "{\"value\":\"1p20001\",\"type\":\"number\","
		  "\"numbers\":[[]]}" },
		{ value_number_parse(&a, STR("-3p-5000")), NULL },
		{ value_double(&a, 1e300), NULL },
		{ value_double(&a, 4611686018427387904.0),
		  "{\"value\":\"1p62\",\"type\":\"number\","
		  "\"numbers\":[[]]}" },
		{ value_double(&a, 0.1), "{\"value\":0.1}" },
		{ number_div(&a, value_number_parse(&a, STR("1p-70000")), two),
		  NULL },
	};

	for (size_t i = 0; i < sizeof(exact) / sizeof(*exact); i++) {
		struct buf b = BUF_INIT;
		const struct value *back = through_stream(&a, exact[i].v, &b);

		if (exact[i].stream)
			CHECK_STR(buf_view(&b), exact[i].stream);
		CHECK_ROW(back && value_identical(exact[i].v, back),
			  buf_view(&b).p);
		buf_release(&b);
	}
	arena_release(&a);
}

static const char *const bad_streams[] = {
	"1",
	"{}",
	"{\"type\":\"string\"}",
	"{\"value\":1,\"type\":\"what\"}",
	"{\"value\":\"x\",\"type\":\"number\"}",
	"{\"value\":1e99999999999}",
	"{\"value\":1,\"unknown\":1}",
	"{\"value\":1,\"unknown\":[1]}",
	"{\"value\":1,\"unknown\":[{\"path\":1}]}",
	"{\"value\":1,\"unknown\":[{\"path\":[\"a\"]}]}",
	"{\"value\":[1],\"unknown\":[{\"path\":[1]}]}",
	"{\"value\":[1],\"unknown\":[{\"path\":[null]}]}",
	"{\"value\":1,\"type\":\"number\",\"unknown\":[{\"path\":[],"
	"\"min\":\"x\"}]}",
	"{\"value\":{\"a\":\"s\"},\"sensitive\":[[\"b\"]]}",
	"{\"value\":\"s\",\"sensitive\":{}}",
	"{\"value\":\"s\",\"sensitive\":[[0]]}",
	"{\"value\":null,\"type\":\"string\",\"sensitive\":[[\"x\"]],"
	"\"unknown\":[{\"path\":[]}]}",
};

static void test_bad_streams(void)
{
	for (size_t i = 0; i < sizeof(bad_streams) / sizeof(*bad_streams);
	     i++) {
		struct arena a = ARENA_INIT;
		struct verror err = { 0 };

		CHECK_ROW(!value_from_stream(
				  &a, parse(&a, str_c(bad_streams[i])), &err),
			  bad_streams[i]);
		CHECK_ROW(err.message.n, bad_streams[i]);
		arena_release(&a);
	}
}

/* --- hostile msgpack --- */

static const char *const bad_msgpack[][2] = {
	{ "\"string\"", "" },
	{ "\"string\"", "c1" },
	{ "\"string\"", "a5616263" },
	{ "\"string\"", "dbffffffff" },
	{ "\"string\"", "dbffffffff61" },
	{ "\"string\"", "01" },
	{ "\"number\"", "cb7ff8000000000001" },
	{ "\"number\"", "a178" },
	{ "\"number\"", "cf00" },
	{ "\"number\"", "c3" },
	{ "\"bool\"", "01" },
	{ "[\"list\",\"bool\"]", "ddffffffff" },
	{ "[\"list\",\"bool\"]", "ddffffffffc3" },
	{ "[\"list\",\"bool\"]", "92c3" },
	{ "[\"list\",\"bool\"]", "81a161c3" },
	{ "[\"list\",\"bool\"]", "91a161" },
	{ "[\"map\",\"bool\"]", "dfffffffff" },
	{ "[\"map\",\"bool\"]", "81c3c3" },
	{ "[\"map\",\"bool\"]", "90" },
	{ "[\"set\",\"bool\"]", "80" },
	{ "[\"tuple\",[\"bool\"]]", "90" },
	{ "[\"tuple\",[\"bool\"]]", "80" },
	{ "[\"object\",{\"a\":\"bool\"}]", "80" },
	{ "[\"object\",{\"a\":\"bool\"}]", "81a162c3" },
	{ "[\"object\",{\"a\":\"bool\"}]", "81c0c3" },
	{ "[\"object\",{\"a\":\"bool\",\"b\":\"bool\"}]", "82a161c3a161c3" },
	{ "[\"object\",{\"a\":\"bool\"}]", "90" },
	{ "\"dynamic\"", "c3" },
	{ "\"dynamic\"", "91c3" },
	{ "\"dynamic\"", "92c3c3" },
	{ "\"dynamic\"", "92a178c3" },
	{ "\"dynamic\"", "92c4062262666f6f22c3" },
	{ "\"string\"", "d501" },
	{ "\"string\"", "d5010000" },
	{ "\"string\"", "c7020c81" },
	{ "\"string\"", "c7020c0101" },
	{ "\"string\"", "c7030c810101" },
	{ "\"string\"", "c7050c8102a2c080" },
	{ "\"string\"", "c7030c810501" },
	{ "\"number\"", "c7040c81039101" },
	{ "\"number\"", "c7050c8103920101" },
	{ "\"bool\"", "c7050c81039201c3" },
	{ "\"string\"", "c7ff0c81" },
	{ "[\"list\",\"bool\"]", "c7030c8105c3" },
};

static void test_bad_msgpack(void)
{
	for (size_t i = 0; i < sizeof(bad_msgpack) / sizeof(*bad_msgpack);
	     i++) {
		struct arena a = ARENA_INIT;
		struct verror err = { 0 };
		const struct value *v = value_from_msgpack(
			&a, from_hex(&a, bad_msgpack[i][1]),
			type_of(&a, bad_msgpack[i][0]), &err);

		CHECK_ROW(!v, bad_msgpack[i][1]);
		CHECK_ROW(v || err.message.n, bad_msgpack[i][1]);
		CHECK_ROW(a.total < 100000, bad_msgpack[i][1]);
		arena_release(&a);
	}
}

static const struct {
	const char *type, *msgpack, *want;
} odd_msgpack[] = {
	{ "\"string\"", "a2ff61", "\"\xef\xbf\xbd" "a\"" },
	{ "\"string\"", "c40161", "\"a\"" },
	{ "\"string\"", "a365cc81", "\"\xc3\xa9\"" },
	{ "\"number\"", "ca3fc00000", "1.5" },
	{ "\"number\"", "cb7ff0000000000000", "+Inf" },
	{ "\"number\"", "cfffffffffffffffff", "18446744073709551615" },
	{ "\"number\"", "d1ff7f", "-129" },
	{ "\"number\"", "a3302e31", "0.1" },
	{ "\"bool\"", "c3c3", "true" },
	{ "\"string\"", "c70000", "\"?\"" },
	{ "\"string\"", "d47f55", "\"?\"" },
	{ "\"string\"", "c7030c8101c3", "null" },
	{ "\"string\"", "c7090c8209928101c30101c2", "\"?!\"" },
	{ "\"dynamic\"", "c7030c8101c2", "\"?\"" },
	{ "[\"list\",\"bool\"]", "c7060c8205d0ff0600", "\"?[0,0]\"" },
	{ "[\"list\",\"bool\"]", "c7070c8301c205020602", "[\"?\",\"?\"]" },
};

static void test_odd_msgpack(void)
{
	for (size_t i = 0; i < sizeof(odd_msgpack) / sizeof(*odd_msgpack);
	     i++) {
		struct arena a = ARENA_INIT;
		struct verror err = { 0 };
		const struct value *v = value_from_msgpack(
			&a, from_hex(&a, odd_msgpack[i].msgpack),
			type_of(&a, odd_msgpack[i].type), &err);

		CHECK_ROW(v, odd_msgpack[i].msgpack);
		if (v)
			CHECK_STR(dump(&a, v), odd_msgpack[i].want);
		arena_release(&a);
	}
}

/* A dynamic value in a dynamic value and so on. */
static void test_deep_msgpack(void)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct verror err = { 0 };

	for (int i = 0; i < 200000; i++)
		buf_puts(&b, "\x92\xa9\"dynamic\"");
	buf_puts(&b, "\xc0");
	CHECK(!value_from_msgpack(&a, buf_view(&b), &type_dynamic, &err));
	CHECK(str_find(err.message, STR("1,000")) >= 0);
	buf_release(&b);
	arena_release(&a);
}

/* --- random values, there and back --- */

static uint64_t seed = 20240607;

static uint32_t rnd(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

static struct str random_text(struct arena *a)
{
	static const char *const parts[] = {
		"a", "b", "\xc3\xa9", "\xe6\x97\xa5", "e\xcc\x81", "\"", "\\",
		"\n", "\x01", "<", "\xf0\x9f\x98\x80", "\xe2\x80\xa8", " ", "0",
	};
	struct buf b = BUF_INIT;
	struct str s;

	for (uint32_t n = rnd(6); n > 0; n--)
		buf_puts(&b, parts[rnd(sizeof(parts) / sizeof(*parts))]);
	s = str_nfc(a, buf_dup(a, &b));
	buf_release(&b);
	return s;
}

static const struct value *random_number(struct arena *a)
{
	switch (rnd(6)) {
	case 0:
		return value_int(a, (int64_t)rnd(1000) - 500);
	case 1:
		return value_int(a, (int64_t)((uint64_t)rnd(1u << 31) << 33 |
					      rnd(1u << 31)));
	case 2:
		return value_double(a, (double)rnd(100000) / 37.0);
	case 3:
		return number_div(a, value_number_parse(a, STR("1")),
				  value_int(a, 3 + rnd(100)));
	case 4:
		return value_number_parse(
			a, str_printf(a, "%u.%ue%d", rnd(100), rnd(100000),
				      (int)rnd(80) - 40));
	default:
		return value_number_parse(
			a, str_printf(a, "%u%u%u%u", 1 + rnd(1u << 31),
				      rnd(1u << 31), rnd(1u << 31),
				      rnd(1u << 31)));
	}
}

static const struct type *random_type(struct arena *a, unsigned depth)
{
	const struct type *elems[4];
	struct type_attr attrs[4];
	uint32_t n = rnd(4);

	switch (rnd(depth ? 9 : 4)) {
	case 0:
		return &type_bool;
	case 1:
		return &type_number;
	case 2:
	case 3:
		return &type_string;
	case 4:
		return type_list(random_type(a, depth - 1));
	case 5:
		return type_set(random_type(a, depth - 1));
	case 6:
		return type_map(random_type(a, depth - 1));
	case 7:
		for (uint32_t i = 0; i < n; i++)
			elems[i] = random_type(a, depth - 1);
		return type_tuple(elems, n);
	default:
		for (uint32_t i = 0; i < n; i++)
			attrs[i] = (struct type_attr){
				str_printf(a, "n%u", i),
				random_type(a, depth - 1), false
			};
		return type_object(attrs, n);
	}
}

static const struct value *random_unknown(struct arena *a,
					  const struct type *t)
{
	struct refinement r = refinement_none;

	r.not_null = rnd(2);
	if (rnd(2))
		r.prefix = random_text(a);
	if (rnd(2)) {
		r.min = value_int(a, rnd(10));
		r.min_inclusive = rnd(2);
	}
	if (rnd(2)) {
		r.max = value_number_parse(a, STR("20.5"));
		r.max_inclusive = rnd(2);
	}
	r.len_min = rnd(3);
	if (rnd(2))
		r.len_max = r.len_min + rnd(3);
	return value_unknown_refined(a, t, &r);
}

static const struct value *random_value(struct arena *a, const struct type *t,
					bool marks);

static const struct value *random_known(struct arena *a, const struct type *t,
					bool marks)
{
	const struct value *elems[5];
	struct str names[5];
	uint32_t n = t->kind >= TYPE_TUPLE ? t->len : rnd(5);

	if (t == &type_bool)
		return value_bool(rnd(2));
	if (t == &type_number)
		return random_number(a);
	if (t == &type_string)
		return value_string(a, random_text(a));
	for (uint32_t i = 0; i < n; i++) {
		elems[i] = random_value(a, t->kind == TYPE_TUPLE ?
						   t->elems[i] :
						   t->kind == TYPE_OBJECT ?
						   t->attrs[i].type :
						   t->elem, marks);
		names[i] = random_text(a);
	}
	switch (t->kind) {
	case TYPE_LIST:
		return value_list(a, t->elem, elems, n);
	case TYPE_SET:
		return value_set(a, t->elem, elems, n);
	case TYPE_MAP:
		return value_map(a, t->elem, names, elems, n);
	case TYPE_TUPLE:
		return value_tuple(a, elems, n);
	default:
		return value_object_of(a, t, elems);
	}
}

static const struct value *random_value(struct arena *a, const struct type *t,
					bool marks)
{
	const struct value *v;

	switch (rnd(12)) {
	case 0:
		v = value_null(a, t);
		break;
	case 1:
		v = random_unknown(a, t);
		break;
	default:
		v = random_known(a, t, marks);
	}
	return marks && !rnd(9) ? value_with_marks(a, v, &marks_sensitive) : v;
}

/* Only the outermost of nested marks travel. */
static const struct value *outermost(struct arena *a, const struct value *v)
{
	struct path_vec paths = { 0 };

	value_marked_paths(a, v, MARK_SENSITIVE, &paths);
	v = value_unmark_deep(a, v, NULL);
	return value_mark_paths(a, v, &paths, &marks_sensitive);
}

static void test_random(void)
{
	size_t streams_ok = 0, msgpack_ok = 0, copies_ok = 0;
	enum { ROUNDS = 6000 };

	for (int i = 0; i < ROUNDS; i++) {
		struct arena a = ARENA_INIT, other = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct verror err;
		const struct type *t = random_type(&a, 4);
		const struct value *v = outermost(&a, random_value(&a, t, true));
		const struct value *back = through_stream(&a, v, &b);

		streams_ok += back && value_identical(v, back);
		copies_ok += value_identical(v, value_copy(&other, v));
		v = value_unmark_deep(&a, v, NULL);
		buf_set_len(&b, 0);
		value_to_msgpack(&b, v, rnd(2) ? t : (t = &type_dynamic));
		back = value_from_msgpack(&a, buf_view(&b), t, &err);
		msgpack_ok += back && value_identical(v, back);
		buf_release(&b);
		arena_release(&a);
		arena_release(&other);
	}
	CHECK(streams_ok == ROUNDS);
	CHECK(msgpack_ok == ROUNDS);
	CHECK(copies_ok == ROUNDS);
}

/* Broken encodings end in a value or an error, never otherwise. */
static void test_mutations(void)
{
	size_t values = 0, errors = 0;

	for (int i = 0; i < 6000; i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct verror err = { 0 };
		const struct type *t = random_type(&a, 4);
		const struct value *v = random_value(&a, t, false);

		if (rnd(3) == 0)
			t = &type_dynamic;
		value_to_msgpack(&b, v, t);
		for (uint32_t n = 1 + rnd(3); n > 0; n--)
			b.p[rnd((uint32_t)b.len)] = (char)rnd(256);
		if (rnd(4) == 0)
			buf_set_len(&b, rnd((uint32_t)b.len));
		v = value_from_msgpack(&a, buf_view(&b), t, &err);
		values += v != NULL;
		errors += !v && err.message.n;
		CHECK(v || err.message.n);
		CHECK(a.total < 4 << 20);
		buf_release(&b);
		arena_release(&a);
	}
	CHECK(values > 500 && errors > 500);
}

/* Many unknowns in a long list: reading follows them, it does not search. */
static void test_many_unknowns(void)
{
	enum { COUNT = 20000 };
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	const struct value **elems = arena_alloc(&a, COUNT * sizeof(*elems));
	const struct value *v, *back;

	for (int i = 0; i < COUNT; i++) {
		struct str names[] = { STR("id"), STR("n") };
		const struct value *vals[] = { value_unknown(&a, &type_string),
					       value_int(&a, i) };

		vals[1] = i % 2 ? value_with_marks(&a, vals[1],
						   &marks_sensitive) :
				  vals[1];
		elems[i] = value_object(&a, names, vals, 2);
	}
	v = value_list(&a, elems[0]->type, elems, COUNT);
	back = through_stream(&a, v, &b);
	CHECK(back && value_identical(v, back));
	buf_release(&b);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_numbers());
	RUN(test_lengths());
	RUN(test_rows());
	RUN(test_refined());
	RUN(test_sets());
	RUN(test_readings());
	RUN(test_implied());
	RUN(test_maps());
	RUN(test_streams());
	RUN(test_exact_numbers());
	RUN(test_bad_streams());
	RUN(test_bad_msgpack());
	RUN(test_odd_msgpack());
	RUN(test_deep_msgpack());
	RUN(test_random());
	RUN(test_mutations());
	RUN(test_many_unknowns());
	mpfr_free_cache();
	return test_done("codec");
}
