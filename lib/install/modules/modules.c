/* modules.c - see modules.h */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "install/modules/modules.h"
#include "base/file_path.h"
#include "base/io.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "config/source/manifest.h"
#include "config/source/source.h"
#include "config/source/url.h"
#include "config/source/version.h"
#include "config/module.h"
#include "install/modules/modules_int.h"
#include "lang/syntax/ident.h"

struct module_installer {
	struct arena *arena;
	const struct install_modules_options *o;
	struct map records; /* key -> struct installed *; NULL: removed */
	struct str dir;     /* DATA_DIR/modules */
	struct module_store *store;
	struct module_guard guard;
	struct diags *ds;
};

enum { MAX_LINKS = 255 }; /* as Go's filepath.EvalSymlinks has it */

/* The path without symbolic links: each is replaced by its target, so relative
 * targets stay relative and valid in another copy of the tree. */
static struct str resolve(struct arena *a, struct str path)
{
	struct str done = path.p[0] == '/' ? STR("/") : STR_NONE, rest = path;
	int links = 0;

	while (rest.n) {
		ptrdiff_t slash = str_chr(rest, '/');
		struct str part =
			slash < 0 ? rest : str_sub(rest, 0, (size_t)slash);
		char target[PATH_MAX];
		struct str to = file_path_join(a, done, part);
		ssize_t n;

		rest = str_sub(rest, part.n + (slash >= 0), rest.n);
		n = part.n ? readlink(to.p, target, sizeof(target)) : -1;
		if (n < 0 || n == sizeof(target) || ++links > MAX_LINKS) {
			done = to;
			continue;
		}
		rest = str_printf(a, "%.*s/%.*s", (int)n, target,
				  STR_ARG(rest));
		if (target[0] == '/')
			done = STR("/");
	}
	return done.n ? done : STR(".");
}

static void forget(struct module_installer *in, struct str key)
{
	struct str prefix = str_printf(in->arena, "%.*s.", STR_ARG(key));

	for (size_t i = 0; i < in->records.len; i++) {
		struct map_entry *e = &in->records.entries[i];

		if (str_eq(e->key, key) || str_starts(e->key, prefix.p))
			e->value = NULL;
	}
}

static void record(struct module_installer *in, const struct cfg_call *call,
		   struct str key, struct str version, struct str dir)
{
	struct installed *rec = ARENA_NEW(in->arena, struct installed);

	*rec = (struct installed){ key, call->source, version, dir };
	map_put(in->arena, &in->records, key, rec);
	if (in->o->installed)
		in->o->installed(in->o->data, key, dir);
}

static struct str own_directory(struct module_installer *in, struct str key)
{
	return str_printf(in->arena, "%.*s/%.*s", STR_ARG(in->dir),
			  STR_ARG(key));
}

/* Removes an earlier module of the same name. */
static int remove_old(struct module_installer *in, struct str key)
{
	struct str dir = own_directory(in, key);

	if (!io_remove_tree(dir.p))
		return 0;
	return diag_error(
		in->ds, NULL, "Failed to remove local module cache",
		"%.*s is in the way of a module that is to be installed: %s.",
		STR_ARG(dir), io_why());
}

/* --- the lock file --- */

static void tell_fetched(struct module_installer *in, const struct guarded *p,
			 struct str subdir)
{
	const struct fetched_module f = { .address = url_redacted(in->arena,
								  p->package),
					  .version = p->version,
					  .subdir = subdir,
					  .dir = p->dir };

	in->o->fetched(in->o->data, &f);
}

/* As module_guard_check: does it match the lock file?  subdir: of a fetched
 * module, the directory that the registry gave. */
static int check(struct module_installer *in, const struct cfg_call *call,
		 struct str key, struct str version, struct str subdir,
		 bool fetched)
{
	struct guarded p = { .path = key,
			     .version = version,
			     .dir = own_directory(in, key),
			     .fetched = fetched };
	struct registry_module r;
	struct module_address m;
	int rc;

	if (call->source_kind == SOURCE_REGISTRY) {
		registry_module_read(in->arena, call->source, &r);
		p.package = r.package;
	} else {
		module_address_split(in->arena, call->source, &m);
		p.package = m.package;
	}
	rc = module_guard_check(&in->guard, &p, in->ds);
	if (rc < 0 && fetched)
		io_remove_tree(p.dir.p);
	if (!rc && fetched && in->o->fetched &&
	    !module_guard_own(&in->guard, &p))
		tell_fetched(in, &p, subdir);
	return rc;
}

/* --- local modules --- */

/* Reports two errors, as OpenTofu does: the path does not exist, and so there
 * is no module. */
static void unreadable(struct module_installer *in, const struct cfg_call *call,
		       struct str dir)
{
	static const char summary[] = "Unreadable module directory";
	const char *why = strerror(access(dir.p, F_OK) ? errno : ENOTDIR);

	diag_error(in->ds, NULL, summary, "%.*s cannot be read: %s.",
		   STR_ARG(dir), why);
	diag_error(in->ds, NULL, summary,
		   "The module \"%.*s\", called at %.*s:%u, has no directory "
		   "that can be read.",
		   STR_ARG(call->name), STR_ARG(call->at.file),
		   call->at.start.line);
}

/* The path of a local module in its package, whose top is "*"; *package is the
 * source of that.  STR_NONE: it is in no package. */
static struct str path_in_package(struct arena *a, const struct cfg_call *call,
				  struct str *package)
{
	const struct cfg_call *outer = call->module->call;
	struct module_address m;
	struct str path;

	if (!outer)
		return STR_NONE;
	if (outer->source_kind == SOURCE_LOCAL) {
		path = path_in_package(a, outer, package);
	} else {
		module_address_split(a, outer->source, &m);
		*package = m.package;
		path = file_path_join(a, STR("*"), m.subdir);
	}
	return path.n ? file_path_join(a, path, call->source) : path;
}

/* A path out of a package is allowed as long as it leads somewhere. */
static bool escapes(struct module_installer *in, const struct cfg_call *call)
{
	struct str package = STR_NONE;
	struct str path = path_in_package(in->arena, call, &package);

	if (!path.n || str_is(path, "*") || str_starts(path, "*/"))
		return false;
	diag_error(
		in->ds, NULL, "Local module path escapes module package",
		"The directory of %.*s.%.*s would be outside of the package "
		"that calls it, \"%.*s\": a path that begins with \"../\" "
		"stays in the package.%s",
		STR_ARG(call->module->path), STR_ARG(call->name),
		STR_ARG(url_redacted(in->arena, package)),
		str_starts(package, "file://")
			? "\n\nAn absolute path is a package of its own; a "
			  "path with \"./\" or \"../\" is of the same as its "
			  "caller."
			: "");
	return true;
}

static struct str install_local(struct module_installer *in,
				struct cfg_call *call, struct str key)
{
	struct arena *a = in->arena;
	struct str dir = file_path_join(a, call->module->dir, call->source);

	if (io_is_directory(dir.p)) {
		dir = resolve(a, dir);
		record(in, call, key, STR_NONE, dir);
		return dir;
	}
	if (!escapes(in, call))
		unreadable(in, call, dir);
	/* recorded all the same, as OpenTofu does it */
	record(in, call, key, STR_NONE,
	       access(dir.p, F_OK) ? STR_NONE : resolve(a, dir));
	return STR_NONE;
}

/* --- remote modules --- */

static int make_directory(struct module_installer *in)
{
	if (!io_make_dirs(in->dir.p, 0777))
		return 0;
	return diag_error(in->ds, NULL, "Failed to make a directory",
			  "%.*s: %s.", STR_ARG(in->dir), io_why());
}

static struct str install_remote(struct module_installer *in,
				 struct cfg_call *call, struct str key)
{
	struct arena *a = in->arena;
	struct str dir = own_directory(in, key), why, address;
	struct module_address m;

	module_address_split(a, call->source, &m);
	address = url_redacted(a, m.package);
	if (in->o->downloading)
		in->o->downloading(in->o->data, key, address, STR_NONE);
	if (make_directory(in))
		return STR_NONE;
	if (module_store_fetch(in->store, m.package,
			       module_guard_commit(&in->guard, m.package), dir,
			       &why)) {
		diag_error(in->ds, &call->at, "Failed to download module",
			   "Could not download module \"%.*s\", called at "
			   "%.*s:%u, from \"%.*s\": %.*s.",
			   STR_ARG(call->name), STR_ARG(call->at.file),
			   call->at.start.line, STR_ARG(address), STR_ARG(why));
		return STR_NONE;
	}
	if (check(in, call, key, STR_NONE, STR_NONE, true))
		return STR_NONE;
	dir = module_subdir(a, dir, m.subdir, &why);
	if (!dir.n) {
		diag_error(in->ds, NULL, "Failed to expand subdir globs",
			   "%.*s.", STR_ARG(why));
		return STR_NONE;
	}
	record(in, call, key, STR_NONE, dir);
	if (io_is_directory(dir.p))
		return dir;
	diag_error(in->ds, NULL, "Unreadable module directory",
		   "%.*s is not a directory.", STR_ARG(dir));
	return STR_NONE;
}

static struct str install_registry(struct module_installer *in,
				   struct cfg_call *call, struct str key)
{
	struct str dir = own_directory(in, key), subdir;
	struct registry_module m;

	registry_module_read(in->arena, call->source, &m);
	m.version = module_guard_version(&in->guard, m.package, call->version);
	if (!m.version.n && registry_choose(in->store, call, &m, in->ds))
		return STR_NONE;
	if (in->o->downloading)
		in->o->downloading(in->o->data, key, m.package, m.version);
	if (make_directory(in) ||
	    registry_fetch(in->store, call, &m, dir, &subdir, in->ds) ||
	    check(in, call, key, m.version, m.located, true))
		return STR_NONE;
	if (subdir.n)
		dir = file_path_join(in->arena, dir, subdir);
	record(in, call, key, m.version, dir);
	if (io_is_directory(dir.p))
		return dir;
	diag_error(
		in->ds, &call->at, "Module subdirectory not found",
		"The package of the module \"%.*s\" has no directory \"%.*s\".",
		STR_ARG(call->name), STR_ARG(subdir));
	return STR_NONE;
}

/* --- all --- */

/* The module's record, if it still fits the call; another program's will do. */
static const struct installed *fitting(struct module_installer *in,
				       const struct cfg_call *call,
				       struct str key)
{
	const struct installed *rec = map_get(&in->records, key);
	struct version_constraints c;
	struct registry_module m;
	struct str locked;
	struct version v;

	if (!rec || in->o->upgrade || !str_eq(rec->source, call->source))
		return NULL;
	if (call->version.n && rec->version.n &&
	    version_constraints_parse(in->arena, call->version, &c) &&
	    version_parse(rec->version, &v) && !version_allowed(&c, &v))
		return NULL;
	if (call->source_kind == SOURCE_REGISTRY && in->guard.on) {
		registry_module_read(in->arena, call->source, &m);
		locked = module_guard_version(&in->guard, m.package,
					      call->version);
		if (locked.n && !str_eq(locked, rec->version))
			return NULL;
	}
	return rec;
}

static struct str find(void *data, struct cfg_call *call, struct diags *ds)
{
	struct module_installer *in = data;
	struct str key = manifest_key(in->arena, call->module, call->name);
	const struct installed *have;

	/* An unknown source and a name that cannot be a directory's have been
	 * reported. */
	if (!call->source.n || !ident_valid(call->name))
		return STR_NONE;
	in->ds = ds;
	have = fitting(in, call, key);
	if (have && io_is_directory(have->dir.p)) {
		int rc = call->source_kind == SOURCE_LOCAL
				 ? 0
				 : check(in, call, key, have->version, STR_NONE,
					 false);

		if (rc <= 0)
			return rc ? STR_NONE : have->dir;
	}
	if (!have)
		forget(in, key);
	if (remove_old(in, key))
		return STR_NONE;
	if (call->source_kind == SOURCE_LOCAL)
		return install_local(in, call, key);
	if (call->source_kind == SOURCE_REMOTE)
		return install_remote(in, call, key);
	return install_registry(in, call, key);
}

/* Does the call need a package that is not installed yet? */
static bool is_wanted(struct module_installer *in, const struct cfg_call *call,
		      struct str key)
{
	const struct installed *have = fitting(in, call, key);

	return call->source_kind != SOURCE_LOCAL && call->source.n &&
	       ident_valid(call->name) &&
	       !(have && io_is_directory(have->dir.p));
}

static bool is_coming(struct module_installer *in, const struct cfg_call *call,
		      struct registry_wishes *wishes)
{
	const struct str key =
		manifest_key(in->arena, call->module, call->name);
	const struct str dir = own_directory(in, key);
	struct registry_wish w = { .call = call, .dir = dir };
	struct module_address m;

	if (!is_wanted(in, call, key))
		return false;
	if (call->source_kind == SOURCE_REGISTRY) {
		registry_module_read(in->arena, call->source, &w.m);
		w.m.version = module_guard_version(&in->guard, w.m.package,
						   call->version);
		vec_push(in->arena, wishes, w);
		return false;
	}
	module_address_split(in->arena, call->source, &m);
	return module_store_coming(in->store, m.package,
				   module_guard_commit(&in->guard, m.package),
				   dir);
}

static void coming(void *data, const struct map_entry *calls, size_t n)
{
	struct module_installer *in = data;
	struct registry_wishes wishes = { 0 };
	bool any = false;

	for (size_t i = 0; n > 1 && i < n; i++)
		any |= is_coming(in, calls[i].value, &wishes);
	any |= registry_coming(in->store, &wishes);
	if (any && !io_make_dirs(in->dir.p, 0777))
		module_store_begin(in->store);
}

/* Makes warnings of errors between modules, which every use of them finds
 * again.  The root module's own errors, which come first, stay. */
static void only_warn(struct diags *ds, size_t from, size_t nroot)
{
	for (size_t i = from + nroot; i < ds->len; i++) {
		if (ds->items[i].severity == SEV_ERROR)
			ds->errors--;
		ds->items[i].severity = SEV_WARNING;
	}
}

struct config *install_modules(struct arena *a, const struct config_options *o,
			       const struct install_modules_options *i,
			       struct diags *ds)
{
	const struct module_store_options so = { .input = i->input,
						 .hosts = i->hosts };
	struct module_guard_options go = { .create = i->lock,
					   .upgrade = i->upgrade,
					   .readonly = i->readonly,
					   .workdir = o->workdir };
	struct module_installer in = { .arena = a, .o = i, .ds = ds };
	struct config_options with = *o;
	struct installed root = { STR(""), STR(""), STR_NONE, STR(".") };
	const size_t begin = ds->len;
	struct config *c;

	if (manifest_read(a, o->workdir, &in.records, ds))
		return config_new(a);
	in.dir = workdir_path(a, o->workdir, WORKDIR_MODULES);
	i->hosts->remote.below = o->workdir->data_dir;
	in.store = module_store_new(a, &so);
	go.git = module_store_git(in.store);
	if (module_guard_start(a, &in.guard, &go, ds))
		return config_new(a);
	map_put(a, &in.records, root.key, arena_dup(a, &root, sizeof(root)));
	with.find = find;
	with.coming = coming;
	with.despite_root = true;
	with.find_data = &in;
	c = config_load(a, &with, ds);
	module_store_end(in.store);
	if (i->modules_alone && c->modules_failed)
		return c;
	if (i->modules_alone)
		only_warn(ds, begin, c->root_diags);
	manifest_write(a, o->workdir, &in.records, ds);
	if (!c->modules_failed)
		module_guard_end(&in.guard, ds);
	return c;
}
