/* module_store.c - see modules_int.h */
#include <errno.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/file_path.h"
#include "base/io.h"
#include "config/source/source.h"
#include "install/package/copy_tree.h"
#include "install/package/unpack.h"

struct module_store *module_store_new(struct arena *a,
				      const struct module_store_options *o)
{
	struct module_store *s = ARENA_NEW(a, struct module_store);

	*s = (struct module_store){ .a = a,
				    .o = *o,
				    .git = git_new(a, o->input, o->hosts) };
	s->ahead = ahead_new(a, s->git, o->hosts);
	s->copies = copies_new(a, o->hosts);
	s->downloads = downloads_new(a, o->hosts);
	return s;
}

struct remote *module_store_remote(struct module_store *s)
{
	s->o.hosts->remote.a = s->a;
	return &s->o.hosts->remote;
}

struct fetch *module_store_hosts(struct module_store *s)
{
	return remote_fetch(module_store_remote(s));
}

/* Keeps errors in s->cli_why: installing providers reports them in full. */
static void read_cli(struct module_store *s)
{
	struct diags quiet = DIAGS_INIT(s->a);

	s->cli = ARENA_NEW(s->a, struct cli_config);
	if (!cli_config_read(s->a, s->cli, &quiet))
		return;
	s->cli_why = STR("the CLI configuration is not valid");
	for (size_t i = 0; i < quiet.len; i++)
		if (quiet.items[i].severity == SEV_ERROR)
			s->cli_why = STR_CAT(s->a, s->cli_why, STR(": "),
					     quiet.items[i].detail);
}

struct services *module_store_services(struct module_store *s, struct str *why)
{
	if (!s->cli)
		read_cli(s);
	if (s->cli_why.n) {
		*why = s->cli_why;
		return NULL;
	}
	hosts_ready_services(s->a, s->o.hosts, &s->cli->hosts);
	return s->o.hosts->services;
}

struct oci *module_store_oci(struct module_store *s, struct str *why)
{
	if (!module_store_services(s, why)) /* reads the CLI configuration */
		return NULL;
	if (!s->oci)
		s->oci = oci_new(s->a, s->o.hosts->remote.fetch, &s->cli->oci);
	return s->oci;
}

/* No name of a module begins with a dot. */
struct str module_beside(struct arena *a, struct str dir, const char *what)
{
	size_t n = dir.n;

	while (n && dir.p[n - 1] != '/')
		n--;
	return str_printf(a, "%.*s.%.*s%s", STR_ARG(str_sub(dir, 0, n)),
			  STR_ARG(str_sub(dir, n, dir.n)), what);
}

struct str module_subdir(struct arena *a, struct str dir, struct str subdir,
			 struct str *why)
{
	const char *pattern = file_path_join(a, dir, subdir).p;
	struct str found = STR_NONE;
	glob_t g = { .gl_pathc = 0 };
	size_t n = 0;

	if (!subdir.n)
		return dir;
	if (glob(pattern, GLOB_PERIOD, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++) {
			struct str one = str_c(g.gl_pathv[i]);

			if (str_ends(one, "/.") || str_ends(one, "/.."))
				continue;
			n++;
			found = str_dup(a, one);
		}
	globfree(&g);
	if (n == 1)
		return found;
	*why = str_printf(a,
			  n ? "subdir \"%.*s\" matches multiple paths"
			    : "subdir \"%.*s\" not found",
			  STR_ARG(subdir));
	return STR_NONE;
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

/* How to copy a local directory: bytewise, so that it shares no files with its
 * copies. */
static enum copy_how copy_visible(const char *path)
{
	return is_hidden(path) ? COPY_NOT : COPY_BYTES;
}

static copy_fn *how_to_copy(struct str from)
{
	struct stat st;
	const bool own = !lstat(from.p, &st) && S_ISLNK(st.st_mode);

	return own ? copy_visible : link_visible;
}

static int copy(struct module_store *s, struct str from, struct str dir,
		struct str *why)
{
	if (copies_take(s->copies, dir) ||
	    !copy_tree(from.p, dir.p, how_to_copy(from)))
		return 0;
	*why = str_printf(s->a, "%.*s cannot be copied: %s", STR_ARG(from),
			  strerror(errno));
	io_remove_tree(dir.p);
	return -1;
}

/* --- getters --- */

static int get_git(struct module_store *s, const struct package_request *r,
		   struct str *why)
{
	return ahead_take(s->ahead, r->url, r->dir)
		       ? 0
		       : git_fetch(s->git, r->url, s->commit, r->dir, why);
}

int module_store_archive(struct module_store *s,
			 const struct package_request *r, struct str file,
			 struct str *why)
{
	struct str said;

	if (checksum_check(s, r, file, why))
		return -1;
	if (!unpack_module(s->a, file, r->kind, r->dir, &said))
		return 0;
	*why = str_printf(s->a, "the archive cannot be unpacked: %.*s",
			  STR_ARG(said));
	io_remove_tree(r->dir.p);
	return -1;
}

/* Uses a directory of this machine in place. */
static int get_file(struct module_store *s, const struct package_request *r,
		    struct str *why)
{
	const struct url *u = &r->parts;
	struct str path = str_dup(s->a, u->raw_path.n ? u->raw_path : u->path);
	struct stat st;

	if (stat(path.p, &st))
		*why = str_printf(s->a, "source path error: stat %s: %s",
				  path.p, strerror(errno));
	else if (r->kind.n && S_ISDIR(st.st_mode))
		*why = STR("source path must be a file");
	else if (r->kind.n)
		return module_store_archive(s, r, path, why);
	else if (!S_ISDIR(st.st_mode))
		*why = STR("source path must be a directory");
	else if (r->checksum.n)
		*why = STR(
			"checksum cannot be specified for directory download");
	else if (symlink(path.p, r->dir.p))
		*why = str_printf(s->a, "%s: %s", r->dir.p, strerror(errno));
	else
		return 0;
	return -1;
}

static const struct {
	const char *name;
	get_fn *get;
} getters[] = {
	{ "file", get_file },        { "gcs", module_gcs_get },
	{ "git", get_git },          { "hg", module_hg_get },
	{ "http", module_http_get }, { "https", module_http_get },
	{ "oci", module_oci_get },   { "s3", module_s3_get },
};

/* ?archive= gives the kind of archive, or says that it is none (false); an
 * unknown kind is none, too. */
static struct str read_kind(struct arena *a, const struct url *u)
{
	struct str said = url_parameter(a, u->query, "archive");

	if (!said.n)
		return unpack_kind(u->path);
	return unpack_knows(said) ? said : STR_NONE;
}

static int read_request(struct arena *a, struct str rest, struct str dir,
			struct package_request *r, struct str *why)
{
	static const char *const ours[] = { "archive", "checksum", NULL };
	struct url *u = &r->parts;

	if (url_parse(a, rest, u)) {
		*why = STR("its URL is not valid");
		return -1;
	}
	r->dir = str_dup(a, dir);
	r->kind = read_kind(a, u);
	r->checksum = url_parameter(a, u->query, "checksum");
	u->query = url_query(a, u->query, ours, NULL);
	u->has_query = u->query.n > 0;
	r->url = url_text(a, u);
	return 0;
}

int module_store_package(struct module_store *s, struct str package,
			 struct str dir, struct str *why)
{
	struct str rest, name = module_address_getter(package, &rest);
	struct package_request r;

	if (read_request(s->a, rest, dir, &r, why))
		return -1;
	if (!name.n)
		name = r.parts.scheme;
	for (size_t i = 0; i < sizeof(getters) / sizeof(*getters); i++)
		if (str_is(name, getters[i].name))
			return getters[i].get(s, &r, why);
	*why = str_printf(s->a, "download not supported for scheme '%.*s'",
			  STR_ARG(name));
	return -1;
}

struct git *module_store_git(struct module_store *s)
{
	return s->git;
}

const struct vendor *module_store_vendor(struct module_store *s,
					 struct str *why)
{
	struct vendor *v = s->vendor;

	if (v)
		return v;
	v = ARENA_NEW(s->a, struct vendor);
	if (vendor_open(s->a, v, why))
		return NULL;
	return s->vendor = v;
}

const struct vendored *module_store_vendored(struct module_store *s,
					     struct str package,
					     struct str version,
					     struct str *why)
{
	const struct vendor *v = module_store_vendor(s, why);
	const struct vendored *p;

	if (!v)
		return NULL;
	p = vendor_find(v, url_redacted(s->a, package), version);
	if (!p)
		*why = str_printf(
			s->a,
			"it is not in %.*s, which TFPIPE_VENDOR_DIR names",
			STR_ARG(v->dir));
	return p;
}

/* Fetches a package from its source, or from the vendor folder if there is one;
 * packages on this machine may be used in place. */
static int get_anywhere(struct module_store *s, struct str package,
			struct str dir, struct str *why)
{
	const struct vendored *p;

	if (!vendor_place().n)
		return module_store_package(s, package, dir, why);
	p = module_store_vendored(s, package, STR_NONE, why);
	if (!p && s->vendor && str_starts(package, "file://"))
		return module_store_package(s, package, dir, why);
	return p ? vendor_copy(s->a, s->vendor, p, dir, why) : -1;
}

int module_store_fetch(struct module_store *s, struct str package,
		       struct str commit, struct str dir, struct str *why)
{
	const struct str *have = map_get(&s->fetched, package);
	struct str own;

	if (have)
		return copy(s, *have, dir, why);
	own = str_dup(s->a, dir);
	s->commit = commit;
	if (get_anywhere(s, package, own, why))
		return -1;
	map_put(s->a, &s->fetched, str_dup(s->a, package),
		arena_dup(s->a, &own, sizeof(own)));
	copies_begin(s->copies, package, own, how_to_copy(own));
	return 0;
}

bool module_store_coming(struct module_store *s, struct str package,
			 struct str commit, struct str dir)
{
	struct str rest, name = module_address_getter(package, &rest), why;
	struct package_request r;

	if (map_get(&s->fetched, package) ||
	    !copies_want(s->copies, package, dir) || vendor_place().n ||
	    read_request(s->a, rest, dir, &r, &why))
		return false;
	if (str_is(name, "git"))
		return ahead_want(s->ahead, r.url, commit, r.dir);
	if (!name.n)
		name = r.parts.scheme;
	return (str_is(name, "http") || str_is(name, "https")) &&
	       module_http_coming(s, &r);
}

void module_store_begin(struct module_store *s)
{
	downloads_begin(s->downloads);
	ahead_begin(s->ahead);
}

void module_store_end(struct module_store *s)
{
	ahead_end(s->ahead);
	copies_end(s->copies);
	downloads_end(s->downloads);
}
