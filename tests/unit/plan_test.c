/*
 * plan_test.c - plans: expansion, moves, refreshing, actions and their reasons,
 * unknown values along chains, imports, checks
 *
 * Each row is a configuration, a state and options; what is compared are the
 * changes as the stream publishes them, one line each:
 *	ADDRESS ACTIONS [(REASON)] [replace PATHS] [unknown NAMES] [from ADDRESS]
 */
#include <unistd.h>

#include "case.h"
#include "engine/plan/plan.h"
#include "engine/plan/plan_int.h"
#include "engine/validate/validate.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "stream/stream.h"

struct row {
	const char *name, *config, *module;
	/* "ADDRESS VALUE [tainted] [kept] [newer] [needs=ADDRESS]
	 * [deposed=KEY]"; or "output.NAME VALUE" */
	const char *state[8];
	const char *want;     /* "!SUMMARY": that error */
	struct {
		enum run_mode mode;
		bool no_refresh;
		const char *target, *exclude, *replace;
	} with;
};

static void needs(struct state_instance *i, const char *address)
{
	i->dependencies = ARENA_ARRAY(&arena, struct str, 1);
	i->dependencies[0] = str_c(address);
	i->ndependencies = 1;
}

/* An object of terraform_data whose input was VALUE. */
static void put(struct state *s, const char *line)
{
	struct state_instance *i = ARENA_NEW(&arena, struct state_instance);
	char *copy = arena_strdup(&arena, line), *save = NULL;
	const char *addr = strtok_r(copy, " ", &save);
	const char *value = strtok_r(NULL, " ", &save), *word;
	struct state_resource *r;
	struct instance_addr a;

	if (strncmp(addr, "output.", 7) == 0) {
		state_output_set(s, str_c(addr + 7),
				 value_string(&arena, str_c(value)));
		return;
	}
	a = case_address(addr);
	r = state_resource_make(s, a.module, &a.resource);
	r->provider.provider = provider_builtin;
	i->key = a.key;
	i->attributes = str_printf(
		&arena, "{\"id\":\"id-%s\",\"input\":{\"value\":\"%s\",\"type\":"
			"\"string\"},\"output\":{\"value\":\"%s\",\"type\":"
			"\"string\"},\"triggers_replace\":null}",
		value, value, value);
	while ((word = strtok_r(NULL, " ", &save))) {
		if (strcmp(word, "tainted") == 0)
			i->tainted = true;
		else if (strcmp(word, "kept") == 0)
			i->skip_destroy = true;
		else if (strcmp(word, "newer") == 0)
			i->schema_version = 99;
		else if (strncmp(word, "needs=", 6) == 0)
			needs(i, word + 6);
		else
			i->deposed = str_c(word + 8);
	}
	state_put(s, r, i);
}

/* --- what the plan says --- */

static void list(struct buf *b, const struct json *j, const char *between)
{
	for (uint32_t i = 0; j && j->kind == JSON_ARRAY && i < j->len; i++) {
		if (i)
			buf_puts(b, between);
		if (j->items[i].kind == JSON_STRING)
			buf_str(b, j->items[i].text);
		else
			list(b, &j->items[i], ".");
	}
}

static void describe(struct buf *b, const struct json *j)
{
	const struct json *c = json_get(j, "change");
	const struct json *u = json_get(c, "after_unknown");
	struct str reason = json_get_str(j, "action_reason");
	struct str from = json_get_str(j, "previous_address");
	const char *head = " unknown ";

	buf_str(b, json_get_str(j, "address"));
	if (json_get(j, "deposed"))
		buf_addf(b, "/%.*s", STR_ARG(json_get_str(j, "deposed")));
	buf_putc(b, ' ');
	list(b, json_get(c, "actions"), ",");
	if (reason.n)
		buf_addf(b, " (%.*s)", STR_ARG(reason));
	if (json_get(c, "replace_paths")) {
		buf_puts(b, " replace ");
		list(b, json_get(c, "replace_paths"), ",");
	}
	for (uint32_t i = 0; u && u->kind == JSON_OBJECT && i < u->len; i++) {
		if (u->members[i].value.kind != JSON_BOOL)
			continue;
		buf_addf(b, "%s%.*s", head, STR_ARG(u->members[i].name));
		head = ",";
	}
	if (from.n)
		buf_addf(b, " from %.*s", STR_ARG(from));
	if (json_get(c, "importing"))
		buf_addf(b, " import %.*s",
			 STR_ARG(json_get_str(json_get(c, "importing"),
					      "id")));
	buf_putc(b, '\n');
}

static void describe_output(struct buf *b, const struct json *j)
{
	const struct json *actions = json_get(json_get(j, "change"),
					      "actions");

	buf_addf(b, "%.*s ", STR_ARG(json_get_str(j, "address")));
	list(b, actions, ",");
	buf_putc(b, '\n');
}

static char *written(struct plan *p)
{
	struct stream_out out;
	FILE *f = tmpfile();
	static const struct str_vec none = { NULL, 0, 0 };
	long n;
	char *text;

	CHECK(f != NULL);
	stream_out_init(&out, fileno(f), true);
	stream_begin(&out, "test", &none);
	plan_write(&out, p);
	CHECK(stream_end(&out, false) == 0);
	stream_out_release(&out);
	n = lseek(fileno(f), 0, SEEK_END);
	text = arena_alloc(&arena, (size_t)n + 1);
	CHECK(pread(fileno(f), text, (size_t)n, 0) == n);
	text[n] = '\0';
	fclose(f);
	return text;
}

/* The changes, and results of checks that are not "pass". */
static void described(struct buf *b, struct plan *p)
{
	char *text = written(p), *save = NULL;
	struct json_error err;

	for (char *l = strtok_r(text, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		const struct json *j = json_parse(&arena, str_c(l), &err);
		struct str kind = json_get_str(j, "record");

		CHECK_ROW(j != NULL, l);
		if (str_is(kind, "resource_change"))
			describe(b, j);
		else if (str_is(kind, "resource_drift"))
			buf_addf(b, "drift %.*s\n",
				 STR_ARG(json_get_str(j, "address")));
		else if (str_is(kind, "output_change"))
			describe_output(b, j);
		else if (str_is(kind, "check_result") &&
			 !str_is(json_get_str(j, "status"), "pass"))
			buf_addf(b, "check %.*s %.*s\n",
				 STR_ARG(json_get_str(json_get(j, "address"),
						      "to_display")),
				 STR_ARG(json_get_str(j, "status")));
	}
}

static void run_row(const struct row *r)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct config *c = case_load(r->config, r->module);
	struct state *s = state_new(&arena);
	struct loop *l = loop_new();
	struct plan_options o = { 0 };
	struct buf got = BUF_INIT;
	struct plan *p = NULL;

	for (size_t i = 0; r->state[i]; i++)
		put(s, r->state[i]);
	o.run = (struct run_options){
		.mode = r->with.mode, .refresh = !r->with.no_refresh, .parallelism = 3,
		.workspace = STR("default"),
		.timestamp = STR("2020-01-01T00:00:00Z"),
		.dir = STR("."), .original_dir = STR("."),
	};
	if (r->with.target)
		vec_push(&arena, &o.run.only.targets,
			 case_target(r->with.target));
	if (r->with.exclude)
		vec_push(&arena, &o.run.only.excludes,
			 case_target(r->with.exclude));
	if (r->with.replace)
		vec_push(&arena, &o.run.only.replace,
			 case_address(r->with.replace));
	if (!validate_run(l, c, &o.run, &ds))
		p = plan_run(&arena, l, c, s, &o, &ds);
	if (r->want[0] == '!') {
		bool found = false;

		for (size_t i = 0; i < ds.len; i++)
			found |= ds.items[i].severity == SEV_ERROR &&
				 str_is(ds.items[i].summary, r->want + 1);
		CHECK_ROW(found, r->name);
	} else {
		CHECK_ROW(!diags_failed(&ds), r->name);
		if (p)
			described(&got, p);
		if (!str_is(buf_view(&got), r->want))
			test_note("%s:", r->name);
		CHECK_STR(buf_view(&got), r->want);
	}
	for (size_t i = 0; i < ds.len && r->want[0] != '!'; i++)
		if (ds.items[i].severity == SEV_ERROR)
			test_note("%s: %.*s: %.*s", r->name,
				  STR_ARG(ds.items[i].summary),
				  STR_ARG(ds.items[i].detail));
	buf_release(&got);
	if (p)
		plan_free(p);
	loop_free(l);
}

/* --- the rows --- */

#define T "resource \"terraform_data\" "
#define A "terraform_data.a"
#define B "terraform_data.b"
#define MADE " unknown id"
#define NORMAL { .mode = RUN_NORMAL }
#define ALL " unknown id,output"

static const struct row rows[] = {
	{ "creation, unknown values along a chain",
	  T "\"a\" { input = \"x\" }\n" T "\"b\" { input = " A ".output }\n"
	  T "\"c\" { input = \"${" B ".id}!\" }\n"
	  T "\"d\" { input = " A ".input }\n", NULL, { NULL },
	  A " create" ALL "\n" B " create unknown id,input,output\n"
	  "terraform_data.c create unknown id,input,output\n"
	  "terraform_data.d create" ALL "\n", NORMAL },
	{ "nothing to do", T "\"a\" { input = \"x\" }\n", NULL,
	  { A " x" }, A " no-op\n", NORMAL },
	{ "update: what is computed is unknown again",
	  T "\"a\" { input = \"y\" }\n", NULL, { A " x" },
	  A " update unknown output\n", NORMAL },
	{ "replacement by an attribute",
	  T "\"a\" {\n input = \"x\"\n triggers_replace = 1\n}\n", NULL,
	  { A " x" }, A " delete,create (replace_because_cannot_update) "
	  "replace triggers_replace" ALL "\n", NORMAL },
	{ "create_before_destroy turns it round",
	  T "\"a\" {\n input = \"x\"\n triggers_replace = 1\n"
	  " lifecycle { create_before_destroy = true }\n}\n", NULL,
	  { A " x" }, A " create,delete (replace_because_cannot_update) "
	  "replace triggers_replace" ALL "\n", NORMAL },
	{ "tainted", T "\"a\" { input = \"x\" }\n", NULL, { A " x tainted" },
	  A " delete,create (replace_because_tainted)" ALL "\n", NORMAL },
	{ "-replace", T "\"a\" { input = \"x\" }\n", NULL, { A " x" },
	  A " delete,create (replace_by_request)" ALL "\n", { .replace = A } },
	{ "replace_triggered_by",
	  T "\"a\" { input = \"y\" }\n" T "\"b\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A "] }\n}\n", NULL,
	  { A " x", B " x" }, A " update unknown output\n"
	  B " delete,create (replace_by_triggers)" ALL "\n", NORMAL },
	{ "ignore_changes",
	  T "\"a\" {\n input = \"y\"\n"
	  " lifecycle { ignore_changes = [input] }\n}\n", NULL, { A " x" },
	  A " no-op\n", NORMAL },
	{ "orphans and deposed objects", T "\"a\" { input = \"x\" }\n", NULL,
	  { A " x", A " w deposed=abcd1234", B " y", "module.q." B " z" },
	  A " no-op\n" A "/abcd1234 delete\n"
	  B " delete (delete_because_no_resource_config)\n"
	  "module.q." B " delete (delete_because_no_resource_config)\n", NORMAL },
	{ "count shrinks", T "\"a\" {\n count = 1\n input = \"x\"\n}\n", NULL,
	  { A "[0] x", A "[1] x" }, A "[0] no-op\n"
	  A "[1] delete (delete_because_count_index)\n", NORMAL },
	{ "for_each loses a key",
	  T "\"a\" {\n for_each = toset([\"k\"])\n input = each.key\n}\n",
	  NULL, { A "[\"k\"] k", A "[\"l\"] l" }, A "[\"k\"] no-op\n"
	  A "[\"l\"] delete (delete_because_each_key)\n", NORMAL },
	{ "for_each gains a key",
	  T "\"a\" {\n for_each = toset([\"k\", \"l\"])\n input = each.key\n}\n",
	  NULL, { A "[\"k\"] k" }, A "[\"k\"] no-op\n"
	  A "[\"l\"] create" ALL "\n", NORMAL },
	{ "count goes: the first stays, the others go",
	  T "\"a\" { input = \"x\" }\n", NULL, { A "[0] x", A "[1] x" },
	  "drift " A "\n" A " no-op from " A "[0]\n"
	  A "[1] delete (delete_because_wrong_repetition)\n", NORMAL },
	{ "count is added: moved to the first",
	  T "\"a\" {\n count = 2\n input = \"x\"\n}\n", NULL, { A " x" },
	  "drift " A "[0]\n" A "[0] no-op from " A "\n" A "[1] create" ALL "\n", NORMAL },
	{ "enabled = false",
	  T "\"a\" {\n input = \"x\"\n lifecycle { enabled = false }\n}\n",
	  NULL, { A " x" }, A " delete (delete_because_enabled_false)\n", NORMAL },
	{ "moved, in two steps and into a module",
	  "module \"m\" { source = \"./m\" }\n"
	  "moved {\n from = " A "\n to = " B "\n}\n"
	  "moved {\n from = " B "\n to = module.m." A "\n}\n",
	  T "\"a\" { input = \"x\" }\n", { A " x" },
	  "drift module.m." A "\nmodule.m." A " no-op from " A "\n", NORMAL },
	{ "moved and changed: an update",
	  T "\"b\" { input = \"y\" }\n"
	  "moved {\n from = " A "\n to = " B "\n}\n", NULL, { A " x" },
	  "drift " B "\n" B " update unknown output from " A "\n", NORMAL },
	{ "a whole module is moved",
	  "module \"m\" { source = \"./m\" }\n"
	  "moved {\n from = module.w\n to = module.m\n}\n",
	  T "\"a\" { input = \"x\" }\n" T "\"b\" { input = \"x\" }\n",
	  { "module.w." A " x", "module.w." B " x" },
	  "drift module.m." A "\ndrift module.m." B "\n"
	  "module.m." A " no-op from module.w." A "\n"
	  "module.m." B " no-op from module.w." B "\n", NORMAL },
	{ "moved to where something is",
	  T "\"b\" { input = \"x\" }\n"
	  "moved {\n from = " A "\n to = " B "\n}\n", NULL,
	  { A " x", B " x" },
	  A " delete (delete_because_no_resource_config)\n" B " no-op\n", NORMAL },
	{ "circular moves",
	  T "\"c\" {}\nmoved {\n from = " A "\n to = " B "\n}\n"
	  "moved {\n from = " B "\n to = " A "\n}\n", NULL, { A " x" },
	  "!Cyclic dependency in move statements", NORMAL },
	{ "removed without destroying",
	  "removed {\n from = " A "\n lifecycle { destroy = false }\n}\n", NULL,
	  { A " x" }, A " forget (delete_because_no_resource_config)\n", NORMAL },
	{ "modules by for_each",
	  "module \"m\" {\n source = \"./m\"\n"
	  " for_each = { k = \"x\", l = \"y\" }\n v = each.value\n}\n",
	  "variable \"v\" {}\n" T "\"a\" { input = var.v }\n",
	  { "module.m[\"k\"]." A " x", "module.m[\"z\"]." A " z" },
	  "module.m[\"k\"]." A " no-op\n"
	  "module.m[\"l\"]." A " create" ALL "\n"
	  "module.m[\"z\"]." A " delete (delete_because_no_module)\n", NORMAL },
	{ "a count that is known after apply",
	  T "\"a\" {}\n" T "\"b\" { count = length(" A ".id) }\n", NULL,
	  { NULL }, "!Invalid count argument", NORMAL },
	{ "prevent_destroy",
	  T "\"a\" {\n lifecycle { prevent_destroy = true }\n}\n", NULL,
	  { A " x tainted" }, "!Resource instance cannot be destroyed", NORMAL },
	{ "a precondition fails",
	  "locals { one = 1 }\n"
	  T "\"a\" {\n lifecycle {\n  precondition {\n"
	  "   condition = local.one == 2\n   error_message = \"no\"\n  }\n }\n}\n",
	  NULL, { NULL }, "!Resource precondition failed", NORMAL },
	{ "a check fails, another is not known yet",
	  T "\"a\" { input = \"x\" }\ncheck \"k\" {\n assert {\n"
	  "  condition = " A ".input == \"y\"\n  error_message = \"no\"\n }\n"
	  "}\ncheck \"u\" {\n assert {\n  condition = " A ".id == \"y\"\n"
	  "  error_message = \"no\"\n }\n}\n", NULL, { NULL },
	  A " create" ALL "\ncheck check.k fail\ncheck check.u unknown\n", NORMAL },
	{ "import", T "\"a\" { input = \"x\" }\n"
	  "import {\n to = " A "\n id = \"old\"\n}\n", NULL, { NULL },
	  A " update unknown output import old\n", NORMAL },
	{ "-target", T "\"a\" { input = \"x\" }\n"
	  T "\"b\" { input = " A ".id }\n" T "\"c\" {}\n", NULL, { NULL },
	  A " create" ALL "\n" B " create unknown id,input,output\n",
	  { .target = B } },
	{ "-exclude", T "\"a\" { input = \"x\" }\n"
	  T "\"b\" { input = " A ".id }\n" T "\"c\" {}\n", NULL, { NULL },
	  "terraform_data.c create" MADE "\n", { .exclude = A } },
	{ "destroying", T "\"a\" {}\n", NULL,
	  { A " x", B " y", B " z deposed=abcd1234" },
	  A " delete\n" B " delete\n" B "/abcd1234 delete\n",
	  { .mode = RUN_DESTROY } },
	{ "refresh-only changes nothing", T "\"a\" { input = \"y\" }\n", NULL,
	  { A " x", B " y" }, "", { .mode = RUN_REFRESH_ONLY } },
	{ "-refresh=false", T "\"a\" { input = \"y\" }\n", NULL, { A " x" },
	  A " update unknown output\n", { .no_refresh = true } },

	/* --- what goes, what stays, and what asks for replacement --- */
	{ "an orphan that the state says is not to be destroyed",
	  T "\"a\" { input = \"x\" }\n", NULL, { A " x", B " y kept" },
	  A " no-op\n" B " forget (forgot_because_lifecycle_destroy_in_state)\n",
	  NORMAL },
	{ "an instance too many, not to be destroyed",
	  T "\"a\" {\n count = 1\n input = \"x\"\n"
	  " lifecycle { destroy = false }\n}\n", NULL,
	  { A "[0] x", A "[1] x" }, A "[0] no-op\n" A
	  "[1] forget (forgot_because_lifecycle_destroy_in_config)\n", NORMAL },
	{ "prevent_destroy holds for an instance too many",
	  T "\"a\" {\n count = 1\n input = \"x\"\n"
	  " lifecycle { prevent_destroy = true }\n}\n", NULL,
	  { A "[0] x", A "[1] x" },
	  "!Resource instance cannot be destroyed", NORMAL },
	{ "prevent_destroy holds when destroying all",
	  T "\"a\" {\n lifecycle { prevent_destroy = true }\n}\n", NULL,
	  { A " x" }, "!Resource instance cannot be destroyed",
	  { .mode = RUN_DESTROY } },
	{ "what may not go keeps what it stands on",
	  T "\"a\" { input = \"x\" }\n"
	  T "\"b\" {\n lifecycle { prevent_destroy = true }\n}\n", NULL,
	  { A " x", B " y needs=" A },
	  "!Resource instance cannot be destroyed", { .mode = RUN_DESTROY } },
	{ "prevent_destroy must not be sensitive",
	  T "\"a\" {\n lifecycle { prevent_destroy = sensitive(false) }\n}\n",
	  NULL, { A " x tainted" }, "!Invalid value for prevent_destroy",
	  NORMAL },
	{ "replace_triggered_by what stays as it is",
	  T "\"a\" { input = \"x\" }\n" T "\"b\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A "] }\n}\n", NULL,
	  { A " x", B " x" }, A " no-op\n" B " no-op\n", NORMAL },
	{ "replace_triggered_by an attribute that changes",
	  T "\"a\" { input = \"y\" }\n" T "\"b\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A ".input] }\n}\n", NULL,
	  { A " x", B " x" }, A " update unknown output\n"
	  B " delete,create (replace_by_triggers)" ALL "\n", NORMAL },
	{ "replace_triggered_by an attribute that stays",
	  T "\"a\" { input = \"y\" }\n" T "\"b\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A ".id] }\n}\n", NULL,
	  { A " x", B " x" }, A " update unknown output\n" B " no-op\n",
	  NORMAL },
	{ "replace_triggered_by one instance",
	  T "\"a\" {\n count = 2\n input = count.index == 0 ? \"x\" : \"y\"\n}\n"
	  T "\"b\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A "[0]] }\n}\n"
	  T "\"c\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A "[1]] }\n}\n", NULL,
	  { A "[0] x", A "[1] x", B " x", "terraform_data.c x" },
	  A "[0] no-op\n" A "[1] update unknown output\n" B " no-op\n"
	  "terraform_data.c delete,create (replace_by_triggers)" ALL "\n",
	  NORMAL },
	{ "replace_triggered_by what is replaced",
	  T "\"a\" { input = \"x\" }\n" T "\"b\" {\n input = \"x\"\n"
	  " lifecycle { replace_triggered_by = [" A "] }\n}\n", NULL,
	  { A " x tainted", B " x" },
	  A " delete,create (replace_because_tainted)" ALL "\n"
	  B " delete,create (replace_by_triggers)" ALL "\n", NORMAL },
	{ "an object of a newer provider",
	  T "\"a\" { input = \"x\" }\n", NULL, { A " x newer" },
	  "!Resource instance managed by newer provider version", NORMAL },

	/* --- what must hold --- */
	{ "an object must not be made of itself",
	  T "\"a\" { input = " A ".id }\n", NULL, { NULL },
	  "!Self-referential block", NORMAL },
	{ "an instance must not be made of itself",
	  T "\"a\" {\n count = 2\n input = " A "[1].id\n}\n", NULL, { NULL },
	  "!Self-referential block", NORMAL },
	{ "a postcondition fails when planning",
	  T "\"a\" {\n input = \"x\"\n lifecycle {\n  postcondition {\n"
	  "   condition = self.input == \"y\"\n   error_message = \"no\"\n"
	  "  }\n }\n}\n", NULL, { NULL }, "!Resource postcondition failed",
	  NORMAL },
	{ "a condition must not be null",
	  "locals { none = null }\n"
	  T "\"a\" {\n lifecycle {\n  precondition {\n"
	  "   condition = local.none\n   error_message = \"no\"\n"
	  "  }\n }\n}\n", NULL, { NULL }, "!Invalid condition result", NORMAL },
	{ "an output's precondition fails",
	  "locals { one = 1 }\noutput \"o\" {\n value = 1\n precondition {\n"
	  "  condition = local.one == 2\n  error_message = \"no\"\n }\n}\n",
	  NULL, { NULL }, "!Module output value precondition failed", NORMAL },
	{ "an output must say that it is sensitive",
	  "output \"o\" { value = [sensitive(1)] }\n", NULL, { NULL },
	  "!Output refers to sensitive values", NORMAL },
	{ "an output must not be ephemeral",
	  "variable \"e\" {\n default = 1\n ephemeral = true\n}\n"
	  "output \"o\" { value = [var.e] }\n", NULL, { NULL },
	  "!Output does not allow ephemeral value", NORMAL },
	{ "a module's output must say that it is ephemeral",
	  "module \"m\" { source = \"./m\" }\n",
	  "variable \"e\" {\n default = 1\n ephemeral = true\n}\n"
	  "output \"o\" { value = var.e }\n", { NULL },
	  "!Output does not allow ephemeral value", NORMAL },
	{ "a module's variable must say that it is ephemeral",
	  "variable \"e\" {\n default = 1\n ephemeral = true\n}\n"
	  "module \"m\" {\n source = \"./m\"\n v = var.e\n}\n",
	  "variable \"v\" {}\n", { NULL },
	  "!Variable does not allow ephemeral value", NORMAL },
	{ "what is stored must not be ephemeral",
	  "variable \"e\" {\n default = 1\n ephemeral = true\n}\n"
	  T "\"a\" { input = [var.e] }\n", NULL, { NULL },
	  "!Ephemeral value used in non-ephemeral context", NORMAL },
	{ "outputs that the configuration no longer has",
	  "output \"o\" { value = \"x\" }\n", NULL,
	  { "output.o x", "output.p y" },
	  "output.o no-op\noutput.p delete\n", NORMAL },
	{ "count must not be ephemeral",
	  "variable \"e\" {\n default = 1\n ephemeral = true\n}\n"
	  T "\"a\" { count = var.e }\n", NULL, { NULL },
	  "!Invalid count argument", NORMAL },
	{ "for_each must not be sensitive",
	  T "\"a\" { for_each = sensitive(toset([\"k\"])) }\n", NULL, { NULL },
	  "!Invalid for_each argument", NORMAL },
	{ "for_each must not be ephemeral",
	  "variable \"e\" {\n default = { k = 1 }\n ephemeral = true\n}\n"
	  T "\"a\" { for_each = var.e }\n", NULL, { NULL },
	  "!Invalid for_each argument", NORMAL },
	{ "enabled must not be sensitive",
	  T "\"a\" {\n lifecycle { enabled = sensitive(true) }\n}\n", NULL,
	  { NULL }, "!Invalid enabled argument", NORMAL },
	{ "the key of a provider's instance must not be sensitive",
	  "provider \"terraform\" {\n alias = \"by\"\n"
	  " for_each = toset([\"k\"])\n}\n"
	  T "\"a\" { provider = terraform.by[sensitive(\"k\")] }\n", NULL,
	  { NULL }, "!Invalid provider instance key", NORMAL },

	/* --- imports and moves --- */
	{ "an import's key must not be sensitive",
	  T "\"a\" {\n for_each = toset([\"k\"])\n input = \"x\"\n}\n"
	  "import {\n to = " A "[sensitive(\"k\")]\n id = \"old\"\n}\n", NULL,
	  { NULL }, "!Import block 'to' address contains an invalid key",
	  NORMAL },
	{ "two imports into one object",
	  T "\"a\" {\n for_each = toset([\"k\"])\n input = \"x\"\n}\n"
	  "locals { k = \"k\" }\n"
	  "import {\n to = " A "[\"k\"]\n id = \"old\"\n}\n"
	  "import {\n to = " A "[local.k]\n id = \"other\"\n}\n", NULL,
	  { NULL }, "!Duplicate import configuration for \"" A "[\\\"k\\\"]\"",
	  NORMAL },
	{ "what is managed is not imported again",
	  T "\"a\" { input = \"x\" }\n"
	  "import {\n to = " A "\n id = \"old\"\n}\n", NULL, { A " x" },
	  A " no-op\n", NORMAL },
	{ "moved, but still declared",
	  T "\"a\" {}\n" T "\"b\" {}\n"
	  "moved {\n from = " A "\n to = " B "\n}\n", NULL, { A " x" },
	  "!Moved object still exists", NORMAL },
	{ "moved to two places",
	  T "\"b\" {}\n" T "\"c\" {}\n"
	  "moved {\n from = " A "\n to = " B "\n}\n"
	  "moved {\n from = " A "\n to = terraform_data.c\n}\n", NULL,
	  { A " x" }, "!Ambiguous move statements", NORMAL },

	/* --- -target and -exclude --- */
	{ "-target of one instance",
	  T "\"a\" {\n count = 2\n input = \"x\"\n}\n", NULL, { NULL },
	  A "[1] create" ALL "\n", { .target = A "[1]" } },
	{ "-exclude of one instance",
	  T "\"a\" {\n count = 2\n input = \"x\"\n}\n", NULL, { NULL },
	  A "[0] create" ALL "\n", { .exclude = A "[1]" } },
	{ "-target: outputs whose resources are all there",
	  T "\"a\" { input = \"x\" }\n" T "\"b\" { input = \"x\" }\n"
	  "output \"one\" { value = " A ".id }\n"
	  "output \"two\" { value = \"${" A ".id}${" B ".id}\" }\n", NULL,
	  { NULL }, A " create" ALL "\noutput.one create\n",
	  { .target = A } },
	{ "destroying a target takes what needs it",
	  "", NULL, { A " x", B " y needs=" A, "terraform_data.c z" },
	  A " delete\n" B " delete\n",
	  { .mode = RUN_DESTROY, .target = A } },
	{ "destroying without the excluded keeps what that needs",
	  "", NULL, { A " x", B " y needs=" A, "terraform_data.c z" },
	  "terraform_data.c delete\n",
	  { .mode = RUN_DESTROY, .exclude = B } },
	{ "destroying a target takes users in its own module instance",
	  "", NULL, { "module.m[0]." A " x",
	    "module.m[0]." B " x needs=module.m." A,
	    "module.m[1]." B " y needs=module.m." A },
	  "module.m[0]." A " delete\nmodule.m[0]." B " delete\n",
	  { .mode = RUN_DESTROY, .target = "module.m[0]." A } },
};

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		run_row(&rows[i]);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_rows());
	arena_release(&arena);
	return test_done("plan");
}
