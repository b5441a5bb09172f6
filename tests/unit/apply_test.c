/*
 * apply_test.c - the order of operations, and plans as records
 *
 * The first half builds apply graphs from a configuration, a state and changes,
 * and asks which node waits for which; the cases are those of destroying.md.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "addr/walk.h"
#include "engine/change/change.h"
#include "json/tree.h"
#include "stream/stream.h"
#include "test.h"
#include "addr/provider.h"
#include "addr/target.h"
#include "base/io.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "engine/order/apply_graph.h"
#include "engine/change/record.h"
#include "engine/change/events.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"

static struct arena arena;

/* --- setting a case up --- */

static struct config *load(const char *text)
{
	char dir[] = "/tmp/apply_test.XXXXXX";
	struct diags ds = DIAGS_INIT(&arena);
	const struct workdir here = WORKDIR_INIT;
	struct config_options o = { .workdir = &here };
	struct config *c;
	const char *file;

	CHECK(mkdtemp(dir) != NULL);
	file = arena_printf(&arena, "%s/main.tf", dir);
	CHECK(io_replace_file(file, text, strlen(text), 0600) == 0);
	o.dir = str_c(dir);
	c = config_load(&arena, &o, &ds);
	CHECK_ROW(!diags_failed(&ds), text);
	unlink(file);
	rmdir(dir);
	return c;
}

static struct instance_addr address(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct instance_addr i = { .key = KEY_ABSENT };

	CHECK_ROW(instance_addr_parse(&arena, str_c(text), &i, &ds) == 0,
		  text);
	return i;
}

/* Words of a line, split at spaces. */
static size_t words(const char *line, char *out[], size_t max)
{
	char *s = arena_strdup(&arena, line), *save = NULL;
	size_t n = 0;

	for (char *w = strtok_r(s, " ", &save); w && n < max;
	     w = strtok_r(NULL, " ", &save))
		out[n++] = w;
	return n;
}

static struct provider_addr provider_of(struct resource_addr r)
{
	return str_starts(r.type, "x_")
		       ? (struct provider_addr){ STR("registry.opentofu.org"),
						 STR("hashicorp"), STR("x") }
		       : provider_builtin;
}

/* "ADDRESS [cbd] [deposed=KEY] DEPENDENCY..." */
static void put(struct state *s, const char *line)
{
	struct state_instance *i = ARENA_NEW(&arena, struct state_instance);
	struct state_resource *r;
	struct instance_addr addr;
	char *w[16];
	size_t n = words(line, w, 16);

	addr = address(w[0]);
	r = state_resource_make(s, addr.module, &addr.resource);
	r->provider.provider = provider_of(addr.resource);
	i->key = addr.key;
	i->attributes = STR("{}");
	i->dependencies = ARENA_ARRAY(&arena, struct str, n);
	for (size_t k = 1; k < n; k++) {
		if (strcmp(w[k], "cbd") == 0)
			i->create_before_destroy = true;
		else if (strncmp(w[k], "deposed=", 8) == 0)
			i->deposed = str_c(w[k] + 8);
		else
			i->dependencies[i->ndependencies++] = str_c(w[k]);
	}
	state_put(s, r, i);
}

/* "ADDRESS ACTION [deposed=KEY | from=ADDRESS | on=DEPENDENCY]" */
static struct change *change(const char *line)
{
	struct change *c = ARENA_NEW(&arena, struct change);
	struct str on = STR_NONE;
	char *w[3];
	size_t n = words(line, w, 3);

	c->addr = c->prev_addr = address(w[0]);
	c->action = (enum action)action_from_name(str_c(w[1]));
	CHECK_ROW((int)c->action >= 0, line);
	if (n > 2 && strncmp(w[2], "from=", 5) == 0)
		c->prev_addr = address(w[2] + 5);
	else if (n > 2 && strncmp(w[2], "on=", 3) == 0)
		on = str_c(w[2] + 3);
	else if (n > 2)
		c->deposed = str_c(w[2] + 8);
	if (on.n)
		c->dependencies = (struct dependencies){
			arena_dup(&arena, &on, sizeof(on)), 1 };
	c->provider.provider = provider_of(c->addr.resource);
	c->after = &value_null_dynamic;
	return c;
}

/* link: an edge that the user added, or NULL, NULL. */
static struct apply_graph *build_linked(const char *config,
					const char *const *state,
					const char *const *changes,
					bool destroy, const char *const *link)
{
	struct state *s = state_new(&arena);
	struct change_vec v = { NULL, 0, 0 };
	struct graph_link_vec links = { NULL, 0, 0 };
	struct apply_graph_options o = { .destroy = destroy,
					 .own_links = &links };
	struct diags ds = DIAGS_INIT(&arena);
	struct apply_graph *g;

	for (; *state; state++)
		put(s, *state);
	for (; *changes; changes++)
		vec_push(&arena, &v, change(*changes));
	if (link[0])
		vec_push(&arena, &links,
			 ((struct graph_link){ str_c(link[0]),
					       str_c(link[1]) }));
	g = apply_graph_build(&arena, load(config), s, &v, &o, &ds);
	for (size_t i = 0; i < ds.len; i++)
		test_note("%.*s: %.*s", STR_ARG(ds.items[i].summary),
			  STR_ARG(ds.items[i].detail));
	return g;
}

static struct apply_graph *build(const char *config, const char *const *state,
				 const char *const *changes, bool destroy)
{
	static const char *const none[2];

	return build_linked(config, state, changes, destroy, none);
}

/* A deposed object's node is named by its random key: any of the instance. */
static uint32_t node(const struct apply_graph *g, const char *name)
{
	const char *star = strchr(name, '*');

	for (uint32_t i = 0; i < g->g->nodes.len; i++) {
		struct str a = g->g->nodes.items[i].address;

		if (star ? str_starts(a, arena_strndup(&arena, name,
						       (size_t)(star - name)))
			 : str_is(a, name))
			return i;
	}
	return GRAPH_NONE;
}

static bool waits(const struct apply_graph *g, const char *later,
		  const char *earlier)
{
	unsigned char *set = xcalloc(g->g->nodes.len + 1, 1);
	uint32_t from = node(g, later), to = node(g, earlier);
	bool found = false;

	if (from == GRAPH_NONE || to == GRAPH_NONE)
		test_note("no node: %s",
			  from == GRAPH_NONE ? later : earlier);
	if (from != GRAPH_NONE && to != GRAPH_NONE) {
		set[from] = 1;
		graph_reach(g->g, set, false);
		found = set[to];
	}
	free(set);
	return found;
}

/* --- the cases --- */

#define T "resource \"terraform_data\" "
#define A T "\"a\" { input = 1 }\n"
#define B T "\"b\" { input = terraform_data.a.output }\n"
#define C T "\"c\" { input = terraform_data.b.output }\n"
#define A_CBD T "\"a\" {\n lifecycle { create_before_destroy = true }\n}\n"
#define B_CBD \
	T "\"b\" {\n input = terraform_data.a.output\n" \
	  " lifecycle { create_before_destroy = true }\n}\n"

#define A_ "terraform_data.a"
#define B_ "terraform_data.b"
#define C_ "terraform_data.c"
#define M_ "terraform_data.m"
#define N_ "terraform_data.n"
#define Z_ "terraform_data.z"
#define D " (destroy)"
#define DEPOSED " (destroy deposed *"

/* A provider whose configuration comes from a, and an object of it. */
#define P "provider \"x\" { v = terraform_data.a.output }\n"
#define P_ "provider[\"registry.opentofu.org/hashicorp/x\"]"
#define X_ "x_thing.x"

static const struct {
	const char *name, *config;
	const char *state[6], *changes[6];
	const char *order[8][2]; /* later, earlier; or "!later", earlier */
	bool destroy;
	const char *link[2]; /* an edge that the user added: later, earlier */
} cases[] = {
	{ "creation", A B C, { NULL },
	  { A_ " create", B_ " create", C_ " create" },
	  { { B_, A_ }, { C_, B_ }, { "!" A_, B_ } }, false },
	{ "update after creation", A B C, { B_ " " A_, C_ " " A_ " " B_ },
	  { A_ " create", B_ " update", C_ " update" },
	  { { B_, A_ }, { C_, B_ } }, false },
	{ "destruction", A B C, { A_, B_ " " A_, C_ " " A_ " " B_ },
	  { A_ " delete", B_ " delete", C_ " delete" },
	  { { A_ D, B_ D }, { B_ D, C_ D }, { "!" C_ D, A_ D } }, true },
	{ "replace all", A B, { A_, B_ " " A_ },
	  { A_ " delete-then-create", B_ " delete-then-create" },
	  { { A_ D, B_ D }, { A_, A_ D }, { B_, A_ }, { B_, B_ D } }, false },
	{ "replace a dependency", A B, { A_, B_ " " A_ },
	  { A_ " delete-then-create", B_ " update" },
	  { { A_, A_ D }, { B_, A_ }, { B_, A_ D } }, false },
	{ "destroy, then update", A, { A_, B_ " " A_ },
	  { A_ " update", B_ " delete" }, { { A_, B_ D } }, false },
	{ "replace all, the dependency cbd", A_CBD B, { A_ " cbd", B_ " " A_ },
	  { A_ " create-then-delete", B_ " delete-then-create" },
	  { { A_, B_ D }, { B_, A_ }, { B_, B_ D }, { A_ DEPOSED, B_ },
	    { A_ DEPOSED, A_ } }, false },
	{ "update around a cbd dependency", A_CBD B, { A_ " cbd", B_ " " A_ },
	  { A_ " create-then-delete", B_ " update" },
	  { { B_, A_ }, { A_ DEPOSED, B_ }, { A_ DEPOSED, A_ } }, false },
	{ "update, then destroy a cbd dependency", T "\"b\" { input = 1 }\n",
	  { A_ " cbd", B_ " " A_ }, { A_ " delete", B_ " update" },
	  { { A_ D, B_ } }, false },
	{ "update, then destroy: not cbd", T "\"b\" { input = 1 }\n",
	  { A_, B_ " " A_ }, { A_ " delete", B_ " update" },
	  { { B_, A_ D } }, false },
	{ "replace all, all cbd", A_CBD B_CBD, { A_ " cbd", B_ " cbd " A_ },
	  { A_ " create-then-delete", B_ " create-then-delete" },
	  { { B_, A_ }, { B_ DEPOSED, B_ }, { A_ DEPOSED, B_ DEPOSED } },
	  false },
	{ "a cbd user goes when what it needed is there", A,
	  { A_, B_ " cbd " A_ }, { A_ " update", B_ " delete" },
	  { { B_ D, A_ } }, false },
	{ "a deposed leftover", A_CBD B, { A_, A_ " deposed=0badcafe" },
	  { A_ " update", A_ " delete deposed=0badcafe" },
	  { { A_ DEPOSED, A_ } }, false },
	{ "through what does not change", A B C, { B_ " " A_ },
	  { A_ " create", C_ " create" }, { { C_, A_ } }, false },
	{ "through a local value",
	  A "locals { x = terraform_data.a.id }\n"
	    T "\"c\" { input = local.x }\n", { NULL },
	  { A_ " create", C_ " create" }, { { C_, A_ } }, false },
	{ "one instance",
	  T "\"a\" { count = 2 }\n" T "\"b\" { input = terraform_data.a[0].id }\n",
	  { NULL }, { A_ "[0] create", A_ "[1] create", B_ " create" },
	  { { B_, A_ "[0]" }, { "!" B_, A_ "[1]" } }, false },
	{ "one instance that does not change, and the others if nothing is against it",
	  T "\"a\" { count = 2 }\n" T "\"b\" { input = terraform_data.a[0].id }\n",
	  { A_ "[0]" }, { A_ "[1] create", B_ " create" },
	  { { B_, A_ "[1]" } }, false },
	{ "one instance, by the text of its number",
	  T "\"a\" { count = 2 }\n" T "\"b\" { input = terraform_data.a[\"0\"].id }\n",
	  { A_ "[0]", A_ "[1]" },
	  { A_ "[0] delete-then-create", A_ "[1] delete-then-create",
	    B_ " create on=" A_ },
	  { { B_, A_ "[0]" D }, { B_, A_ "[0]" }, { "!" B_, A_ "[1]" },
	    { B_, A_ "[1]" D } }, false },
	{ "all instances",
	  T "\"a\" { count = 2 }\n" T "\"b\" { input = terraform_data.a[*].id }\n",
	  { NULL }, { A_ "[0] create", A_ "[1] create", B_ " create" },
	  { { B_, A_ "[0]" }, { B_, A_ "[1]" } }, false },
	{ "instances that go before their users change",
	  T "\"a\" { count = 1 }\n" T "\"b\" { input = terraform_data.a[*].id }\n",
	  { A_ "[0]", A_ "[1]", B_ " " A_ },
	  { A_ "[1] delete", B_ " update" }, { { B_, A_ "[1]" D } }, false },
	{ "what is referred to goes first, though the state does not know",
	  T "\"a\" { count = 1 }\n" T "\"b\" { input = terraform_data.a[*].id }\n",
	  { A_ "[0]", A_ "[1]", B_ },
	  { A_ "[1] delete", B_ " update on=" A_ }, { { B_, A_ "[1]" D } },
	  false },
	{ "a check's data source is read when all is done",
	  A "check \"k\" {\n data \"terraform_remote_state\" \"d\" {\n"
	    "  backend = \"local\"\n }\n assert {\n"
	    "  condition = data.terraform_remote_state.d.outputs != null\n"
	    "  error_message = \"m\"\n }\n}\n", { NULL },
	  { A_ " create", "data.terraform_remote_state.d read" },
	  { { "data.terraform_remote_state.d", A_ } }, false },
	{ "a provider is configured before what that came from goes", A P,
	  { A_, X_ }, { A_ " delete", X_ " delete" },
	  { { A_ D, P_ }, { X_ D, P_ } }, true },
	{ "a provider's own circle opens", A P, { A_, X_ " " A_ },
	  { A_ " update", X_ " delete" }, { { X_ D, A_ } }, false },
	{ "outputs and checks come last",
	  A "output \"o\" { value = terraform_data.a.id }\n"
	    "check \"k\" {\n assert {\n  condition = terraform_data.a.id != \"\"\n"
	    "  error_message = \"m\"\n }\n}\n", { NULL }, { A_ " create" },
	  { { "output.o", A_ }, { "check.k", A_ } }, false },
	{ "what goes late goes early where what it used follows what is remade",
	  A B, { A_, B_ " " A_, C_ " cbd " A_ " " B_ },
	  { A_ " delete-then-create", B_ " update", C_ " delete" },
	  { { A_ D, C_ D }, { A_, A_ D }, { B_, A_ } }, false },
	{ "destroying all, what was before a move gives way to what is now", "",
	  { Z_, B_ " " N_, N_ " " A_ },
	  { Z_ " delete from=" N_, B_ " delete from=" A_,
	    N_ " delete from=" M_ },
	  { { N_ D, B_ D }, { Z_ D, B_ D }, { "!" B_ D, N_ D } }, true },
	{ "what is not necessary gives way to what the user asks for",
	  T "\"b\" { input = 1 }\n", { A_, B_ " " A_ },
	  { A_ " delete", B_ " update" },
	  { { A_ D, B_ }, { "!" B_, A_ D } }, false, { A_ D, B_ } },
	{ "destroying all, what was before a move gives way to the user", "",
	  { Z_, B_ " " N_ },
	  { Z_ " delete from=" N_, B_ " delete from=" A_ },
	  { { B_ D, Z_ D }, { "!" Z_ D, B_ D } }, true, { B_ D, Z_ D } },
	{ "forget, then create", A, { A_ }, { A_ " forget-then-create" },
	  { { A_, A_ " (forget)" } }, false },
};

static void test_order(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct apply_graph *g = build_linked(
			cases[i].config, cases[i].state, cases[i].changes,
			cases[i].destroy, cases[i].link);

		CHECK_ROW(g != NULL, cases[i].name);
		for (size_t k = 0; g && k < 8 && cases[i].order[k][0]; k++) {
			const char *later = cases[i].order[k][0];
			bool no = *later == '!';

			CHECK_ROW(waits(g, later + no,
					cases[i].order[k][1]) == !no,
				  arena_printf(&arena, "%s: %s after %s",
					       cases[i].name, later,
					       cases[i].order[k][1]));
		}
	}
}

/* Two instances of one module do not wait for each other's destruction. */
static void test_module_instances(void)
{
	static const char *const state[] = {
		"module.m[0].terraform_data.a",
		"module.m[0].terraform_data.b module.m.terraform_data.a",
		"module.m[1].terraform_data.a",
		"module.m[1].terraform_data.b module.m.terraform_data.a",
		"terraform_data.c module.m.terraform_data.a", NULL
	};
	static const char *const changes[] = {
		"module.m[0].terraform_data.a delete",
		"module.m[0].terraform_data.b delete",
		"module.m[1].terraform_data.a delete",
		"module.m[1].terraform_data.b delete",
		"terraform_data.c delete", NULL
	};
	struct apply_graph *g = build("", state, changes, true);

	CHECK(waits(g, "module.m[0].terraform_data.a" D,
		    "module.m[0].terraform_data.b" D));
	CHECK(!waits(g, "module.m[0].terraform_data.a" D,
		     "module.m[1].terraform_data.b" D));
	CHECK(waits(g, "module.m[0].terraform_data.a" D, C_ D));
	CHECK(waits(g, "module.m[1].terraform_data.a" D, C_ D));
}

/* n instances that all depend on n others: edges stay linear. */
static void test_linear(void)
{
	enum { N = 500 };
	const char **state = ARENA_ARRAY(&arena, const char *, 2 * N + 1);
	const char **changes = ARENA_ARRAY(&arena, const char *, 2 * N + 1);
	struct apply_graph *g;

	for (int i = 0; i < N; i++) {
		state[i] = arena_printf(&arena, A_ "[%d]", i);
		state[N + i] = arena_printf(&arena, B_ "[%d] " A_, i);
		changes[i] = arena_printf(&arena, A_ "[%d] delete", i);
		changes[N + i] = arena_printf(&arena, B_ "[%d] delete", i);
	}
	g = build("", state, changes, true);
	CHECK(waits(g, A_ "[7]" D, B_ "[493]" D));
	CHECK(g->g->edges.len < 10 * N);
}

static void test_invalid(void)
{
	static const char *const none[] = { NULL };
	static const char *const rows[][2] = {
		{ A_ " update", NULL },          /* not in the state */
		{ A_ " create-then-delete", NULL },
		{ B_ " create", NULL },          /* not in the configuration */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_ROW(!build(A, none, rows[i], false), rows[i][0]);
}

/* Dependencies in the state may be circular: then nothing is done. */
static void test_circle(void)
{
	static const char *const state[] = { A_ " " B_, B_ " " A_, NULL };
	static const char *const changes[] = { A_ " delete", B_ " delete",
					       NULL };

	CHECK(!build("", state, changes, true));
}

/* Nor does what never gives way do so for an edge of the user's. */
static void test_user_circle(void)
{
	static const char *const state[] = { A_, B_ " " A_, NULL };
	static const char *const gone[] = { A_ " delete", B_ " delete", NULL };
	static const char *const made[] = { A_ " update", B_ " update", NULL };
	static const char *const when_gone[] = { B_ D, A_ D };
	static const char *const when_made[] = { A_, B_ };

	CHECK(build("", state, gone, true) != NULL);
	CHECK(!build_linked("", state, gone, true, when_gone));
	CHECK(build(A B, state, made, false) != NULL);
	CHECK(!build_linked(A B, state, made, false, when_made));
}

/* An ephemeral resource is opened only for nodes that do something. */
static void test_needed(void)
{
	static const char *const state[] = { NULL };
	static const char *const changes[] = { A_ " create", NULL };
	struct apply_graph *g = build(
		T "\"a\" { input = ephemeral.x_e.used.v }\n"
		"ephemeral \"x_e\" \"used\" {\n}\n"
		"ephemeral \"x_e\" \"unused\" {\n}\n", state, changes, false);

	CHECK(apply_node(g, node(g, "ephemeral.x_e.used"))->needed);
	CHECK(!apply_node(g, node(g, "ephemeral.x_e.unused"))->needed);
}

/* --- changes as records --- */

static struct str record_lines(const struct change *c)
{
	char path[] = "/tmp/apply_test.XXXXXX";
	int fd = mkstemp(path);
	struct stream_out o;
	struct buf b = BUF_INIT;
	struct str s;

	stream_out_init(&o, fd, true);
	change_write(&o, c, NULL);
	CHECK(out_flush(&o.out) == 0);
	stream_out_release(&o);
	close(fd);
	CHECK(io_read_file(path, &b, 0) == 0);
	unlink(path);
	s = buf_dup(&arena, &b);
	buf_release(&b);
	return s;
}

static int read_lines(struct change_reader *r, struct str text,
		      struct diags *ds)
{
	while (text.n) {
		ptrdiff_t nl = str_chr(text, '\n');
		struct str line = str_sub(text, 0, (size_t)nl);

		text = str_sub(text, (size_t)nl + 1, text.n);
		if (str_starts(line, "{\"record\":\"header\""))
			continue;
		if (change_read_record(r, json_peek_record(line), line, ds))
			return -1;
	}
	return change_read_finish(r, ds);
}

static struct change *sample_change(void)
{
	static const struct path_step step = { STR_INIT("input"), NULL };
	struct change *c = change("terraform_data.a[\"x\\\"y\"] "
				  "delete-then-create");
	struct str names[] = { STR("id"), STR("input"), STR("secret") };
	const struct value *attrs[3];

	attrs[0] = value_refine_not_null(&arena,
					 value_unknown(&arena, &type_string));
	attrs[1] = value_int(&arena, 5);
	attrs[2] = value_with_marks(&arena, value_string(&arena, STR("s")),
				    &marks_sensitive);
	c->after = value_object(&arena, names, attrs, 3);
	attrs[0] = value_string(&arena, STR("i"));
	c->before = value_object(&arena, names, attrs, 3);
	c->planned_private = STR("\x01\xff");
	c->create_before_destroy = true;
	c->dependencies.items = ARENA_ARRAY(&arena, struct str, 1);
	c->dependencies.items[0] = STR("terraform_data.b");
	c->dependencies.len = 1;
	vec_push(&arena, &c->required_replace, (struct path){ &step, 1 });
	return c;
}

/* The record of the object that the sample changes. */
static const char object_line[] =
	"{\"record\":\"previous_run_state\","
	"\"address\":\"terraform_data.a[\\\"x\\\\\\\"y\\\"]\","
	"\"attributes\":{\"id\":\"i\",\"input\":5,\"secret\":\"s\"},"
	"\"sensitive_attributes\":"
	"[[{\"type\":\"get_attr\",\"value\":\"secret\"}]]}\n";

static void test_round_trip(void)
{
	struct change *c = sample_change(), *got;
	struct change_reader r = { .arena = &arena };
	struct diags ds = DIAGS_INIT(&arena);
	struct str text =
		STR_CAT(&arena, str_c(object_line), record_lines(c));

	CHECK(str_find(text, STR("\"after_unknown\":{\"id\":true}")) > 0);
	CHECK(str_find(text, STR("\"after\":{\"input\":5,\"secret\":\"s\"}")) >
	      0);
	CHECK(str_find(text, STR("\"replace_paths\":[[\"input\"]]")) > 0);
	CHECK(read_lines(&r, text, &ds) == 0);
	CHECK(ds.len == 0 && r.changes.len == 1);
	got = r.changes.items[0];
	CHECK(instance_addr_equal(&got->addr, &c->addr));
	CHECK(got->action == c->action);
	CHECK(value_identical(got->after, c->after));
	CHECK(str_eq(got->planned_private, c->planned_private));
	CHECK(got->create_before_destroy && got->dependencies.len == 1);
	CHECK_STR(got->dependencies.items[0], "terraform_data.b");
	CHECK(got->required_replace.len == 1 &&
	      path_equal(got->required_replace.items[0],
			 c->required_replace.items[0]));
	CHECK(provider_addr_equal(got->provider.provider, provider_builtin));
	change_reader_release(&r);
}

static struct str replaced(struct str text, const char *what, const char *with)
{
	ptrdiff_t at = str_find(text, str_c(what));

	CHECK_ROW(at >= 0, what);
	if (at < 0)
		return text;
	return str_printf(&arena, "%.*s%s%.*s", (int)at, text.p, with,
			  (int)(text.n - (size_t)at - strlen(what)),
			  text.p + at + strlen(what));
}

/* An edit of a plan must change both records. */
static void test_disagreement(void)
{
	static const char *const rows[][2] = {
		{ "\"actions\":[\"delete\",\"create\"]",
		  "\"actions\":[\"create\",\"delete\"]" },
		{ "\"after\":{\"input\":5,", "\"after\":{\"input\":6," },
		{ "\"action\":\"delete-then-create\"",
		  "\"action\":\"create\"" },
		{ "{\"record\":\"planned\"", "{\"record\":\"plannned\"" },
		{ "\"action\":\"delete-then-create\"",
		  "\"action\":\"explode\"" },
		{ "\"planned\":{\"value\":{", "\"planned\":{\"value\":[{" },
	};
	struct str text = STR_CAT(&arena, str_c(object_line),
				  record_lines(sample_change()));

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct change_reader r = { .arena = &arena };
		struct diags ds = DIAGS_INIT(&arena);
		struct str edited = replaced(text, rows[i][0], rows[i][1]);

		CHECK_ROW(read_lines(&r, edited, &ds) != 0, rows[i][1]);
		change_reader_release(&r);
	}
	/* other spellings of the same are no disagreement */
	for (size_t i = 0; i < 2; i++) {
		struct change_reader r = { .arena = &arena };
		struct diags ds = DIAGS_INIT(&arena);

		text = replaced(text, i ? "\"secret\":\"s\"" : "\"input\":5,",
				i ? "\"secret\" : \"\\u0073\""
				  : "\"input\":5.0,");
		CHECK(read_lines(&r, text, &ds) == 0);
		change_reader_release(&r);
	}
}

/* --- events of progress --- */

/* Returns the event lines of an object's destruction. */
static void end(void *done)
{
	*(bool *)done = true;
}

/* What is told of an update; busy: with what is told while it goes on. */
static struct str told_of(const struct value *v, bool busy)
{
	char path[] = "/tmp/apply_test.XXXXXX";
	struct instance_addr addr = address(A_);
	int fd = mkstemp(path);
	struct loop *l = loop_new();
	struct stream_out o;
	struct buf b = BUF_INIT;
	struct events e;
	struct event_flight *f;
	bool done = false;
	struct str s;

	stream_out_init(&o, fd, true);
	events_init(&e, &arena, &o, l);
	e.progress_ms = 1;
	f = event_start(&e, &addr, STR_NONE, ACTION_DELETE, v);
	if (busy) {
		loop_after(l, 5, end, &done);
		CHECK(loop_run(l, &done) == 0);
	}
	event_complete(f, v);
	CHECK(out_flush(&o.out) == 0);
	stream_out_release(&o);
	close(fd);
	CHECK(io_read_file(path, &b, 0) == 0);
	unlink(path);
	s = buf_dup(&arena, &b);
	buf_release(&b);
	loop_free(l);
	return s;
}

static struct str told(const struct value *v)
{
	return told_of(v, false);
}

static const struct value *known_by(const char *attr, const struct value *v)
{
	struct str name = str_c(attr);

	return value_object(&arena, &name, &v, 1);
}

/* Events identify an object by its id, name or tag, unless that is secret. */
static void test_told(void)
{
	const struct value *v = value_string(&arena, STR("hush"));
	const struct value *secret = value_with_marks(&arena, v,
						      &marks_sensitive);
	struct str key = STR("Name");
	const struct value *tags = value_map(&arena, &type_string, &key, &v, 1);

	CHECK(str_find(told(known_by("name", v)), STR("hush")) > 0);
	CHECK(str_find(told(known_by("name", secret)), STR("hush")) < 0);
	CHECK(str_find(told(known_by("tags", tags)), STR("hush")) > 0);
	tags = value_with_marks(&arena, tags, &marks_sensitive);
	CHECK(str_find(told(known_by("tags", tags)), STR("hush")) < 0);
}

/* While it goes on people are told the id, programs are not. */
static void test_told_of_progress(void)
{
	const struct value *v = value_string(&arena, STR("hush"));
	struct str s = told_of(known_by("name", v), true);
	const ptrdiff_t at = str_find(s, STR("Still destroying..."));
	ptrdiff_t line;

	CHECK(at > 0);
	for (line = at; line > 0 && s.p[line - 1] != '\n'; line--)
		;
	s = str_sub(s, (size_t)line, s.n);
	s = str_sub(s, 0, (size_t)str_chr(s, '\n'));
	CHECK(str_find(s, STR("\"id_key\":\"name\",\"id_value\":\"hush\","
			      "\"@level\"")) > 0);
	CHECK(str_find(str_sub(s, (size_t)str_find(s, STR("@level")), s.n),
		       STR("hush")) < 0);
}

/* What asks to stop before anybody listens waits, and ends nothing. */
static void test_stop_held(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	const struct timespec at_once = { 0, 0 };
	sigset_t before, one;

	sigprocmask(SIG_SETMASK, NULL, &before);
	stop_hold();
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		CHECK(!stop_waits());
		raise(signals[i]);
		CHECK(stop_waits());
		sigemptyset(&one);
		sigaddset(&one, signals[i]);
		CHECK(sigtimedwait(&one, NULL, &at_once) == signals[i]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_order());
	RUN(test_module_instances());
	RUN(test_linear());
	RUN(test_invalid());
	RUN(test_circle());
	RUN(test_user_circle());
	RUN(test_needed());
	RUN(test_told());
	RUN(test_stop_held());
	RUN(test_told_of_progress());
	RUN(test_round_trip());
	RUN(test_disagreement());
	arena_release(&arena);
	return test_done("apply");
}
