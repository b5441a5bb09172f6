/* copy.c - init -from-module */
#include "install/init/init_int.h"
#include "config/load/load.h"
#include "config/source/url.h"
#include "install/modules/modules.h"

struct copying {
	struct init *t;
	struct str_vec keys; /* of the modules that came with it */
};

static void module_installed(void *data, struct str key, struct str dir)
{
	struct copying *c = data;

	if (dir.n)
		vec_push(c->t->arena, &c->keys, key);
}

static void downloading(void *data, struct str key, struct str package,
			struct str version)
{
	struct copying *c = data;

	init_tell_download(c->t, key, package, version);
}

/* Installs the modules that the copied one calls.  Loading the whole
 * configuration reports other errors. */
static int install(struct copying *c)
{
	struct init *t = c->t;
	const struct install_modules_options o = {
		.upgrade = true,
		.modules_alone = true,
		.input = t->input,
		.hosts = &t->hosts,
		.downloading = downloading,
		.installed = module_installed,
		.data = c,
	};

	if (files_present() == 0)
		return 0;
	if (init_load_root(t))
		return -1;
	t->config = install_modules(t->arena, &t->o, &o, t->ds);
	if (t->ds->errors)
		return -1;
	*t->ds = (struct diags)DIAGS_INIT(t->arena);
	str_sort(c->keys.items, c->keys.len);
	for (size_t i = 0; i < c->keys.len; i++)
		init_tell(t, INIT_COPIED_MODULE, c->keys.items[i]);
	return 0;
}

int init_copy(struct init *t)
{
	struct copying c = { .t = t };
	struct from_module from;
	struct from_module_options o = { .source = t->from_module,
					 .workdir = &t->workdir,
					 .config = &t->o,
					 .input = t->input,
					 .hosts = &t->hosts };

	if (files_present() > 0)
		return diag_error(
			t->ds, NULL,
			"The working directory already contains files",
			"-from-module fills an empty directory. To "
			"initialize the configuration that is here, "
			"leave the option out.");
	init_tell(t, INIT_COPYING, url_redacted(t->arena, t->from_module));
	if (from_module_copy(t->arena, &o, &from, t->ds))
		return -1;
	if (install(&c)) {
		from_module_undo(t->arena, &from);
		return -1;
	}
	init_tell(t, INIT_COPIED, STR_NONE);
	return 0;
}
