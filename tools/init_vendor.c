/* init_vendor.c - tf-init -make-vendor: all packages into a folder
 *
 * Modules are installed anew into a directory of their own in the folder, which
 * is removed in the end: copies that are there lack what is hidden.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tf-init.h"

#include "base/io.h"
#include "base/product.h"
#include "install/modules/modules.h"
#include "install/providers/packed_mirror.h"
#include "install/package/unpack.h"
#include "install/modules/vendor.h"

struct making {
	struct tool *t;
	struct vendor v; /* made in DIR/.new */
	struct str dir, work;
	struct str why; /* what went wrong; empty: nothing */
};

static void downloading(void *data, struct str key, struct str package,
			struct str version)
{
	struct making *m = data;

	init_downloading(m->t, key, package, version);
}

static void fetched(void *data, const struct fetched_module *f)
{
	struct making *m = data;
	const struct vendored p = { .address = f->address,
				    .version = f->version,
				    .subdir = f->subdir };

	if (!m->why.n)
		vendor_add(&m->t->arena, &m->v, p, f->dir, &m->why);
}

static void say_line(void *data, const char *line)
{
	ui_say(&((struct making *)data)->t->v, line);
}

static int make_modules(struct making *m)
{
	struct tool *t = m->t;
	const struct install_modules_options o = {
		.readonly = true,
		.input = t->input,
		.hosts = &t->hosts,
		.downloading = downloading,
		.fetched = fetched,
		.data = m,
	};

	t->o.data_dir = STR_CAT(&t->arena, m->work, STR("/data"));
	t->config = install_modules(&t->arena, &t->o, &o, &t->ds);
	if (t->ds.errors)
		return -1;
	if (!m->why.n && !vendor_write(&t->arena, &m->v, &m->why))
		return 0;
	return diag_error(&t->ds, NULL, "Failed to copy modules", "%.*s.",
			  STR_ARG(m->why));
}

static int make_providers(struct making *m)
{
	struct tool *t = m->t;
	const struct packed_mirror_options o = {
		.dir = STR_CAT(&t->arena, m->dir, STR("/providers")),
		.platforms = t->platforms,
		.default_host = t->config->default_host,
		.configured = true,
		.say = say_line, .data = m,
	};

	return mirror_providers(&t->arena, t->config, &o, &t->ds);
}

/* The modules of an earlier time go when the new ones are there. */
static int put_in_place(struct making *m)
{
	struct arena *a = &m->t->arena;
	const char *to = arena_printf(a, "%.*s/modules", STR_ARG(m->dir));

	if (!remove_tree(to) &&
	    !rename(arena_printf(a, "%.*s/modules", STR_ARG(m->v.dir)), to))
		return 0;
	return diag_error(&m->t->ds, NULL, "Failed to copy modules",
			  "%s: %s.", to, strerror(errno));
}

int init_make_vendor(struct tool *t)
{
	struct making m = { .t = t };
	struct stat st;
	bool was;
	int rc;

	m.dir = t->rest.len ? str_dup(&t->arena, t->rest.items[0])
			    : STR("vendor");
	was = !stat(m.dir.p, &st);
	m.work = STR_CAT(&t->arena, m.dir, STR("/.new"));
	m.v.dir = m.work;
	if (init_load_root(t))
		return -1;
	if (remove_tree(m.work.p) || io_make_dirs(m.work.p, 0777))
		return diag_error(&t->ds, NULL, "Failed to make a directory",
				  "%.*s: %s.", STR_ARG(m.work),
				  strerror(errno));
	rc = make_modules(&m) || make_providers(&m) || put_in_place(&m);
	remove_tree(m.work.p);
	if (rc) {
		if (!was)
			remove_tree(m.dir.p);
		return -1;
	}
	ui_say(&t->v, arena_printf(
		&t->arena, "\n%.*s has all modules and providers now. Where "
			   "TFPIPE_VENDOR_DIR names it, \"" COMMAND " init\" "
			   "takes them from there\nand asks nobody.",
		STR_ARG(m.dir)));
	return 0;
}
