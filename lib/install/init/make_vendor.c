/* make_vendor.c - init -make-vendor: all packages into a folder
 *
 * Modules are installed anew into a directory of their own in the folder, which
 * is removed at the end: existing copies lack hidden files.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "install/init/init_int.h"
#include "base/io.h"
#include "install/modules/modules.h"
#include "install/providers/requirements.h"

struct making {
	struct init *t;
	struct vendor v; /* made in DIR/.new */
	struct str dir, work;
	struct workdir workdir; /* whose data are in `work` */
	struct str why;         /* the error; empty: none */
};

static void downloading(void *data, struct str key, struct str package,
			struct str version)
{
	struct making *m = data;

	init_tell_download(m->t, key, package, version);
}

static void fetched(void *data, const struct fetched_module *f)
{
	struct making *m = data;
	const struct vendored p = { .address = f->address,
				    .version = f->version,
				    .subdir = f->subdir };

	if (!m->why.n)
		vendor_add(m->t->arena, &m->v, p, f->dir, &m->why);
}

static void mirrored(void *data, const char *line)
{
	struct init *t = ((struct making *)data)->t;
	const struct init_news n = { .step = INIT_MIRRORED, .line = line };

	t->told(t->data, &n);
}

static int make_modules(struct making *m)
{
	struct init *t = m->t;
	const struct install_modules_options o = {
		.readonly = true,
		.input = t->input,
		.hosts = &t->hosts,
		.downloading = downloading,
		.fetched = fetched,
		.data = m,
	};

	m->workdir = t->workdir;
	m->workdir.data_dir = STR_CAT(t->arena, m->work, STR("/data"));
	t->o.workdir = &m->workdir;
	t->config = install_modules(t->arena, &t->o, &o, t->ds);
	if (t->ds->errors)
		return -1;
	if (!m->why.n && !vendor_write(t->arena, &m->v, &m->why))
		return 0;
	return diag_error(t->ds, NULL, "Failed to copy modules", "%.*s.",
			  STR_ARG(m->why));
}

static int make_providers(struct making *m)
{
	struct init *t = m->t;
	const struct packed_mirror_options o = {
		.dir = STR_CAT(t->arena, m->dir, STR("/providers")),
		.platforms = t->platforms,
		.default_host = t->config->default_host,
		.configured = true,
		.say = mirrored,
		.data = m,
	};

	return mirror_providers(t->arena, t->config, &o, t->ds);
}

/* Replaces earlier modules once the new ones are complete. */
static int put_in_place(struct making *m)
{
	struct arena *a = m->t->arena;
	const char *to = arena_printf(a, "%.*s/modules", STR_ARG(m->dir));

	if (!io_remove_tree(to) &&
	    !rename(arena_printf(a, "%.*s/modules", STR_ARG(m->v.dir)), to))
		return 0;
	return diag_error(m->t->ds, NULL, "Failed to copy modules", "%s: %s.",
			  to, strerror(errno));
}

int init_make_vendor(struct init *t)
{
	struct making m = { .t = t, .dir = t->vendor_dir };
	const struct init_news n = { .step = INIT_VENDORED, .dir = m.dir };
	struct stat st;
	bool was = !stat(m.dir.p, &st);
	int rc;

	m.work = STR_CAT(t->arena, m.dir, STR("/.new"));
	m.v.dir = m.work;
	if (init_load_root(t))
		return -1;
	if (io_remove_tree(m.work.p) || io_make_dirs(m.work.p, 0777))
		return diag_error(t->ds, NULL, "Failed to make a directory",
				  "%.*s: %s.", STR_ARG(m.work),
				  strerror(errno));
	rc = make_modules(&m) || make_providers(&m) || put_in_place(&m);
	io_remove_tree(m.work.p);
	if (rc) {
		if (!was)
			io_remove_tree(m.dir.p);
		return -1;
	}
	t->told(t->data, &n);
	return 0;
}
