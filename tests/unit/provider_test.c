/* provider_test.c - the built-in provider, and schemas as JSON */
#include <stdlib.h>
#include <unistd.h>

#include "json/read.h"
#include "json/write.h"
#include "test.h"
#include "base/io.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "provider/provider_int.h"
#include "provider/provider.h"
#include "provider/schema_cache.h"
#include "value/value.h"
#include "value/refine.h"

static struct arena arena;
static struct loop *loop;
static struct provider *provider;

static const struct value *expr(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("test"), str_c(text));
	const struct value *v = eval_expression(
		&arena, NULL, parse_expression(&arena, src, &ds), &ds);

	CHECK_ROW(!diags_failed(&ds), text);
	return v;
}

/* An object of terraform_data: what is left out is null. */
static const struct value *data(const char *text)
{
	static const struct str names[] = { STR_INIT("id"), STR_INIT("input"),
					    STR_INIT("output"),
					    STR_INIT("triggers_replace") };
	const struct value *v = expr(text), *attrs[4];

	if (value_is_null(v))
		return v;
	for (int i = 0; i < 4; i++) {
		attrs[i] = value_get(v, names[i]);
		if (!attrs[i])
			attrs[i] = value_null(&arena, i ? &type_dynamic
							: &type_string);
	}
	return value_object(&arena, names, attrs, 4);
}

static void count_done(struct provider_request *r)
{
	++*(int *)r->data;
}

static void call(struct provider_request *r, enum provider_call what)
{
	int done = 0;

	r->call = what;
	r->arena = &arena;
	if (!r->type.n)
		r->type = STR("terraform_data");
	r->done = count_done;
	r->data = &done;
	provider_start(provider, r);
	CHECK(done == 0); /* never from inside */
	CHECK(loop_run(loop, NULL) == 0);
	CHECK(done == 1);
}

static const struct value *attr(const struct value *v, const char *name)
{
	return value_get(v, str_c(name));
}

static bool is_uuid(const struct value *v)
{
	struct str s = v->string;

	return v->state == VALUE_KNOWN && s.n == 36 && s.p[8] == '-' &&
	       s.p[13] == '-' && s.p[14] == '4' && s.p[18] == '-' &&
	       s.p[23] == '-' && strchr("89ab", s.p[19]);
}

static void test_create(void)
{
	struct provider_request plan = { .config = data("{input=[1]}") };
	struct provider_request apply = { .config = plan.config };

	plan.prior = value_null(&arena, &type_dynamic);
	plan.proposed = plan.config;
	call(&plan, CALL_PLAN);
	CHECK(plan.diags.len == 0);
	CHECK(attr(plan.state, "id")->state == VALUE_UNKNOWN);
	CHECK(value_definitely_not_null(attr(plan.state, "id")));
	CHECK(attr(plan.state, "output")->state == VALUE_UNKNOWN);
	CHECK(attr(plan.state, "output")->type == expr("[1]")->type);
	CHECK(plan.requires_replace.len == 0);

	apply.prior = plan.prior;
	apply.planned = plan.state;
	call(&apply, CALL_APPLY);
	CHECK(is_uuid(attr(apply.state, "id")));
	CHECK(value_identical(attr(apply.state, "output"), expr("[1]")));
	CHECK(value_wholly_known(apply.state));
}

static void test_create_null(void)
{
	struct provider_request plan = { .config = data("{}") };

	plan.prior = value_null(&arena, &type_dynamic);
	plan.proposed = plan.config;
	call(&plan, CALL_PLAN);
	CHECK(attr(plan.state, "output")->state == VALUE_NULL);
}

/* Each row: prior, proposed; is the id new, is the output, is it replaced? */
static void test_changes(void)
{
	static const struct {
		const char *prior, *proposed;
		bool new_id, new_output, replace;
	} rows[] = {
		{ "{id=\"i\",input=1,output=1}", "{id=\"i\",input=1,output=1}",
		  false, false, false },
		{ "{id=\"i\",input=1,output=1}", "{id=\"i\",input=2,output=1}",
		  false, true, false },
		{ "{id=\"i\",input=1,output=1}",
		  "{id=\"i\",input=\"1\",output=1}", false, true, false },
		{ "{id=\"i\",input=1,output=1}", "{id=\"i\",output=1}", false,
		  true, false },
		{ "{id=\"i\",triggers_replace=1}",
		  "{id=\"i\",triggers_replace=2}", true, false, true },
		{ "{id=\"i\"}", "{id=\"i\",input=1,triggers_replace=2}", true,
		  true, true },
		{ "{id=\"i\",triggers_replace=[1]}",
		  "{id=\"i\",triggers_replace=[1]}", false, false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct provider_request r = { .prior = data(rows[i].prior) };

		r.config = r.proposed = data(rows[i].proposed);
		call(&r, CALL_PLAN);
		CHECK_ROW(rows[i].new_id ==
			  (attr(r.state, "id")->state == VALUE_UNKNOWN),
			  rows[i].proposed);
		CHECK_ROW(rows[i].new_output ==
			  (attr(r.state, "output")->state == VALUE_UNKNOWN),
			  rows[i].proposed);
		CHECK_ROW(rows[i].replace == (r.requires_replace.len == 1),
			  rows[i].proposed);
		if (rows[i].replace)
			CHECK_STR(path_text(&arena,
					    r.requires_replace.items[0]),
				  ".triggers_replace");
	}
}

static void test_destroy(void)
{
	struct provider_request r = { .prior = data("{id=\"i\"}") };

	r.planned = r.proposed = value_null(&arena, &type_dynamic);
	call(&r, CALL_PLAN);
	CHECK(value_is_null(r.state));
	call(&r, CALL_APPLY);
	CHECK(value_is_null(r.state) && r.diags.len == 0);
}

static void test_validate(void)
{
	struct provider_request good = { .config = data("{input=1}") };
	struct provider_request bad = {
		.config = data("{id=\"x\",output=2}")
	};

	call(&good, CALL_VALIDATE_RESOURCE);
	CHECK(good.diags.len == 0);
	call(&bad, CALL_VALIDATE_RESOURCE);
	CHECK(bad.diags.errors == 2);
	CHECK_STR(bad.diags.items[0].summary, "\"id\" attribute is read-only");
	CHECK_STR(bad.diags.items[1].summary,
		  "\"output\" attribute is read-only");
}

static void test_state(void)
{
	struct provider_request r = {
		.raw_state = STR("{\"id\":\"i\",\"input\":{\"value\":[1,\"a\"],"
				 "\"type\":[\"tuple\",[\"number\","
				 "\"string\"]]},\"output\":null}"),
	};
	struct provider_request bad = { .raw_state = STR("{\"id\":[]}") };
	struct provider_request read = { .prior = data("{id=\"i\"}") };
	struct provider_request import = { .import_id = STR("given") };

	call(&r, CALL_UPGRADE);
	CHECK(r.state && value_identical(attr(r.state, "input"),
					 expr("[1, \"a\"]")));
	call(&bad, CALL_UPGRADE);
	CHECK(!bad.state && bad.diags.errors == 1);
	call(&read, CALL_READ_RESOURCE);
	CHECK(read.state == read.prior);
	call(&import, CALL_IMPORT);
	CHECK(import.nimported == 1);
	CHECK_STR(attr(import.imported[0].state, "id")->string, "given");
	CHECK(value_is_null(attr(import.imported[0].state, "input")));
}

static void test_move(void)
{
	struct provider_request r = {
		.source_type = STR("null_resource"),
		.raw_state = STR("{\"id\":\"7\",\"triggers\":{\"a\":\"b\"}}"),
	};
	struct provider_request bad = { .source_type = STR("aws_thing"),
					.raw_state = STR("{}") };

	call(&r, CALL_MOVE);
	CHECK_STR(attr(r.state, "id")->string, "7");
	CHECK(value_identical(attr(r.state, "triggers_replace"),
			      expr("{a = \"b\"}")));
	call(&bad, CALL_MOVE);
	CHECK(bad.diags.errors == 1 && !bad.state);
}

/* --- terraform_remote_state --- */

static const char state_text[] =
	"{\"version\":4,\"terraform_version\":\"1.12.6\",\"serial\":1,"
	"\"lineage\":\"l\",\"outputs\":{\"a\":{\"value\":1,\"type\":\"number\"},"
	"\"s\":{\"value\":\"x\",\"type\":\"string\",\"sensitive\":true}},"
	"\"resources\":[],\"check_results\":null}";

static struct provider_request remote(const char *config)
{
	static const struct str names[] = {
		STR_INIT("backend"), STR_INIT("config"), STR_INIT("defaults"),
		STR_INIT("outputs"), STR_INIT("workspace"),
	};
	const struct value *v = expr(config), *attrs[5];
	struct provider_request r = { .mode = MODE_DATA,
				      .type = STR("terraform_remote_state"),
				      .address = STR("data.t.x") };

	for (int i = 0; i < 5; i++) {
		attrs[i] = value_get(v, names[i]);
		if (!attrs[i])
			attrs[i] = value_null(&arena, &type_dynamic);
	}
	r.config = value_object(&arena, names, attrs, 5);
	return r;
}

static void test_remote_state(void)
{
	char dir[] = "/tmp/provider_test.XXXXXX";
	struct provider_request r;

	CHECK(mkdtemp(dir) != NULL);
	CHECK(io_replace_file(arena_printf(&arena, "%s/x.tfstate", dir),
			      state_text, sizeof(state_text) - 1, 0600) == 0);
	r = remote(arena_printf(&arena, "{backend=\"local\",config={path="
				"\"%s/x.tfstate\"},defaults={a=5,b=6}}", dir));
	call(&r, CALL_VALIDATE_RESOURCE);
	CHECK(r.diags.len == 0);
	call(&r, CALL_READ_DATA);
	CHECK(r.diags.len == 0);
	CHECK(value_identical(attr(r.state, "outputs"),
			      expr("{a = 1, b = 6, s = \"x\"}")));
	r = remote(arena_printf(&arena, "{backend=\"local\",workspace=\"w\","
				"config={workspace_dir=\"%s\"}}", dir));
	call(&r, CALL_READ_DATA);
	CHECK(r.diags.errors == 2 && !r.state);
	CHECK_STR(r.diags.items[0].summary, "Unable to find remote state");
	CHECK_STR(r.diags.items[1].summary,
		  "data.t.x: Unable to read remote state");
	CHECK(unlink(arena_printf(&arena, "%s/x.tfstate", dir)) == 0);
	CHECK(rmdir(dir) == 0);
}

static void test_remote_state_config(void)
{
	static const char *const rows[][2] = {
		{ "{backend=\"moon\"}", "Invalid backend configuration" },
		{ "{backend=\"local\",config=7}",
		  "Invalid backend configuration" },
		{ "{backend=\"local\",config={nonsense=1}}",
		  "Invalid backend configuration" },
		{ "{backend=\"local\",config={path=\"\"}}",
		  "Invalid local state file path" },
		{ "{backend=\"local\",defaults=[1]}",
		  "Invalid default values" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct provider_request r = remote(rows[i][0]);

		call(&r, CALL_VALIDATE_RESOURCE);
		CHECK_ROW(r.diags.errors == 1, rows[i][0]);
		if (r.diags.len)
			CHECK_STR(r.diags.items[0].summary, rows[i][1]);
	}
}

/* --- functions --- */

static const struct value *function(const char *name, const char *arg,
				    struct str *error)
{
	struct provider_request r = { .nargs = 1 };
	const struct value *v = expr(arg);

	r.function = map_get(&provider->schema->functions, str_c(name));
	r.args = &v;
	call(&r, CALL_FUNCTION);
	*error = r.diags.len ? r.diags.items[0].detail : STR_NONE;
	return r.state;
}

static void test_functions(void)
{
	static const struct {
		const char *name, *arg, *want;
	} rows[] = {
		{ "encode_expr", "\"a$${b}\"", "\"a$${b}\"" },
		{ "encode_expr", "{b=[1,null],aaa=\"x\\ny\",\"k k\"=true}",
		  "{\n  aaa   = \"x\\ny\"\n  b     = [1, null]\n"
		  "  \"k k\" = true\n}" },
		{ "encode_expr", "[]", "[]" },
		{ "encode_expr", "{}", "{}" },
		{ "encode_tfvars", "{a=1,long={x=\"y\"}}",
		  "a = 1\nlong = {\n  x = \"y\"\n}\n" },
		{ "encode_tfvars", "{}", "" },
	};
	struct str error;
	const struct value *v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		v = function(rows[i].name, rows[i].arg, &error);
		CHECK_ROW(v != NULL, rows[i].arg);
		if (v)
			CHECK_STR(v->string, rows[i].want);
	}
	v = function("decode_tfvars", "\"a = 1\\nb = [true]\\n\"", &error);
	CHECK(v && value_identical(v, expr("{a = 1, b = [true]}")));
	CHECK(!function("decode_tfvars", "\"a = var.x\"", &error));
	CHECK(str_starts(error, "failed to decode tfvars content"));
	CHECK(!function("decode_tfvars", "\"b {}\"", &error));
	CHECK(!function("decode_tfvars", "\"a =\"", &error));
	CHECK(!function("encode_tfvars", "\"x\"", &error));
	CHECK_STR(error, "invalid input: must be an object");
	CHECK(!function("encode_tfvars", "{\"a b\" = 1}", &error));
	CHECK_STR(error, "invalid input: object key: a b - must be a valid "
			 "identifier");
}

/* --- schemas --- */

static const char schema_text[] =
	"{\"attributes\":{\"a\":{\"type\":[\"list\",\"string\"],"
	"\"description\":\"d\",\"description_kind\":\"markdown\","
	"\"required\":true,\"sensitive\":true},"
	"\"n\":{\"nested_type\":{\"attributes\":{\"x\":{\"type\":\"number\","
	"\"description_kind\":\"plain\",\"optional\":true,\"write_only\":true}},"
	"\"nesting_mode\":\"map\"},\"description_kind\":\"plain\","
	"\"deprecated\":true,\"deprecation_message\":\"m\",\"computed\":true}},"
	"\"block_types\":{\"b\":{\"nesting_mode\":\"set\",\"block\":{"
	"\"attributes\":{\"c\":{\"type\":\"bool\",\"description_kind\":"
	"\"plain\",\"optional\":true}},\"description_kind\":\"plain\"},"
	"\"min_items\":1,\"max_items\":4}},\"description_kind\":\"plain\"}";

static void test_schema_json(void)
{
	static const char *const bad[] = {
		"[]", "{\"attributes\":[]}", "{\"attributes\":{\"a\":{}}}",
		"{\"attributes\":{\"a\":{\"type\":\"nonsense\"}}}",
		("{\"block_types\":{\"b\":{\"nesting_mode\":\"heap\","
		 "\"block\":{}}}}"),
		"{\"block_types\":{\"b\":{\"nesting_mode\":\"list\"}}}",
	};
	struct json_error err;
	const struct schema_block *b = schema_block_from_json(
		&arena, json_parse(&arena, str_c(schema_text), &err));
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);

	CHECK(b && b->nattrs == 2 && b->nblocks == 1);
	CHECK(b->attrs[1].type->kind == TYPE_MAP);
	CHECK(b->implied && type_attr_index(b->implied, STR("b")) >= 0);
	schema_block_json(&w, b);
	CHECK_STR(buf_view(&out), schema_text);
	buf_release(&out);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_ROW(!schema_block_from_json(
				  &arena, json_parse(&arena, str_c(bad[i]),
						     &err)),
			  bad[i]);
}

/* Delayed and shuffled, all requests are still answered, in another order. */
static int order[8], norder;

static void note_order(struct provider_request *r)
{
	order[norder++] = *(int *)r->data;
}

static void test_shuffle(void)
{
	struct provider *slow = provider_builtin_new(&arena, loop, 5, true);
	struct provider_request r[8] = { 0 };
	int numbers[8];
	bool sorted = true;

	for (int i = 0; i < 8; i++) {
		numbers[i] = i;
		r[i].call = CALL_READ_RESOURCE;
		r[i].arena = &arena;
		r[i].type = STR("terraform_data");
		r[i].prior = data("{id=\"i\"}");
		r[i].done = note_order;
		r[i].data = &numbers[i];
		provider_start(slow, &r[i]);
	}
	CHECK(loop_run(loop, NULL) == 0);
	CHECK(norder == 8);
	for (int i = 1; i < norder; i++)
		sorted &= order[i - 1] < order[i];
	CHECK(!sorted);
	slow->ops->close(slow);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	loop = loop_new();
	provider = provider_builtin_new(&arena, loop, 0, false);
	RUN(test_create());
	RUN(test_create_null());
	RUN(test_changes());
	RUN(test_destroy());
	RUN(test_validate());
	RUN(test_state());
	RUN(test_move());
	RUN(test_remote_state());
	RUN(test_remote_state_config());
	RUN(test_functions());
	RUN(test_schema_json());
	RUN(test_shuffle());
	provider->ops->close(provider);
	loop_free(loop);
	arena_release(&arena);
	return test_done("provider");
}
