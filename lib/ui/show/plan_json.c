/*
 * plan_json.c - the published plan representation (format version 1.2),
 * assembled from the records of a plan stream
 */
#include "ui/show/plan_json.h"

#include "addr/walk.h"
#include "engine/run/variable_value.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "ui/show/show.h"

#include <stdlib.h>

#include "addr/target.h"
#include "base/product.h"
#include "engine/run/variables.h"
#include "json/slice.h"
#include "ui/show/config_json.h"
#include "ui/show/state_json.h"
#include "value/codec_json.h"
#include "value/codec_stream_read.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/type_text.h"

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

static const struct json *parsed(struct arena *a, struct str line)
{
	struct json_error err;

	return json_parse(a, line, &err);
}

static bool has_action(const struct json *rec, const char *action)
{
	const struct json *acts = json_get(json_get(rec, "change"), "actions");

	return acts && acts->kind == JSON_ARRAY && acts->len == 1 &&
	       str_is(acts->items[0].text, action);
}

static void copy_member(struct jw *w, const struct json *rec, const char *name)
{
	const struct json *j = json_get(rec, name);

	if (!j)
		return;
	jw_key(w, name);
	jw_json(w, j);
}

/* Writes the sensitive_values of a data source that is still to be read: those
 * of its arguments.  Its schema counts only once it is read. */
static bool read_sensitive(struct jw *w, struct arena *a,
			   const struct json *rec, const struct shown *s)
{
	const struct str *line =
		map_get(&s->reads, json_get_str(rec, "address"));
	const struct json *planned =
		line ? json_get(parsed(a, *line), "planned") : NULL;
	struct verror wrong;
	const struct value *v =
		planned ? value_from_stream(a, planned, &wrong) : NULL;

	if (!v)
		return false;
	jw_key(w, "sensitive_values");
	value_sensitive_json(w, v);
	return true;
}

static void planned_resource(struct jw *w, const struct json *rec,
			     const struct shown *s, struct arena *a)
{
	const struct json *ch = json_get(rec, "change"), *j;
	struct str mode = json_get_str(rec, "mode");
	const struct resource_schema *schema = map_get(
		&s->schemas,
		str_printf(a, "%.*s.%.*s@%.*s", STR_ARG(mode),
			   STR_ARG(json_get_str(rec, "type")),
			   STR_ARG(json_get_str(rec, "provider_name"))));

	jw_object(w);
	copy_member(w, rec, "address");
	copy_member(w, rec, "mode");
	copy_member(w, rec, "type");
	copy_member(w, rec, "name");
	copy_member(w, rec, "index");
	copy_member(w, rec, "provider_name");
	jw_member_int(w, "schema_version",
		      schema ? (int64_t)schema->version : 0);
	j = json_get(ch, "after");
	if (j && j->kind != JSON_NULL && j->len) { /* not if nothing is known */
		jw_key(w, "values");
		jw_json(w, j);
	}
	j = json_get(ch, "after_sensitive");
	if (j && !read_sensitive(w, a, rec, s)) {
		jw_key(w, "sensitive_values");
		jw_json(w, j);
	}
	j = json_get(ch, "after_identity");
	if (j && j->kind == JSON_OBJECT) {
		jw_key(w, "identity");
		jw_json(w, j);
		jw_member_int(w, "identity_schema_version",
			      schema ? schema->identity_version : 0);
	}
	jw_object_end(w);
}

/* One pass over the records in tree order writes the modules. */
struct planned_line {
	struct str line, address;
	struct module_addr module;
	size_t at; /* in the stream */
};

struct planned {
	const struct shown *s;
	struct arena scratch;
	struct planned_line *lines;
	size_t at;              /* the current record */
	const struct json *rec; /* it, parsed; NULL at the end */
	struct str module;
};

static int in_tree_order(const void *x, const void *y)
{
	const struct planned_line *a = x, *b = y;
	int c = module_addr_tree_cmp(a->module, b->module);

	if (!c)
		c = str_cmp(a->address, b->address);
	return c ? c : (a->at > b->at) - (a->at < b->at);
}

static struct planned_line planned_line(struct arena *a, struct str line,
					size_t at)
{
	struct planned_line p = { .line = line, .at = at };
	struct json_slice s = JSON_SLICE_INIT(line);
	struct diags ignored = DIAGS_INIT(a);

	while (json_slice_next(&s))
		if (str_is(s.name, "address"))
			p.address = json_slice_str(a, s.value);
		else if (str_is(s.name, "module_address"))
			module_addr_parse(a, json_slice_str(a, s.value),
					  &p.module, &ignored);
	return p;
}

static void sort_planned(struct planned *p, struct arena *a)
{
	size_t n = p->s->changes.len;

	p->lines = ARENA_ARRAY(a, struct planned_line, n + 1);
	for (size_t i = 0; i < n; i++)
		p->lines[i] = planned_line(a, p->s->changes.items[i], i);
	if (n)
		qsort(p->lines, n, sizeof(*p->lines), in_tree_order);
}

static void next_planned(struct planned *p)
{
	for (;; p->at++) {
		arena_reset(&p->scratch);
		p->rec = NULL;
		p->module = STR("");
		if (p->at >= p->s->changes.len)
			return;
		p->rec = parsed(&p->scratch, p->lines[p->at].line);
		if (!p->rec || has_action(p->rec, "delete") ||
		    json_get_str(p->rec, "deposed").n ||
		    str_is(json_get_str(p->rec, "mode"), "ephemeral"))
			continue;
		p->module = json_get_str(p->rec, "module_address");
		return;
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

	while (p->rec && str_eq(p->module, address)) {
		if (!open) {
			jw_key(w, "resources");
			jw_array(w);
			open = true;
		}
		planned_resource(w, p->rec, p->s, &p->scratch);
		p->at++;
		next_planned(p);
	}
	if (open)
		jw_array_end(w);
	open = false;
	while (p->rec && is_inside(p->module, address)) {
		struct str child = child_of(a, address, p->module);

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

/* An output that stays null is not changed, and nothing has no type. */
static bool was_null(const struct json *rec)
{
	const struct json *v = json_get(json_get(rec, "change"), "before");

	return !v || v->kind == JSON_NULL;
}

/* {"sensitive","type","value"} of each output that stays. */
static void planned_outputs(struct jw *w, const struct shown *s)
{
	bool open = false;

	for (size_t i = 0; i < s->outputs.len; i++) {
		struct arena a = ARENA_INIT;
		const struct json *rec = parsed(&a, s->outputs.items[i]);
		const struct json *pl = json_get(rec, "planned");
		struct str name = json_get_str(rec, "address");
		const struct value *v;
		struct verror err;

		if (!rec || has_action(rec, "delete")) {
			arena_release(&a);
			continue;
		}
		if (!open) {
			jw_key(w, "outputs");
			jw_object(w);
			open = true;
		}
		jw_key_str(w, str_starts(name, "output.")
				      ? str_sub(name, 7, name.n)
				      : name);
		jw_object(w);
		v = pl ? value_from_stream(&a, pl, &err) : NULL;
		jw_member_bool(w, "sensitive",
			       v && value_has_mark_deep(v, MARK_SENSITIVE));
		v = v ? value_unmark_deep(&a, v, NULL) : NULL;
		if (v && value_wholly_known(v)) {
			jw_key(w, "type");
			type_to_json(w, value_is_null(v) && was_null(rec)
						? &type_dynamic
						: v->type);
			jw_key(w, "value");
			value_known_json(w, v);
		}
		jw_object_end(w);
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
	if (!s->outputs.len)
		return;
	jw_key(w, "output_changes");
	jw_object(w);
	for (size_t i = 0; i < s->outputs.len; i++) {
		struct arena a = ARENA_INIT;
		const struct json *rec = parsed(&a, s->outputs.items[i]);
		struct str name = json_get_str(rec, "address");

		if (rec) {
			jw_key_str(w, str_starts(name, "output.")
					      ? str_sub(name, 7, name.n)
					      : name);
			jw_json(w, json_get(rec, "change"));
		}
		arena_release(&a);
	}
	jw_object_end(w);
}

/* Drift that is a mere move is shown in refresh-only plans alone. */
static void resource_drift(struct jw *w, const struct shown *s)
{
	bool all = s->plan &&
		   str_is(json_get_str(s->plan, "mode"), "refresh-only");
	struct line_vec kept = { 0 };
	struct arena a = ARENA_INIT, scratch = ARENA_INIT;

	for (size_t i = 0; i < s->drift.len; i++) {
		const struct json *rec = parsed(&scratch, s->drift.items[i]);

		if (rec && (all || !has_action(rec, "no-op")))
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
static void variables(struct jw *w, const struct json *vars,
		      const struct map *declared)
{
	struct arena a = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);

	for (uint32_t i = 0; i < vars->len; i++) {
		const struct json_member *m = &vars->members[i];
		struct verror err;

		put_variable(w, m->name,
			     value_from_stream(&a, &m->value, &err));
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

void plan_json(struct jw *w, const struct shown *s)
{
	const struct json *vars = json_get(s->plan, "variables");
	const struct map *declared = &s->config->root->variables;
	const struct json *relevant;

	jw_object(w);
	jw_member_str(w, "format_version", STR("1.2"));
	jw_member_str(w, "terraform_version", STR(COMPATIBLE_VERSION));
	if (vars && vars->kind == JSON_OBJECT &&
	    (vars->len || has_defaults(declared))) {
		jw_key(w, "variables");
		jw_object(w);
		variables(w, vars, declared);
		jw_object_end(w);
	}
	planned_values(w, s);
	resource_drift(w, s);
	put_lines(w, "resource_changes", &s->changes);
	output_changes(w, s);
	if (has_prior_state(s)) {
		struct state prior = *s->prior;

		/* Its checks are from an earlier run: `checks` has the new
		 * ones. */
		prior.checks.len = 0;
		jw_key(w, "prior_state");
		state_json(w, &prior, &s->schemas);
	}
	jw_key(w, "configuration");
	config_json(w, s->config, &s->schemas);
	relevant = json_get(s->plan, "relevant_attributes");
	if (relevant && relevant->len)
		copy_member(w, s->plan, "relevant_attributes");
	put_lines(w, "checks", &s->checks);
	copy_member(w, s->plan, "timestamp");
	jw_member_bool(w, "errored", json_get_bool(s->plan, "errored", false));
	jw_object_end(w);
}
