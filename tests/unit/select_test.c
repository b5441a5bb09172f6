/*
 * select_test.c - expressions asked of single records
 */
#include "base/diag.h"
#include "select/select.h"
#include "test.h"

static struct arena arena;

#define CHANGE(members) \
	"{\"record\":\"resource_change\",\"address\":\"t.a\",\"mode\":" \
	"\"managed\",\"type\":\"t\",\"name\":\"a\",\"change\":{" members "}}"
#define UPDATE(before, after, unknown, was_secret, is_secret) \
	CHANGE("\"actions\":[\"update\"],\"before\":" before ",\"after\":" after \
	       ",\"after_unknown\":" unknown ",\"before_sensitive\":" was_secret \
	       ",\"after_sensitive\":" is_secret)

/* What is said of it goes to ds. */
static enum select_answer ask_kind(const char *kind, const char *expr,
				   const char *line, struct diags *ds)
{
	struct select *s = select_new(&arena, str_c(expr), "EXPR", str_c(kind),
				      ds);
	enum select_answer a = SELECT_ERROR;

	if (s)
		a = select_record(s, str_c(kind), str_c(line), ds);
	if (s)
		select_finish(s, ds);
	select_free(s);
	return a;
}

static enum select_answer ask(const char *expr, const char *line)
{
	struct diags ds = DIAGS_INIT(&arena);

	return ask_kind("resource_change", expr, line, &ds);
}

static void test_absent(void)
{
	static const char create[] =
		UPDATE("null", "{\"x\":1,\"l\":[{\"y\":2}]}", "{}", "false", "{}");

	CHECK(ask("before == null", create) == SELECT_YES);
	CHECK(ask("before.x.y[0][\"z\"] == null", create) == SELECT_YES);
	CHECK(ask("change.before.x != change.after.x", create) == SELECT_YES);
	CHECK(ask("after.none != null", create) == SELECT_NO);
	CHECK(ask("after.x.y == null", create) == SELECT_YES);
	CHECK(ask("after.l[0].y == 2", create) == SELECT_YES);
	CHECK(ask("after.l[7].y == null", create) == SELECT_YES);
	CHECK(ask("after.l[*].y == [2]", create) == SELECT_YES);
	CHECK(ask("after[\"x\"] == 1", create) == SELECT_YES);
	CHECK(ask("after.l.y == 2", create) == SELECT_ERROR);
	CHECK(ask("address.x == null", create) == SELECT_ERROR);
	CHECK(ask("deposed == null && index == null", create) == SELECT_YES);
	CHECK(ask("module == \"\" && module_address == \"\"", create) ==
	      SELECT_YES);
	CHECK(ask("change.importing == null", create) == SELECT_YES);
	CHECK(ask("values == null && hook == null", create) == SELECT_YES);
}

static void test_unknown(void)
{
	static const char line[] = UPDATE(
		"{\"a\":1,\"o\":{\"p\":1}}",
		"{\"a\":1,\"o\":{\"p\":1},\"l\":[1,null]}",
		"{\"id\":true,\"o\":{\"q\":true},\"l\":[false,true]}", "{}", "{}");
	static const char whole[] =
		UPDATE("{\"a\":1}", "null", "true", "{}", "{}");

	CHECK(ask("after.id == \"x\"", line) == SELECT_MAYBE);
	CHECK(ask("after.id.x[3] == \"x\"", line) == SELECT_MAYBE);
	CHECK(ask("after.o.q == 1", line) == SELECT_MAYBE);
	CHECK(ask("after.o.p == 1", line) == SELECT_YES);
	CHECK(ask("after.l[1] == 1", line) == SELECT_MAYBE);
	CHECK(ask("after.l[0] == 1", line) == SELECT_YES);
	CHECK(ask("before.o == after.o", line) != SELECT_YES);
	CHECK(ask("before == after", line) != SELECT_YES);
	CHECK(ask("after.a == 1 || after.id == \"x\"", line) == SELECT_YES);
	CHECK(ask("after.a == 2 && after.id == \"x\"", line) == SELECT_NO);
	CHECK(ask("known", line) == SELECT_NO);
	CHECK(ask("after.a == 1", whole) == SELECT_MAYBE);
	CHECK(ask("after == null", whole) == SELECT_MAYBE);
}

static bool tells(const char *kind, const char *expr, const char *line,
		  const char *secret)
{
	struct diags ds = DIAGS_INIT(&arena);

	CHECK_ROW(ask_kind(kind, expr, line, &ds) == SELECT_ERROR, expr);
	CHECK_ROW(ds.errors > 0, expr);
	for (size_t i = 0; i < ds.len; i++) {
		const struct diag *d = &ds.items[i];

		if (str_find(d->detail, str_c(secret)) >= 0)
			return true;
		for (size_t k = 0; k < d->nvalues; k++)
			if (str_find(d->values[k].statement, str_c(secret)) >=
			    0)
				return true;
	}
	return false;
}

static void test_secret(void)
{
	static const char line[] = UPDATE(
		"{\"o\":{\"p\":\"s3cret\"},\"l\":[\"open\",\"s3cret\"],\"w\":\"s3cret\"}",
		"{\"o\":{\"p\":\"s3cret\"},\"w\":\"s3cret\"}", "{}",
		"{\"o\":{\"p\":true},\"l\":[false,true],\"w\":{\"x\":true}}",
		"true");
	static const char state[] =
		"{\"record\":\"prior_state\",\"address\":\"t.a\",\"attributes\":"
		"{\"w\":\"s3cret\",\"m\":{\"k\":\"s3cret\"}}}";
	static const char *const exprs[] = {
		"before.o.p + 1 == 2", "before.l[1] + 1 == 2",
		"before.w + 1 == 2",   "after.o.p + 1 == 2",
		"after.w + 1 == 2",    "before.o",
		"[before][0].o.p",     "change.before.o.p + 1 == 2",
		"lower(change)",       "change.after.o.p + 1 == 2",
		"{ x = before }",      "[for x in before.l : x + 1] == []",
	};

	for (size_t i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++)
		CHECK_ROW(!tells("resource_change", exprs[i], line, "s3cret"),
			  exprs[i]);
	CHECK(tells("resource_change", "before.l[0] + 1 == 2", line, "open"));
	CHECK(!tells("prior_state", "values.w + 1 == 2", state, "s3cret"));
	CHECK(!tells("prior_state", "values.m.k + 1 == 2", state, "s3cret"));
	CHECK(!tells("prior_state", "attributes", state, "s3cret"));
	CHECK(!tells("prior_state", "self.attributes.w + 1 == 2", state,
		     "s3cret"));
	CHECK(!tells("resource_change", "self", line, "s3cret"));
	CHECK(ask("before.o.p == \"s3cret\"", line) == SELECT_YES);
	CHECK(ask("before.o == after.o", line) == SELECT_YES);
	CHECK(ask("sensitive", line) == SELECT_YES);
}

static void test_actions(void)
{
	static const char replaced[] =
		CHANGE("\"actions\":[\"create\",\"delete\"],\"before\":null");
	static const char deleted[] = CHANGE("\"actions\":[\"delete\"]");

	CHECK(ask("action == \"replace\"", replaced) == SELECT_YES);
	CHECK(ask("action == \"delete\"", replaced) == SELECT_NO);
	CHECK(ask("contains(actions, \"delete\")", replaced) == SELECT_YES);
	CHECK(ask("change.actions == actions", replaced) == SELECT_YES);
	CHECK(ask("action == \"delete\"", deleted) == SELECT_YES);
	CHECK(ask("action == \"destroy\"", deleted) == SELECT_ERROR);
	CHECK(ask("actions[0] == \"delete\" && length(actions) == 1",
		  deleted) == SELECT_YES);
}

static enum select_answer of_state(const char *expr)
{
	static const char line[] =
		"{\"record\":\"prior_state\",\"address\":"
		"\"module.m[\\\"k.x\\\"].data.t_t.n[3]\",\"provider\":"
		"\"module.m.provider[\\\"h.io/n/t\\\"].alias\",\"attributes\":"
		"{\"any\":{\"value\":[1],\"type\":[\"tuple\",[\"number\"]]},"
		"\"type\":\"x\",\"block\":{\"value\":\"v\",\"type\":\"A\"}},"
		"\"status\":\"tainted\"}";
	struct diags ds = DIAGS_INIT(&arena);

	return ask_kind("prior_state", expr, line, &ds);
}

static void test_state(void)
{
	CHECK(of_state("module == \"module.m[\\\"k.x\\\"]\"") == SELECT_YES);
	CHECK(of_state("mode == \"data\" && type == \"t_t\"") == SELECT_YES);
	CHECK(of_state("name == \"n\" && index == 3") == SELECT_YES);
	CHECK(of_state("provider == \"h.io/n/t\"") == SELECT_YES);
	CHECK(of_state("values.any[0] == 1") == SELECT_YES);
	CHECK(of_state("values.any == [1]") == SELECT_YES);
	CHECK(of_state("values == attributes") == SELECT_YES);
	CHECK(of_state("[values][0].any == [1]") == SELECT_YES);
	CHECK(of_state("values.block.value == \"v\"") == SELECT_YES);
	CHECK(of_state("status == \"tainted\" && action == null") ==
	      SELECT_YES);
	CHECK(of_state("matches(address, \"module.m[*].data.t_*.n\")") ==
	      SELECT_YES);
	CHECK(of_state("matches(address, \"module.m\")") == SELECT_YES);
	CHECK(of_state("matches(address, \"module.n\")") == SELECT_NO);
	CHECK(of_state("matches(deposed, \"module.n\")") == SELECT_NO);
}

static void test_broken(void)
{
	static const char *const lines[] = {
		"{}", "[]", "", "{\"record\":\"resource_change\"}",
		CHANGE(""), CHANGE("\"actions\":null"), CHANGE("\"actions\":7"),
		"{\"address\":7,\"change\":[]}", "{\"change\":\"x\"}",
		UPDATE("[]", "7", "[[]]", "[true]", "{\"x\":{}}"),
		UPDATE("{\"x\":1e999999999999}", "{}", "7", "7", "7"),
	};
	static const char *const exprs[] = {
		"action == null || before == after || after.x[0].y == 1",
		"startswith(address, \"x\")", "change == null", "known",
		"[for k, v in change : v] == sensitive", "before.x == 1",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		for (size_t k = 0; k < sizeof(exprs) / sizeof(exprs[0]); k++)
			CHECK_ROW(ask(exprs[k], lines[i]) <= SELECT_MAYBE,
				  lines[i]);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_absent());
	RUN(test_unknown());
	RUN(test_secret());
	RUN(test_actions());
	RUN(test_state());
	RUN(test_broken());
	arena_release(&arena);
	return test_done("select");
}
