/*
 * plan_json.c - the published plan representation (format version 1.2),
 * assembled from the records of a plan stream
 */
#include <stdlib.h>

#include "ui/show/show_int.h"
#include "addr/walk.h"
#include "base/product.h"
#include "engine/change/record.h"
#include "engine/run/values.h"
#include "json/read.h"
#include "json/write.h"
#include "ui/show/show.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/type.h"

/* A record's line without its "record" member: the published object. */
static void put_line(struct jw *w, struct str line)
{
	ptrdiff_t comma = str_chr(line, ',');
	struct buf b = BUF_INIT;

	if (comma < 0)
		return;
	buf_putc(&b, '{');
	buf_str(&b, str_sub(line, (size_t)comma + 1, line.n));
	jw_raw(w, buf_view(&b));
	buf_release(&b);
}

static void put_lines(struct jw *w, const char *name,
		      const struct line_vec *lines)
{
	if (!lines->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < lines->len; i++)
		put_line(w, lines->items[i]);
	jw_array_end(w);
}

static void put_changes(struct jw *w, const struct shown *s)
{
	if (!s->changes.len)
		return;
	jw_key(w, "resource_changes");
	jw_array(w);
	for (size_t i = 0; i < s->changes.len; i++)
		put_line(w, s->changes.items[i].line);
	jw_array_end(w);
}

/* A member that may be lacking; text: what stands in the record. */
static void copy_member(struct jw *w, const char *name, struct str text)
{
	if (!text.n)
		return;
	jw_key(w, name);
	jw_text(w, text);
}

/* Writes the sensitive_values of what is replaced or still to be read: those of
 * its arguments, as OpenTofu has them.  Its schema counts once it is there. */
static bool own_sensitive(struct jw *w, struct arena *a, struct str address,
			  const struct shown *s)
{
	const struct str *line = map_get(&s->marks, address);
	struct change_reader r = { .arena = a };
	struct diags quiet = DIAGS_INIT(a);

	if (!line || change_read_record(&r, STR("planned"), *line, &quiet))
		return false;
	jw_key(w, "sensitive_values");
	value_sensitive_json(w, r.changes.items[0]->after);
	return true;
}

/* Is anything known of it? */
static bool is_known(struct str object)
{
	return object.n && !str_is(object, "null") && !str_is(object, "{}");
}

static void planned_resource(struct jw *w, const struct shown_change *c,
			     const struct shown *s, struct arena *a)
{
	const struct published *j = &c->json;
	const struct resource_schema *schema =
		map_get(&s->schemas,
			str_printf(a, "%.*s.%.*s@%.*s", STR_ARG(c->mode),
				   STR_ARG(c->type), STR_ARG(c->provider)));

	jw_object(w);
	copy_member(w, "address", j->address);
	copy_member(w, "mode", j->mode);
	copy_member(w, "type", j->type);
	copy_member(w, "name", j->name);
	copy_member(w, "index", j->index);
	copy_member(w, "provider_name", j->provider_name);
	jw_member_int(w, "schema_version",
		      schema ? (int64_t)schema->version : 0);
	if (is_known(j->after))
		copy_member(w, "values", j->after);
	if (j->after_sensitive.n && !own_sensitive(w, a, c->address, s))
		copy_member(w, "sensitive_values", j->after_sensitive);
	if (j->after_identity.n && j->after_identity.p[0] == '{') {
		copy_member(w, "identity", j->after_identity);
		jw_member_int(w, "identity_schema_version",
			      schema ? schema->identity_version : 0);
	}
	jw_object_end(w);
}

/* One pass over the records in tree order writes the modules. */
struct planned_line {
	const struct published *json;
	struct str address;
	struct module_addr module;
	size_t at; /* in the stream */
};

struct planned {
	const struct shown *s;
	struct arena scratch;
	struct planned_line *lines;
	size_t at; /* the current record */
	bool more; /* it is there, and read: */
	struct shown_change c;
};

static int in_tree_order(const void *x, const void *y)
{
	const struct planned_line *a = x, *b = y;
	int c = module_addr_tree_cmp(a->module, b->module);

	if (!c)
		c = str_cmp(a->address, b->address);
	return c ? c : (a->at > b->at) - (a->at < b->at);
}

static struct planned_line planned_line(struct arena *a,
					const struct published *json, size_t at)
{
	struct planned_line p = { .json = json, .at = at };
	struct diags ignored = DIAGS_INIT(a);

	p.address = json_slice_str(a, json->address);
	if (json->module_address.n)
		module_addr_parse(a, json_slice_str(a, json->module_address),
				  &p.module, &ignored);
	return p;
}

static void sort_planned(struct planned *p, struct arena *a)
{
	size_t n = p->s->changes.len;

	p->lines = ARENA_ARRAY(a, struct planned_line, n + 1);
	for (size_t i = 0; i < n; i++)
		p->lines[i] = planned_line(a, &p->s->changes.items[i].json, i);
	if (n)
		qsort(p->lines, n, sizeof(*p->lines), in_tree_order);
}

static void next_planned(struct planned *p)
{
	struct shown_change *c = &p->c;

	for (p->more = false; !p->more && p->at < p->s->changes.len;) {
		arena_reset(&p->scratch);
		shown_change_from(&p->scratch, p->lines[p->at].json, c);
		p->more = c->action != DIFF_DELETE && !c->deposed.n &&
			  !str_is(c->mode, "ephemeral");
		p->at += !p->more;
	}
}

static bool is_inside(struct str module, struct str parent)
{
	if (parent.n == 0)
		return module.n != 0;
	return module.n > parent.n &&
	       memcmp(module.p, parent.p, parent.n) == 0 &&
	       module.p[parent.n] == '.';
}

/* The address of parent's child that contains module. */
static struct str child_of(struct arena *a, struct str parent,
			   struct str module)
{
	size_t i = (parent.n ? parent.n + 1 : 0) + strlen("module.");
	bool quoted = false;

	for (; i < module.n; i++) {
		if (quoted && module.p[i] == '\\')
			i++;
		else if (module.p[i] == '"')
			quoted = !quoted;
		else if (!quoted && module.p[i] == '.')
			break;
	}
	return str_dup(a, str_sub(module, 0, i < module.n ? i : module.n));
}

static void planned_module(struct jw *w, struct planned *p, struct str address,
			   struct arena *a)
{
	bool open = false;

	while (p->more && str_eq(p->c.module, address)) {
		if (!open) {
			jw_key(w, "resources");
			jw_array(w);
			open = true;
		}
		planned_resource(w, &p->c, p->s, &p->scratch);
		p->at++;
		next_planned(p);
	}
	if (open)
		jw_array_end(w);
	open = false;
	while (p->more && is_inside(p->c.module, address)) {
		struct str child = child_of(a, address, p->c.module);

		if (!open) {
			jw_key(w, "child_modules");
			jw_array(w);
			open = true;
		}
		jw_object(w);
		jw_member_str(w, "address", child);
		planned_module(w, p, child, a);
		jw_object_end(w);
	}
	if (open)
		jw_array_end(w);
}

/* {"sensitive","type","value"}.  Sensitive is what was or will be.  A null that
 * stays is not changed, and nothing has no type. */
static void planned_output(struct jw *w, struct arena *a,
			   const struct shown_change *c,
			   const struct output_change *o)
{
	const bool was_null =
		!c->json.before.n || str_is(c->json.before, "null");
	const struct value *v = o->after;

	jw_key_str(w, shown_change_output(c));
	jw_object(w);
	jw_member_bool(w, "sensitive", str_is(c->json.after_sensitive, "true"));
	v = v ? value_unmark_deep(a, v, NULL) : NULL;
	if (v && value_wholly_known(v)) {
		jw_key(w, "type");
		type_to_json(w, value_is_null(v) && was_null ? &type_dynamic
							     : v->type);
		jw_key(w, "value");
		value_known_json(w, v);
	}
	jw_object_end(w);
}

/* The outputs that the plan does not delete. */
static void planned_outputs(struct jw *w, const struct shown *s)
{
	bool open = false;

	for (size_t i = 0; i < s->outputs.len; i++) {
		struct arena a = ARENA_INIT;
		struct diags quiet = DIAGS_INIT(&a);
		const struct str line = s->outputs.items[i];
		struct output_change o;
		struct shown_change c;

		if (!shown_change_read(&a, line, &c, &quiet) &&
		    c.action != DIFF_DELETE) {
			output_change_read(&a, line, &o, &quiet);
			if (!open) {
				jw_key(w, "outputs");
				jw_object(w);
			}
			open = true;
			planned_output(w, &a, &c, &o);
		}
		arena_release(&a);
	}
	if (open)
		jw_object_end(w);
}

static void planned_values(struct jw *w, const struct shown *s)
{
	struct arena a = ARENA_INIT;
	struct planned p = { .s = s };

	jw_key(w, "planned_values");
	jw_object(w);
	planned_outputs(w, s);
	jw_key(w, "root_module");
	jw_object(w);
	sort_planned(&p, &a);
	next_planned(&p);
	planned_module(w, &p, STR(""), &a);
	jw_object_end(w);
	jw_object_end(w);
	arena_release(&p.scratch);
	arena_release(&a);
}

static void output_changes(struct jw *w, const struct shown *s)
{
	struct arena a = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);
	struct shown_change c;

	if (!s->outputs.len)
		return;
	jw_key(w, "output_changes");
	jw_object(w);
	for (size_t i = 0; i < s->outputs.len; i++) {
		if (!shown_change_read(&a, s->outputs.items[i], &c, &quiet)) {
			jw_key_str(w, shown_change_output(&c));
			jw_text(w, c.json.change);
		}
		arena_reset(&a);
	}
	jw_object_end(w);
	arena_release(&a);
}

/* Drift that is a mere move is shown in refresh-only plans alone. */
static void resource_drift(struct jw *w, const struct shown *s)
{
	const bool all = shown_refresh_only(s);
	struct line_vec kept = { 0 };
	struct arena a = ARENA_INIT, scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);
	struct shown_change c;

	for (size_t i = 0; i < s->drift.len; i++) {
		if (!shown_change_read(&scratch, s->drift.items[i], &c,
				       &quiet) &&
		    (all || c.action != DIFF_NOOP))
			vec_push(&a, &kept, s->drift.items[i]);
		arena_reset(&scratch);
	}
	put_lines(w, "resource_drift", &kept);
	arena_release(&scratch);
	arena_release(&a);
}

static bool has_prior_state(const struct shown *s)
{
	return s->had_prior || !state_is_empty(s->prior);
}

static void put_variable(struct jw *w, struct str name, const struct value *v)
{
	jw_key_str(w, name);
	jw_object(w);
	jw_key(w, "value");
	if (v)
		value_to_json(w, v, NULL);
	else
		jw_null(w);
	jw_object_end(w);
}

/* Only the values; the stream has more about them.  Ephemeral ones are not in
 * the plan, but their defaults are in the configuration. */
static void variables(struct jw *w, const struct map *given,
		      const struct map *declared)
{
	struct arena a = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);

	for (size_t i = 0; i < given->len; i++) {
		const struct input *in = given->entries[i].value;

		put_variable(w, in->name, in->value);
	}
	for (size_t i = 0; i < declared->len; i++) {
		const struct cfg_variable *v = declared->entries[i].value;

		if (v->ephemeral && v->default_value.root)
			put_variable(w, v->name,
				     variable_default(&a, v, &quiet));
	}
	arena_release(&a);
}

static bool has_defaults(const struct map *declared)
{
	for (size_t i = 0; i < declared->len; i++) {
		const struct cfg_variable *v = declared->entries[i].value;

		if (v->ephemeral && v->default_value.root)
			return true;
	}
	return false;
}

int plan_json(struct jw *w, const struct shown *s, struct str *why)
{
	struct state_objects objects = { .arena = s->arena,
					 .schemas = &s->schemas,
					 .schemaless = true };
	const struct plan_record *plan = s->plan;
	const struct map *given = &plan->variables.by_name;
	const struct map *declared = &s->config->root->variables;

	jw_object(w);
	jw_member_str(w, "format_version", STR("1.2"));
	jw_member_str(w, "terraform_version", STR(COMPATIBLE_VERSION));
	if (given->len || has_defaults(declared)) {
		jw_key(w, "variables");
		jw_object(w);
		variables(w, given, declared);
		jw_object_end(w);
	}
	planned_values(w, s);
	resource_drift(w, s);
	put_changes(w, s);
	output_changes(w, s);
	if (has_prior_state(s)) {
		struct state prior = *s->prior;

		/* Checks of the state are from an earlier run: `checks` has the
		 * new ones.  The state is shown as planning made it, not as it
		 * was stored. */
		prior.checks.len = 0;
		prior.terraform_version = STR(COMPATIBLE_VERSION);
		jw_key(w, "prior_state");
		state_json(w, &prior, &objects);
	}
	jw_key(w, "configuration");
	config_json(w, s->config, &s->schemas);
	if (s->relevant && s->relevant->len)
		copy_member(w, "relevant_attributes",
			    plan->relevant_attributes);
	put_lines(w, "checks", &s->checks);
	if (plan->timestamp.n)
		jw_member_str(w, "timestamp", plan->timestamp);
	jw_member_bool(w, "errored", plan->errored);
	shown_parts_json(w, s);
	jw_object_end(w);
	*why = objects.why;
	return why->n ? -1 : 0;
}
