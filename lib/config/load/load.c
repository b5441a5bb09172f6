/*
 * load.c - a configuration from files: the root module and, through its
 * calls, all installed modules
 */
#include "config/load/load.h"
#include "base/product.h"
#include "config/decode/decode_int.h"
#include "config/load/load_int.h"
#include "config/source/manifest.h"
#include "config/check/check_int.h"
#include "config/module.h"
#include "config/source/source.h"
#include "config/source/version.h"
#include "config/load/test.h"

enum { MODULE_DEPTH_MAX = 200 };

/* --- one module --- */

/* A module that refuses this version of the language: nothing else that was
 * found in it counts. */
static void keep_incompatible(struct diags *ds, size_t from)
{
	size_t kept = from;

	for (size_t i = from; i < ds->len; i++) {
		if (ds->items[i].severity == SEV_ERROR)
			ds->errors--;
		if (ds->items[i].code != DIAG_MODULE_INCOMPATIBLE)
			continue;
		ds->items[kept++] = ds->items[i];
		ds->errors++;
	}
	ds->len = kept;
}

static void decode_files(struct loader *l, const struct cfg_file_vec *files,
			 struct decls *out, bool *incompatible)
{
	for (size_t i = 0; i < files->len; i++) {
		const struct cfg_file *f = &files->items[i];
		struct decoder d = { .a = l->config->arena,
				     .ds = l->ds,
				     .config = l->config,
				     .override = f->override,
				     .tofu = f->tofu,
				     .out = &out[i] };

		decode_file(&d, f);
		*incompatible |= d.incompatible;
	}
}

static struct cfg_module *new_module(struct loader *l, struct cfg_call *call,
				     struct str dir)
{
	struct arena *a = l->config->arena;
	struct cfg_module *m = ARENA_NEW(a, struct cfg_module);

	m->config = l->config;
	m->call = call;
	m->dir = dir;
	m->path = STR("");
	if (call) {
		m->parent = call->module;
		m->path = str_printf(a, "%.*s%smodule.%.*s",
				     STR_ARG(m->parent->path),
				     m->parent->path.n ? "." : "",
				     STR_ARG(call->name));
	}
	return m;
}

struct decoded { /* the files of a module; primary ones first */
	struct decls *decls;
	size_t nprimary, n;
};

/* Builds as much of the module as OpenTofu sees when it looks for encryption
 * or, in a second pass, for the backend. */
static void build_early(struct arena *a, struct cfg_module *m,
			const struct decoded *f, bool backend, struct diags *ds)
{
	struct decls *early = ARENA_ARRAY(a, struct decls, f->n + 1);

	for (size_t i = 0; i < f->n; i++)
		decls_early(a, &f->decls[i], backend, &early[i]);
	build_module(m, early, f->nprimary, early + f->nprimary,
		     f->n - f->nprimary, ds);
}

/* The root module's files are read: decides whether to go on.  If not, builds m
 * of the declarations checked so far. */
static void look_first(struct loader *l, struct cfg_module *m,
		       const struct decoded *f, size_t from, size_t errors)
{
	struct diags own = DIAGS_INIT(l->config->arena);
	const size_t n = l->ds->len;
	struct arena scratch = ARENA_INIT;

	for (int backend = 0; backend < 2 && !l->stopped; backend++) {
		build_early(&scratch, new_module(l, NULL, STR_NONE), f, backend,
			    &own);
		l->stopped = errors || own.errors;
		if (l->stopped)
			build_early(l->config->arena, m, f, backend, l->ds);
	}
	arena_release(&scratch);
	for (size_t i = from; i < n && l->opts->repeat && !l->stopped; i++)
		if (l->ds->items[i].severity == SEV_WARNING) {
			struct diag d = l->ds->items[i];

			d.again = true;
			diags_push(l->ds, d);
		}
}

static int files_of(struct loader *l, struct str dir, struct cfg_file_vec *out)
{
	struct arena *a = l->config->arena;
	struct cfg_file_vec *known = map_get(&l->dirs, dir);
	const size_t errors = l->ds->errors;

	if (known) {
		*out = *known;
		return 0;
	}
	if (files_load(l->config, arena_strndup(a, dir.p, dir.n), out, l->ds))
		return -1;
	if (l->ds->errors == errors) {
		known = ARENA_NEW(a, struct cfg_file_vec);
		*known = *out;
		map_put(a, &l->dirs, dir, known);
	}
	return 0;
}

/* NULL when the directory cannot be read (diagnosed). */
static struct cfg_module *load_module(struct loader *l, struct cfg_call *call,
				      struct str dir)
{
	struct arena *a = l->config->arena;
	struct cfg_module *m = new_module(l, call, dir);
	struct cfg_file_vec files = { 0 };
	size_t from = l->ds->len, errors = l->ds->errors;
	bool incompatible = false;
	struct map_entry *calls;
	struct decoded f = { .n = 0 };

	if (files_of(l, dir, &files))
		return NULL;
	f.n = files.len;
	f.decls = ARENA_ARRAY(a, struct decls, files.len);
	decode_files(l, &files, f.decls, &incompatible);
	while (f.nprimary < f.n && !files.items[f.nprimary].override)
		f.nprimary++;
	if (l->opts->stepwise && !call)
		look_first(l, m, &f, from, l->ds->errors - errors);
	if (l->stopped)
		return m;
	build_module(m, f.decls, f.nprimary, f.decls + f.nprimary,
		     f.n - f.nprimary, l->ds);
	calls = map_sorted(a, &m->calls);
	for (size_t i = 0; i < m->calls.len; i++)
		static_call(l, calls[i].value);
	for (size_t i = 0; i < m->providers.len; i++)
		static_provider(l, m->providers.entries[i].value);
	static_constants(l, m);
	if (incompatible)
		keep_incompatible(l->ds, from);
	return m;
}

/* --- the tree --- */

static const struct installed *find_installed(struct loader *l,
					      struct cfg_call *call)
{
	struct arena *a = l->config->arena;
	struct str key;

	if (!l->manifest_read) {
		l->manifest_read = true;
		manifest_read(a, l->opts->workdir, &l->manifest, l->ds);
	}
	key = manifest_key(a, call->module, call->name);
	if (l->opts->key.n)
		key = STR_CAT(a, l->opts->key, STR("."), key);
	return map_get(&l->manifest, key);
}

static void check_version(struct loader *l, struct cfg_call *call,
			  const struct installed *rec)
{
	static const char *const summary =
		"Module version requirements have changed";
	struct version_constraints c;
	struct version v;

	if (call->version.n && !rec->version.n)
		diag_error(
			l->ds, &call->source_at, summary,
			"A version is required now, but what is installed has none. Run \"%s init\" to install it again.",
			product_command());
	else if (call->version.n && version_parse(rec->version, &v) &&
		 version_constraints_parse(l->config->arena, call->version,
					   &c) &&
		 !version_allowed(&c, &v))
		diag_error(
			l->ds, &call->source_at, summary,
			"The installed version, %.*s, does not satisfy \"%.*s\". Run \"%s init\" to install another.",
			STR_ARG(rec->version), STR_ARG(call->version),
			product_command());
}

static struct str find_child(struct loader *l, struct cfg_call *call,
			     struct str *version)
{
	const struct installed *rec;

	if (l->opts->find)
		return l->opts->find(l->opts->find_data, call, l->ds);
	rec = find_installed(l, call);
	if (!rec || !rec->dir.n) {
		diag_error(
			l->ds, &call->at, "Module not installed",
			"This module is not installed. Run \"%s init\" to install all modules of this configuration.",
			product_command());
		return STR_NONE;
	}
	if (call->source.n && !str_eq(call->source, rec->source))
		diag_error(
			l->ds, &call->source_at, "Module source has changed",
			"This module was installed from \"%.*s\", now its source is "
			"\"%.*s\". Run \"%s init\" to install it again.",
			STR_ARG(rec->source), STR_ARG(call->source),
			product_command());
	check_version(l, call, rec);
	*version = rec->version;
	return rec->dir;
}

static void check_child(struct loader *l, const struct cfg_module *m)
{
	if (m->backend)
		diag_warning(
			l->ds, &m->backend->at, "Backend configuration ignored",
			"Only the root module's backend counts; this one has no effect.");
	if (m->imports.len)
		diag_error(
			l->ds, &m->imports.items[0].at,
			"Invalid import configuration",
			"%.*s has an import block; only the root module can have them.",
			STR_ARG(m->path));
}

static void load_children(struct loader *l, struct cfg_module *m, int depth);

static void load_child(struct loader *l, struct cfg_call *call, int depth)
{
	struct diags inner = DIAGS_INIT(l->config->arena);
	struct diags *outer = l->ds;
	const size_t errors = outer->errors;
	struct str version = STR_NONE;
	struct str dir = find_child(l, call, &version);
	struct cfg_module *m;

	l->config->modules_failed |= outer->errors > errors;
	if (!dir.p)
		return;
	l->ds = &inner;
	m = load_module(l, call, dir);
	l->ds = outer;
	if (!m) {
		diag_error(
			l->ds, &call->at, "Module not installed",
			"The directory of this module, %.*s, cannot be read. Run \"%s "
			"init\" to install all modules of this configuration.",
			STR_ARG(dir), product_command());
		return;
	}
	diags_append(l->ds, &inner);
	l->config->modules_failed |= inner.errors > 0;
	m->version = version;
	call->child = m;
	map_put(l->config->arena, &l->config->modules, m->path, m);
	load_children(l, m, depth + 1);
	check_child(l, m);
}

static void load_children(struct loader *l, struct cfg_module *m, int depth)
{
	struct map_entry *calls = map_sorted(l->config->arena, &m->calls);

	if (l->opts->coming && depth < MODULE_DEPTH_MAX)
		l->opts->coming(l->opts->find_data, calls, m->calls.len);
	for (size_t i = 0; i < m->calls.len; i++) {
		struct cfg_call *call = calls[i].value;

		if (depth < MODULE_DEPTH_MAX) {
			load_child(l, call, depth);
			continue;
		}
		l->config->modules_failed = true;
		diag_error(l->ds, &call->at, "Too many module levels",
			   "Modules can be nested to %d levels.",
			   MODULE_DEPTH_MAX);
	}
}

/* --- the modules of tests --- */

/* A module that is not there, so that what it calls has the keys that
 * OpenTofu gives the modules of runs: test.tests.main.setup. */
static struct cfg_module *stand_in(struct loader *l, struct cfg_module *parent,
				   struct str name)
{
	struct cfg_call *call = ARENA_NEW(l->config->arena, struct cfg_call);

	call->module = parent;
	call->name = name;
	call->source_kind = SOURCE_LOCAL;
	call->at = RANGE_NONE;
	return new_module(l, call, STR("."));
}

/* The module that the key of a run begins with, without its last word. */
static struct cfg_module *caller_of(struct loader *l, struct str key)
{
	struct cfg_module *m = l->config->root;
	ptrdiff_t dot;

	while ((dot = str_chr(key, '.')) >= 0) {
		m = stand_in(l, m, str_sub(key, 0, (size_t)dot));
		key = str_sub(key, (size_t)dot + 1, key.n);
	}
	return m;
}

static void load_run(struct loader *l, const struct cfg_test_file *f,
		     struct cfg_run *r)
{
	struct arena *a = l->config->arena;
	struct cfg_call *call = ARENA_NEW(a, struct cfg_call);
	const char *summary;
	struct str why;

	call->module = caller_of(l, test_module_key(a, f, r));
	call->name = r->name;
	call->source = source_read(a, r->source, r->version.n > 0,
				   &call->source_kind, &summary, &why);
	call->source_written = r->source;
	call->source_expr = r->source_expr;
	call->version_expr = r->version_expr;
	call->version = r->version;
	call->at = r->module_at;
	call->source_at = r->source_at;
	load_child(l, call, 0);
	r->child = call->child;
}

/* Providers of the file are required, as if the root module had them. */
static void take_providers(struct loader *l, struct cfg_test_file *f)
{
	struct cfg_module *m = stand_in(l, l->config->root, f->name);

	for (size_t i = 0; i < f->providers.len; i++) {
		struct cfg_provider *p = f->providers.items[i];

		p->module = m;
		p->provider = module_provider(l->config->root, p->name);
		map_put(l->config->arena, &m->providers, p->name, p);
	}
	if (!m->providers.len)
		return;
	map_put(l->config->arena, &l->config->modules, m->path, m);
	f->own = m;
}

static void load_tests(struct loader *l)
{
	struct cfg_test_file_vec own = { NULL, 0, 0 };
	struct cfg_test_file_vec *files = l->opts->test_files;

	if (!files)
		files = &own;
	files->len = 0; /* of a load without the values of variables */
	if (test_files(l->config, l->config->root->dir, l->opts->tests, files,
		       l->ds))
		return;
	for (size_t i = 0; i < files->len; i++) {
		struct cfg_test_file *f = &files->items[i];

		take_providers(l, f);
		for (size_t k = 0; k < f->runs.len; k++)
			if (f->runs.items[k].source.n)
				load_run(l, f, &f->runs.items[k]);
	}
}

struct config *config_load(struct arena *a, const struct config_options *o,
			   struct diags *ds)
{
	struct loader l = { .config = config_new(a), .opts = o, .ds = ds };
	struct str dir = o->dir.n ? o->dir : STR(".");
	struct config *c = l.config;
	size_t errors = ds->errors, before = ds->len;

	c->root = load_module(&l, NULL, dir);
	if (!c->root)
		c->root = new_module(&l, NULL, dir);
	map_put(a, &c->modules, c->root->path, c->root);
	c->root_diags = ds->len - before;
	c->stopped = l.stopped;
	if (o->root_only || l.stopped ||
	    (ds->errors > errors && !o->despite_root && !o->stepwise))
		return c;
	if (o->despite_root)
		errors = ds->errors;
	load_children(&l, c->root, 0);
	if (ds->errors == errors && o->loaded)
		o->loaded(o->loaded_data, c, ds);
	if (ds->errors == errors)
		check_providers(c, ds);
	if (o->tests.n && ds->errors == errors)
		load_tests(&l);
	return c;
}
