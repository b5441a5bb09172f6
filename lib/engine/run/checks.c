/* checks.c - see checks.h */
#include <stdlib.h>

#include "engine/run/checks.h"
#include "json/write.h"
#include "stream/stream.h"

static const char *const status_names[] = {
	[CHECK_UNKNOWN] = "unknown",
	[CHECK_PASS] = "pass",
	[CHECK_FAIL] = "fail",
	[CHECK_ERROR] = "error",
};

/* In addresses, in plans, and in state files. */
static const struct {
	const char *prefix, *plan, *state;
} kinds[] = {
	[CHECK_RESOURCE] = { "", "resource", "resource" },
	[CHECK_OUTPUT] = { "output.", "output_value", "output" },
	[CHECK_BLOCK] = { "check.", "check", "check" },
	[CHECK_VARIABLE] = { "var.", "var", "var" },
};

static const char *check_status_name(enum check_status s)
{
	return status_names[s];
}

enum check_status check_status_from_name(struct str name)
{
	for (enum check_status s = CHECK_PASS; s <= CHECK_ERROR; s++)
		if (str_is(name, status_names[s]))
			return s;
	return CHECK_UNKNOWN;
}

static void group_address(struct buf *b, const struct cfg_module *m,
			  enum check_kind kind, struct str name,
			  const struct resource_addr *resource)
{
	buf_str(b, m->path);
	if (m->path.n)
		buf_putc(b, '.');
	if (kind == CHECK_RESOURCE) {
		resource_addr_print(b, *resource);
		return;
	}
	buf_puts(b, kinds[kind].prefix);
	buf_str(b, name);
}

struct check_group *checks_group(const struct checks *c,
				 const struct cfg_module *m,
				 enum check_kind kind, struct str name,
				 const struct resource_addr *resource)
{
	struct buf b = BUF_INIT;
	struct check_group *g;

	group_address(&b, m, kind, name, resource);
	g = map_get(&c->groups, buf_view(&b));
	buf_release(&b);
	return g;
}

static void add(struct checks *c, struct cfg_module *m, enum check_kind kind,
		struct str name, const struct resource_addr *resource,
		size_t total)
{
	struct check_group *g;
	struct buf b = BUF_INIT;

	if (!total)
		return;
	g = ARENA_NEW(c->arena, struct check_group);
	g->kind = kind;
	g->module = m;
	g->name = name;
	g->total = total;
	if (resource)
		g->resource = *resource;
	group_address(&b, m, kind, name, resource);
	g->address = buf_dup(c->arena, &b);
	buf_release(&b);
	map_put(c->arena, &c->groups, g->address, g);
}

static void add_resources(struct checks *c, struct cfg_module *m,
			  const struct map *map)
{
	for (size_t i = 0; i < map->len; i++) {
		const struct cfg_resource *r = map->entries[i].value;

		add(c, m, CHECK_RESOURCE, STR_NONE, &r->addr,
		    r->lifecycle->preconditions.len +
			    r->lifecycle->postconditions.len);
	}
}

static void add_module(struct checks *c, struct cfg_module *m)
{
	add_resources(c, m, &m->managed);
	add_resources(c, m, &m->data);
	add_resources(c, m, &m->ephemeral);
	for (size_t i = 0; i < m->outputs.len; i++) {
		const struct cfg_output *o = m->outputs.entries[i].value;

		add(c, m, CHECK_OUTPUT, o->name, NULL, o->preconditions.len);
	}
	for (size_t i = 0; i < m->checks.len; i++) {
		const struct cfg_check *k = m->checks.entries[i].value;

		add(c, m, CHECK_BLOCK, k->name, NULL,
		    k->asserts.len + (k->data ? 1 : 0));
	}
	for (size_t i = 0; i < m->variables.len; i++) {
		const struct cfg_variable *v = m->variables.entries[i].value;

		add(c, m, CHECK_VARIABLE, v->name, NULL, v->validations.len);
	}
}

void checks_init(struct checks *c, struct arena *a, const struct config *cfg)
{
	memset(c, 0, sizeof(*c));
	c->arena = a;
	for (size_t i = 0; i < cfg->modules.len; i++)
		add_module(c, cfg->modules.entries[i].value);
}

void checks_expanded(const struct checks *c, const struct cfg_module *m,
		     enum check_kind kind, struct str name,
		     const struct resource_addr *resource)
{
	struct check_group *g = checks_group(c, m, kind, name, resource);

	if (g)
		g->expanded = true;
}

struct check_object *checks_object(struct checks *c, struct check_group *g,
				   struct module_addr module,
				   struct inst_key key, struct str address)
{
	struct check_object *o = map_get(&g->by_address, address);

	g->expanded = true;
	if (o)
		return o;
	o = ARENA_NEW(c->arena, struct check_object);
	o->address = str_dup(c->arena, address);
	o->module = module;
	o->key = key;
	vec_push(c->arena, &g->objects, o);
	map_put(c->arena, &g->by_address, o->address, o);
	return o;
}

void checks_report(struct checks *c, struct check_object *o,
		   enum check_status s, struct str message)
{
	if (s == CHECK_PASS)
		o->passed++;
	else if (s == CHECK_ERROR)
		o->errors++;
	else if (s == CHECK_FAIL)
		o->failed++;
	if (s == CHECK_FAIL && message.n)
		vec_push(c->arena, &o->problems, str_dup(c->arena, message));
}

void checks_settle(struct checks *c, const struct check_group *g,
		   struct check_object *o, enum check_status s,
		   const struct str_vec *problems)
{
	o->passed = s == CHECK_PASS ? g->total : 0;
	o->failed = s == CHECK_FAIL;
	o->errors = s == CHECK_ERROR;
	o->problems.len = 0;
	for (size_t i = 0; i < problems->len; i++)
		vec_push(c->arena, &o->problems,
			 str_dup(c->arena, problems->items[i]));
}

void checks_take_back(struct check_object *o, enum check_status s)
{
	if (s == CHECK_PASS)
		o->passed--;
	else if (s == CHECK_ERROR)
		o->errors--;
	else if (s == CHECK_FAIL)
		o->failed--;
	while (o->problems.len > o->failed)
		o->problems.len--;
}

static enum check_status summary(size_t errors, size_t failed, size_t unknown)
{
	if (errors)
		return CHECK_ERROR;
	if (failed)
		return CHECK_FAIL;
	return unknown ? CHECK_UNKNOWN : CHECK_PASS;
}

static enum check_status check_object_status(const struct check_group *g,
					     const struct check_object *o)
{
	size_t known = o->passed + o->failed + o->errors;

	return summary(o->errors, o->failed,
		       g->total > known ? g->total - known : 0);
}

static enum check_status check_group_status(const struct check_group *g)
{
	size_t errors = 0, failed = 0, unknown = 0;

	if (!g->expanded)
		return CHECK_UNKNOWN;
	for (size_t i = 0; i < g->objects.len; i++) {
		enum check_status s =
			check_object_status(g, g->objects.items[i]);

		errors += s == CHECK_ERROR;
		failed += s == CHECK_FAIL;
		unknown += s == CHECK_UNKNOWN;
	}
	return summary(errors, failed, unknown);
}

static int by_address(const void *x, const void *y)
{
	const struct check_group *const *a = x, *const *b = y;

	return str_cmp((*a)->address, (*b)->address);
}

static int object_by_address(const void *x, const void *y)
{
	const struct check_object *const *a = x, *const *b = y;

	return str_cmp((*a)->address, (*b)->address);
}

/* Sorted copies, in a. */
static struct check_group **sorted_groups(struct arena *a,
					  const struct checks *c)
{
	struct check_group **all =
		ARENA_ARRAY(a, struct check_group *, c->groups.len + 1);

	for (size_t i = 0; i < c->groups.len; i++)
		all[i] = c->groups.entries[i].value;
	qsort(all, c->groups.len, sizeof(*all), by_address);
	return all;
}

static void sort_group(struct check_group *g)
{
	if (g->objects.len)
		qsort(g->objects.items, g->objects.len,
		      sizeof(*g->objects.items), object_by_address);
	for (size_t i = 0; i < g->objects.len; i++) {
		struct check_object *o = g->objects.items[i];

		str_sort(o->problems.items, o->problems.len);
	}
}

static void static_address(struct jw *w, const struct check_group *g)
{
	jw_key(w, "address");
	jw_object(w);
	jw_member_str(w, "kind", str_c(kinds[g->kind].plan));
	if (g->kind == CHECK_RESOURCE)
		jw_member_str(w, "mode",
			      str_c(resource_mode_name(g->resource.mode)));
	if (g->module->path.n)
		jw_member_str(w, "module", g->module->path);
	jw_member_str(w, "name",
		      g->kind == CHECK_RESOURCE ? g->resource.name : g->name);
	jw_member_str(w, "to_display", g->address);
	if (g->kind == CHECK_RESOURCE)
		jw_member_str(w, "type", g->resource.type);
	jw_object_end(w);
}

static void instance(struct jw *w, const struct check_group *g,
		     const struct check_object *o)
{
	struct buf b = BUF_INIT;

	module_addr_print(&b, o->module);
	jw_object(w);
	jw_key(w, "address");
	jw_object(w);
	inst_key_member(w, "instance_key", o->key);
	if (b.len)
		jw_member_str(w, "module", buf_view(&b));
	jw_member_str(w, "to_display", o->address);
	jw_object_end(w);
	jw_member_str(w, "status",
		      str_c(check_status_name(check_object_status(g, o))));
	if (o->problems.len) {
		jw_key(w, "problems");
		jw_array(w);
		for (size_t i = 0; i < o->problems.len; i++) {
			jw_object(w);
			jw_member_str(w, "message", o->problems.items[i]);
			jw_object_end(w);
		}
		jw_array_end(w);
	}
	jw_object_end(w);
	buf_release(&b);
}

void checks_records(struct stream_out *out, const struct checks *c)
{
	struct arena scratch = ARENA_INIT;
	struct check_group **all = sorted_groups(&scratch, c);

	for (size_t i = 0; i < c->groups.len; i++) {
		struct check_group *g = all[i];
		struct jw w = stream_record(out, "check_result", STR_NONE);

		sort_group(g);
		static_address(&w, g);
		jw_member_str(&w, "status",
			      str_c(check_status_name(check_group_status(g))));
		if (g->objects.len) {
			jw_key(&w, "instances");
			jw_array(&w);
			for (size_t k = 0; k < g->objects.len; k++)
				instance(&w, g, g->objects.items[k]);
			jw_array_end(&w);
		}
		stream_record_end(out, &w);
	}
	arena_release(&scratch);
}

static struct str objects_json(struct arena *a, const struct check_group *g)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!g->objects.len)
		return STR("null");
	jw_array(&w);
	for (size_t i = 0; i < g->objects.len; i++) {
		const struct check_object *o = g->objects.items[i];

		jw_object(&w);
		jw_member_str(&w, "object_addr", o->address);
		jw_member_str(&w, "status",
			      str_c(check_status_name(
				      check_object_status(g, o))));
		if (o->problems.len) {
			jw_key(&w, "failure_messages");
			jw_array(&w);
			for (size_t k = 0; k < o->problems.len; k++)
				jw_str(&w, o->problems.items[k]);
			jw_array_end(&w);
		}
		jw_object_end(&w);
	}
	jw_array_end(&w);
	return buf_take(a, &b);
}

void checks_to_state(struct state *st, const struct checks *c)
{
	struct check_group **all = sorted_groups(st->arena, c);

	st->checks.len = 0;
	st->checks_known = true;
	for (size_t i = 0; i < c->groups.len; i++) {
		struct check_group *g = all[i];
		struct state_check k = {
			.object_kind = str_c(kinds[g->kind].state),
			.config_addr = g->address,
			.status =
				str_c(check_status_name(check_group_status(g))),
		};

		sort_group(g);
		k.objects = objects_json(st->arena, g);
		vec_push(st->arena, &st->checks, k);
	}
}
