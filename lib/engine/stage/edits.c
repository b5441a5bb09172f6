/* edits.c - see edits.h */
#include "engine/stage/edits.h"
#include "base/map.h"
#include "base/visible.h"
#include "stream/stream.h"
#include "stream/seal.h"

enum { NAMED = 3 }; /* records that an error names */

enum by { /* the stages for which an edit of a kind comes too late */
	  BY_EVAL = 1,
	  BY_GRAPH = 2,
	  BY_PLAN = 4,
	  BY_APPLY = 8,
	  ANY = BY_EVAL | BY_GRAPH | BY_PLAN | BY_APPLY,
};

static const char settled[] =
	"The plan was made from it. Edit it before tf-plan, and plan again.";
static const char found[] =
	"It tells what tf-plan found. Make a new plan instead.";
static const char stored[] =
	"The state is what is stored: tf-state changes that.";
static const char worked_out[] =
	"The plan was made from it. Edit it before tf-plan, or what it comes "
	"from, and plan again.";
static const char graph[] =
	"The plan was made by it. Before tf-plan nodes can be taken out and "
	"edges added; in a plan, edges of phase \"apply\", and nodes after "
	"\"tf-graph -apply\" if their change is taken out as well.";
static const char values[] =
	"A provider must be given the values that it planned. Edit the "
	"configuration (body of the record resource), or value of a record "
	"variable_value, before tf-plan, and plan again. A change can be taken "
	"out: both its resource_change and its planned record.";

/* The edits that stages refuse.  Those of kinds that are not listed are obeyed
 * by all stages but tf-apply. */
static const struct rule {
	const char *kind;
	unsigned refused; /* enum by */
	unsigned spare;   /* stages that can do without all of them */
	unsigned passed;  /* stages that leave it to a later one */
	const char *advice;
} rules[] = {
	{ "source", ANY, ANY, 0,
	  "It serves messages only. Edit the other records, which are what is "
	  "evaluated, or the file." },
	{ "variable", BY_APPLY, 0, 0, settled },
	{ "local_value", BY_APPLY, BY_APPLY, BY_GRAPH, worked_out },
	{ "expansion", BY_APPLY, BY_APPLY, BY_GRAPH, worked_out },
	{ "variable_value", BY_APPLY, BY_APPLY, 0, settled },
	{ "options", BY_APPLY, BY_APPLY, 0, settled },
	{ "node", BY_APPLY, BY_APPLY, BY_GRAPH, graph },
	{ "edge", BY_APPLY, BY_APPLY, BY_GRAPH, graph },
	{ "state", BY_PLAN | BY_APPLY, 0, 0, stored },
	{ "previous_run_state", BY_PLAN | BY_APPLY, BY_APPLY, 0, stored },
	{ "previous_output", BY_PLAN | BY_APPLY, BY_APPLY, 0, stored },
	{ "previous_check", BY_PLAN | BY_APPLY, BY_APPLY, 0, stored },
	{ "resource_change", BY_APPLY, 0, 0, values },
	{ "planned", BY_APPLY, 0, 0, values },
	{ "output_change", BY_APPLY, 0, 0,
	  "An output is what the configuration says. Edit value of the record "
	  "output before tf-plan, and plan again." },
	{ "module_output", BY_APPLY, BY_APPLY, 0, found },
	{ "plan", BY_APPLY, 0, 0, found },
	{ "schema", BY_APPLY, BY_APPLY, 0, found },
	{ "prior_state", BY_APPLY, 0, 0, found },
	{ "prior_output", BY_APPLY, BY_APPLY, 0, found },
	{ "resource_drift", BY_APPLY, BY_APPLY, 0, found },
	{ "check_result", BY_APPLY, 0, 0, found },
	{ "edited", ANY, 0, 0,
	  "It tells what tf-plan went by. Edit local_value, expansion, node or "
	  "edge before tf-plan." },
};

/* The rule for a variable, after a stage that has used the record already. */
static const struct rule after_eval = {
	"variable",
	ANY,
	0,
	0,
	"tf-eval went by it, and settled the values. Edit value of the record "
	"variable_value, or the variable before tf-eval.",
};
static const struct rule after_graph = {
	"backend",
	ANY,
	0,
	0,
	"tf-graph has read the state through it. Edit it before tf-graph.",
};
static const struct rule of_module = {
	"variable_value",
	ANY,
	0,
	0,
	"The value comes from the call of the module. Edit the argument in "
	"body of the record module_call before tf-plan.",
};
static const struct rule others = { "", BY_APPLY, 0, 0, settled };

struct group {                   /* edits that one error reports */
	const struct rule *rule; /* NULL: none yet */
	struct str kind, named[NAMED];
	struct str_vec members;
	enum seal_what what;
	size_t n, nameless;
};

struct edits {
	struct arena *arena;
	struct stream_out *o;
	const struct stream_info *info;
	enum by by;
	struct seal_edit_vec all;
	struct plan_edits *used; /* NULL: not asked for */
	struct group group;
	bool refused, sorted;
	struct diags *ds;
};

static const struct rule *rule_for(const struct edits *e,
				   const struct seal_edit *x)
{
	struct str kind = x->kind;

	if (str_is(kind, "variable_value") && x->address.n &&
	    !str_starts(x->address, "var."))
		return &of_module;
	if (str_is(kind, "variable") && e->by != BY_APPLY &&
	    stream_has_stage(e->info, "tf-eval"))
		return &after_eval;
	if (str_is(kind, "backend") && e->by != BY_APPLY &&
	    stream_has_stage(e->info, "tf-graph"))
		return &after_graph;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (str_is(kind, rules[i].kind))
			return &rules[i];
	return &others;
}

static const char *what_was_done(enum seal_what what)
{
	static const char *const words[] = {
		[SEAL_CHANGED] = "changed",
		[SEAL_ADDED] = "added",
		[SEAL_TAKEN] = "taken out",
	};

	return words[what];
}

/* " of A, B and 7 more"; records that were taken out are not always known by
 * name. */
static void add_addresses(struct buf *b, const struct group *g)
{
	for (size_t i = 0; i < g->n && i < NAMED; i++) {
		buf_puts(b, i ? ", " : " of ");
		visible_line(b, g->named[i]);
	}
	if (g->n > NAMED)
		buf_addf(b, " and %zu more", g->n - NAMED);
}

/* Once, instead of what would be told of each kind. */
static void tell_sorted(struct edits *e, struct str stage)
{
	if (!e->sorted)
		diag_error(e->ds, NULL, "Edited records cannot be used",
			   "Their members are in another order than %.*s "
			   "wrote them in, so that each record counts as "
			   "edited. jq -S sorts members, as do other programs "
			   "than jq: let them keep the order.",
			   STR_ARG(stage));
	e->sorted = true;
}

static void tell(struct edits *e, const struct group *g)
{
	struct str stage = e->info->stages.items[e->info->stages.len - 1];
	struct buf b = BUF_INIT;

	/* a stage writes `record` first, and a seal does not list it */
	if (str_vec_has(&g->members, STR("record"))) {
		tell_sorted(e, stage);
		return;
	}
	buf_puts(&b, g->n + g->nameless > 1 ? "Records " : "A record ");
	visible_line(&b, g->kind);
	add_addresses(&b, g);
	for (size_t i = 0; i < g->members.len; i++) {
		buf_puts(&b, i ? ", " : " (");
		visible_line(&b, g->members.items[i]);
	}
	buf_puts(&b, g->members.len ? ")" : "");
	diag_error(e->ds, NULL, "Edited record cannot be used",
		   "%.*s %s %s after %.*s. %s", STR_ARG(buf_view(&b)),
		   g->n + g->nameless > 1 ? "were" : "was",
		   what_was_done(g->what), STR_ARG(stage), g->rule->advice);
	buf_release(&b);
}

/* Each once. */
static void add_members(struct arena *a, struct str_vec *to,
			const struct str_vec *more)
{
	for (size_t i = 0; i < more->len; i++)
		if (!str_vec_has(to, more->items[i]))
			vec_push(a, to, more->items[i]);
}

/* Records of one kind come one after the other. */
static void refuse(struct edits *e, const struct seal_edit *x,
		   const struct rule *r)
{
	struct group *g = &e->group;

	e->refused = true;
	if (g->rule && (!str_eq(g->kind, x->kind) || g->what != x->what)) {
		tell(e, g);
		g->rule = NULL;
	}
	if (!g->rule)
		*g = (struct group){ .rule = r,
				     .kind = x->kind,
				     .what = x->what };
	add_members(e->arena, &g->members, &x->members);
	if (!x->address.n)
		g->nameless++;
	else if (g->n++ < NAMED)
		g->named[g->n - 1] = x->address;
}

static int finish(struct edits *e)
{
	if (e->group.rule)
		tell(e, &e->group);
	return e->refused ? -1 : 0;
}

/* false: the input does not show what was edited. */
static bool begin(struct edits *e)
{
	return stream_edits(e->arena, e->o, e->info, &e->all);
}

static bool one(struct edits *e, const struct seal_edit *x)
{
	const struct rule *r = rule_for(e, x);

	if (!(r->refused & e->by) || (x->whole && (r->spare & e->by)))
		return true;
	refuse(e, x, r);
	return false;
}

static void use(struct edits *e, struct seal_edit *x)
{
	if (str_is(x->kind, "node") || str_is(x->kind, "edge")) {
		e->used->graph_edited |= !x->whole;
		if (x->what != SEAL_TAKEN)
			vec_push(e->arena, &e->used->graph, *x);
	} else if (x->what != SEAL_TAKEN && (str_is(x->kind, "local_value") ||
					     str_is(x->kind, "expansion"))) {
		map_put(e->arena, &e->used->worked_out, x->address, x);
	}
}

static int check(struct edits *e)
{
	for (size_t i = 0; i < e->all.len; i++) {
		struct seal_edit *x = &e->all.items[i];

		if (!one(e, x) || (rule_for(e, x)->passed & e->by))
			continue;
		seal_accept(e->o->seal, x->kind);
		if (e->used)
			use(e, x);
	}
	return finish(e);
}

int edits_check_eval(struct arena *a, struct stream_out *o,
		     const struct stream_info *i, struct diags *ds)
{
	struct edits e = {
		.arena = a, .o = o, .info = i, .by = BY_EVAL, .ds = ds
	};

	return begin(&e) ? check(&e) : 0;
}

int edits_check_graph(struct arena *a, struct stream_out *o,
		      const struct stream_info *i, struct diags *ds)
{
	struct edits e = {
		.arena = a, .o = o, .info = i, .by = BY_GRAPH, .ds = ds
	};

	return begin(&e) ? check(&e) : 0;
}

int edits_check_plan(struct arena *a, struct stream_out *o,
		     const struct stream_info *i, struct plan_edits *edits,
		     struct diags *ds)
{
	struct edits e = { .arena = a,
			   .o = o,
			   .info = i,
			   .by = BY_PLAN,
			   .used = edits,
			   .ds = ds };

	*edits = (struct plan_edits){ 0 };
	if (begin(&e))
		return check(&e);
	edits->unsealed = edits->graph_edited = true;
	return 0;
}

/* --- plans --- */

/* Only planned records are known by name when they are gone; that each change
 * has both of its records is checked elsewhere. */
static bool is_taken(const struct seal_edit *x)
{
	return x->what == SEAL_TAKEN && (str_is(x->kind, "planned") ||
					 str_is(x->kind, "resource_change"));
}

/* Notes edited `planned` records: editing a change edits both of its records,
 * which is reported once. */
static void note_planned(struct edits *e, struct map *edited)
{
	for (size_t i = 0; i < e->all.len; i++) {
		struct seal_edit *x = &e->all.items[i];

		if (x->what != SEAL_TAKEN && str_is(x->kind, "planned"))
			map_put(e->arena, edited, x->address, x);
	}
}

/* The graph of tf-graph -apply: edges more, nodes less. */
static bool use_graph(struct edits *e, const struct seal_edit *x,
		      struct apply_edits *out)
{
	struct seal_edit_vec nodes = { 0 };

	if (str_is(x->kind, "edge") && x->what != SEAL_TAKEN &&
	    str_is(x->phase, "apply")) {
		vec_push(e->arena, &out->links,
			 ((struct graph_link){ x->address, x->to }));
		return true;
	}
	if (!str_is(x->kind, "node") || x->what != SEAL_TAKEN)
		return false;
	if (out->nodes_taken || x->whole)
		return true;
	seal_records_read(e->arena, e->o->seal, x->kind, &nodes);
	for (size_t i = 0; i < nodes.len; i++)
		if (str_is(nodes.items[i].phase, "apply"))
			map_put(e->arena, &out->nodes, nodes.items[i].address,
				out);
	return out->nodes_taken = out->nodes.len > 0;
}

void edits_tell_unsealed(const struct stream_info *i, struct diags *ds)
{
	if (stream_lost_seal(i))
		diag_warning(
			ds, NULL, "Plan without a seal",
			"%.*s leaves a record \"seal\" in a plan, by which "
			"it is known what was edited since. This plan has "
			"none: whoever took it out may have edited the "
			"rest, too.",
			STR_ARG(i->stages.items[i->stages.len - 1]));
}

int edits_check_apply(struct arena *a, struct stream_out *o,
		      const struct stream_info *i, struct apply_edits *out,
		      struct diags *ds)
{
	struct edits e = {
		.arena = a, .o = o, .info = i, .by = BY_APPLY, .ds = ds
	};
	struct map planned = { 0 };

	if (!begin(&e)) {
		edits_tell_unsealed(i, ds);
		return 0;
	}
	note_planned(&e, &planned);
	for (size_t n = 0; n < e.all.len; n++) {
		const struct seal_edit *x = &e.all.items[n];

		if (use_graph(&e, x, out))
			continue;
		if (!is_taken(x)) {
			if (!str_is(x->kind, "resource_change") ||
			    !map_has(&planned, x->address))
				one(&e, x);
		} else if (str_is(x->kind, "planned") &&
			   !str_is(x->action, "no-op")) {
			vec_push(a, &out->taken,
				 ((struct taken_change){ x->address,
							 x->action }));
		}
	}
	return finish(&e);
}
