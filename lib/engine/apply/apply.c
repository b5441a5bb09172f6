/*
 * apply.c - the run as a whole: state and lock, graph, walk, interruptions
 */
#include <errno.h>
#include <unistd.h>

#include "engine/apply/apply_int.h"
#include "encrypt/encrypt.h"
#include "engine/change/events.h"
#include "engine/run/assertions.h"
#include "engine/run/expand.h"
#include "engine/run/run.h"
#include "engine/run/providers.h"
#include "graph/graph.h"
#include "json/write.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "state/backend/rows.h"
#include "state/edit/edit.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "engine/apply/apply.h"
#include "base/workdir.h"
#include "engine/stage/stage.h"
#include "state/backend/backend_config.h"

/* --- the state, and does the plan fit it? --- */

static int check_stale(const struct apply *ap)
{
	const struct state *planned = ap->in->header, *now = ap->state;
	bool first = !planned->lineage.n && planned->serial == 0;

	if (!first && !str_eq(planned->lineage, now->lineage))
		return diag_error(ap->ds, NULL,
				  "Saved plan does not match the given state",
				  "The plan was made from the state of another "
				  "lineage, so it cannot be applied to this "
				  "one.");
	if (planned->serial != now->serial)
		return diag_error(ap->ds, NULL, "Saved plan is stale",
				  "The state was changed after the plan was "
				  "made, so the plan can no longer be "
				  "applied. Make a new one.");
	return 0;
}

/* Reads the prior_state records: objects that planning refreshed, upgraded or
 * moved. */
static int take_prior(struct apply *ap)
{
	for (size_t i = 0; i < ap->in->prior.len; i++)
		if (state_read_record(NULL, ap->state, STR("prior_state"),
				      ap->in->prior.items[i], ap->ds))
			return -1;
	return stored_check_prior(ap);
}

static int journal_error(struct apply *ap)
{
	return diag_error(ap->ds, NULL, "Failed to write the journal",
			  "What planning found cannot be recorded: %.*s.",
			  STR_ARG(journal_why(ap->backend)));
}

/* What this plan has looked at is known: objects that were read again, and
 * those that were imported. */
static int settle_known(struct apply *ap)
{
	const struct change_vec *all = &ap->in->said.changes.changes;
	const struct selectors *what = &ap->in->said.plan.what;
	size_t n;
	int rc = 0;

	if (selectors_read_all(what) && !target_set_narrows(&what->set))
		rc = journal_settle(ap->backend, NULL, false, &n);
	for (size_t i = 0; i < all->len && !rc; i++) {
		const struct change *c = all->items[i];
		struct buf text = BUF_INIT;
		struct str addr;

		if (!c->import_id.n && !c->import_identity)
			continue;
		instance_addr_print(&text, &c->addr);
		addr = buf_view(&text);
		rc = journal_settle(ap->backend, &addr, true, &n);
		buf_release(&text);
	}
	return rc ? journal_error(ap) : 0;
}

/* Writes the prior state to the journal as a group: a moved object is never in
 * both places.  Not before the plan is accepted: one that is refused leaves
 * nothing. */
static int journal_prior(struct apply *ap)
{
	const size_t n = ap->in->prior.len;
	int rc = journal_group(ap->backend, n);

	for (size_t i = 0; !rc && i < n; i++)
		rc = journal_record(ap->backend, ap->in->prior.items[i]);
	return rc ? journal_error(ap) : settle_known(ap);
}

static int take_lock(struct apply *ap)
{
	const struct apply_options *o = ap->opts;
	struct diags ignored = DIAGS_INIT(ap->arena);

	if (!o->lock)
		return 0;
	/* The lock of tf-state with-lock may be another state's. */
	if (o->lock_token.n &&
	    !backend_adopt_lock(ap->backend, o->lock_token, &ignored))
		return 0;
	return backend_lock(ap->backend, "OperationTypeApply",
			    o->lock_timeout_ms, ap->ds);
}

static int make_graph(struct apply *ap)
{
	if (!ap->graph)
		ap->graph =
			apply_input_graph(ap->arena, ap->in, ap->state, ap->ds);
	return ap->graph ? 0 : -1;
}

/* Of a state that is kept as rows: others may change what is not claimed. */
static int open_rows(struct apply *ap)
{
	ap->state = claims_planned_state(ap);
	if (!ap->state || take_prior(ap) ||
	    (!ap->opts->refreshed && make_graph(ap)))
		return -1;
	return claims_take(ap);
}

static void tell_waiting(void *data)
{
	event_lock_wait(&((struct apply *)data)->events);
}

static bool stop_waiting(void *data)
{
	(void)data;
	return stop_waits();
}

static int open_state(struct apply *ap)
{
	struct backend_options o = ap->opts->backend;

	o.workspace = ap->in->said.plan.workspace;
	o.operation = STR("OperationTypeApply");
	o.loop = ap->loop;
	o.waiting = tell_waiting;
	o.stop_waiting = stop_waiting;
	o.waiting_data = ap;
	o.unsettled_told = !ap->opts->saved; /* by the planning just before */
	ap->backend = backend_open(ap->arena, &o, ap->ds);
	/* Before anything is done: it must be possible to store it. */
	if (!ap->backend ||
	    envelope_prepare(encryption_state(o.encryption), ap->ds) ||
	    take_lock(ap))
		return -1;
	if (backend_by_row(ap->backend))
		return open_rows(ap);
	ap->state = backend_read(ap->backend, ap->ds);
	if (!ap->state || check_stale(ap))
		return -1;
	if (ap->in->header->translated)
		state_translate(ap->state, ap->in->config);
	if (stored_check(ap))
		return -1;
	ap->written = ap->state->serial;
	return take_prior(ap);
}

/* --- the run --- */

struct apply_graph *apply_input_graph(struct arena *a,
				      const struct apply_input *in,
				      const struct state *s, struct diags *ds)
{
	struct apply_graph_options o = {
		.destroy = in->said.plan.what.mode == RUN_DESTROY,
		.refresh_only = in->said.plan.what.mode == RUN_REFRESH_ONLY,
		.outputs = &in->said.planned_outputs,
		.only = in->said.plan.what.set,
		.links = &in->overrides.links,
		.own_links = &in->edits.links,
	};
	struct apply_graph *ag;

	o.ntaken = in->edits.taken.len;
	if (taken_addresses(a, &in->edits.taken, &o.taken, ds))
		return NULL;
	ag = apply_graph_build(a, in->config, s, &in->said.changes.changes, &o,
			       ds);
	return ag && taken_nodes_check(&in->edits, ag->g, ds) ? NULL : ag;
}

static void take_idle(struct apply *ap)
{
	for (uint32_t i = 0; i < ap->graph->g->nodes.len; i++) {
		struct apply_node *an = apply_node(ap->graph, i);

		if (an->idle)
			map_put(ap->arena, &ap->run->idle,
				run_idle_key(&an->expands), an);
	}
}

static int make_run(struct apply *ap)
{
	struct apply_input *in = ap->in;
	struct run_options o = {
		.phase = RUN_APPLY,
		.mode = in->said.plan.what.mode,
		.parallelism = ap->opts->parallelism,
		.only = in->said.plan.what.set,
		.workspace = in->said.plan.workspace,
		.timestamp = in->said.plan.timestamp,
		.dir = ap->opts->dir,
		.original_dir = ap->opts->original_dir,
		.providers = ap->opts->providers,
		.overrides = &in->overrides,
		.encryption = ap->opts->backend.encryption,
	};
	struct inputs given = ap->opts->inputs;

	ap->run =
		run_new(ap->arena, ap->loop, in->config, ap->state, &o, ap->ds);
	ap->run->planned_providers = &in->said.plan.providers;
	if (!ap->opts->saved)
		ap->run->planned_outputs = &in->said.module_outputs;
	if (apply_variables(in, &given, &ap->run->inputs, ap->opts->saved,
			    ap->ds))
		return -1;
	take_idle(ap);
	for (size_t i = 0; i < in->said.changes.changes.len; i++)
		run_change_add(ap->run, in->said.changes.changes.items[i]);
	return apply_expect_checks(ap);
}

/* Outputs that the configuration no longer has. */
static void drop_outputs(struct apply *ap)
{
	const struct map *declared = &ap->in->config->root->outputs;
	const struct state_output_list outs = state_outputs_sorted(ap->state);

	if (target_set_narrows(&ap->in->said.plan.what.set))
		return;
	for (size_t i = 0; i < outs.len; i++)
		if (!map_has(declared, outs.items[i].name))
			apply_output(ap, outs.items[i].name, NULL, STR_NONE);
}

/* If targets limit a destroy, sets the outputs that refreshing found. */
static void take_refreshed_outputs(struct apply *ap)
{
	const struct state *was = ap->state;
	struct state *found = state_new(was->arena);
	const struct map *said = &ap->in->said.outputs;
	struct state_output_list outs;

	if (!target_set_narrows(&ap->in->said.plan.what.set))
		return;
	state_copy_outputs(found, was);
	for (size_t i = 0; i < said->len; i++) {
		const struct plan_output *o = said->entries[i].value;

		if (o->prior.p &&
		    state_read_record(NULL, found, STR("prior_output"),
				      o->prior, ap->ds))
			return;
	}
	outs = state_outputs_sorted(was);
	for (size_t i = outs.len; i-- > 0;) {
		struct str name = outs.items[i].name;

		if (!state_output(found, name))
			apply_output(ap, name, NULL, STR_NONE);
	}
	outs = state_outputs_sorted(found);
	for (size_t i = 0; i < outs.len; i++) {
		const struct state_output *o = &outs.items[i];

		apply_output(ap, o->name, o->value, o->deprecated);
	}
}

/* Sets the outputs that planning knew already at the start, whatever happens
 * later and whether or not -target lets them be evaluated again. */
static void take_outputs(struct apply *ap)
{
	const struct map *declared = &ap->in->config->root->outputs;

	if (ap->in->said.plan.what.mode == RUN_DESTROY) {
		take_refreshed_outputs(ap);
		return;
	}
	for (size_t i = 0; i < ap->in->said.planned_outputs.len; i++) {
		const struct map_entry *e =
			&ap->in->said.planned_outputs.entries[i];
		const struct cfg_output *o = map_get(declared, e->key);

		if (o && !apply_output_stays(ap, e->key) &&
		    value_wholly_known(e->value))
			apply_keep_output(ap, o, e->value);
	}
}

/* --- interruptions --- */

static void stop_running(struct apply *ap, bool at_once)
{
	for (struct op *o = ap->running; o; o = o->next)
		provision_stop(o->provisioning, at_once);
	run_providers_stop(ap->run);
}

static void stop(void *data, bool at_once)
{
	struct apply *ap = data;

	stop_running(ap, at_once);
	if (at_once) { /* running operations are left as they are */
		ap->killed = true;
		ap->finished = true;
		return;
	}
	ap->interrupted = ap->stopped = true;
	graph_walk_stop(ap->walk);
}

static void persist(void *data)
{
	struct apply *ap = data;

	ap->persist = NULL;
	if (apply_write_state(ap, ap->ds))
		return; /* the journal has it; the end tries again */
	ap->persist = loop_after(ap->loop, ap->opts->persist_ms, persist, ap);
}

static void walked(void *data, struct graph_walk *w)
{
	struct apply *ap = data;

	(void)w;
	apply_close_ephemerals(ap);
}

static void begin(void *data)
{
	graph_walk_begin(((struct apply *)data)->walk);
}

static void walk(struct apply *ap)
{
	static const struct graph_walk_ops ops = {
		.start = apply_start_node,
		.finished = walked,
	};

	ap->walk = graph_walk_new(ap->arena, ap->graph->g, &ops, ap);
	ap->requests = (struct stop_requests){ .events = &ap->events,
					       .stop = stop,
					       .data = ap };
	stop_listen(&ap->requests, ap->loop);
	ap->persist = loop_after(ap->loop, ap->opts->persist_ms, persist, ap);
	loop_defer(ap->loop, begin, ap);
	if (loop_run(ap->loop, &ap->finished))
		diag_error(ap->ds, NULL, "Event loop failed", "%s.",
			   strerror(errno));
}

/* Reports the imports, which planning has made, where users expect it. */
static void tell_imports(struct apply *ap)
{
	const struct change_vec *all = &ap->in->said.changes.changes;

	for (size_t i = 0; i < all->len; i++) {
		const struct change *c = all->items[i];

		if (!c->import_id.n && !c->import_identity)
			continue;
		event_import(&ap->events, &c->addr, ": Importing...",
			     c->import_id, c->import_identity);
		event_import(&ap->events, &c->addr, ": Import complete",
			     c->import_id, c->import_identity);
	}
}

/* Writes how many operations will begin, for displays of progress.  The plan is
 * of the present state, which is all that could be wrong with its changes:
 * saved ones are told to programs now, whatever becomes of the rest. */
static void tell_work(struct apply *ap)
{
	const struct change_vec *all = &ap->in->said.changes.changes;
	struct jw w = stream_record(ap->events.out, "operations", STR_NONE);
	int64_t n = 0;

	for (size_t i = 0; i < all->len; i++)
		n += action_operations(all->items[i]->action);
	jw_member_int(&w, "total", n);
	stream_record_end(ap->events.out, &w);
}

/* -1 if errors of the run as such; those of operations are in ds as well. */
static int apply_run(struct arena *a, struct apply_input *in,
		     const struct apply_options *o, struct stream_out *out,
		     struct diags *ds)
{
	struct apply ap = { .arena = a, .in = in, .opts = o, .ds = ds };
	size_t errors = ds->errors;

	ap.loop = loop_new();
	events_init(&ap.events, a, out, ap.loop);
	if (open_state(&ap))
		goto out;
	if (o->refreshed) {
		take_outputs(&ap);
		if (journal_prior(&ap) == 0)
			apply_refreshed(&ap);
		goto out;
	}
	tell_work(&ap);
	if (make_graph(&ap) || apply_check_needs(&ap) || make_run(&ap) ||
	    apply_check_values(&ap) || journal_prior(&ap))
		goto out;
	apply_warn_taken(&ap);
	apply_journal_start(&ap);
	drop_outputs(&ap);
	take_outputs(&ap);
	tell_imports(&ap);
	walk(&ap);
	events_slowest(&ap.events, "apply");
	apply_end(&ap, ds->errors > errors);
	if (in->config->test && !ap.killed)
		assertions_check(ap.run, ds);
	for (struct op *left = ap.running; left; left = left->next)
		provision_drop(left->provisioning);
out:
	if (ap.backend)
		backend_close(ap.backend);
	if (ap.run)
		run_free(ap.run);
	loop_free(ap.loop);
	return ds->errors > errors ? -1 : 0;
}

/* --- steps of tf-apply --- */

/* What is given now, and above that what the plan was made with. */
static void all_inputs(struct apply_steps *p, struct inputs *out)
{
	const struct map *from[] = { &p->given.by_name,
				     &p->in.said.plan.variables.by_name };

	*out = (struct inputs){ 0 };
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < from[i]->len; k++)
			map_put(p->arena, &out->by_name,
				from[i]->entries[k].key,
				from[i]->entries[k].value);
}

/* The values of a test are in the stream, those of ephemeral variables, too. */
static int collect(struct apply_steps *p, struct sources *sources)
{
	const struct inputs_options io =
		inputs_given(p->args, p->nargs, sources);

	p->given = p->in.tested;
	if (p->in.config && p->in.config->test)
		return 0;
	p->given = (struct inputs){ 0 };
	return inputs_collect(p->arena, &io, &p->given, p->ds);
}

/* A saved plan may be older than the encryption that the configuration asks
 * for: so what counts is the directory's, if that asks for any. */
static int encryption_here(struct apply_steps *p)
{
	const struct config_options here = { .dir = STR("."),
					     .workdir = p->workdir,
					     .root_only = true,
					     .stepwise = true };
	struct diags own = DIAGS_INIT(p->arena);
	struct inputs given;

	if (!p->saved || !encryption_mentioned())
		return 0;
	p->asking = config_load(p->arena, &here, &own);
	if (p->asking->stopped) {
		diags_append(p->ds, &own);
		return -1;
	}
	if (!encryption_asked(p->asking))
		return 0;
	if (collect(p, &p->asking->sources))
		return -1;
	given = p->given;
	return current_encryption(p->arena, p->workdir, p->asking, &given,
				  false, &p->encryption, p->ds);
}

/* Of the configuration in the plan. */
static int encryption_planned(struct apply_steps *p)
{
	struct inputs all;

	p->asking = NULL;
	if (p->encryption)
		return 0;
	all_inputs(p, &all);
	return current_encryption(p->arena, p->workdir, p->in.config, &all,
				  false, &p->encryption, p->ds);
}

static int check_stream(struct apply_steps *p, struct str text)
{
	return !str_starts(text, "PK\3\4")
		       ? 0
		       : diag_error(p->ds, NULL, "Failed to load the plan file",
				    "It is a plan of OpenTofu's, which only "
				    "the version that made it can apply.");
}

/* Puts a plan that is encrypted in the place of standard input, decrypted, in
 * memory. */
static int open_plan(struct apply_steps *p)
{
	static const char stream[] = "{\"record\"";
	struct buf text = BUF_INIT;
	int fd = -1, rc = -1;
	char head[sizeof(stream)];
	ssize_t n;

	if (!p->saved || encryption_here(p))
		return p->saved ? -1 : 0;
	n = pread(STDIN_FILENO, head, sizeof(head), 0);
	/* What comes through a pipe is plain. */
	if (n <= 0 || (!encryption_plan(p->encryption) &&
		       str_starts((struct str){ head, (size_t)n }, stream)))
		return 0;
	if (io_read_fd(STDIN_FILENO, &text, 0))
		diag_error(p->ds, NULL, "Failed to load the plan file",
			   "It cannot be read: %s.", strerror(errno));
	else if (!envelope_open_plan(encryption_plan(p->encryption), &text,
				     p->name, p->ds))
		rc = check_stream(p, buf_view(&text));
	if (!rc) {
		fd = io_memory("plan", buf_view(&text));
		if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
			rc = diag_error(p->ds, NULL,
					"Failed to load the plan file",
					"It cannot be held in memory: %s.",
					strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	buf_release(&text);
	return rc;
}

int apply_steps_read(struct apply_steps *p)
{
	int rc;

	apply_input_init(&p->in, p->arena);
	p->in.said.changes.refreshed = p->refreshed;
	if (isatty(STDIN_FILENO))
		return diag_error(p->ds, NULL, "Not a plan",
				  "tf-apply reads a plan from standard input: "
				  "tf-plan | tf-apply, or tf-apply < FILE.");
	if (open_plan(p))
		return -1;
	rc = stream_read(p->arena, STDIN_FILENO, &p->info, p->out, apply_read,
			 &p->in, p->ds);
	if (rc)
		return -1;
	if (p->info.failed && p->saved)
		return diag_error(p->ds, NULL, "Cannot apply incomplete plan",
				  "There were errors when this plan was made: "
				  "it does not hold all that is to be done.");
	if (p->info.failed)
		return 1;
	if (p->ignored.n)
		diag_warning(
			p->ds, NULL, "Planning options are ignored",
			"A saved plan is applied as it was made. No effect: %.*s.",
			STR_ARG(p->ignored));
	if (stream_has_stage(&p->info, "tf-apply"))
		return diag_error(p->ds, NULL, "Plan already applied",
				  "The input has been through tf-apply once.");
	if (edits_check_apply(p->arena, p->out, &p->info, &p->in.edits, p->ds))
		return -1;
	return apply_read_finish(&p->in, p->ds);
}

static int backend_settings(struct apply_steps *p, struct backend_options *o)
{
	o->workdir = p->workdir;
	if (p->in.config->test) {
		o->backend_type = STR("inmem");
		if (p->journal_dir.n) {
			o->workdir = arena_dup(p->arena, p->workdir,
					       sizeof(*p->workdir));
			o->workdir->data_dir = p->journal_dir;
		}
		return 0;
	}
	return backend_saved(p->arena, o, p->ds);
}

int apply_steps_run(struct apply_steps *p, struct apply_options *o)
{
	o->dir = p->in.config->root->dir;
	o->saved = p->saved;
	if (environment_refuse(p->ds) ||
	    environment_persist(&o->persist_ms, p->ds) ||
	    backend_settings(p, &o->backend) ||
	    collect(p, &p->in.config->sources) || encryption_planned(p))
		return -1;
	o->inputs = p->given;
	o->backend.encryption = p->encryption;
	return apply_run(p->arena, &p->in, o, p->out, p->ds);
}

const struct sources *apply_steps_sources(const struct apply_steps *p)
{
	return p->asking ? &p->asking->sources : &p->in.config->sources;
}
