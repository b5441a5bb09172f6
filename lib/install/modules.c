/* modules.c - see modules.h */
#include "install/modules.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/manifest.h"
#include "config/version.h"

struct installer {
	struct arena *arena;
	const struct install_modules_options *o;
	struct map records; /* key -> struct installed *; NULL: removed */
	struct diags *ds;
};

/* The path without "." and with ".." taken as far as it goes. */
static struct str join(struct arena *a, struct str dir, struct str source)
{
	struct str path = str_is(dir, ".") || !dir.n
				  ? source
				  : str_printf(a, "%.*s/%.*s", STR_ARG(dir),
					       STR_ARG(source));

	path = module_path_clean(a, path);
	return path.n ? path : STR(".");
}

enum { MAX_LINKS = 255 }; /* as Go's filepath.EvalSymlinks has it */

/* The path without symbolic links: each is replaced by what it says, so what is
 * relative stays so, and says the same in another copy of the tree. */
static struct str resolve(struct arena *a, struct str path)
{
	struct str done = path.p[0] == '/' ? STR("/") : STR_NONE, rest = path;
	int links = 0;

	while (rest.n) {
		ptrdiff_t slash = str_chr(rest, '/');
		struct str part = slash < 0 ? rest
					    : str_sub(rest, 0, (size_t)slash);
		char target[PATH_MAX];
		struct str to = join(a, done, part);
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

static void forget(struct installer *in, struct str key)
{
	struct str prefix = str_printf(in->arena, "%.*s.", STR_ARG(key));

	for (size_t i = 0; i < in->records.len; i++) {
		struct map_entry *e = &in->records.entries[i];

		if (str_eq(e->key, key) || str_starts(e->key, prefix.p))
			e->value = NULL;
	}
}

static bool is_directory(struct str path)
{
	struct stat st;

	return stat(path.p, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Said as often as OpenTofu says it: the path leads nowhere, and so there is no
 * module. */
static void unreadable(struct installer *in, const struct cfg_call *call,
		       struct str key, struct str dir)
{
	static const char summary[] = "Unreadable module directory";
	const char *why = errno ? strerror(errno) : "not a directory";

	diag_error(in->ds, NULL, summary, "%.*s cannot be read: %s.",
		   STR_ARG(dir), why);
	diag_error(in->ds, NULL, summary,
		   "The module \"%.*s\", called at %.*s:%u, has no directory "
		   "that can be read.", STR_ARG(call->name),
		   STR_ARG(call->at.file), call->at.start.line);
	if (in->o->installed)
		in->o->installed(in->o->data, key, STR_NONE, STR_NONE);
}

static struct str install_local(struct installer *in, struct cfg_call *call,
				struct str key)
{
	struct arena *a = in->arena;
	struct installed *rec = ARENA_NEW(a, struct installed);
	struct str dir = join(a, call->module->dir, call->source);

	if (!is_directory(dir)) {
		unreadable(in, call, key, dir);
		return STR_NONE;
	}
	*rec = (struct installed){ key, call->source, STR_NONE,
				   resolve(a, dir) };
	map_put(a, &in->records, key, rec);
	if (in->o->installed)
		in->o->installed(in->o->data, key, STR_NONE, rec->dir);
	return rec->dir;
}

/* What another program installed is as good, where it still fits. */
static struct str reuse(struct installer *in, struct cfg_call *call,
			struct str key)
{
	const struct installed *rec = map_get(&in->records, key);
	struct version_constraints c;
	struct version v;

	if (!rec || in->o->upgrade || !is_directory(rec->dir))
		return STR_NONE;
	if (!str_eq(rec->source, call->source))
		return STR_NONE;
	if (call->version.n && rec->version.n &&
	    version_constraints_parse(in->arena, call->version, &c) &&
	    version_parse(rec->version, &v) && !version_allowed(&c, &v))
		return STR_NONE;
	return rec->dir;
}

static struct str find(void *data, struct cfg_call *call, struct diags *ds)
{
	struct installer *in = data;
	struct str key = manifest_key(in->arena, call->module, call->name);
	struct str dir;

	/* A source that is not known has been complained about. */
	if (!call->source.n)
		return STR_NONE;
	in->ds = ds;
	dir = reuse(in, call, key);
	if (dir.n)
		return dir;
	forget(in, key);
	if (call->source_kind == SOURCE_LOCAL)
		return install_local(in, call, key);
	diag_error(ds, &call->source_at, "Failed to download module",
		   "\"%.*s\" is not a local path. This version installs local "
		   "modules only, but uses others that are installed already "
		   "(in the directory that modules.json names).",
		   STR_ARG(call->source));
	return STR_NONE;
}

/* What is wrong with how modules fit together is found again by all that uses
 * them.  The root module's own come first. */
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
	struct installer in = { .arena = a, .o = i, .ds = ds };
	struct config_options with = *o;
	struct installed root = { STR(""), STR(""), STR_NONE, STR(".") };
	const size_t begin = ds->len;
	struct config *c;

	if (manifest_read(a, o->data_dir, &in.records, ds))
		return config_new(a);
	map_put(a, &in.records, root.key, arena_dup(a, &root, sizeof(root)));
	with.find = find;
	with.despite_root = true;
	with.find_data = &in;
	c = config_load(a, &with, ds);
	if (i->modules_alone && c->modules_failed)
		return c;
	if (i->modules_alone)
		only_warn(ds, begin, c->root_diags);
	manifest_write(a, o->data_dir, &in.records, ds);
	return c;
}
