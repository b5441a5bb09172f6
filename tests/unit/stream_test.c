/* stream_test.c - framing of streams; expressions and bodies in records */
#include <stdio.h>
#include <unistd.h>

#include "json/read.h"
#include "json/write.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "stream/stream_int.h"
#include "test.h"
#include "lang/syntax/parse.h"

static struct arena a = ARENA_INIT;

/* --- framing --- */

static int count(void *data, struct str kind, struct str line,
		 struct diags *ds)
{
	size_t *n = data;

	(void)line;
	(*n)++;
	if (str_is(kind, "bad"))
		return diag_error(ds, NULL, "refused", "by the reader");
	return 0;
}

struct result {
	int rc;
	struct stream_info info;
	struct str passed, summary;
	size_t records;
};

static struct result read_text(const char *text)
{
	struct result r = { 0 };
	struct diags ds = DIAGS_INIT(&a);
	struct stream_out pass;
	FILE *f = tmpfile();

	stream_out_init(&pass, -1, false);

	fputs(text, f);
	rewind(f);
	r.rc = stream_read(&a, fileno(f), &r.info, &pass, count, &r.records,
			   &ds);
	r.passed = buf_dup(&a, &pass.out.buf);
	if (ds.len)
		r.summary = ds.items[0].summary;
	stream_out_release(&pass);
	fclose(f);
	return r;
}

#define HEAD "{\"record\":\"header\",\"format\":\"tfpipe-stream\",\"version\":1}\n"
#define STAGE "{\"record\":\"stage\",\"tool\":\"tf-parse\"}\n"
#define END "{\"record\":\"end\",\"failed\":false}\n"

static void test_framing(void)
{
	struct result r = read_text(HEAD STAGE "{\"record\":\"x\"}\n\n"
						"{ \"record\" : \"y\" }\n" END);

	CHECK(r.rc == 0 && r.records == 2 && r.info.present &&
	      !r.info.failed && stream_has_stage(&r.info, "tf-parse") &&
	      !stream_has_stage(&r.info, "tf-eval"));
	/* byte for byte, without the end */
	CHECK_STR(r.passed, HEAD STAGE "{\"record\":\"x\"}\n"
				       "{ \"record\" : \"y\" }\n");
	r = read_text(HEAD "{\"record\":\"end\",\"failed\":true}");
	CHECK(r.rc == 0 && r.info.failed);
}

static void test_bad_framing(void)
{
	static const struct {
		const char *text, *summary;
	} rows[] = {
		{ "", "No input" },
		{ HEAD STAGE, "Incomplete input stream" },
		{ STAGE END, "Invalid input stream" },
		{ HEAD HEAD END, "Invalid input stream" },
		{ HEAD END "{\"record\":\"x\"}\n", "Invalid input stream" },
		{ HEAD "nonsense\n" END, "Invalid input stream" },
		{ HEAD "{\"kind\":\"x\"}\n" END, "Invalid input stream" },
		{ HEAD "{\"record\":5}\n" END, "Invalid input stream" },
		{ HEAD "{\"record\":\"stage\"}\n" END,
		  "Invalid input stream" },
		{ "{\"record\":\"header\",\"format\":\"x\",\"version\":1}\n",
		  "Invalid input stream" },
		{ "{\"record\":\"header\",\"format\":\"tfpipe-stream\","
		  "\"version\":2}\n", "Invalid input stream" },
		{ HEAD "{\"record\":\"bad\"}\n" END, "refused" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct result r = read_text(rows[i].text);

		CHECK_ROW(r.rc == -1, rows[i].text);
		CHECK_STR(r.summary, rows[i].summary);
	}
}

static void test_long_lines(void)
{
	struct buf b = BUF_INIT;
	struct result r;

	buf_puts(&b, HEAD);
	for (int i = 0; i < 3; i++) {
		buf_puts(&b, "{\"record\":\"long\",\"x\":\"");
		for (int k = 0; k < 700000; k++)
			buf_putc(&b, 'x');
		buf_puts(&b, "\"}\n");
	}
	buf_puts(&b, END);
	r = read_text(b.p);
	CHECK(r.rc == 0 && r.records == 3);
	buf_release(&b);
}

static void test_writing(void)
{
	struct str_vec options = { 0 };
	struct stream_out o;
	struct jw w;

	vec_push(&a, &options, STR("target"));
	stream_out_init(&o, -1, false);
	CHECK(!o.redact);
	stream_begin(&o, "tf-x", &options);
	w = stream_record(&o, "thing", STR("a.b"));
	jw_member_int(&w, "n", 1);
	stream_record_end(&o, &w);
	CHECK_STR(buf_view(&o.out.buf),
		  HEAD "{\"record\":\"stage\",\"tool\":\"tf-x\","
		       "\"version\":\"0.1.0\",\"options\":[\"target\"]}\n"
		       "{\"record\":\"thing\",\"address\":\"a.b\",\"n\":1}\n");
	CHECK(stream_end(&o, true) == -1); /* there is no descriptor -1 */
	stream_out_release(&o);
}

/* --- expressions --- */

static struct str expression_json(struct expression e)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct str s;

	record_expression(&w, e);
	s = buf_dup(&a, &b);
	buf_release(&b);
	return s;
}

static struct expression parse(const char *text, struct diags *ds)
{
	struct pos at = { 3, 5, 40 };

	return parse_expression(
		&a, source_fragment(&a, STR("f-1:2.tf"), str_c(text), at), ds);
}

static void test_expressions(void)
{
	static const struct {
		const char *text, *json;
	} rows[] = {
		{ "5", "{\"constant_value\":5,\"at\":\"f-1:2.tf:3,5,40-3,6,41\"}" },
		{ "\"a$${x}\\n\"",
		  "{\"constant_value\":\"a${x}\\n\",\"at\":"
		  "\"f-1:2.tf:3,5,40-3,15,50\"}" },
		{ "[1, { a = null, \"b c\" = true }]",
		  "{\"constant_value\":[1,{\"a\":null,\"b c\":true}],\"at\":"
		  "\"f-1:2.tf:3,5,40-3,36,71\"}" },
		/* not exactly what JSON would say */
		{ "0.1", "{\"expr\":\"0.1\",\"references\":[],\"at\":"
			 "\"f-1:2.tf:3,5,40-3,8,43\"}" },
		{ "{ a = 1, a = 2 }",
		  "{\"expr\":\"{ a = 1, a = 2 }\",\"references\":[],\"at\":"
		  "\"f-1:2.tf:3,5,40-3,21,56\"}" },
		{ "var.x + m.n[0].y.z",
		  "{\"expr\":\"var.x + m.n[0].y.z\",\"references\":[\"var.x\","
		  "\"m.n[0].y.z\",\"m.n[0].y\",\"m.n[0]\",\"m.n\"],\"at\":"
		  "\"f-1:2.tf:3,5,40-3,23,58\"}" },
		{ "module.a[\"k\"].o[1]",
		  "{\"expr\":\"module.a[\\\"k\\\"].o[1]\",\"references\":["
		  "\"module.a[\\\"k\\\"].o[1]\",\"module.a[\\\"k\\\"].o\","
		  "\"module.a[\\\"k\\\"]\"],\"at\":"
		  "\"f-1:2.tf:3,5,40-3,23,58\"}" },
		{ "<<E\nx${var.y}\nE\n",
		  "{\"expr\":\"<<E\\nx${var.y}\\nE\",\"references\":[\"var.y\"],"
		  "\"at\":\"f-1:2.tf:3,5,40-5,2,55\"}" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct record_reader in = { .arena = &a, .ds = &ds };
		struct expression e = parse(rows[i].text, &ds), back;
		struct json_error err;
		const struct json *j;

		CHECK_ROW(ds.len == 0 && e.root, rows[i].text);
		if (!e.root)
			continue;
		CHECK_STR(expression_json(e), rows[i].json);
		j = json_parse(&a, str_c(rows[i].json), &err);
		CHECK_ROW(!record_expression_read(&in, j, &back) &&
				  ds.len == 0,
			  rows[i].text);
		if (back.root)
			CHECK_STR(expression_json(back), rows[i].json);
	}
}

/* Values that tf-parse would have written as text are written unchanged: they
 * have no text. */
static void test_foreign_constants(void)
{
	static const char *const rows[] = {
		"{\"constant_value\":{\"a\":1,\"a\":2},"
		"\"at\":\"f:1,1,0-1,2,1\"}",
		"{\"constant_value\":[1000000000000000000000000000000,0.5],"
		"\"at\":\"f:1,1,0-1,2,1\"}",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct record_reader in = { .arena = &a, .ds = &ds };
		struct json_error err;
		struct expression e;
		const struct json *j = json_parse(&a, str_c(rows[i]), &err);

		CHECK_ROW(!record_expression_read(&in, j, &e), rows[i]);
		if (e.root)
			CHECK_STR(expression_json(e), rows[i]);
	}
}

/* A file is used only where it has the record's text. */
static void test_other_files(void)
{
	static const struct {
		const char *json, *at;
		bool in_file;
	} rows[] = {
		{ "{\"expr\":\"var.y\",\"at\":\"f.tf:1,5,4-1,10,9\"}",
		  "1,5-1,10", true },
		{ "{\"expr\":\"var.z\",\"at\":\"f.tf:1,5,4-1,10,9\"}",
		  "1,5-1,10", false },
		{ "{\"expr\":\"var.y\",\"at\":\"f.tf:7,5,90-7,10,95\"}",
		  "7,5-7,10", false },
		{ "{\"expr\":\"var.y\",\"at\":\"g.tf:1,5,4-1,10,9\"}",
		  "1,5-1,10", false },
		{ "{\"expr\":\"\\\"a\\\"\",\"syntax\":\"json\","
		  "\"at\":\"f.tf:1,5,4-1,8,7\"}",
		  "1,5-1,8", false },
		{ "{\"constant_value\":1,\"at\":\"f.tf:1,5,4-1,10,9\"}",
		  "1,5-1,10", true },
		{ "{\"constant_value\":1,\"at\":\"f.tf:7,5,90-7,10,95\"}",
		  "7,5-7,10", false },
	};
	struct source *file = source_new(&a, STR("f.tf"), STR("x = var.y\n"));
	struct sources files = { 0 };

	sources_put(&a, &files, file);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct record_reader in = { .arena = &a, .ds = &ds,
					    .sources = &files };
		struct json_error err;
		struct expression e;
		struct range r;

		CHECK_ROW(!record_expression_read(
				  &in, json_parse(&a, str_c(rows[i].json), &err),
				  &e),
			  rows[i].json);
		if (!e.root)
			continue;
		CHECK_ROW((e.src == file) == rows[i].in_file, rows[i].json);
		r = expression_range(e);
		CHECK_STR(str_printf(&a, "%u,%u-%u,%u", r.start.line,
				     r.start.column, r.end.line, r.end.column),
			  rows[i].at);
	}
}

static void test_bad_expressions(void)
{
	static const char *const rows[] = {
		"{}", "{\"expr\":\"a b\"}", "{\"expr\":\"\"}",
		"{\"expr\":\"[\",\"at\":\"f:1,1,0-1,2,1\"}",
		"{\"expr\":\"{\",\"syntax\":\"json\"}", "5",
		"{\"constant_value\":1e99999999999}",
		"{\"constant_value\":{\"a\":[1e99999999999]}}",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct record_reader in = { .arena = &a, .ds = &ds };
		struct json_error err;
		struct expression e;
		const struct json *j = json_parse(&a, str_c(rows[i]), &err);

		CHECK_ROW(record_expression_read(&in, j, &e) == -1,
			  rows[i]);
		CHECK_ROW(ds.errors > 0, rows[i]);
	}
}

static void test_positions(void)
{
	static const char *const bad[] = {
		"\"\"", "\"f\"", "\"f:1,1,0\"", "\"f:1,1,0-1,1\"", "5",
		"\"f:0,1,0-1,1,1\"", "\"f:2,1,9-1,1,10\"",
		"\"f:1,1,9-1,1,1\"", "\"f:1,1,99999999999-1,1,1\"",
		"\"f:1,,0-1,1,1\"",
	};
	struct diags ds = DIAGS_INIT(&a);
	struct record_reader in = { .arena = &a, .ds = &ds };
	struct json_error err;
	struct range r;

	CHECK(record_at_read(&in, json_parse(&a, STR("\"a:b-c:1,2,3-4,5,6\""),
					    &err), &r) == 0);
	CHECK_STR(r.file, "a:b-c");
	CHECK(r.start.line == 1 && r.start.column == 2 && r.start.byte == 3 &&
	      r.end.line == 4 && r.end.column == 5 && r.end.byte == 6);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_ROW(record_at_read(&in,
					 json_parse(&a, str_c(bad[i]), &err),
					 &r) == -1,
			  bad[i]);
}

/* --- bodies --- */

static void test_bad_bodies(void)
{
	static const char *const rows[] = {
		"{}",
		"5",
		"{\"at\":\"f:1,1,0-1,1,0\",\"attributes\":5}",
		"{\"at\":\"f:1,1,0-1,1,0\",\"attributes\":{\"a\":{}}}",
		"{\"at\":\"f:1,1,0-1,1,0\",\"blocks\":{}}",
		"{\"at\":\"f:1,1,0-1,1,0\",\"blocks\":[{}]}",
		"{\"at\":\"f:1,1,0-1,1,0\",\"blocks\":[{\"type\":\"x\","
		"\"at\":\"f:1,1,0-1,1,0\",\"labels\":[1]}]}",
		"{\"at\":\"f:1,1,0-1,1,0\",\"expr\":\"[\","
		"\"syntax\":\"json\"}",
		"{\"merge\":\"union\"}",
		"{\"merge\":\"union\",\"first\":{\"at\":"
		"\"f:1,1,0-1,1,0\"}}",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct record_reader in = { .arena = &a, .ds = &ds };
		struct json_error err;
		struct body *b;

		CHECK_ROW(record_body_read(&in, json_parse(&a, str_c(rows[i]),
							   &err), &b) == -1,
			  rows[i]);
		CHECK_ROW(ds.errors > 0, rows[i]);
	}
}

/* A body read back reports the same mistakes at the same places. */
static struct str mistakes(const struct body *b)
{
	static const struct attr_schema attrs[] = { { "need", true },
						    { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "inner", { "label" } }, { NULL, { NULL } }
	};
	static const struct body_schema schema = { attrs, blocks };
	struct diags ds = DIAGS_INIT(&a);
	struct body_content c;
	struct buf out = BUF_INIT;
	struct str s;

	body_content(&a, b, &schema, &c, &ds);
	for (size_t i = 0; i < ds.len; i++) {
		struct range *r = &ds.items[i].subject;

		buf_addf(&out, "%.*s %u,%u,%u-%u,%u,%u\n",
			 STR_ARG(ds.items[i].summary), r->start.line,
			 r->start.column, r->start.byte, r->end.line,
			 r->end.column, r->end.byte);
	}
	s = buf_dup(&a, &out);
	buf_release(&out);
	return s;
}

static void test_body_positions(void)
{
	static const char text[] = "one    = 1\ntwo = \"\xc3\xa9\"\n"
				   "inner \"a\"  \"b\" {\n  x = 1\n}\n"
				   "inner {\n}\nother {\n}\n";
	struct diags ds = DIAGS_INIT(&a);
	struct source *src = source_new(&a, STR("f.tf"), STR(text));
	struct sources files = { 0 };
	struct record_reader apart = { .arena = &a, .ds = &ds },
			     in = { .arena = &a, .ds = &ds, .sources = &files };
	struct body *b = parse_native(&a, src, &ds), *back;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	struct json_error err;
	struct str want;

	CHECK(ds.len == 0);
	record_body(&w, b);
	want = mistakes(b);
	CHECK(want.n > 100);
	CHECK(record_body_read(&apart, json_parse(&a, buf_view(&out), &err),
			       &back) == 0);
	CHECK_STR(mistakes(back), want.p);
	sources_put(&a, &files, src);
	CHECK(record_body_read(&in, json_parse(&a, buf_view(&out), &err),
			       &back) == 0);
	CHECK(back->src == src && back->attrs.items[1].expr.src == src &&
	      back->blocks.items[0].src == src);
	CHECK_STR(mistakes(back), want.p);
	buf_release(&out);
}

/* --- redaction --- */

static void test_redact(void)
{
	static const struct {
		const char *kind, *members, *want; /* want NULL: unchanged */
	} rows[] = {
		{ "source", "\"text\":\"hush\"", NULL },
		{ "x", "\"value\":{\"value\":1,\"sensitive\":[[]]}", NULL },
		{ "variable_value", "\"value\":{\"value\":1}", NULL },
		{ "variable_value",
		  "\"value\":{\"value\":1,\"sensitive\":[[]]}",
		  "\"value\":{\"value\":\"(sensitive value)\","
		  "\"sensitive\":[[]]}" },
		{ "local_value",
		  "\"value\":{\"value\":{\"a\":[1,2],\"b\":3},"
		  "\"sensitive\":[[\"a\",1],[\"c\"]]}",
		  "\"value\":{\"value\":{\"a\":[1,\"(sensitive value)\"],"
		  "\"b\":3},\"sensitive\":[[\"a\",1],[\"c\"]]}" },
		{ "variable_value",
		  "\"value\":{\"value\":{\"k\":1},"
		  "\"type\":[\"object\",{\"k\":\"number\"}],"
		  "\"sensitive\":[[]]},"
		  "\"given\":{\"value\":{\"a\":[{\"k\":1}]},"
		  "\"type\":[\"object\",{\"a\":[\"list\",[\"object\","
		  "{\"k\":\"number\"}]]}],\"sensitive\":[[\"a\",0]]}",
		  "\"value\":{\"value\":\"(sensitive value)\","
		  "\"type\":\"(sensitive value)\",\"sensitive\":[[]]},"
		  "\"given\":{\"value\":{\"a\":[\"(sensitive value)\"]},"
		  "\"type\":[\"object\",{\"a\":[\"list\","
		  "\"(sensitive value)\"]}],\"sensitive\":[[\"a\",0]]}" },
		{ "resource_change",
		  "\"change\":{\"after\":{\"a\":{\"k\":1}},"
		  "\"after_unknown\":{\"a\":{\"k\":true},\"b\":true},"
		  "\"after_sensitive\":{\"a\":true}}",
		  "\"change\":{\"after\":{\"a\":\"(sensitive value)\"},"
		  "\"after_unknown\":{\"a\":\"(sensitive value)\","
		  "\"b\":true},\"after_sensitive\":{\"a\":true}}" },
		/* A map's key "1" is no position. */
		{ "local_value",
		  "\"value\":{\"value\":{\"1\":2},\"sensitive\":[[1]]}",
		  NULL },
		{ "plan",
		  "\"variables\":{\"s\":{\"value\":7,\"sensitive\":[[]]},"
		  "\"t\":{\"value\":8}}",
		  "\"variables\":{\"s\":{\"value\":\"(sensitive value)\","
		  "\"sensitive\":[[]]},\"t\":{\"value\":8}}" },
		{ "previous_run_state",
		  "\"provider\":\"p\",\"attributes\":{\"a\":1},"
		  "\"private\":\"eA==\",\"identity\":{\"i\":1}",
		  "\"provider\":\"p\",\"attributes\":\"(sensitive value)\","
		  "\"private\":\"(sensitive value)\","
		  "\"identity\":\"(sensitive value)\"" },
		{ "previous_output",
		  "\"value\":{\"value\":1},\"sensitive\":true",
		  "\"value\":\"(sensitive value)\",\"sensitive\":true" },
		{ "previous_output",
		  "\"value\":{\"value\":1},\"sensitive\":false", NULL },
		{ "resource_change",
		  "\"change\":{\"actions\":[\"update\"],"
		  "\"before\":{\"a\":1,\"b\":[2,3]},"
		  "\"after\":{\"a\":4,\"b\":[5,6]},"
		  "\"before_sensitive\":{\"a\":true,\"b\":[false,true]},"
		  "\"after_sensitive\":true}",
		  "\"change\":{\"actions\":[\"update\"],"
		  "\"before\":{\"a\":\"(sensitive value)\","
		  "\"b\":[2,\"(sensitive value)\"]},"
		  "\"after\":\"(sensitive value)\","
		  "\"before_sensitive\":{\"a\":true,\"b\":[false,true]},"
		  "\"after_sensitive\":true}" },
		{ "planned",
		  "\"planned\":{\"value\":{\"a\":1},"
		  "\"sensitive\":[[\"a\"]]},\"planned_private\":\"eA==\"",
		  "\"planned\":{\"value\":{\"a\":\"(sensitive value)\"},"
		  "\"sensitive\":[[\"a\"]]},"
		  "\"planned_private\":\"(sensitive value)\"" },
		/* Refinements of unknown values, and keys of maps. */
		{ "planned",
		  "\"planned\":{\"value\":{\"a\":null,\"b\":null},\"unknown\":["
		  "{\"path\":[\"a\"],\"prefix\":\"hush\"},"
		  "{\"path\":[\"a\",\"key\"]},"
		  "{\"path\":[\"b\"],\"prefix\":\"x\"}],"
		  "\"numbers\":[[\"a\",\"key\"],[\"b\"]],"
		  "\"sensitive\":[[\"a\"]]}",
		  "\"planned\":{\"value\":{\"a\":\"(sensitive value)\","
		  "\"b\":null},\"unknown\":["
		  "{\"path\":[\"b\"],\"prefix\":\"x\"}],"
		  "\"numbers\":[[\"b\"]],\"sensitive\":[[\"a\"]]}" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *in = arena_printf(&a, "{\"record\":\"%s\",%s}",
					      rows[i].kind, rows[i].members);
		const char *want = arena_printf(
			&a, "{\"record\":\"%s\",%s}", rows[i].kind,
			rows[i].want ? rows[i].want : rows[i].members);
		struct buf out = BUF_INIT;

		stream_redact(&a, str_c(rows[i].kind), str_c(in), &out);
		CHECK_STR(buf_view(&out), want);
		buf_set_len(&out, 0);
		/* Unreadable records are not shown. */
		stream_redact(&a, STR("plan"), STR("{\"record\":\"plan\",7"),
			      &out);
		CHECK_STR(buf_view(&out), "{\"record\":\"plan\"}");
		buf_release(&out);
	}
}

/* --- seals --- */

static bool same_seal(const char *x, const char *y)
{
	const char *lines[] = { x, y };
	struct buf out[2] = { BUF_INIT, BUF_INIT };
	bool same;

	for (int i = 0; i < 2; i++) {
		struct seal *s = seal_new();
		struct jw w = JW_INIT(&out[i]);

		seal_add_read(s, STR("plan"), str_c(lines[i]));
		jw_object(&w);
		seal_write(s, &w);
		jw_object_end(&w);
		seal_free(s);
	}
	same = str_eq(buf_view(&out[0]), buf_view(&out[1]));
	buf_release(&out[0]);
	buf_release(&out[1]);
	return same;
}

static const char *plan_of(const char *value)
{
	return arena_printf(&a, "{\"record\":\"plan\",\"some\":[%s,1,"
			    "\"and more that fills a word or two\"]}", value);
}

/* Spellings that programs may change, and differences that count. */
static void test_seals(void)
{
	static const struct {
		const char *x, *y;
		bool same;
	} rows[] = {
		{ "1.5", "1.50", true },
		{ "0.25", "2.5e-1", true },
		{ "-3.0", "-3", true },
		{ "100000000000000000000", "1e+20", true },
		{ "1000000000000000", "1E+15", true },
		{ "0.000000001", "1e-09", true },
		{ "0.0", "0", true },
		{ "\"\\u003ca\\u00e9\"", "\"<a\303\251\"", true },
		{ "\"a\\/b\"", "\"a/b\"", true },
		{ "{\"a\":1}", "{\"a\": 1}", false }, /* begins as ours */
		{ "1.5", "1.6", false },
		{ "15", "1.5", false },
		{ "100000000000000000000", "100000000000000000001", false },
		{ "\"1.5\"", "\"1.50\"", false },
		{ "\"10.0.0.1\"", "\"10.0.0.2\"", false },
		{ "\"a\"", "\"b\"", false },
		{ "[1,2]", "[2,1]", false },
		{ "1", "\"1\"", false },
		{ "true", "null", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK(same_seal(plan_of(rows[i].x), plan_of(rows[i].x)));
		CHECK(same_seal(plan_of(rows[i].x), plan_of(rows[i].y)) ==
		      rows[i].same);
	}
	CHECK(same_seal(plan_of("{\"a\":1}"),
			"{\"record\": \"plan\", \"some\": [{\"a\": 1}, 1, "
			"\"and more that fills a word or two\"]}"));
}

static struct str sealed(struct str line, bool one_form)
{
	struct buf out = BUF_INIT;
	struct seal *s = seal_new();
	struct jw w = JW_INIT(&out);
	struct str text;

	seal_add_own(s, STR("plan"), line, one_form);
	jw_object(&w);
	seal_write(s, &w);
	jw_object_end(&w);
	seal_free(s);
	text = buf_dup(&a, &out);
	buf_release(&out);
	return text;
}

/* Text with only one written form needs no second look: its seal is the
 * same. */
static void test_written_forms(void)
{
	static const char *const strings[] = {
		"a:1.50", ":1e+5", ",0.0", "[-3.0", "[0000000000000000",
		":10000000000000000", "\\u0041", "\\/", "/", "\001", "\n\t\b",
		"\342\200\250", "\342\200\246", "\303\251", "\377", "<>&", "\"",
		"e+", "1.e-5", "",
	};
	static const char *const raw[] = {
		"1.50", "1e+20", "[1.0,2]", "0.1", "-0.0", "12", "true",
		"\"\\u003c\"", "[1000000000000000000000]",
	};
	static const int64_t ints[] = {
		0, -1, 999999999999999, 1000000000000000, -1000000000000000,
		INT64_MAX, INT64_MIN, 5000000000000000000,
	};
	size_t nstrings = sizeof(strings) / sizeof(*strings);
	size_t nraw = sizeof(raw) / sizeof(*raw);
	size_t n = nstrings + nraw + sizeof(ints) / sizeof(*ints), plain = 0;

	for (size_t i = 0; i < n; i++) {
		struct buf b = BUF_INIT;
		struct jw w = JW_INIT(&b);

		jw_object(&w);
		jw_member_str(&w, "record", STR("plan"));
		jw_key(&w, "x");
		if (i < nstrings)
			jw_cstr(&w, strings[i]);
		else if (i < nstrings + nraw)
			jw_raw(&w, str_c(raw[i - nstrings]));
		else
			jw_int(&w, ints[i - nstrings - nraw]);
		jw_object_end(&w);
		plain += !w.varied;
		CHECK_STR(sealed(buf_view(&b), !w.varied),
			  arena_printf(&a, "%.*s", STR_ARG(sealed(
				       buf_view(&b), false))));
		buf_release(&b);
	}
	CHECK(plain >= 20 && plain <= n - 10);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_framing());
	RUN(test_seals());
	RUN(test_written_forms());
	RUN(test_redact());
	RUN(test_bad_framing());
	RUN(test_long_lines());
	RUN(test_writing());
	RUN(test_expressions());
	RUN(test_foreign_constants());
	RUN(test_other_files());
	RUN(test_bad_expressions());
	RUN(test_positions());
	RUN(test_bad_bodies());
	RUN(test_body_positions());
	arena_release(&a);
	return test_done("stream");
}
