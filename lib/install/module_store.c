/* module_store.c - see module_store.h */
#include "install/module_store.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "config/module_address.h"
#include "config/url.h"
#include "install/copy_tree.h"
#include "install/git.h"
#include "install/unpack.h"

struct module_store {
	struct arena *a;
	struct module_store_options o;
	struct map fetched; /* package -> struct str *: its directory */
	struct git *git;
};

struct module_store *module_store_new(struct arena *a,
				      const struct module_store_options *o)
{
	struct module_store *s = ARENA_NEW(a, struct module_store);

	*s = (struct module_store){ .a = a, .o = *o,
				    .git = git_new(a, o->input) };
	return s;
}

void module_store_free(struct module_store *s)
{
	(void)s;
}

/* --- copies --- */

static bool is_hidden(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (slash ? slash[1] : path[0]) == '.';
}

static enum copy_how link_visible(const char *path)
{
	return is_hidden(path) ? COPY_NOT : COPY_LINK;
}

/* Somebody's own directory shares nothing with its copies. */
static enum copy_how copy_visible(const char *path)
{
	return is_hidden(path) ? COPY_NOT : COPY_BYTES;
}

static int copy(struct module_store *s, struct str from, struct str dir,
		struct str *why)
{
	struct stat st;
	const bool own = !lstat(from.p, &st) && S_ISLNK(st.st_mode);

	if (!copy_tree(from.p, dir.p, own ? copy_visible : link_visible))
		return 0;
	*why = str_printf(s->a, "%.*s cannot be copied: %s", STR_ARG(from),
			  strerror(errno));
	remove_tree(dir.p);
	return -1;
}

/* --- getters --- */

typedef int get_fn(struct module_store *s, const struct url *u, struct str url,
		   struct str dir, struct str *why);

static int get_git(struct module_store *s, const struct url *u, struct str url,
		   struct str dir, struct str *why)
{
	(void)u;
	return git_fetch(s->git, url, dir, why);
}

/* A directory of this machine is used where it is. */
static int get_file(struct module_store *s, const struct url *u, struct str url,
		    struct str dir, struct str *why)
{
	struct str path = str_dup(s->a, u->raw_path.n ? u->raw_path : u->path);
	struct stat st;

	(void)url;
	if (stat(path.p, &st))
		*why = str_printf(s->a, "source path error: stat %s: %s",
				  path.p, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		*why = STR("source path must be a directory");
	else if (symlink(path.p, dir.p))
		*why = str_printf(s->a, "%.*s: %s", STR_ARG(dir),
				  strerror(errno));
	else
		return 0;
	return -1;
}

static const struct {
	const char *name;
	get_fn *get; /* NULL: not there yet */
} getters[] = {
	{ "file", get_file }, { "gcs", NULL },  { "git", get_git },
	{ "hg", NULL },       { "http", NULL }, { "https", NULL },
	{ "oci", NULL },      { "s3", NULL },
};

static int get(struct module_store *s, struct str package, struct str dir,
	       struct str *why)
{
	struct str rest, name = module_address_getter(package, &rest);
	struct url u;

	rest = str_dup(s->a, rest);
	if (url_parse(s->a, rest, &u)) {
		*why = STR("its URL is not valid");
		return -1;
	}
	if (!name.n)
		name = u.scheme;
	for (size_t i = 0; i < sizeof(getters) / sizeof(*getters); i++) {
		if (!str_is(name, getters[i].name))
			continue;
		if (getters[i].get)
			return getters[i].get(s, &u, rest, dir, why);
		*why = str_printf(s->a, "this version does not fetch with "
				  "\"%.*s\"", STR_ARG(name));
		return -1;
	}
	*why = str_printf(s->a, "download not supported for scheme '%.*s'",
			  STR_ARG(name));
	return -1;
}

int module_store_fetch(struct module_store *s, struct str package,
		       struct str dir, struct str *why)
{
	const struct str *have = map_get(&s->fetched, package);
	struct str own;

	if (have)
		return copy(s, *have, dir, why);
	own = str_dup(s->a, dir);
	if (get(s, package, own, why))
		return -1;
	map_put(s->a, &s->fetched, str_dup(s->a, package),
		arena_dup(s->a, &own, sizeof(own)));
	return 0;
}
