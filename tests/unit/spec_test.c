/*
 * spec_test.c - decoding bodies by a schema: nestings, dynamic blocks,
 * attributes written as blocks, references in bodies
 */
#include "lang/spec/decode.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"
#include "schema/objects.h"
#include "show_value.h"
#include "test.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/set.h"

static struct arena arena;

#define NAMED(n) .name = STR_INIT(n)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- schemas --- */

static struct schema_block *finish(const struct schema_attr *attrs,
				   size_t nattrs,
				   const struct schema_nested *blocks,
				   size_t nblocks)
{
	struct schema_block *b = ARENA_NEW(&arena, struct schema_block);

	b->attrs = arena_dup(&arena, attrs, nattrs * sizeof(*attrs));
	b->nattrs = nattrs;
	b->blocks = arena_dup(&arena, blocks, nblocks * sizeof(*blocks));
	b->nblocks = nblocks;
	return b;
}

/* A block in each nesting, each with the attributes n and s. */
static const struct schema_block *nesting_schema(void)
{
	const struct schema_attr inside[] = {
		{ NAMED("s"), .type = &type_string, .optional = true },
		{ NAMED("n"), .type = &type_number, .required = true },
	};
	const struct schema_attr attrs[] = {
		{ NAMED("name"), .type = &type_string, .required = true },
		{ NAMED("tags"), .type = type_map(&type_string),
		  .optional = true },
		{ NAMED("id"), .type = &type_string, .computed = true },
	};
	const struct schema_block *in =
		finish(inside, COUNT(inside), NULL, 0);
	const struct schema_nested blocks[] = {
		{ STR_INIT("single"), NESTING_SINGLE, in, 0, 0 },
		{ STR_INIT("group"), NESTING_GROUP, in, 0, 0 },
		{ STR_INIT("list"), NESTING_LIST, in, 0, 2 },
		{ STR_INIT("set"), NESTING_SET, in, 0, 0 },
		{ STR_INIT("map"), NESTING_MAP, in, 0, 0 },
	};
	struct schema_block *b =
		finish(attrs, COUNT(attrs), blocks, COUNT(blocks));

	schema_block_finish(&arena, b);
	return b;
}

/* A schema like the old SDK's: attributes that may be blocks, required
 * blocks. */
static const struct schema_block *old_schema(void)
{
	const struct type_attr rule[] = {
		{ STR_INIT("port"), &type_number, false },
		{ STR_INIT("who"), &type_string, false },
	};
	const struct schema_attr attrs[] = {
		{ NAMED("rule"), .type = type_list(type_object(rule, 2)),
		  .optional = true, .computed = true },
		{ NAMED("rules"), .type = type_set(type_object(rule, 2)),
		  .required = true },
	};
	const struct schema_attr inside[] = {
		{ NAMED("v"), .type = &type_string, .optional = true },
	};
	const struct schema_block *in = finish(inside, 1, NULL, 0);
	const struct schema_nested blocks[] = {
		{ STR_INIT("one"), NESTING_SINGLE, in, 1, 1 },
		{ STR_INIT("many"), NESTING_LIST, in, 1, 0 },
	};
	struct schema_block *b = finish(attrs, 2, blocks, 2);

	schema_block_finish(&arena, b);
	return b;
}

/* Protocol 6: nested attributes; and a dynamically typed attribute in a
 * repeated block. */
static const struct schema_block *new_schema(void)
{
	static const struct schema_attr inner[] = {
		{ NAMED("a"), .type = &type_string, .required = true },
		{ NAMED("b"), .type = &type_number, .optional = true },
		{ NAMED("c"), .type = &type_bool, .computed = true },
	};
	static const struct schema_block object = { inner, 3 };
	static const struct schema_nested objects[] = {
		{ .nesting = NESTING_SINGLE, .block = &object },
		{ .nesting = NESTING_LIST, .block = &object },
		{ .nesting = NESTING_MAP, .block = &object },
	};
	const struct schema_attr attrs[] = {
		{ NAMED("o"), .nested = &objects[0], .optional = true },
		{ NAMED("l"), .nested = &objects[1], .optional = true },
		{ NAMED("m"), .nested = &objects[2], .optional = true },
		{ NAMED("w"), .type = &type_string, .optional = true,
		  .write_only = true },
	};
	const struct schema_attr any[] = {
		{ NAMED("v"), .type = &type_dynamic, .optional = true },
	};
	const struct schema_block *in = finish(any, 1, NULL, 0);
	const struct schema_nested blocks[] = {
		{ STR_INIT("any"), NESTING_LIST, in, 0, 0 },
		{ STR_INIT("anym"), NESTING_MAP, in, 0, 0 },
	};
	struct schema_block *b = finish(attrs, COUNT(attrs), blocks, 2);

	schema_block_finish(&arena, b);
	return b;
}

/* --- a scope: var.x --- */

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct value *ab[2];

	(void)data;
	(void)ds;
	ab[0] = value_string(ev->arena, STR("a"));
	ab[1] = value_string(ev->arena, STR("b"));
	if (!str_is(r->root, "var"))
		return NULL;
	*used = 1;
	if (str_is(r->steps[0].name, "unknown"))
		return &value_unknown_dynamic;
	if (str_is(r->steps[0].name, "unknown_set"))
		return value_unknown(ev->arena, type_set(&type_string));
	if (str_is(r->steps[0].name, "secret"))
		return value_with_marks(
			ev->arena,
			value_list(ev->arena, &type_string, ab, 2),
			&marks_sensitive);
	if (str_is(r->steps[0].name, "fleeting"))
		return value_with_marks(ev->arena, ab[0], &marks_ephemeral);
	if (str_is(r->steps[0].name, "set"))
		return value_set(ev->arena, &type_string, ab, 2);
	return value_list(ev->arena, &type_string, ab, 2);
}

static const struct scope scope = { .resolve = resolve };

static struct body *parse(const char *text, bool json, struct diags *ds)
{
	struct source *src = source_new(&arena, STR("t.tf"), str_c(text));

	return json ? parse_json_body(&arena, src, ds)
		    : parse_native(&arena, src, ds);
}

static struct str decode(const struct schema_block *schema, const char *text,
			 bool json)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct body *b = parse(text, json, &ds);
	const struct value *v;

	v = body_decode(&arena, b, schema, &scope, &ds);
	if (!schema->implied->has_dynamic)
		CHECK_ROW(v->type == schema->implied, text);
	return show_result(&arena, v, &ds);
}

/* Only the part of the result from member on, up to the next top-level one,
 * is compared: rows say what they are about. */
static struct str member(struct str all, const char *name)
{
	ptrdiff_t at;
	size_t end;
	int depth = 0;

	if (!*name || str_starts(all, "error"))
		return all;
	at = str_find(all, str_c(name));
	if (at < 0)
		return all;
	for (end = (size_t)at + strlen(name); end < all.n; end++) {
		char c = all.p[end];

		if (c == '{' || c == '[' || c == '(')
			depth++;
		if ((c == '}' || c == ']' || c == ')') && depth-- == 0)
			break;
		if (c == ',' && depth == 0)
			break;
	}
	return str_sub(all, (size_t)at + strlen(name), end);
}

struct row {
	const char *text, *member, *want;
};

static void run(const struct schema_block *schema, const struct row *rows,
		size_t n, bool json)
{
	for (size_t i = 0; i < n; i++) {
		struct str got = member(decode(schema, rows[i].text, json),
					rows[i].member);

		CHECK_ROW(str_is(got, rows[i].want), rows[i].text);
		if (!str_is(got, rows[i].want))
			test_note("\tgot  %.*s\n\twant %s", STR_ARG(got),
				  rows[i].want);
	}
}

/* --- tests --- */

#define N "name = \"x\"\n"

static const struct row nesting_rows[] = {
	{ N, "",
	  "{group:{n:number:null,s:string:null},id:string:null,list:[],"
	  "map:{},name:\"x\",set:set[],single:object:null,"
	  "tags:map of string:null}" },
	{ "", "", "error: Missing required argument" },
	{ "name = []\n", "", "error: Incorrect attribute value type" },
	{ "name = 1\n", "name:", "\"1\"" },
	{ N "tags = { a = 1 }\n", "tags:", "{a:\"1\"}" },
	{ N "nope = 1\n", "", "error: Unsupported argument" },
	{ N "nope {}\n", "", "error: Unsupported block type" },
	{ N "single {\n n = 1\n}\n", "single:", "{n:1,s:string:null}" },
	{ N "single {}\n", "", "error: Missing required argument" },
	{ N "single {\n n = 1\n}\nsingle {\n n = 2\n}\n", "",
	  "error: Duplicate single block" },
	{ N "list {\n n = 1\n}\nlist {\n n = 2\n s = \"b\"\n}\n", "list:",
	  "[{n:1,s:string:null},{n:2,s:\"b\"}]" },
	{ N "list {\n n = 1\n}\nlist {\n n = 2\n}\nlist {\n n = 3\n}\n", "",
	  "error: Too many list blocks" },
	{ N "set {\n n = 2\n}\nset {\n n = 2\n}\n", "set:",
	  "set[{n:2,s:string:null}]" },
	{ N "map \"k\" {\n n = 1\n}\nmap \"j\" {\n n = 2\n}\n", "map:",
	  "{j:{n:2,s:string:null},k:{n:1,s:string:null}}" },
	{ N "map \"k\" {\n n = 1\n}\nmap \"k\" {\n n = 2\n}\n", "",
	  "error: Duplicate map block" },
	{ N "map {\n n = 1\n}\n", "", "error: Missing key for map" },
	/* dynamic */
	{ N "dynamic \"list\" {\n for_each = [1, 2]\n content {\n"
	    " n = list.value\n s = list.key\n }\n}\n", "list:",
	  "[{n:1,s:\"0\"},{n:2,s:\"1\"}]" },
	{ N "dynamic \"list\" {\n for_each = {x = 1}\n iterator = it\n"
	    " content {\n n = it.value\n s = it.key\n }\n}\n", "list:",
	  "[{n:1,s:\"x\"}]" },
	{ N "list {\n n = 0\n}\ndynamic \"list\" {\n for_each = [1]\n"
	    " content {\n n = list.value\n }\n}\n", "list:",
	  "[{n:0,s:string:null},{n:1,s:string:null}]" },
	{ N "dynamic \"set\" {\n for_each = var.set\n content {\n n = 1\n"
	    " s = \"${set.key}${set.value}\"\n }\n}\n", "set:",
	  "set[{n:1,s:\"aa\"},{n:1,s:\"bb\"}]" },
	{ N "dynamic \"map\" {\n for_each = [1, 2]\n labels = [\"k${map.key}\"]"
	    "\n content {\n n = map.value\n }\n}\n", "map:",
	  "{k0:{n:1,s:string:null},k1:{n:2,s:string:null}}" },
	{ N "dynamic \"map\" {\n for_each = [1]\n labels = []\n content {\n"
	    " n = 1\n }\n}\n", "",
	  "error: Insufficient dynamic block labels" },
	{ N "dynamic \"map\" {\n for_each = [1]\n labels = [1, 2]\n"
	    " content {\n n = 1\n }\n}\n", "",
	  "error: Extraneous dynamic block label" },
	{ N "dynamic \"map\" {\n for_each = [1]\n labels = [var.unknown]\n"
	    " content {\n n = 1\n }\n}\n", "",
	  "error: Invalid dynamic block label" },
	{ N "dynamic \"list\" {\n for_each = []\n content {\n n = 1\n }\n}\n",
	  "list:", "[]" },
	{ N "dynamic \"list\" {\n for_each = null\n content {\n }\n}\n", "",
	  "error: Invalid dynamic for_each value" },
	{ N "dynamic \"list\" {\n for_each = 3\n content {\n }\n}\n", "",
	  "error: Invalid dynamic for_each value" },
	{ N "dynamic \"list\" {\n for_each = [1]\n}\n", "",
	  "error: Missing dynamic content block" },
	{ N "dynamic \"list\" {\n for_each = [1]\n content {}\n content {}\n"
	    "}\n", "", "error: Extraneous dynamic content block" },
	{ N "dynamic \"list\" {\n content {}\n}\n", "",
	  "error: Missing required argument" },
	{ N "dynamic \"list\" {\n for_each = []\n iterator = a.b\n"
	    " content {}\n}\n", "", "error: Invalid dynamic iterator name" },
	{ N "dynamic \"nope\" {\n for_each = []\n content {}\n}\n", "",
	  "error: Unsupported block type" },
	{ N "dynamic \"single\" {\n for_each = [7]\n content {\n"
	    " n = single.value\n }\n}\n", "single:", "{n:7,s:string:null}" },
	/* unknown and marked for_each */
	{ N "dynamic \"list\" {\n for_each = var.unknown\n content {\n"
	    " n = 1\n }\n}\n", "list:", "unknown(list of object)" },
	{ N "dynamic \"set\" {\n for_each = var.unknown_set\n content {\n"
	    " n = set.key\n }\n}\n", "set:", "unknown(set of object)" },
	{ N "dynamic \"map\" {\n for_each = var.unknown\n labels = [\"a\"]\n"
	    " content {\n n = 1\n }\n}\n", "map:",
	  "unknown(map of object)" },
	{ N "dynamic \"single\" {\n for_each = var.unknown\n content {\n"
	    " n = 1\n }\n}\n", "single:",
	  "{n:unknown(number),s:string:null}" },
	{ N "dynamic \"list\" {\n for_each = var.unknown\n content {\n"
	    " nope = 1\n n = 1\n }\n}\n", "",
	  "error: Unsupported argument" },
	{ N "dynamic \"list\" {\n for_each = var.secret\n content {\n"
	    " n = 1\n }\n}\n", "list:",
	  "[{n:sensitive(1),s:string:null},{n:sensitive(1),"
	  "s:string:null}]" },
};

static const struct row old_rows[] = {
	{ "one {}\nmany {}\nrules = []\n", "",
	  "{many:[{v:string:null}],one:{v:string:null},"
	  "rule:list of object:null,rules:set[]}" },
	{ "rules = []\n", "",
	  "error: Insufficient many blocks; Missing one block" },
	{ "one {}\nmany {}\nrules = []\nrule {\n port = 1\n}\nrule {\n"
	  " port = \"2\"\n who = \"x\"\n}\n", "rule:",
	  "[{port:1,who:string:null},{port:2,who:\"x\"}]" },
	{ "one {}\nmany {}\nrules = []\nrule = []\n", "rule:", "[]" },
	{ "one {}\nmany {}\nrules = []\nrule = [{ port = 1, who = \"x\" }]\n",
	  "rule:", "[{port:1,who:\"x\"}]" },
	/* that it is required is lost when it may be blocks */
	{ "one {}\nmany {}\n", "rules:", "set of object:null" },
	{ "one {}\nmany {}\nrules {\n port = 1\n}\nrules {\n port = 1\n}\n",
	  "rules:", "set[{port:1,who:string:null}]" },
	{ "one {}\nmany {}\nrules = []\ndynamic \"rule\" {\n"
	  " for_each = [80]\n content {\n port = rule.value\n }\n}\n",
	  "rule:", "[{port:80,who:string:null}]" },
	{ "one {}\nmany {}\nrules = []\ndynamic \"rule\" {\n"
	  " for_each = var.unknown\n content {\n port = rule.value\n }\n}\n",
	  "rule:", "[{port:unknown(number),who:string:null}]" },
	{ "one {}\nmany {}\nrules = []\nrule {\n nope = 1\n}\n", "",
	  "error: Unsupported argument" },
};

static const struct row new_rows[] = {
	{ "", "",
	  "{any:[],anym:{},l:list of object:null,m:map of object:null,"
	  "o:object:null,w:string:null}" },
	{ "o = { a = 1 }\n", "o:",
	  "{a:\"1\",b:number:null,c:bool:null}" },
	{ "o = { b = 1 }\n", "", "error: Incorrect attribute value type" },
	{ "l = [{ a = \"x\" }, { a = \"y\", b = 2 }]\n", "l:",
	  "[{a:\"x\",b:number:null,c:bool:null},"
	  "{a:\"y\",b:2,c:bool:null}]" },
	{ "m = { k = { a = \"x\" } }\n", ",m:",
	  "{k:{a:\"x\",b:number:null,c:bool:null}}" },
	{ "l {\n a = 1\n}\n", "", "error: Unsupported block type" },
	{ "any {\n v = 1\n}\nany {\n v = \"x\"\n}\n", "any:",
	  "[{v:1},{v:\"x\"}]" },
	{ "anym \"k\" {\n v = [1]\n}\n", "anym:", "{k:{v:[1]}}" },
	{ "dynamic \"any\" {\n for_each = var.unknown\n content {\n"
	  " v = any.value\n }\n}\n", "any:", "unknown(dynamic)" },
	{ "dynamic \"any\" {\n for_each = var.secret\n content {\n"
	  " v = any.key\n }\n}\n", "any:",
	  "[sensitive({v:sensitive(0)}),sensitive({v:sensitive(1)})]" },
};

static const struct row json_rows[] = {
	{ "{\"name\": \"x\", \"list\": [{\"n\": 1}, {\"n\": \"${1 + 1}\"}]}",
	  "list:", "[{n:1,s:string:null},{n:2,s:string:null}]" },
	{ "{\"name\": \"x\", \"map\": {\"k\": {\"n\": 1}}}", "map:",
	  "{k:{n:1,s:string:null}}" },
	{ "{\"name\": \"x\", \"dynamic\": {\"list\": {\"for_each\": [1, 2],"
	  " \"content\": {\"n\": \"${list.value}\"}}}}", "list:",
	  "[{n:1,s:string:null},{n:2,s:string:null}]" },
	{ "{\"name\": [], \"tags\": {\"a\": \"${var.x[0]}\"}}", "",
	  "error: Incorrect attribute value type" },
	{ "{\"name\": \"x\", \"tags\": {\"a\": \"-${var.x[0]}\"}}", "tags:",
	  "{a:\"-a\"}" },
};

static const struct row json_old_rows[] = {
	{ "{\"one\": {}, \"many\": {}, \"rules\": [{\"port\": 1, \"who\":"
	  " \"x\"}]}", "rules:", "set[{port:1,who:\"x\"}]" },
};

/* Two levels of dynamic blocks: the inner sees both iterators. */
static void test_nested_dynamic(void)
{
	const struct schema_attr leaf[] = {
		{ NAMED("v"), .type = &type_string, .optional = true },
	};
	const struct schema_block *in = finish(leaf, 1, NULL, 0);
	const struct schema_nested inner[] = {
		{ STR_INIT("in"), NESTING_LIST, in, 0, 0 },
	};
	const struct schema_block *mid = finish(NULL, 0, inner, 1);
	const struct schema_nested outer[] = {
		{ STR_INIT("out"), NESTING_LIST, mid, 0, 0 },
	};
	struct schema_block *b = finish(NULL, 0, outer, 1);
	struct str got;

	schema_block_finish(&arena, b);
	got = decode(b,
		"dynamic \"out\" {\n"
		"  for_each = [[1, 2], [3]]\n"
		"  content {\n"
		"    dynamic \"in\" {\n"
		"      for_each = out.value\n"
		"      content {\n"
		"        v = \"${out.key}${in.value}\"\n"
		"      }\n"
		"    }\n"
		"    in {\n      v = out.key\n    }\n"
		"  }\n"
		"}\n", false);
	CHECK_STR(got, "{out:[{in:[{v:\"01\"},{v:\"02\"},{v:\"0\"}]},"
		  "{in:[{v:\"13\"},{v:\"1\"}]}]}");
}

static void test_schema(void)
{
	const struct schema_block *b = nesting_schema();
	const struct value *v;
	struct buf out = BUF_INIT;

	CHECK(schema_attr_find(b, STR("name")) != NULL);
	CHECK(!schema_attr_find(b, STR("single")));
	CHECK(schema_nested_find(b, STR("single")) != NULL);
	CHECK(!schema_nested_find(b, STR("name")));
	CHECK(b->implied->len == 8);
	v = schema_empty_value(&arena, b);
	CHECK(v->type == b->implied);
	show(&arena, &out, v);
	CHECK_STR(member(buf_view(&out), "group:"),
		  "{n:number:null,s:string:null}");
	buf_release(&out);
	b = new_schema();
	CHECK(!schema_attr_find(b, STR("o"))->type->has_optional);
}

static struct str names(const struct traversal_vec *v)
{
	struct buf b = BUF_INIT;
	struct str s;

	for (size_t i = 0; i < v->len; i++)
		buf_addf(&b, "%s%.*s", i ? " " : "",
			 STR_ARG(v->items[i].traversal.root));
	s = buf_dup(&arena, &b);
	buf_release(&b);
	return s;
}

static const char references[] =
	"name = a.x\n"
	"unknown_attr = b.x\n"
	"list {\n  n = c.x\n}\n"
	"dynamic \"list\" {\n"
	"  for_each = d.x\n"
	"  content {\n    n = list.value + e.x\n  }\n"
	"}\n"
	"dynamic \"map\" {\n"
	"  for_each = map.x\n"
	"  iterator = it\n"
	"  labels   = [it.key, f.x]\n"
	"  content {\n    n = it.value + g.x\n  }\n"
	"}\n";

static void test_variables(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct traversal_vec v = { 0 };
	struct body *b = parse(references, false, &ds);

	body_variables(&arena, b, nesting_schema(), &v);
	CHECK_STR(names(&v), "a c d e map f g");
	v.len = 0;
	body_variables_unshaped(&arena, b, &v);
	CHECK_STR(names(&v), "a b c d e map f g");
	v.len = 0;
	b = parse("rule {\n port = a.x\n}\nrules = b.x\n"
		  "dynamic \"rule\" {\n for_each = c.x\n content {\n"
		  " port = rule.value + d.x\n }\n}\n", false, &ds);
	body_variables(&arena, b, old_schema(), &v);
	CHECK_STR(names(&v), "b a c d");
	v.len = 0;
	b = parse("{\"name\": \"${a.x}\", \"list\": {\"n\": \"${b.x}\"},"
		  " \"dynamic\": {\"list\": {\"for_each\": \"${c.x}\","
		  " \"content\": {\"n\": \"${list.key + d.x}\"}}}}", true,
		  &ds);
	body_variables(&arena, b, nesting_schema(), &v);
	CHECK_STR(names(&v), "a b c d");
	v.len = 0;
	body_variables_unshaped(&arena, b, &v);
	CHECK_STR(names(&v), "a b c d");
	CHECK(!ds.len);
}

static void test_ephemeral(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	const struct schema_block *s = new_schema();
	struct body *b = parse("w = var.fleeting\no = { a = var.fleeting }\n",
			       false, &ds);
	const struct value *v = body_decode(&arena, b, s, &scope, &ds);

	CHECK(!ds.len);
	body_check_ephemeral(&arena, b, s, v, &ds);
	CHECK(ds.errors == 1);
	CHECK_STR(ds.items[0].summary,
		  "Ephemeral value used in non-ephemeral context");
	CHECK(ds.items[0].subject.start.line == 2);
	CHECK(ds.items[0].subject.start.column == 11);
}

static void test_path_range(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct body *b = parse(
		"name = \"x\"\n"
		"list {\n  n = 1\n}\n"
		"list {\n  n = 2\n}\n"
		"map \"k\" {\n  n = 3\n}\n"
		"tags = { a = \"b\", c = [1, 2] }\n", false, &ds);
	struct path root = { NULL, 0 }, p;
	struct range at;

	at = body_path_range(&arena, b, path_attr(&arena, root, STR("name")));
	CHECK(at.start.line == 1 && at.start.column == 8);
	p = path_attr(&arena, root, STR("list"));
	p = path_index(&arena, p, value_int(&arena, 1));
	p = path_attr(&arena, p, STR("n"));
	at = body_path_range(&arena, b, p);
	CHECK(at.start.line == 6 && at.start.column == 7);
	p = path_attr(&arena, root, STR("map"));
	p = path_index(&arena, p, value_string(&arena, STR("k")));
	p = path_attr(&arena, p, STR("n"));
	at = body_path_range(&arena, b, p);
	CHECK(at.start.line == 9);
	p = path_attr(&arena, root, STR("tags"));
	p = path_index(&arena, p, value_string(&arena, STR("c")));
	p = path_index(&arena, p, value_int(&arena, 1));
	at = body_path_range(&arena, b, p);
	CHECK(at.start.line == 11 && at.start.column == 27);
	at = body_path_range(&arena, b, path_attr(&arena, root, STR("zz")));
	CHECK(range_present(&at));
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(run(nesting_schema(), nesting_rows, COUNT(nesting_rows), false));
	RUN(run(old_schema(), old_rows, COUNT(old_rows), false));
	RUN(run(new_schema(), new_rows, COUNT(new_rows), false));
	RUN(run(nesting_schema(), json_rows, COUNT(json_rows), true));
	RUN(run(old_schema(), json_old_rows, COUNT(json_old_rows), true));
	RUN(test_nested_dynamic());
	RUN(test_schema());
	RUN(test_variables());
	RUN(test_ephemeral());
	RUN(test_path_range());
	arena_release(&arena);
	return test_done("spec");
}
