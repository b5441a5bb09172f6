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

/* Of what there is (NULL: nothing) to this. */
static struct provider_request planning(const struct value *prior,
					const struct value *config)
{
	if (!prior)
		prior = value_null(&arena, &type_dynamic);
	return (struct provider_request){
		.plan.in = { .config = config,
			     .proposed = config,
			     .prior.value = prior },
	};
}

static void test_create(void)
{
	const struct value *config = data("{input=[1]}");
	struct provider_request plan = planning(NULL, config);
	struct provider_request apply = { .apply.in.config = config };
	const struct value *v;

	call(&plan, CALL_PLAN);
	v = plan.plan.out.planned.value;
	CHECK(plan.diags.len == 0);
	CHECK(attr(v, "id")->state == VALUE_UNKNOWN);
	CHECK(value_definitely_not_null(attr(v, "id")));
	CHECK(attr(v, "output")->state == VALUE_UNKNOWN);
	CHECK(attr(v, "output")->type == expr("[1]")->type);
	CHECK(plan.plan.out.requires_replace.len == 0);

	apply.apply.in.prior = plan.plan.in.prior.value;
	apply.apply.in.planned = plan.plan.out.planned;
	call(&apply, CALL_APPLY);
	v = apply.apply.out.object.value;
	CHECK(is_uuid(attr(v, "id")));
	CHECK(value_identical(attr(v, "output"), expr("[1]")));
	CHECK(value_wholly_known(v));
}

static void test_create_null(void)
{
	struct provider_request r = planning(NULL, data("{}"));

	call(&r, CALL_PLAN);
	CHECK(attr(r.plan.out.planned.value, "output")->state == VALUE_NULL);
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
		struct provider_request r = planning(data(rows[i].prior),
						     data(rows[i].proposed));
		const struct path_vec *replace = &r.plan.out.requires_replace;
		const struct value *v;

		call(&r, CALL_PLAN);
		v = r.plan.out.planned.value;
		CHECK_ROW(rows[i].new_id ==
				  (attr(v, "id")->state == VALUE_UNKNOWN),
			  rows[i].proposed);
		CHECK_ROW(rows[i].new_output ==
				  (attr(v, "output")->state == VALUE_UNKNOWN),
			  rows[i].proposed);
		CHECK_ROW(rows[i].replace == (replace->len == 1),
			  rows[i].proposed);
		if (rows[i].replace)
			CHECK_STR(path_text(&arena, replace->items[0]),
				  ".triggers_replace");
	}
}

static void test_destroy(void)
{
	const struct value *null = value_null(&arena, &type_dynamic);
	const struct value *prior = data("{id=\"i\"}");
	struct provider_request r = planning(prior, null);

	call(&r, CALL_PLAN);
	CHECK(value_is_null(r.plan.out.planned.value));
	r = (struct provider_request){ .apply.in = { .config = null,
						     .prior = prior,
						     .planned.value = null } };
	call(&r, CALL_APPLY);
	CHECK(value_is_null(r.apply.out.object.value) && r.diags.len == 0);
}

static void test_validate(void)
{
	struct provider_request good = { .check.in = { data("{input=1}") } };
	struct provider_request bad = {
		.check.in = { data("{id=\"x\",output=2}") }
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
		.upgrade.in.state =
			STR("{\"id\":\"i\",\"input\":{\"value\":[1,\"a\"],"
			    "\"type\":[\"tuple\",[\"number\","
			    "\"string\"]]},\"output\":null}"),
	};
	struct provider_request bad = { .upgrade.in.state =
						STR("{\"id\":[]}") };
	struct provider_request read = { .read.in = { data("{id=\"i\"}"), STR("p"),
						     NULL } };
	struct provider_request import = { .import.in.id = STR("given") };
	const struct value *v;

	call(&r, CALL_UPGRADE);
	v = r.upgrade.out.value;
	CHECK(v && value_identical(attr(v, "input"), expr("[1, \"a\"]")));
	call(&bad, CALL_UPGRADE);
	CHECK(!bad.upgrade.out.value && bad.diags.errors == 1);
	call(&read, CALL_READ_RESOURCE);
	CHECK(read.read.out.value == read.read.in.value);
	CHECK_STR(read.read.out.private_data, "p");
	call(&import, CALL_IMPORT);
	CHECK(import.import.out.n == 1);
	v = import.import.out.imported[0].object.value;
	CHECK_STR(attr(v, "id")->string, "given");
	CHECK(value_is_null(attr(v, "input")));
}

static void test_move(void)
{
	struct provider_request r = {
		.move.in = { .type = STR("null_resource"),
			     .state = STR("{\"id\":\"7\",\"triggers\":"
					  "{\"a\":\"b\"}}") },
	};
	struct provider_request bad = {
		.move.in = { .type = STR("aws_thing"), .state = STR("{}") },
	};

	call(&r, CALL_MOVE);
	CHECK_STR(attr(r.move.out.value, "id")->string, "7");
	CHECK(value_identical(attr(r.move.out.value, "triggers_replace"),
			      expr("{a = \"b\"}")));
	call(&bad, CALL_MOVE);
	CHECK(bad.diags.errors == 1 && !bad.move.out.value);
}

/* --- terraform_remote_state --- */

static const char state_text[] =
	"{\"version\":4,\"terraform_version\":\"1.12.6\",\"serial\":1,"
	"\"lineage\":\"l\",\"outputs\":{\"a\":{\"value\":1,\"type\":\"number\"},"
	"\"s\":{\"value\":\"x\",\"type\":\"string\",\"sensitive\":true}},"
	"\"resources\":[],\"check_results\":null}";

/* To read it; or to check it. */
static struct provider_request remote(const char *config, bool check)
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
	v = value_object(&arena, names, attrs, 5);
	if (check)
		r.check.in.config = v;
	else
		r.read_data.in.config = v;
	return r;
}

static void test_remote_state(void)
{
	char dir[] = "/tmp/provider_test.XXXXXX";
	struct provider_request r;
	const char *config;

	CHECK(mkdtemp(dir) != NULL);
	CHECK(io_replace_file(arena_printf(&arena, "%s/x.tfstate", dir),
			      state_text, sizeof(state_text) - 1, 0600) == 0);
	config = arena_printf(&arena, "{backend=\"local\",config={path="
				      "\"%s/x.tfstate\"},defaults={a=5,b=6}}",
			      dir);
	r = remote(config, true);
	call(&r, CALL_VALIDATE_RESOURCE);
	CHECK(r.diags.len == 0);
	r = remote(config, false);
	call(&r, CALL_READ_DATA);
	CHECK(r.diags.len == 0);
	CHECK(value_identical(attr(r.read_data.out.value, "outputs"),
			      expr("{a = 1, b = 6, s = \"x\"}")));
	r = remote(arena_printf(&arena, "{backend=\"local\",workspace=\"w\","
				"config={workspace_dir=\"%s\"}}", dir), false);
	call(&r, CALL_READ_DATA);
	CHECK(r.diags.errors == 2 && !r.read_data.out.value);
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
		struct provider_request r = remote(rows[i][0], true);

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
	const struct value *v = expr(arg);
	struct provider_request r = {
		.function.in = { map_get(&provider->schema->functions,
					 str_c(name)),
				 &v, 1 },
	};

	call(&r, CALL_FUNCTION);
	*error = r.diags.len ? r.diags.items[0].detail : STR_NONE;
	return r.function.out.value;
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
		r[i].read.in.value = data("{id=\"i\"}");
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
