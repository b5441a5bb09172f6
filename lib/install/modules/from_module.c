/* from_module.c - see modules.h */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "install/modules/modules.h"
#include "base/file_path.h"
#include "base/io.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "config/source/source.h"
#include "config/source/url.h"
#include "install/package/copy_tree.h"
#include "install/modules/modules_int.h"

struct copying {
	struct arena *a;
	const struct from_module_options *o;
	struct from_module *out;
	struct cfg_call call; /* of the module, made up */
	struct str dir;       /* it is fetched into this */
	struct str root;      /* the module's path in dir */
	struct diags *ds;
};

/* --- the directory --- */

static int check_empty(struct copying *c)
{
	DIR *d = opendir(".");
	const struct dirent *e;
	bool empty = true;

	if (!d)
		return diag_error(c->ds, NULL,
				  "Failed to read target directory",
				  "The current directory cannot be read: %s.",
				  strerror(errno));
	while ((e = readdir(d)))
		empty &= !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
			 !strcmp(e->d_name, ".terraform");
	closedir(d);
	if (empty)
		return 0;
	return diag_error(
		c->ds, NULL, "Can't populate non-empty directory",
		"The current directory is not empty: -from-module fills an empty one.");
}

/* --- the package --- */

/* A path is relative to this directory, and is copied like any other
 * package. */
static struct str absolute(struct arena *a, struct str source)
{
	char here[PATH_MAX];

	if ((str_is(source, ".") || str_is(source, "..") ||
	     str_starts(source, "./") || str_starts(source, "../")) &&
	    getcwd(here, sizeof(here)))
		return file_path_join(a, str_c(here), source);
	return source;
}

static int read_source(struct copying *c)
{
	const char *summary;
	struct str why;

	c->call = (struct cfg_call){
		.name = STR("root"),
		.source_written = c->o->source,
		.at = { .file = STR("<main configuration>"),
			.start = { 1, 1, 0 },
			.end = { 1, 1, 0 } },
	};
	c->call.source = source_read(c->a, absolute(c->a, c->o->source), false,
				     &c->call.source_kind, &summary, &why);
	if (c->call.source.p)
		return 0;
	return diag_error(c->ds, NULL, "Invalid module source address", "%.*s",
			  STR_ARG(why));
}

static int fetch_registry(struct copying *c, struct module_store *store,
			  struct str *subdir)
{
	struct registry_module m;

	registry_module_read(c->a, c->call.source, &m);
	return registry_choose(store, &c->call, &m, c->ds) ||
			       registry_fetch(store, &c->call, &m, c->dir,
					      subdir, c->ds)
		       ? -1
		       : 0;
}

static int fetch_remote(struct copying *c, struct module_store *store,
			struct str *subdir)
{
	struct module_address m;
	struct str why;

	module_address_split(c->a, c->call.source, &m);
	*subdir = m.subdir;
	if (!module_store_fetch(store, m.package, STR_NONE, c->dir, &why))
		return 0;
	return diag_error(
		c->ds, NULL, "Failed to download module",
		"Could not download module source code from \"%.*s\": %.*s.",
		STR_ARG(url_redacted(c->a, m.package)), STR_ARG(why));
}

static int fetch(struct copying *c)
{
	const struct module_store_options so = { .input = c->o->input,
						 .hosts = c->o->hosts };
	struct module_store *store = module_store_new(c->a, &so);
	struct str subdir = STR_NONE, why;

	c->o->hosts->remote.below = c->o->workdir->data_dir;
	if (io_remove_tree(c->dir.p) ||
	    io_make_dirs(c->o->workdir->data_dir.p, 0777))
		return diag_error(c->ds, NULL,
				  "Failed to create temporary directory",
				  "%.*s: %s.", STR_ARG(c->dir),
				  strerror(errno));
	if (c->call.source_kind == SOURCE_REGISTRY
		    ? fetch_registry(c, store, &subdir)
		    : fetch_remote(c, store, &subdir))
		return -1;
	c->root = module_subdir(c->a, c->dir, subdir, &why);
	if (c->root.n)
		return 0;
	return diag_error(c->ds, NULL, "Failed to expand subdir globs", "%.*s.",
			  STR_ARG(why));
}

/* --- copying --- */

static bool leads_up(struct str path)
{
	return str_is(path, "..") || str_starts(path, "../");
}

/* Refuses a call of a module beside this one in its package, which is not
 * copied.  Does not check paths that leave the package. */
static int check_call(struct copying *c, const struct cfg_call *call)
{
	struct module_address m;

	if (call->source_kind != SOURCE_LOCAL || !leads_up(call->source))
		return 0;
	module_address_split(c->a, c->call.source, &m);
	m.subdir = file_path_join(c->a, m.subdir, call->source);
	if (str_is(m.subdir, "."))
		m.subdir = STR_NONE;
	if (leads_up(m.subdir))
		return 0;
	return diag_error(
		c->ds, NULL, "Root module references parent directory",
		"The module \"%.*s\" calls \"%.*s\", which is beside "
		"it and not copied with it. To use it as a root "
		"module, the source must be an address, such as "
		"\"%.*s\".",
		STR_ARG(url_redacted(c->a, c->o->source)),
		STR_ARG(call->source),
		STR_ARG(url_redacted(c->a, module_address_text(c->a, &m))));
}

static int check_calls(struct copying *c)
{
	struct diags unused = DIAGS_INIT(c->a);
	struct config_options o = *c->o->config;
	const struct cfg_module *root;
	int rc = 0;

	o.dir = c->root;
	o.root_only = true;
	root = config_load(c->a, &o, &unused)->root;
	for (size_t i = 0; i < root->calls.len; i++)
		rc |= check_call(c, root->calls.entries[i].value);
	return rc;
}

/* A copy of a directory that this one is in would have no end. */
static int check_outside(struct copying *c)
{
	char *from = realpath(c->root.p, NULL), *here = realpath(".", NULL);
	bool within;

	within = from && here &&
		 (str_is(str_c(here), from) ||
		  str_starts(str_c(here), arena_printf(c->a, "%s/", from)));
	free(from);
	free(here);
	if (!within)
		return 0;
	return diag_error(c->ds, NULL, "Failed to copy root module",
			  "The module \"%.*s\" has this directory in it.",
			  STR_ARG(c->o->source));
}

static enum copy_how visible(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (slash ? slash[1] : path[0]) == '.' ? COPY_NOT : COPY_BYTES;
}

static int list(struct copying *c)
{
	DIR *d = opendir(c->root.p);
	const struct dirent *e;

	if (!d)
		return diag_error(c->ds, NULL, "Unreadable module directory",
				  "%.*s cannot be read: %s.", STR_ARG(c->root),
				  strerror(errno));
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			vec_push(c->a, &c->out->copied,
				 str_dup(c->a, str_c(e->d_name)));
	closedir(d);
	return 0;
}

static int copy(struct copying *c)
{
	if (list(c))
		return -1;
	if (!copy_tree(c->root.p, ".", visible))
		return 0;
	return diag_error(c->ds, NULL, "Failed to copy root module",
			  "%.*s cannot be copied: %s.", STR_ARG(c->root),
			  strerror(errno));
}

static const char *modules_dir(struct arena *a, const struct workdir *w)
{
	return workdir_path(a, w, WORKDIR_MODULES).p;
}

int from_module_copy(struct arena *a, const struct from_module_options *o,
		     struct from_module *out, struct diags *ds)
{
	struct copying c = { .a = a, .o = o, .out = out, .ds = ds };
	int rc;

	*out = (struct from_module){ .workdir = o->workdir };
	if (check_empty(&c) || read_source(&c))
		return -1;
	out->had_data = !access(o->workdir->data_dir.p, F_OK);
	out->had_modules = !access(modules_dir(a, o->workdir), F_OK);
	c.dir = workdir_path(a, o->workdir, "init-from-module");
	rc = fetch(&c) || check_outside(&c) || check_calls(&c) || copy(&c);
	io_remove_tree(c.dir.p);
	if (rc)
		from_module_undo(a, out);
	return rc ? -1 : 0;
}

void from_module_undo(struct arena *a, const struct from_module *f)
{
	for (size_t i = 0; i < f->copied.len; i++)
		io_remove_tree(f->copied.items[i].p);
	if (!f->had_modules)
		io_remove_tree(modules_dir(a, f->workdir));
	if (!f->had_data)
		rmdir(f->workdir->data_dir.p);
}
