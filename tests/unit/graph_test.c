/*
 * graph_test.c - dependency graphs: what depends on what, selectors, circles,
 * paths, order, and walks whose work completes in any order
 */
#include "case.h"
#include "graph/draw.h"
#include "graph/plan_graph.h"
#include "graph/plan_select.h"
#include "graph/graph.h"

/* --- the plan graph --- */

static struct state *state_of(const char *const *lines)
{
	struct state *s = state_new(&arena);

	for (; *lines; lines++) {
		struct state_instance *i =
			ARENA_NEW(&arena, struct state_instance);
		struct instance_addr a = case_address(*lines);
		struct state_resource *r =
			state_resource_make(s, a.module, &a.resource);

		r->provider.provider = provider_builtin;
		i->key = a.key;
		i->attributes = STR("{}");
		state_put(s, r, i);
	}
	return s;
}

static struct plan_graph *build(const char *config, const char *module,
				const char *const *state,
				enum plan_graph_kind kind)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct plan_graph *pg = plan_graph_build(
		&arena, case_load(config, module), state_of(state), kind, &ds);

	CHECK_ROW(pg && !diags_failed(&ds), config);
	return pg;
}

static bool depends(const struct graph *g, const char *from, const char *to)
{
	uint32_t f = graph_find(g, str_c(from)), t = graph_find(g, str_c(to));
	unsigned char *set = xcalloc(g->nodes.len + 1, 1);
	bool found;

	CHECK_ROW(f != GRAPH_NONE, from);
	CHECK_ROW(t != GRAPH_NONE, to);
	if (f == GRAPH_NONE || t == GRAPH_NONE) {
		free(set);
		return false;
	}
	set[f] = 1;
	graph_reach(g, set, false);
	found = set[t];
	free(set);
	return found;
}

static const char *const nothing[] = { NULL };

static const char config[] =
	"variable \"v\" { default = 1 }\n"
	"locals { l = var.v }\n"
	"resource \"terraform_data\" \"a\" { input = local.l }\n"
	"resource \"terraform_data\" \"b\" {\n"
	"  count = 2\n  input = terraform_data.a.output\n}\n"
	"resource \"terraform_data\" \"c\" {}\n"
	"resource \"terraform_data\" \"d\" { depends_on = [module.m] }\n"
	"module \"m\" {\n  source = \"./m\"\n  x = terraform_data.b[0].id\n}\n"
	"output \"o\" { value = module.m.y }\n"
	"output \"p\" { value = terraform_data.c.id }\n";
static const char child[] =
	"variable \"x\" {}\n"
	"resource \"terraform_data\" \"a\" { input = var.x }\n"
	"resource \"terraform_data\" \"z\" {}\n"
	"output \"y\" { value = terraform_data.a.output }\n";

static void test_dependencies(void)
{
	static const struct {
		const char *from, *to;
		bool yes;
	} rows[] = {
		{ "terraform_data.a", "var.v", true },
		{ "terraform_data.b", "terraform_data.a", true },
		{ "terraform_data.a", "terraform_data.b", false },
		{ "module.m.terraform_data.a", "terraform_data.a", true },
		{ "module.m.terraform_data.z", "terraform_data.a", false },
		{ "output.o", "module.m.terraform_data.a", true },
		{ "output.o", "module.m.terraform_data.z", false },
		{ "terraform_data.d", "module.m.terraform_data.z", true },
		{ "terraform_data.c", "terraform_data.a", false },
		{ "module.m.terraform_data.a", "module.m", true },
		{ "terraform_data.c",
		  "provider[\"terraform.io/builtin/terraform\"]", true },
	};
	struct plan_graph *pg = build(config, child, nothing,
				      PLAN_GRAPH_NORMAL);
	uint32_t b = graph_find(pg->g, STR("terraform_data.b"));
	struct plan_deps deps;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_ROW(depends(pg->g, rows[i].from, rows[i].to) ==
				  rows[i].yes, rows[i].from);
	deps = plan_graph_dependencies(&arena, pg, b);
	CHECK(deps.n == 1);
	CHECK_STR(deps.items[0], "terraform_data.a");
}

static void test_orphans(void)
{
	static const char *const state[] = { "terraform_data.a",
					     "terraform_data.gone[1]",
					     "module.x.terraform_data.y",
					     NULL };
	struct plan_graph *pg = build(config, child, state,
				      PLAN_GRAPH_NORMAL);
	uint32_t n = graph_find(pg->g, STR("terraform_data.gone"));

	CHECK(n != GRAPH_NONE && pg->g->nodes.items[n].kind == NODE_ORPHAN);
	n = graph_find(pg->g, STR("module.x.terraform_data.y"));
	CHECK(n != GRAPH_NONE && pg->g->nodes.items[n].kind == NODE_ORPHAN);
	n = graph_find(pg->g, STR("terraform_data.a"));
	CHECK(n != GRAPH_NONE && pg->g->nodes.items[n].kind == NODE_RESOURCE);
}

/* Dependencies recorded in the state decide the order; cycles among them are no
 * error. */
static void test_destroy_order(void)
{
	static const char *const state[] = {
		"terraform_data.a", "terraform_data.b[0]", "terraform_data.c",
		"module.m.terraform_data.a", NULL };
	struct state *s = state_of(state);
	struct diags ds = DIAGS_INIT(&arena);
	struct plan_graph *pg;

	for (size_t i = 0; i < s->resources.len; i++) {
		struct state_resource *r = s->resources.items[i];
		struct state_instance *si = r->instances.items[0];

		si->dependencies = ARENA_ARRAY(&arena, struct str, 1);
		si->ndependencies = 1;
		si->dependencies[0] = r->module.len ? STR("terraform_data.b")
				      : str_is(r->addr.name, "b")
					      ? STR("terraform_data.a")
				      : str_is(r->addr.name, "a")
					      ? STR("terraform_data.a")
					      : STR("terraform_data.nope");
	}
	pg = plan_graph_build(&arena, case_load(config, child), s,
			      PLAN_GRAPH_DESTROY, &ds);
	CHECK(pg && !diags_failed(&ds));
	CHECK(depends(pg->g, "terraform_data.a (destroy)",
		      "terraform_data.b (destroy)"));
	CHECK(depends(pg->g, "terraform_data.b (destroy)",
		      "module.m.terraform_data.a (destroy)"));
	CHECK(!depends(pg->g, "terraform_data.c (destroy)",
		       "terraform_data.a (destroy)"));
}

static void selected(const char *targets, const char *excludes,
		     const char *want)
{
	struct plan_graph *pg = build(config, child, nothing,
				      PLAN_GRAPH_NORMAL);
	struct target_set only = { 0 };
	struct buf b = BUF_INIT;

	if (targets)
		vec_push(&arena, &only.targets, case_target(targets));
	if (excludes)
		vec_push(&arena, &only.excludes, case_target(excludes));
	plan_graph_select(pg, &only);
	for (size_t i = 0; i < pg->g->nodes.len; i++) {
		const struct graph_node *n = &pg->g->nodes.items[i];

		if (n->selected && (n->kind == NODE_RESOURCE ||
				    n->kind == NODE_OUTPUT))
			buf_addf(&b, "%.*s ", STR_ARG(n->address));
	}
	CHECK_STR(buf_view(&b), want);
	buf_release(&b);
}

static void test_selectors(void)
{
	selected("terraform_data.b", NULL,
		 "terraform_data.a terraform_data.b ");
	selected("module.m", NULL,
		 "terraform_data.a terraform_data.b output.o "
		 "module.m.terraform_data.a module.m.terraform_data.z "
		 "module.m.output.y ");
	selected("terraform_data.c", NULL, "terraform_data.c output.p ");
	selected(NULL, "terraform_data.b",
		 "terraform_data.a terraform_data.c output.p "
		 "module.m.terraform_data.z ");
	selected(NULL, "module.m.terraform_data.z",
		 "terraform_data.a terraform_data.b terraform_data.c "
		 "output.o output.p module.m.terraform_data.a "
		 "module.m.output.y ");
}

static void test_forced_cbd(void)
{
	struct plan_graph *pg = build(
		"resource \"terraform_data\" \"a\" {}\n"
		"resource \"terraform_data\" \"b\" {\n"
		"  input = terraform_data.a.id\n"
		"  lifecycle { create_before_destroy = true }\n}\n"
		"resource \"terraform_data\" \"c\" {\n"
		"  input = terraform_data.b.id\n}\n",
		NULL, nothing, PLAN_GRAPH_NORMAL);

	plan_graph_force_cbd(pg);
	CHECK(plan_node(pg, graph_find(pg->g, STR("terraform_data.a")))->cbd);
	CHECK(plan_node(pg, graph_find(pg->g, STR("terraform_data.b")))->cbd);
	CHECK(!plan_node(pg, graph_find(pg->g, STR("terraform_data.c")))->cbd);
}

static void test_circle_in_configuration(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct config *c = case_load(
		"resource \"terraform_data\" \"a\" {\n"
		"  input = terraform_data.b.id\n}\n"
		"resource \"terraform_data\" \"b\" {\n"
		"  input = terraform_data.c.id\n}\n"
		"resource \"terraform_data\" \"c\" {\n"
		"  input = [terraform_data.a.id, terraform_data.b.id]\n}\n",
		NULL);

	CHECK(!plan_graph_build(&arena, c, NULL, PLAN_GRAPH_NORMAL, &ds));
	CHECK(ds.len == 1 && str_starts(ds.items[0].summary, "Cycle: "));
	/* The shortest: b and c, each reference with its place. */
	CHECK(str_find(ds.items[0].summary, STR("terraform_data.a")) < 0);
	CHECK(str_find(ds.items[0].detail, STR("main.tf:5,11")) >= 0);
	CHECK(str_find(ds.items[0].detail, STR("main.tf:8,")) >= 0);
}

/* --- graphs as such --- */

static struct graph *numbered(size_t n, const uint32_t (*edges)[2], size_t ne)
{
	struct graph *g = graph_new(&arena);

	for (size_t i = 0; i < n; i++)
		graph_add(g, NODE_LOCAL, str_printf(&arena, "n%zu", i), NULL,
			  NULL);
	for (size_t i = 0; i < ne; i++)
		graph_edge(g, edges[i][0], edges[i][1], NULL, NULL);
	return g;
}

#define LEN(a) (sizeof(a) / sizeof(*(a)))

static void test_paths(void)
{
	static const uint32_t edges[][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 1 }, { 0, 4 }, { 4, 3 },
		{ 5, 6 }, { 6, 5 }, { 0, 1 },
	};
	struct graph *g = numbered(8, edges, LEN(edges));
	struct diags ds = DIAGS_INIT(&arena);
	struct graph_path p;
	uint32_t order[8];

	CHECK(g->edges.len == LEN(edges) - 1); /* a parallel edge is one */
	/* one of each set that depends on each other, none that runs in one */
	CHECK(graph_check_cycles(&arena, g, &ds) == -1 && ds.len == 2);
	CHECK(str_is(ds.items[0].summary, "Cycle: n1, n2, n3"));
	CHECK(str_is(ds.items[1].summary, "Cycle: n5, n6"));
	CHECK(graph_why(&arena, g, 0, 3, &p) == 0);
	CHECK(p.len >= 2 && p.nodes[0] == 0 && p.nodes[1] == 4);
	CHECK(graph_why(&arena, g, 3, 0, &p) == -1);
	CHECK(graph_order(g, order) == 1 && order[0] == 7);
}

static void test_order(void)
{
	static const uint32_t edges[][2] = { { 0, 2 }, { 1, 0 }, { 3, 2 },
					     { 1, 3 } };
	static const uint32_t want[] = { 2, 4, 0, 3, 1 };
	struct graph *g = numbered(5, edges, LEN(edges));
	struct diags ds = DIAGS_INIT(&arena);
	uint32_t order[5];

	CHECK(graph_order(g, order) == 5);
	CHECK(memcmp(order, want, sizeof(want)) == 0);
	CHECK(graph_check_cycles(&arena, g, &ds) == 0 && !ds.len);
}

/* A walk whose work is done later, in an order of the test's choosing. */
struct later {
	uint32_t running[64];
	size_t n, skipped;
	struct buf started;
	bool finished;
};

static void start(void *data, struct graph_walk *w, uint32_t node)
{
	struct later *l = data;

	(void)w;
	l->running[l->n++] = node;
	buf_addf(&l->started, "%u ", node);
}

static void skip(void *data, struct graph_walk *w, uint32_t node)
{
	(void)w;
	(void)node;
	((struct later *)data)->skipped++;
}

static void finished(void *data, struct graph_walk *w)
{
	(void)w;
	((struct later *)data)->finished = true;
}

static void test_walk(void)
{
	static const uint32_t edges[][2] = { { 2, 0 }, { 2, 1 }, { 3, 2 },
					     { 4, 1 }, { 5, 4 } };
	static const struct graph_walk_ops ops = { start, skip, finished };

	/* whichever completes first, dependencies come before their users */
	for (unsigned seed = 0; seed < 32; seed++) {
		struct graph *g = numbered(6, edges, LEN(edges));
		struct later l = { .n = 0 };
		struct graph_walk *w = graph_walk_new(&arena, g, &ops, &l);
		bool done[6] = { false };
		unsigned r = seed;

		graph_walk_begin(w);
		CHECK_STR(buf_view(&l.started), "0 1 ");
		while (l.n) {
			size_t pick = r % l.n;
			uint32_t node = l.running[pick];

			r = r * 5 + 3;
			for (size_t e = 0; e < LEN(edges); e++)
				if (edges[e][0] == node)
					CHECK(done[edges[e][1]]);
			done[node] = true;
			l.running[pick] = l.running[--l.n];
			graph_walk_done(w, node, false);
		}
		CHECK(l.finished && !l.skipped);
		buf_release(&l.started);
	}
}

/* A node that is cut waits for nothing, and the others' users are theirs still.
 */
static void test_cut(void)
{
	static const uint32_t edges[][2] = { { 1, 0 }, { 2, 0 }, { 2, 1 },
					     { 3, 2 } };
	static const uint32_t want[] = { 0, 2, 1, 3 };
	static const struct graph_walk_ops ops = { start, skip, finished };
	struct graph *g = numbered(4, edges, LEN(edges));
	struct later l = { .n = 0 };
	struct graph_walk *w;
	uint32_t order[4];

	graph_cut(g, 2);
	CHECK(graph_order(g, order) == 4);
	CHECK(memcmp(order, want, sizeof(want)) == 0);
	w = graph_walk_new(&arena, g, &ops, &l);
	graph_walk_begin(w);
	graph_walk_done(w, 0, true);
	graph_walk_done(w, 2, false);
	graph_walk_done(w, 3, false);
	CHECK_STR(buf_view(&l.started), "0 2 3 ");
	CHECK(l.skipped == 1 && l.finished);
	buf_release(&l.started);
}

static void test_failed_walk(void)
{
	static const uint32_t edges[][2] = { { 2, 0 }, { 2, 1 }, { 3, 2 },
					     { 4, 1 }, { 5, 4 } };
	static const struct graph_walk_ops ops = { start, skip, finished };
	struct graph *g = numbered(6, edges, LEN(edges));
	struct later l = { .n = 0 };
	struct graph_walk *w = graph_walk_new(&arena, g, &ops, &l);

	graph_walk_begin(w);
	graph_walk_done(w, 0, true);
	graph_walk_done(w, 1, false);
	graph_walk_done(w, 4, false);
	graph_walk_done(w, 5, false);
	CHECK_STR(buf_view(&l.started), "0 1 4 5 ");
	CHECK(l.skipped == 2 && l.finished);
	CHECK(graph_walk_failed(w, 3) && !graph_walk_failed(w, 5));
	buf_release(&l.started);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_dependencies());
	RUN(test_orphans());
	RUN(test_destroy_order());
	RUN(test_selectors());
	RUN(test_forced_cbd());
	RUN(test_circle_in_configuration());
	RUN(test_paths());
	RUN(test_order());
	RUN(test_walk());
	RUN(test_cut());
	RUN(test_failed_walk());
	arena_release(&arena);
	return test_done("graph");
}
