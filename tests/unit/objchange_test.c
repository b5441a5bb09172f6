/*
 * objchange_test.c - proposed objects, valid plans, compatible results
 *
 * Schemas are written in the published JSON shape, values as expressions of the
 * language; `unknown` in them is an unknown value.  They are converted to the
 * schema's type, so what is left out of an object is null.
 */
#include "json/read.h"
#include "lang/eval/eval.h"
#include "test.h"
#include "engine/object/objchange.h"
#include "engine/object/resource_object.h"
#include "lang/syntax/parse.h"
#include "provider/provider.h"
#include "provider/schema_cache.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"

static struct arena arena;

/* --- reading the tables --- */

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	(void)data;
	(void)ev;
	(void)ds;
	*used = r->nsteps;
	return str_is(r->root, "unknown") ? &value_unknown_dynamic : NULL;
}

static const struct func *no_function(void *data, struct str name)
{
	(void)data;
	(void)name;
	return NULL;
}

static const struct schema_block *schema(const char *json)
{
	struct json_error err;
	const struct json *j = json_parse(&arena, str_c(json), &err);
	const struct schema_block *b = schema_block_from_json(&arena, j);

	CHECK_ROW(b != NULL, json);
	return b;
}

/* Missing attributes of an object, at every level, become null or empty. */
static const struct value *complete(const struct value *v, const struct type *t)
{
	const struct value **elems;
	struct str *names;

	if (v->state != VALUE_KNOWN)
		return v;
	elems = ARENA_ARRAY(&arena, const struct value *, t->len + v->len);
	if (t->kind == TYPE_OBJECT && v->type->kind == TYPE_OBJECT) {
		names = ARENA_ARRAY(&arena, struct str, t->len);
		for (size_t i = 0; i < t->len; i++) {
			const struct value *m = value_get(v, t->attrs[i].name);

			names[i] = t->attrs[i].name;
			elems[i] = m ? complete(m, t->attrs[i].type)
				     : value_null(&arena, t->attrs[i].type);
		}
		return value_object(&arena, names, elems, t->len);
	}
	if (v->type->kind == TYPE_TUPLE && type_is_collection(t)) {
		for (size_t i = 0; i < v->len; i++)
			elems[i] = complete(v->elems[i], t->elem);
		return value_tuple(&arena, elems, v->len);
	}
	if (v->type->kind == TYPE_OBJECT && t->kind == TYPE_MAP) {
		names = ARENA_ARRAY(&arena, struct str, v->len);
		for (size_t i = 0; i < v->len; i++) {
			names[i] = v->type->attrs[i].name;
			elems[i] = complete(v->elems[i], t->elem);
		}
		return value_object(&arena, names, elems, v->len);
	}
	return v;
}

static const struct value *value(const char *text,
				 const struct schema_block *b)
{
	static const struct scope scope = { .resolve = resolve,
					    .function = no_function };
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("test"), str_c(text));
	struct expression e = parse_expression(&arena, src, &ds);
	const struct value *v = eval_expression(&arena, &scope, e, &ds);
	struct verror err;

	CHECK_ROW(!diags_failed(&ds), text);
	v = convert(&arena, complete(v, b->implied), b->implied, &err);
	CHECK_ROW(v != NULL, text);
	return v ? v : value_null(&arena, b->implied);
}

/* --- schemas --- */

#define ATTRS                                                            \
	"{\"attributes\":{"                                              \
	"\"opt\":{\"type\":\"string\",\"optional\":true},"               \
	"\"comp\":{\"type\":\"string\",\"computed\":true},"              \
	"\"both\":{\"type\":\"string\",\"optional\":true,"               \
	"\"computed\":true}}}"

#define BLOCKS(mode)                                                     \
	"{\"attributes\":{\"id\":{\"type\":\"string\","                  \
	"\"computed\":true}},\"block_types\":{\"b\":{\"nesting_mode\":\"" \
	mode "\",\"block\":" ATTRS "}}}"

#define NESTED(mode, flags)                                              \
	"{\"attributes\":{\"n\":{" flags ",\"nested_type\":{"            \
	"\"nesting_mode\":\"" mode "\",\"attributes\":{"                 \
	"\"opt\":{\"type\":\"string\",\"optional\":true},"               \
	"\"both\":{\"type\":\"string\",\"optional\":true,"               \
	"\"computed\":true},"                                            \
	"\"comp\":{\"type\":\"string\",\"computed\":true}}}}}}"

#define OPTIONAL "\"optional\":true"
#define COMPUTED "\"optional\":true,\"computed\":true"
#define SECRET                                                           \
	"{\"attributes\":{\"s\":{\"type\":\"string\",\"optional\":true," \
	"\"sensitive\":true}}}"
#define DYNAMIC                                                          \
	"{\"attributes\":{\"d\":{\"type\":\"dynamic\",\"optional\":true}," \
	"\"o\":{\"type\":\"dynamic\",\"computed\":true}}}"

/* A nested attribute in a nested attribute, and all that is write-only. */
#define DEEP                                                             \
	"{\"attributes\":{\"n\":{\"optional\":true,\"nested_type\":{"      \
	"\"nesting_mode\":\"list\",\"attributes\":{"                      \
	"\"z\":{\"type\":\"string\",\"optional\":true},"                 \
	"\"m\":{\"optional\":true,\"nested_type\":{"                      \
	"\"nesting_mode\":\"map\",\"attributes\":{"                       \
	"\"opt\":{\"type\":\"string\",\"optional\":true},"               \
	"\"comp\":{\"type\":\"string\",\"computed\":true}}}}}}}}}"
#define SECRETS                                                          \
	"{\"attributes\":{\"w\":{\"type\":\"string\",\"optional\":true," \
	"\"write_only\":true},\"n\":{\"optional\":true,\"nested_type\":{" \
	"\"nesting_mode\":\"list\",\"attributes\":{"                      \
	"\"v\":{\"type\":\"string\",\"optional\":true},"                 \
	"\"w\":{\"type\":\"string\",\"optional\":true,"                  \
	"\"write_only\":true}}}}},\"block_types\":{\"b\":{"               \
	"\"nesting_mode\":\"list\",\"block\":{\"attributes\":{"          \
	"\"v\":{\"type\":\"string\",\"optional\":true},"                 \
	"\"w\":{\"type\":\"string\",\"optional\":true,"                  \
	"\"write_only\":true}}}}}}"

/* --- objchange_proposed --- */

static const struct {
	const char *name, *schema, *prior, *config, *want;
} proposals[] = {
	{ "nothing at all", ATTRS, "null", "null", "null" },
	{ "creating", ATTRS, "null", "{opt = \"a\"}", "{opt = \"a\"}" },
	{ "computed is kept", ATTRS, "{opt=\"a\", comp=\"c\", both=\"d\"}",
	  "{opt = \"b\"}", "{opt=\"b\", comp=\"c\", both=\"d\"}" },
	{ "configuration beats computed", ATTRS, "{both=\"d\"}",
	  "{both=\"e\"}", "{both=\"e\"}" },
	{ "optional is removed", ATTRS, "{opt=\"a\", comp=\"c\"}", "{}",
	  "{comp=\"c\"}" },
	{ "unknown in configuration", ATTRS, "{opt=\"a\",comp=\"c\"}",
	  "{opt=unknown}", "{opt=unknown,comp=\"c\"}" },
	{ "dynamic attribute", DYNAMIC, "{d=[1],o=[1]}", "{d={x=1}}",
	  "{d={x=1},o=[1]}" },

	{ "single block", BLOCKS("single"), "{b={opt=\"a\",comp=\"c\"}}",
	  "{b={opt=\"x\"}}", "{b={opt=\"x\",comp=\"c\"}}" },
	{ "single block removed", BLOCKS("single"), "{b={opt=\"a\"}}", "{}",
	  "{}" },
	{ "group block", BLOCKS("group"), "{id=\"i\",b={comp=\"c\"}}",
	  "{b={}}", "{id=\"i\",b={comp=\"c\"}}" },
	{ "group block when creating", BLOCKS("group"), "null",
	  "{b={opt=\"x\"}}", "{b={opt=\"x\"}}" },
	{ "list blocks by index", BLOCKS("list"),
	  "{b=[{opt=\"a\",comp=\"1\"},{opt=\"b\",comp=\"2\"}]}",
	  "{b=[{opt=\"b\"},{opt=\"c\"},{opt=\"d\"}]}",
	  "{b=[{opt=\"b\",comp=\"1\"},{opt=\"c\",comp=\"2\"},{opt=\"d\"}]}" },
	{ "list blocks removed", BLOCKS("list"), "{b=[{comp=\"1\"}]}",
	  "{b=[]}", "{b=[]}" },
	{ "unknown blocks", BLOCKS("list"), "{b=[{comp=\"1\"}]}",
	  "{b=unknown}", "{b=unknown}" },
	{ "map blocks by key", BLOCKS("map"),
	  "{b={x={comp=\"1\"},y={comp=\"2\"}}}",
	  "{b={y={opt=\"a\"},z={}}}", "{b={y={opt=\"a\",comp=\"2\"},z={}}}" },
	{ "set blocks by what is configured", BLOCKS("set"),
	  "{b=[{opt=\"a\",comp=\"1\"},{opt=\"b\",comp=\"2\"}]}",
	  "{b=[{opt=\"b\"},{opt=\"c\"}]}",
	  "{b=[{opt=\"b\",comp=\"2\"},{opt=\"c\"}]}" },
	{ "set blocks: configured computed attributes must match",
	  BLOCKS("set"), "{b=[{opt=\"a\",both=\"1\"},{opt=\"a\",both=\"2\"}]}",
	  "{b=[{opt=\"a\",both=\"2\"}]}", "{b=[{opt=\"a\",both=\"2\"}]}" },
	{ "set blocks: each prior element serves once", BLOCKS("set"),
	  "{b=[{opt=\"a\",both=\"x\",comp=\"1\"}]}",
	  "{b=[{opt=\"a\"},{opt=\"a\",both=\"x\"}]}",
	  "{b=[{opt=\"a\"},{opt=\"a\",both=\"x\",comp=\"1\"}]}" },

	{ "nested attribute", NESTED("single", OPTIONAL),
	  "{n={opt=\"a\",both=\"b\",comp=\"c\"}}", "{n={opt=\"x\"}}",
	  "{n={opt=\"x\",both=\"b\",comp=\"c\"}}" },
	{ "nested attribute removed", NESTED("single", OPTIONAL),
	  "{n={opt=\"a\"}}", "{}", "{}" },
	{ "computed nested attribute is kept", NESTED("single", COMPUTED),
	  "{n={both=\"b\",comp=\"c\"}}", "{}", "{n={both=\"b\",comp=\"c\"}}" },
	{ "computed nested attribute that was configured is removed",
	  NESTED("single", COMPUTED), "{n={opt=\"a\",comp=\"c\"}}", "{}",
	  "{}" },
	{ "computed nested list that was configured is removed",
	  NESTED("list", COMPUTED), "{n=[{opt=\"a\",comp=\"c\"}]}", "{}",
	  "{}" },
	{ "nested list", NESTED("list", OPTIONAL),
	  "{n=[{opt=\"a\",comp=\"1\"}]}", "{n=[{opt=\"b\"},{opt=\"c\"}]}",
	  "{n=[{opt=\"b\",comp=\"1\"},{opt=\"c\"}]}" },
	{ "nested map", NESTED("map", OPTIONAL), "{n={k={comp=\"1\"}}}",
	  "{n={k={opt=\"o\"},l={}}}",
	  "{n={k={opt=\"o\",comp=\"1\"},l={}}}" },
	{ "nested set", NESTED("set", OPTIONAL),
	  "{n=[{opt=\"a\",comp=\"1\"},{opt=\"b\",comp=\"2\"}]}",
	  "{n=[{opt=\"b\"}]}", "{n=[{opt=\"b\",comp=\"2\"}]}" },
	{ "unknown nested attribute", NESTED("list", OPTIONAL),
	  "{n=[{comp=\"1\"}]}", "{n=unknown}", "{n=unknown}" },
};

static void test_proposed(void)
{
	for (size_t i = 0; i < sizeof(proposals) / sizeof(*proposals); i++) {
		const struct schema_block *b = schema(proposals[i].schema);
		const struct value *got = objchange_proposed(
			&arena, b, value(proposals[i].prior, b),
			value(proposals[i].config, b));

		CHECK_ROW(value_identical(got, value(proposals[i].want, b)),
			  proposals[i].name);
	}
}

static const struct {
	const char *name, *schema, *config, *want;
} unknowns[] = {
	{ "attributes", ATTRS, "{opt=\"a\"}",
	  "{opt=\"a\",comp=unknown,both=unknown}" },
	{ "blocks", BLOCKS("list"), "{b=[{opt=\"a\",both=\"b\"}]}",
	  "{id=unknown,b=[{opt=\"a\",both=\"b\",comp=unknown}]}" },
	{ "nested set", NESTED("set", OPTIONAL), "{n=[{opt=\"a\"}]}",
	  "{n=[{opt=\"a\"}]}" },
};

static void test_proposed_unknown(void)
{
	for (size_t i = 0; i < sizeof(unknowns) / sizeof(*unknowns); i++) {
		const struct schema_block *b = schema(unknowns[i].schema);
		const struct value *got = objchange_proposed_unknown(
			&arena, b, value(unknowns[i].config, b));

		CHECK_ROW(value_identical(got, value(unknowns[i].want, b)),
			  unknowns[i].name);
	}
}

/* --- plan_valid: the first error, or "" --- */

static const struct {
	const char *name, *schema, *prior, *config, *planned, *error;
} plans[] = {
	{ "as configured", ATTRS, "null", "{opt=\"a\"}", "{opt=\"a\"}", "" },
	{ "computed may be anything", ATTRS, "null", "{}",
	  "{comp=\"x\",both=unknown}", "" },
	{ "prior may stand", ATTRS, "{opt=\"a\"}", "{opt=\"A\"}",
	  "{opt=\"a\"}", "" },
	{ "invented", ATTRS, "null", "{opt=\"a\"}", "{opt=\"b\"}",
	  "opt: planned value \"b\" is not the configured value \"a\"" },
	{ "neither", ATTRS, "{opt=\"p\"}", "{opt=\"a\"}", "{opt=\"b\"}",
	  "opt: planned value \"b\" is neither the configured value \"a\" nor "
	  "the prior value \"p\"" },
	{ "not computed", ATTRS, "null", "{}", "{opt=\"b\"}",
	  "opt: planned value \"b\" for an attribute that is not computed" },
	{ "configured, though computed too", ATTRS, "null", "{both=\"a\"}",
	  "{both=\"b\"}",
	  "both: planned value \"b\" is not the configured value \"a\"" },
	{ "gone", ATTRS, "null", "{}", "null",
	  "planned for absence but configured" },
	{ "there", ATTRS, "null", "null", "{}",
	  "planned for existence but not configured" },
	{ "secrets are not shown", SECRET, "null", "{s=\"a\"}", "{s=\"b\"}",
	  "s: the planned value (sensitive) is not the configured one" },
	{ "block count", BLOCKS("list"), "null", "{b=[{}]}", "{b=[{},{}]}",
	  "b: the plan has 2 blocks, the configuration 1" },
	{ "in a block", BLOCKS("list"), "null", "{b=[{opt=\"a\"}]}",
	  "{b=[{opt=\"b\"}]}",
	  "b[0].opt: planned value \"b\" is not the configured value \"a\"" },
	{ "block prior by index", BLOCKS("list"), "{b=[{opt=\"b\"}]}",
	  "{b=[{opt=\"B\"}]}", "{b=[{opt=\"b\"}]}", "" },
	{ "block null", BLOCKS("list"), "null", "{b=[]}", "{b=null}",
	  "b: no blocks must be planned as an empty list, not as null" },
	{ "block unknown", BLOCKS("list"), "null", "{b=[{}]}",
	  "{b=[unknown]}",
	  "b[0]: a nested block must not be unknown itself; only attributes "
	  "in it may be" },
	{ "dynamic blocks known", BLOCKS("list"), "null", "{b=unknown}",
	  "{b=[]}", "b: planned value [] for dynamic blocks that are unknown" },
	{ "dynamic blocks", BLOCKS("list"), "null", "{b=unknown}",
	  "{b=unknown}", "" },
	{ "block key", BLOCKS("map"), "null", "{b={x={}}}", "{b={y={}}}",
	  "b: block key \"y\" of the plan is not in the configuration" },
	{ "block key left out", BLOCKS("map"), "null", "{b={x={},y={}}}",
	  "{b={x={}}}",
	  "b: block key \"y\" of the configuration is not in the plan" },
	{ "sets are trusted", BLOCKS("set"), "null", "{b=[{opt=\"a\"}]}",
	  "{b=[{opt=\"b\"}]}", "" },
	{ "nested attribute", NESTED("single", OPTIONAL), "null",
	  "{n={opt=\"a\"}}", "{n={opt=\"a\",comp=unknown,both=\"x\"}}", "" },
	{ "in a nested attribute", NESTED("list", OPTIONAL), "null",
	  "{n=[{opt=\"a\"}]}", "{n=[{opt=\"b\"}]}",
	  "n[0].opt: planned value \"b\" is not the configured value \"a\"" },
	{ "nested count", NESTED("list", OPTIONAL), "null", "{n=[{}]}",
	  "{n=[]}",
	  "n: the plan has 0 elements, the configuration 1" },
	{ "nested map key", NESTED("map", OPTIONAL), "null", "{n={a={}}}",
	  "{n={b={}}}",
	  "n: map key \"b\" of the plan is not in the configuration" },
	{ "nested unknown", NESTED("single", OPTIONAL), "null",
	  "{n={opt=\"a\"}}", "{n=unknown}",
	  "n: planned as unknown but configured" },
	{ "deep inside: as configured", DEEP, "null",
	  "{n=[{z=\"z\",m={k={opt=\"a\"}}}]}",
	  "{n=[{z=\"z\",m={k={opt=\"a\",comp=unknown}}}]}", "" },
	{ "deep inside: changed", DEEP, "null", "{n=[{m={k={opt=\"a\"}}}]}",
	  "{n=[{m={k={opt=\"b\"}}}]}",
	  "n[0].m.k.opt: planned value \"b\" is not the configured value "
	  "\"a\"" },
	{ "deep inside: removed", DEEP, "null", "{n=[{m={k={}}}]}",
	  "{n=[{}]}", "n[0].m: planned for absence but configured" },
	{ "deep inside: known before", DEEP, "{n=[{m={k={opt=\"b\"}}}]}",
	  "{n=[{m={k={opt=\"a\"}}}]}", "{n=[{m={k={opt=\"b\"}}}]}", "" },
};

static struct str first(const struct verror_vec *v)
{
	return v->len ? verror_text(&arena, &v->items[0]) : STR("");
}

/* verror_text writes ".opt: …"; the tables leave the leading dot out. */
static struct str bare(struct str s)
{
	return s.n && s.p[0] == '.' ? str_sub(s, 1, s.n) : s;
}

static void test_plan_valid(void)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++) {
		const struct schema_block *b = schema(plans[i].schema);
		struct verror_vec v = { NULL, 0, 0 };
		const struct path_vec none = { NULL, 0, 0 };

		plan_valid(&arena, b, value(plans[i].prior, b),
			   value(plans[i].config, b),
			   value(plans[i].planned, b), &none, &v);
		CHECK_STR(bare(first(&v)), plans[i].error);
	}
}

/* If keys differ, both are reported: the extra and the missing one. */
static void test_plan_keys(void)
{
	const struct schema_block *b = schema(NESTED("map", OPTIONAL));
	const struct path_vec none = { NULL, 0, 0 };
	struct verror_vec v = { NULL, 0, 0 };

	plan_valid(&arena, b, value("null", b), value("{n={a={}}}", b),
		   value("{n={b={}}}", b), &none, &v);
	CHECK(v.len == 2);
	CHECK_STR(v.len == 2 ? bare(verror_text(&arena, &v.items[1])) : STR(""),
		  "n: map key \"a\" of the configuration is not in the plan");
}

/* --- what may be stored --- */

static const struct {
	const char *name, *schema, *v, *want, *paths;
} stored[] = {
	{ "known", ATTRS, "{opt=\"a\"}", "{opt=\"a\"}", "" },
	{ "attribute", ATTRS, "{opt=\"a\",comp=unknown}", "{opt=\"a\"}",
	  ".comp" },
	{ "in blocks", BLOCKS("list"), "{b=[{},{opt=unknown,comp=unknown}]}",
	  "{b=[{},{}]}", ".b[1].comp .b[1].opt" },
	{ "in a map of blocks", BLOCKS("map"), "{b={k={opt=unknown}}}",
	  "{b={k={}}}", ".b[\"k\"].opt" },
	{ "a whole block", BLOCKS("single"), "{b=unknown}", "{}", ".b" },
	{ "deep inside", DEEP, "{n=[{m={k={comp=unknown}}}]}",
	  "{n=[{m={k={}}}]}", ".n[0].m[\"k\"].comp" },
};

static void test_without_unknown(void)
{
	for (size_t i = 0; i < sizeof(stored) / sizeof(*stored); i++) {
		const struct schema_block *b = schema(stored[i].schema);
		struct path_vec found = { NULL, 0, 0 };
		const struct value *got = value_without_unknown(
			&arena, value(stored[i].v, b), &found);
		struct buf paths = BUF_INIT;

		for (size_t k = 0; k < found.len; k++)
			buf_addf(&paths, "%s%.*s", k ? " " : "",
				 STR_ARG(path_text(&arena, found.items[k])));
		CHECK_ROW(value_identical(got, value(stored[i].want, b)),
			  stored[i].name);
		CHECK_STR(buf_view(&paths), stored[i].paths);
		buf_release(&paths);
	}
}

static const struct {
	const char *name, *v, *want;
} secrets[] = {
	{ "none there", "{}", "{}" },
	{ "attribute", "{w=\"s\"}", "{}" },
	{ "unknown", "{w=unknown}", "{}" },
	{ "in blocks", "{b=[{v=\"a\",w=\"s\"}]}", "{b=[{v=\"a\"}]}" },
	{ "in nested attributes", "{n=[{v=\"a\",w=\"s\"},{w=\"t\"}]}",
	  "{n=[{v=\"a\"},{}]}" },
	{ "null and unknown collections stay", "{b=unknown}", "{b=unknown}" },
	{ "null object", "null", "null" },
};

static void test_without_write_only(void)
{
	const struct schema_block *b = schema(SECRETS);

	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		CHECK_ROW(value_identical(
				  value_without_write_only(
					  &arena, b, value(secrets[i].v, b)),
				  value(secrets[i].want, b)),
			  secrets[i].name);
}

/* Write-only attributes get into no state, whatever made the object. */
static void test_stored(void)
{
	const struct resource_schema rs = { .block = schema(SECRETS) };
	const struct resource_object o = {
		.value = value("{w=\"hush\",n=[{v=\"a\",w=\"hush\"}]}",
			       rs.block),
	};
	struct state_instance si = { .key = KEY_ABSENT };

	resource_object_write(&arena, &rs, &o, &si);
	CHECK(str_find(si.attributes, STR("\"v\":\"a\"")) > 0);
	CHECK(str_find(si.attributes, STR("hush")) < 0);
}

/* --- ignore_changes --- */

#define MAPS                                                             \
	"{\"attributes\":{\"m\":{\"type\":[\"map\",\"string\"],"      \
	"\"optional\":true},"                                            \
	"\"opt\":{\"type\":\"string\",\"optional\":true},"               \
	"\"comp\":{\"type\":\"string\",\"computed\":true},"              \
	"\"both\":{\"type\":\"string\",\"optional\":true,"               \
	"\"computed\":true}}}"

/* The same in a nested attribute, too. */
#define INNER_MAPS                                                       \
	"{\"attributes\":{\"m\":{\"type\":[\"map\",\"string\"],"      \
	"\"optional\":true},"                                            \
	"\"opt\":{\"type\":\"string\",\"optional\":true},"               \
	"\"comp\":{\"type\":\"string\",\"computed\":true},"              \
	"\"both\":{\"type\":\"string\",\"optional\":true,"               \
	"\"computed\":true},"                                            \
	"\"in\":{\"optional\":true,\"nested_type\":{"                   \
	"\"nesting_mode\":\"list\",\"attributes\":{"                     \
	"\"opt\":{\"type\":\"string\",\"optional\":true},"               \
	"\"comp\":{\"type\":\"string\",\"computed\":true}}}}}}"

static const struct {
	const char *name, *ignored; /* NULL: all */
	const char *prior, *config, *want;
} ignored[] = {
	{ "an attribute is as before", "opt", "{opt=\"p\"}",
	  "{opt=\"c\",both=\"x\"}", "{opt=\"p\",both=\"x\"}" },
	{ "a new object is as configured", "opt", "null", "{opt=\"c\"}",
	  "{opt=\"c\"}" },
	{ "a key is as before, the others as configured", "m[\"k\"]",
	  "{m={a=\"1\",k=\"p\"}}", "{m={a=\"2\",k=\"c\"}}",
	  "{m={a=\"2\",k=\"p\"}}" },
	{ "a key that is new is left out", "m[\"k\"]", "{m={a=\"1\"}}",
	  "{m={a=\"1\",k=\"c\"}}", "{m={a=\"1\"}}" },
	{ "a key that was removed is put back", "m[\"k\"]",
	  "{m={a=\"1\",k=\"p\"}}", "{m={a=\"2\"}}",
	  "{m={a=\"2\",k=\"p\"}}" },
	{ "all is as before, but what the provider alone computes", NULL,
	  "{opt=\"p\",comp=\"c\",both=\"b\",m={a=\"1\"}}",
	  "{opt=\"x\",m={}}", "{opt=\"p\",both=\"b\",m={a=\"1\"}}" },
	{ "all is as before, but what is computed in nested attributes", NULL,
	  "{in=[{opt=\"p\",comp=\"c\"}]}", "{in=[]}",
	  "{in=[{opt=\"p\"}]}" },
	{ "what was not there before is as configured", "in[0].opt", "{in=[]}",
	  "{in=[{opt=\"c\"}]}", "{in=[{opt=\"c\"}]}" },
	{ "what is not there any more is not put back", "in[0].opt",
	  "{in=[{opt=\"p\"}]}", "{in=[]}", "{in=[]}" },
};

static struct traversal_ref reference(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("test"), str_c(text));
	struct expression e = parse_expression(&arena, src, &ds);
	struct traversal_ref t = { .src = src };

	CHECK_ROW(expression_rel_traversal(&arena, e, &t, &ds) == 0, text);
	return t;
}

static void test_ignore_changes(void)
{
	const struct schema_block *b = schema(INNER_MAPS);

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++) {
		struct cfg_lifecycle l = { .ignore_all = !ignored[i].ignored };
		const struct value *got;

		if (ignored[i].ignored)
			vec_push(&arena, &l.ignore_changes,
				 reference(ignored[i].ignored));
		got = ignore_changes(&arena, &l, value(ignored[i].prior, b),
				     value(ignored[i].config, b), b);
		CHECK_ROW(value_identical(got, value(ignored[i].want, b)),
			  ignored[i].name);
	}
}

/* --- object_compatible --- */

static const struct {
	const char *name, *schema, *planned, *actual, *error;
} results[] = {
	{ "the same", ATTRS, "{opt=\"a\"}", "{opt=\"a\"}", "" },
	{ "unknown became known", ATTRS, "{opt=\"a\",comp=unknown}",
	  "{opt=\"a\",comp=\"c\"}", "" },
	{ "unknown became null", ATTRS, "{comp=unknown}", "{}", "" },
	{ "changed", ATTRS, "{opt=\"a\"}", "{opt=\"b\"}",
	  "opt: was \"a\", but now \"b\"" },
	{ "vanished", ATTRS, "{opt=\"a\"}", "{}", "opt: was \"a\", but now null" },
	{ "appeared", ATTRS, "{}", "{opt=\"a\"}", "opt: was null, but now \"a\"" },
	{ "unknown again", ATTRS, "{opt=\"a\"}", "{opt=unknown}",
	  "opt: was known, but now unknown" },
	{ "absent", ATTRS, "{}", "null", "the object was present, but now absent" },
	{ "present", ATTRS, "null", "{}", "the object was absent, but now present" },
	{ "secret", SECRET, "{s=\"a\"}", "{s=\"b\"}",
	  "s: the value of a sensitive attribute is not as planned" },
	{ "dynamic: any type for unknown", DYNAMIC, "{o=unknown}",
	  "{o=[1,\"x\"]}", "" },
	{ "dynamic: known type stays", DYNAMIC, "{d=1}", "{d=\"x\"}",
	  "d: wrong type: number was planned, now string" },
	{ "tuple length", DYNAMIC, "{d=[1,unknown]}", "{d=[1,2]}", "" },
	{ "element", DYNAMIC, "{d=[1,2]}", "{d=[1,3]}",
	  "d[1]: was 2, but now 3" },
	{ "block count", BLOCKS("list"), "{b=[{}]}", "{b=[]}",
	  "b: block count changed from 1 to 0" },
	{ "in a block", BLOCKS("list"), "{b=[{opt=\"a\"}]}",
	  "{b=[{opt=\"b\"}]}", "b[0].opt: was \"a\", but now \"b\"" },
	{ "unknown blocks", BLOCKS("list"), "{b=unknown}", "{b=[{},{}]}", "" },
	{ "single block", BLOCKS("single"), "{b={opt=\"a\"}}", "{}",
	  "b: was present, but now absent" },
	{ "map of blocks", BLOCKS("map"), "{b={x={opt=\"a\"}}}",
	  "{b={y={opt=\"a\"}}}", "b: block key \"x\" has vanished" },
	{ "set of blocks", BLOCKS("set"), "{b=[{opt=\"a\",comp=unknown}]}",
	  "{b=[{opt=\"a\",comp=\"c\"}]}", "" },
	{ "set of blocks: other element", BLOCKS("set"), "{b=[{opt=\"a\"}]}",
	  "{b=[{opt=\"b\"}]}",
	  "b: planned set element {\"both\":null,\"comp\":null,\"opt\":\"a\"} "
	  "is not in the result" },
	{ "set of blocks: one more", BLOCKS("set"), "{b=[{opt=\"a\"}]}",
	  "{b=[{opt=\"a\"},{opt=\"b\"}]}",
	  "b: set element {\"both\":null,\"comp\":null,\"opt\":\"b\"} was not "
	  "planned" },
	{ "set of blocks: unknown ones fall together", BLOCKS("set"),
	  "{b=[{opt=\"a\"},{opt=unknown}]}", "{b=[{opt=\"a\"}]}", "" },
	{ "nested attribute", NESTED("list", OPTIONAL),
	  "{n=[{opt=\"a\",comp=unknown}]}", "{n=[{opt=\"a\",comp=\"c\"}]}",
	  "" },
};

static void test_compatible(void)
{
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
		const struct schema_block *b = schema(results[i].schema);
		struct verror_vec v = { NULL, 0, 0 };

		object_compatible(&arena, b, value(results[i].planned, b),
				  value(results[i].actual, b), &v);
		CHECK_STR(bare(first(&v)), results[i].error);
	}
}

#define REFINED                                                         \
	"{\"attributes\":{\"n\":{\"type\":\"number\",\"computed\":true},"     \
	"\"s\":{\"type\":\"string\",\"computed\":true},"                      \
	"\"l\":{\"type\":[\"list\",\"string\"],\"computed\":true}}}"

/* An unknown value becomes only what the plan said that it can be. */
static void test_refined(void)
{
	const struct value *two = value_int(&arena, 2);
	const struct {
		const char *attr;
		struct refinement r;
		const char *actual;
		bool fits;
	} rows[] = {
		{ "n", { .min = two, .min_inclusive = true }, "2", true },
		{ "n", { .min = two, .min_inclusive = true }, "1", false },
		{ "n", { .min = two }, "2", false },
		{ "n", { .min = two }, "3", true },
		{ "n", { .max = two, .max_inclusive = true }, "2", true },
		{ "n", { .max = two, .max_inclusive = true }, "3", false },
		{ "n", { .max = two }, "2", false },
		{ "n", { .max = two }, "1", true },
		{ "n", { .max = two }, "null", true },
		{ "n", { .not_null = true, .max = two }, "null", false },
		{ "s", { .prefix = STR_INIT("ab") }, "\"ab\"", true },
		{ "s", { .prefix = STR_INIT("ab") }, "\"a\"", false },
		{ "l", { .len_min = 1, .len_max = 2 }, "[]", false },
		{ "l", { .len_min = 1, .len_max = 2 }, "[\"a\"]", true },
		{ "l", { .len_min = 1, .len_max = 2 }, "[\"a\", 2]", true },
		{ "l", { .len_min = 1, .len_max = 2 }, "[1, 2, 3]", false },
	};
	const struct schema_block *b = schema(REFINED);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str name = str_c(rows[i].attr);
		const struct value *now = value(
			arena_printf(&arena, "{%s=%s}", rows[i].attr,
				     rows[i].actual),
			b);
		const struct value *v = value_unknown_refined(
			&arena, value_get(now, name)->type, &rows[i].r);
		struct verror_vec errors = { NULL, 0, 0 };

		v = complete(value_object(&arena, &name, &v, 1), b->implied);
		object_compatible(&arena, b, v, now, &errors);
		CHECK_ROW((errors.len == 0) == rows[i].fits, rows[i].actual);
	}
}

/* Marks hide values as the schema's flag does. */
static void test_marked(void)
{
	const struct schema_block *b = schema(ATTRS);
	struct str name = STR("opt");
	const struct value *secret = value_with_marks(
		&arena, value_string(&arena, STR("hush")), &marks_sensitive);
	const struct value *v = value_object(&arena, &name, &secret, 1);
	struct verror_vec errors = { NULL, 0, 0 };
	struct verror err;

	v = convert(&arena, complete(v, b->implied), b->implied, &err);
	object_compatible(&arena, b, v, value("{opt=\"x\"}", b), &errors);
	CHECK(errors.len == 1);
	CHECK(str_find(first(&errors), STR("hush")) < 0);
	CHECK(str_find(first(&errors), STR("sensitive")) >= 0);
}

/* So does what lies within that is told of as a whole. */
static void test_secret_within(void)
{
#define INNER "{\"s\":{\"type\":\"string\",\"optional\":true,\"sensitive\":true}}"
	const struct schema_block *b = schema(
		"{\"block_types\":{\"b\":{\"nesting_mode\":\"set\","
		"\"block\":{\"attributes\":" INNER "}}}}");
	const struct value *v = value("{b=[{s=\"hush\"}]}", b);
	struct verror_vec errors = { NULL, 0, 0 };

	object_compatible(&arena, b, v, value("{b=[]}", b), &errors);
	object_compatible(&arena, b, value("{b=[]}", b), v, &errors);
	b = schema("{\"attributes\":{\"n\":{\"optional\":true,\"nested_type\":{"
		   "\"nesting_mode\":\"single\",\"attributes\":" INNER "}}}}");
	plan_valid(&arena, b, value("null", b), value("{}", b),
		   value("{n={s=\"hush\"}}", b), NULL, &errors);
	CHECK(errors.len == 4);
	for (size_t i = 0; i < errors.len; i++)
		CHECK(str_find(errors.items[i].message, STR("hush")) < 0);
}

static struct str repeated(const char *s, size_t n)
{
	struct buf b = BUF_INIT;

	while (n--)
		buf_puts(&b, s);
	return buf_take(&arena, &b);
}

/* Of a long value 200 bytes of its JSON are told, and what is left of the
 * character there. */
static void test_brief(void)
{
	static const struct {
		const char *piece;
		size_t n, told; /* pieces */
	} rows[] = {
		{ "a", 198, 198 },
		{ "a", 199, 199 },
		{ "a", 500, 199 },
		{ "\xc3\xa9", 99, 99 },
		{ "\xc3\xa9", 150, 100 },
		{ "\xe2\x82\xac", 150, 67 },
	};
	const struct schema_block *b = schema(ATTRS);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str all = repeated(rows[i].piece, rows[i].n);
		struct str told = repeated(rows[i].piece, rows[i].told);
		const char *end = told.n + 2 > 200 ? "..." : "\"";
		struct verror_vec errors = { NULL, 0, 0 };

		object_compatible(&arena, b,
				  value(arena_printf(&arena, "{opt=\"%.*s\"}",
						     STR_ARG(all)),
					b),
				  value("{opt=\"x\"}", b), &errors);
		CHECK_STR(bare(first(&errors)),
			  arena_printf(&arena,
				       "opt: was \"%.*s%s, but now \"x\"",
				       STR_ARG(told), end));
	}
}

/* --- normalize_legacy_object --- */

static const struct {
	const char *name, *schema, *v, *want;
} legacy[] = {
	{ "null list", BLOCKS("list"), "{b=null}", "{b=[]}" },
	{ "null set", BLOCKS("set"), "{b=null}", "{b=[]}" },
	{ "null group", BLOCKS("group"), "{b=null}", "{b={}}" },
	{ "null single", BLOCKS("single"), "{b=null}", "{b=null}" },
	{ "unknown list", BLOCKS("list"), "{b=unknown}",
	  "{b=[{opt=unknown,comp=unknown,both=unknown}]}" },
	{ "regular", BLOCKS("list"), "{id=\"i\",b=[{opt=\"a\"}]}",
	  "{id=\"i\",b=[{opt=\"a\"}]}" },
	{ "null", ATTRS, "null", "null" },
};

static void test_legacy(void)
{
	for (size_t i = 0; i < sizeof(legacy) / sizeof(*legacy); i++) {
		const struct schema_block *b = schema(legacy[i].schema);
		const struct value *got = normalize_legacy_object(
			&arena, b, value(legacy[i].v, b));

		CHECK_ROW(value_identical(got, value(legacy[i].want, b)),
			  legacy[i].name);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_proposed());
	RUN(test_proposed_unknown());
	RUN(test_plan_valid());
	RUN(test_plan_keys());
	RUN(test_without_unknown());
	RUN(test_without_write_only());
	RUN(test_stored());
	RUN(test_ignore_changes());
	RUN(test_compatible());
	RUN(test_refined());
	RUN(test_marked());
	RUN(test_secret_within());
	RUN(test_brief());
	RUN(test_legacy());
	arena_release(&arena);
	return test_done("objchange");
}
