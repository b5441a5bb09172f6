/* explain.c - why a plan has a change: its rules (explain.h) */
#include "addr/walk.h"
#include "base/didyoumean.h"
#include "config/module.h"
#include "json/read.h"
#include "json/tree.h"
#include "ui/show/show_int.h"

void explain_keep(struct explain_records *r, struct str kind, struct str line)
{
	const bool state = str_is(kind, "previous_run_state") ||
			   str_is(kind, "prior_state");
	struct map *to =
		str_is(kind, "variable_value") || str_is(kind, "local_value")
			? &r->values
		: str_is(kind, "expansion")     ? &r->expansions
		: str_is(kind, "planned")       ? &r->planned
		: !state                        ? NULL
		: str_starts(kind, "previous_") ? &r->data_before
						: &r->data_after;
	struct str *kept, address;

	if (!to)
		return;
	address = json_slice_str(r->arena, json_slice_get(line, "address"));
	if (state && !plan_view_is_data(address))
		return;
	kept = ARENA_NEW(r->arena, struct str);
	*kept = str_dup(r->arena, line);
	map_put(r->arena, to, str_dup(r->arena, address), kept);
}

/* --- nodes --- */

struct why *why_new(struct explain *x, const char *kind, struct str name)
{
	struct why *w = ARENA_NEW(x->a, struct why);

	w->kind = kind;
	w->name = name;
	return w;
}

void why_add(struct explain *x, struct why_vec *to, struct why *w)
{
	if (w)
		vec_push(x->a, to, w);
}

static struct why *rule(struct explain *x, struct why_vec *out, struct str says)
{
	struct why *w = why_new(x, "rule", STR_NONE);

	w->says = says;
	why_add(x, out, w);
	return w;
}

struct str explain_at(struct explain *x, const struct range *r)
{
	return range_present(r) ? str_printf(x->a, "%.*s:%u", STR_ARG(r->file),
					     r->start.line)
				: STR_NONE;
}

bool explain_again(struct explain *x, struct str what)
{
	if (map_has(&x->seen, what))
		return true;
	map_put(x->a, &x->seen, what, x);
	return false;
}

const char *explain_action(enum diff_action action)
{
	static const char *const words[] = {
		[DIFF_NOOP] = "does not change",
		[DIFF_CREATE] = "is created",
		[DIFF_UPDATE] = "is updated",
		[DIFF_DELETE] = "is destroyed",
		[DIFF_READ] = "is read during the apply",
		[DIFF_REPLACE_DESTROY_FIRST] = "is replaced",
		[DIFF_REPLACE_CREATE_FIRST] = "is replaced",
		[DIFF_FORGET] = "is forgotten",
		[DIFF_FORGET_CREATE] = "is replaced",
	};

	return words[action];
}

/* --- the plan, looked up --- */

static struct str resource_key(struct explain *x, struct str module,
			       struct str mode, struct str type,
			       struct str name)
{
	return STR_CAT(x->a, module, STR("."), mode, STR("."), type, STR("."),
		       name);
}

/* Its place in the configuration, as far as that has it. */
static void find_scope(struct explain *x, struct explained *e)
{
	struct diags quiet = DIAGS_INIT(x->a);
	struct instance_addr addr;
	const struct resource_schema *schema;

	if (instance_addr_parse(x->a, e->c.address, &addr, &quiet))
		return;
	e->scope.addr = addr.module;
	e->scope.key = addr.key;
	e->scope.module = config_module(x->s->config, addr.module);
	if (e->scope.module)
		e->scope.resource =
			config_resource(e->scope.module, &addr.resource);
	schema = map_get(&x->s->schemas,
			 STR_CAT(x->a, e->c.mode, STR("."), e->c.type, STR("@"),
				 e->c.provider));
	e->schema = schema ? schema->block : NULL;
}

static struct explained *looked_up(struct explain *x, const struct published *p)
{
	struct explained *e = ARENA_NEW(x->a, struct explained);

	shown_change_from(x->a, p, &e->c);
	find_scope(x, e);
	return e;
}

static void add_instance(struct explain *x, struct explained *e)
{
	struct str key =
		resource_key(x, e->c.module, e->c.mode, e->c.type, e->c.name);
	struct explained_vec *all = map_get(&x->by_resource, key);

	if (!all) {
		all = ARENA_NEW(x->a, struct explained_vec);
		map_put(x->a, &x->by_resource, key, all);
	}
	vec_push(x->a, all, e);
}

static void add_change(struct explain *x, struct explained *e)
{
	add_instance(x, e);
	if (!e->c.deposed.n || !map_has(&x->by_address, e->c.address))
		map_put(x->a, &x->by_address, e->c.address, e);
}

/* A data source that was read anew, and answers otherwise: as if its object had
 * been updated. */
static void add_answer(struct explain *x, struct str address)
{
	struct diags quiet = DIAGS_INIT(x->a);
	struct explained *e = ARENA_NEW(x->a, struct explained);
	struct instance_addr addr;

	if (instance_addr_parse(x->a, address, &addr, &quiet))
		return;
	e->c.address = address;
	e->c.module = module_addr_text(x->a, addr.module);
	e->c.mode = STR("data");
	e->c.type = addr.resource.type;
	e->c.name = addr.resource.name;
	e->c.action = DIFF_UPDATE;
	e->c.provider = explain_answer_provider(x, address);
	e->data = true;
	find_scope(x, e);
	explain_answer(x, e);
	add_instance(x, e);
}

static int look_up(struct explain *x, struct diags *ds)
{
	const struct map *data = &x->records->data_after;

	for (size_t i = 0; i < data->len; i++)
		add_answer(x, data->entries[i].key);
	for (size_t i = 0; i < x->s->changes.len; i++)
		add_change(x, looked_up(x, &x->s->changes.items[i].json));
	for (size_t i = 0; i < x->s->drift.len; i++) {
		struct published p;
		struct explained *e;

		if (published_read(x->s->drift.items[i], &p))
			return diag_error(
				ds, NULL, "Invalid record",
				"A resource_drift is not valid JSON.");
		e = looked_up(x, &p);
		map_put(x->a, &x->drift, e->c.address, e);
	}
	return 0;
}

const struct explained_vec *explain_instances(struct explain *x,
					      struct module_addr m,
					      struct resource_addr r)
{
	return map_get(&x->by_resource,
		       resource_key(x, module_addr_text(x->a, m),
				    str_c(resource_mode_name(r.mode)), r.type,
				    r.name));
}

const struct diff_input *explain_values(struct explain *x, struct explained *e)
{
	if (!e->has_in)
		e->in = shown_change_values(x->a, &e->c);
	e->has_in = true;
	return &e->in;
}

/* --- rules --- */

static struct range header_at(const struct explained *e)
{
	return e->scope.resource ? e->scope.resource->at : RANGE_NONE;
}

/* What says which instances there are, of the resource or of its module. */
static void repetition(struct explain *x, const struct why_scope *in,
		       const char *what, struct expression e, int depth,
		       struct why_vec *out)
{
	struct why_scope scope = *in;
	struct why *w;

	if (!e.root)
		return;
	scope.resource = NULL;
	scope.call = NULL;
	scope.depth = depth;
	w = why_new(x, "repetition", str_c(what));
	explain_expression(x, &scope, e, NULL, w);
	why_add(x, out, w);
}

static void from_repetition(struct explain *x, struct explained *e, int depth,
			    struct why_vec *out)
{
	const struct cfg_resource *r = e->scope.resource;
	const struct module_addr addr = e->scope.addr;

	if (r) {
		repetition(x, &e->scope, "count", r->count, depth, out);
		repetition(x, &e->scope, "for_each", r->for_each, depth, out);
		repetition(x, &e->scope, "enabled", r->lifecycle->enabled,
			   depth, out);
	}
	for (size_t n = addr.len; n > 0; n--) {
		const struct module_addr outer = { addr.steps, n - 1 };
		const struct cfg_module *m = config_module(x->s->config, outer);
		const struct cfg_call *call =
			m ? map_get(&m->calls, addr.steps[n - 1].name) : NULL;
		const struct why_scope in = { .module = m, .addr = outer };

		if (!call)
			continue;
		repetition(x, &in, "count", call->count, depth, out);
		repetition(x, &in, "for_each", call->for_each, depth, out);
		repetition(x, &in, "enabled", call->enabled, depth, out);
	}
}

/* Does the object go on existing, and is another one made for it? */
static bool replaces(enum diff_action a)
{
	return a == DIFF_REPLACE_DESTROY_FIRST ||
	       a == DIFF_REPLACE_CREATE_FIRST || a == DIFF_FORGET_CREATE;
}

/* What was changed outside: all of it. */
static bool gone_outside(struct explain *x, struct explained *e)
{
	const struct explained *d = map_get(&x->drift, e->c.address);

	return d && d->c.action == DIFF_DELETE;
}

static void created(struct explain *x, struct explained *e, int depth,
		    struct why_vec *out)
{
	const struct range at = header_at(e);
	struct why *w;

	if (gone_outside(x, e)) {
		w = rule(
			x, out,
			STR("the object was deleted outside; the state had it"));
		w->kind = "drift";
	} else {
		w = rule(
			x, out,
			STR("the configuration has it, and the state does not"));
	}
	w->at = explain_at(x, &at);
	from_repetition(x, e, depth, &w->from);
}

static void triggered(struct explain *x, struct explained *e, int depth,
		      struct why_vec *out)
{
	const struct cfg_resource *r = e->scope.resource;

	for (size_t i = 0; r && i < r->lifecycle->replace_triggered_by.len;
	     i++) {
		struct why_scope in = e->scope;
		struct why *w =
			why_new(x, "trigger", STR("replace_triggered_by"));

		in.depth = depth;
		explain_expression(x, &in,
				   r->lifecycle->replace_triggered_by.items[i],
				   NULL, w);
		if (w->from.len)
			why_add(x, out, w);
	}
}

/* The resources that depend on e's and are to be created before they are
 * destroyed: it has to be, too. */
static void created_first(struct explain *x, struct explained *e,
			  struct why_vec *out)
{
	const struct cfg_resource *r = e->scope.resource;
	struct buf own = BUF_INIT;
	struct str name;

	if (!r)
		return;
	if (r->lifecycle->create_before_destroy_value) {
		const struct range at =
			expression_range(r->lifecycle->create_before_destroy);
		struct why *w = rule(
			x, out,
			STR("its replacement is created first: create_before_destroy"));

		w->at = explain_at(x, &at);
		return;
	}
	module_addr_print_path(&own, e->scope.addr);
	buf_puts(&own, own.len ? "." : "");
	resource_addr_print(&own, r->addr);
	name = buf_take(x->a, &own);
	for (size_t i = 0; i < x->records->planned.len; i++) {
		const struct map_entry *p = &x->records->planned.entries[i];
		const struct explained *other = map_get(&x->by_address, p->key);
		const struct json *rec;
		struct str_vec deps = { 0 };
		struct range at;
		struct why *w;

		if (!other || !other->scope.resource ||
		    other->scope.resource == r ||
		    !other->scope.resource->lifecycle
			     ->create_before_destroy_value)
			continue;
		rec = json_slice_tree(x->a, *(const struct str *)p->value,
				      NULL);
		json_texts(x->a, json_get(rec, "dependencies"), &deps);
		if (!str_vec_has(&deps, name))
			continue;
		at = expression_range(other->scope.resource->lifecycle
					      ->create_before_destroy);
		w = rule(
			x, out,
			STR_CAT(x->a,
				STR("its replacement is created first: create_before_destroy of "),
				other->c.address, STR(" needs that")));
		w->at = explain_at(x, &at);
		return;
	}
}

static void replaced(struct explain *x, struct explained *e, int depth,
		     struct why_vec *out)
{
	struct str reason = e->c.reason;

	if (str_is(reason, "replace_by_request")) {
		rule(x, out,
		     STR_CAT(x->a, STR("-replace="), e->c.address,
			     STR(" was given")));
	} else if (str_is(reason, "replace_because_tainted")) {
		rule(x, out,
		     STR("the state marks the object as tainted: its creation failed, or somebody ran taint"))
			->kind = "state";
	} else if (str_is(reason, "replace_by_triggers")) {
		triggered(x, e, depth, out);
	}
	if (e->c.action == DIFF_REPLACE_CREATE_FIRST)
		created_first(x, e, out);
}

static void deleted(struct explain *x, struct explained *e, int depth,
		    struct why_vec *out)
{
	struct str reason = e->c.reason;
	const struct range at = header_at(e);

	if (e->c.deposed.n) {
		rule(x, out,
		     STR("a replacement was created, and this object not destroyed yet"))
			->kind = "state";
		return;
	}
	if (x->s->plan && x->s->plan->what.mode == RUN_DESTROY) {
		rule(x, out, STR("-destroy: all that is managed goes"));
		return;
	}
	if (str_is(reason, "delete_because_no_resource_config") ||
	    str_is(reason, "delete_because_no_module") ||
	    str_is(reason, "delete_because_no_move_target")) {
		rule(x, out,
		     str_is(reason, "delete_because_no_module")
			     ? STR("the state has it, and no configuration calls its module")
			     : STR("the state has it, and the configuration does not"))
			->kind = "removed";
	}
	if (str_is(reason, "delete_because_wrong_repetition"))
		rule(x, out,
		     STR("the resource has another kind of instances now"))
			->at = explain_at(x, &at);
	from_repetition(x, e, depth, out);
}

static void read_later(struct explain *x, struct explained *e, int depth,
		       struct why_vec *out)
{
	const struct cfg_resource *r = e->scope.resource;
	struct why_scope in = e->scope;
	struct why *w;

	if (!r)
		return;
	in.depth = depth;
	explain_attributes(x, e, depth, out);
	if (str_is(e->c.reason, "read_because_dependency_pending")) {
		w = why_new(x, "rule", STR("depends_on"));
		explain_references(x, &in, &r->depends_on, w);
		if (w->from.len)
			why_add(x, out, w);
	}
}

void explain_causes(struct explain *x, struct explained *e, int depth,
		    struct why_vec *out)
{
	const enum diff_action action = e->c.action;

	if (depth >= EXPLAIN_DEPTH)
		return;
	if (replaces(action))
		replaced(x, e, depth, out);
	switch (action) {
	case DIFF_CREATE:
		created(x, e, depth, out);
		break;
	case DIFF_DELETE:
	case DIFF_FORGET:
		deleted(x, e, depth, out);
		break;
	case DIFF_READ:
		read_later(x, e, depth, out);
		break;
	case DIFF_NOOP:
		explain_ignored(x, e, out);
		break;
	default:
		explain_attributes(x, e, depth, out);
	}
}

/* --- the whole --- */

static int not_there(struct explain *x, struct str address, struct diags *ds)
{
	for (size_t i = 0; i < x->by_address.len; i++) {
		struct str key = x->by_address.entries[i].key;

		if (key.n > address.n && key.p[address.n] == '[' &&
		    str_eq(str_sub(key, 0, address.n), address))
			return diag_error(
				ds, NULL, "No such object in the plan",
				"%.*s has instances: explain one of them, such as %.*s.",
				STR_ARG(address), STR_ARG(key));
	}
	return diag_error(ds, NULL, "No such object in the plan",
			  "The plan has nothing at the address \"%.*s\".%.*s",
			  STR_ARG(address),
			  STR_ARG(didyoumean_key(x->a, address,
						 &x->by_address)));
}

/* What is said in front of all: the comment that the plan has above the
 * change. */
static struct str heading(struct explain *x, const struct explained *e)
{
	struct str note = plan_resource_note(x->a, &e->c), line;
	struct buf b = BUF_INIT;

	while (note.n) {
		ptrdiff_t end = str_chr(note, '\n');

		line = str_sub(note, 0, end < 0 ? note.n : (size_t)end);
		note = str_sub(note, line.n + (end >= 0), note.n);
		str_take(&line, STR("  # "));
		if (str_trim(line).n)
			buf_addf(&b, "%s%.*s\n", b.len ? "  " : "",
				 STR_ARG(str_trim(line)));
	}
	if (!b.len)
		buf_addf(&b, "%.*s does not change\n", STR_ARG(e->c.address));
	return buf_take(x->a, &b);
}

/* What concerns the object as a whole. */
static void around(struct explain *x, struct explained *e, struct why_vec *out)
{
	struct explained *d = map_get(&x->drift, e->c.address);

	if (str_is(e->c.json.refreshed, "false") ||
	    (x->s->plan && !x->s->plan->what.refresh &&
	     e->c.action != DIFF_CREATE))
		rule(x, out,
		     STR("not read: an option left it out, so what was done to the object outside is not known"));
	if (d && d->c.action == DIFF_UPDATE && e->c.action == DIFF_NOOP) {
		struct why *w = rule(
			x, out,
			STR("changed outside, in what the configuration does not decide; the state takes note"));

		w->kind = "drift";
		explain_attributes(x, d, EXPLAIN_DEPTH, &w->from);
		for (size_t i = 0; i < w->from.len; i++) {
			w->from.items[i]->says = STR_NONE;
			w->from.items[i]->kind = "drift";
		}
	}
}

static void put(struct explain *x, struct view *v, const struct explained *e,
		const struct why_vec *why)
{
	struct str head = heading(x, e);
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!v->json) {
		explain_text(v, head, why);
		return;
	}
	w.html = true;
	jw_object(&w);
	jw_member_str(&w, "format_version", STR("1.0"));
	jw_member_str(&w, "address", e->c.address);
	jw_key(&w, "actions");
	jw_raw(&w, e->c.json.actions);
	if (e->c.reason.n)
		jw_member_str(&w, "action_reason", e->c.reason);
	jw_member_str(&w, "says", str_trim(head));
	jw_key(&w, "causes");
	explain_json(&w, why);
	jw_object_end(&w);
	buf_putc(&b, '\n');
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

int explain_run(struct shown *s, struct explain_records *r, struct view *v,
		struct str address, struct diags *ds)
{
	struct explain x = {
		.a = s->arena,
		.s = s,
		.records = r,
		.show_sensitive = v->show_sensitive,
	};
	struct why_vec why = { 0 };
	struct explained *e;

	if (look_up(&x, ds))
		return -1;
	e = map_get(&x.by_address, address);
	if (!e)
		return not_there(&x, address, ds);
	explain_again(&x, e->c.address);
	around(&x, e, &why);
	explain_causes(&x, e, 0, &why);
	put(&x, v, e, &why);
	return 0;
}
