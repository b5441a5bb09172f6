/* module_guard.c - see modules_int.h */
#include <errno.h>
#include <sys/stat.h>

#include "install/modules/modules_int.h"
#include "base/io.h"
#include "base/product.h"
#include "base/workdir.h"
#include "config/source/url.h"
#include "config/source/version.h"

static const char *before_path(const struct module_guard *g)
{
	return workdir_path(g->a, g->o.workdir, WORKDIR_MODULES "/.locked").p;
}

int module_guard_start(struct arena *a, struct module_guard *g,
		       const struct module_guard_options *o, struct diags *ds)
{
	struct diags unused = DIAGS_INIT(a);

	*g = (struct module_guard){ .a = a, .o = *o };
	g->o.upgrade &= !o->readonly;
	if (module_locks_read(a, WORKDIR_MODULE_LOCK_FILE, &g->locks, ds))
		return -1;
	g->on = g->locks.present || o->create;
	if (g->on)
		module_locks_read(a, before_path(g), &g->before, &unused);
	return 0;
}

struct str module_guard_version(const struct module_guard *g,
				struct str package, struct str constraints)
{
	struct version_constraints c = { 0 };
	struct version v, best = { 0 };
	struct str found = STR_NONE;

	if (!g->on || g->o.upgrade ||
	    (constraints.n &&
	     !version_constraints_parse(g->a, constraints, &c)))
		return found;
	for (size_t i = 0; i < g->locks.items.len; i++) {
		const struct module_lock *l = &g->locks.items.items[i];

		if (l->added || !str_eq(l->address, package) ||
		    !version_parse(l->version, &v) ||
		    (constraints.n && !version_allowed(&c, &v)) ||
		    (found.n && version_cmp(&v, &best) <= 0))
			continue;
		found = l->version;
		best = v;
	}
	return found;
}

struct str module_guard_commit(const struct module_guard *g, struct str package)
{
	const struct module_lock *l;

	if (!g->on || g->o.upgrade)
		return STR_NONE;
	l = module_locks_find(&g->locks, url_redacted(g->a, package), STR_NONE);
	return l ? l->commit : STR_NONE;
}

/* --- one package --- */

bool module_guard_own(const struct module_guard *g, const struct guarded *p)
{
	struct stat st;
	struct url u;

	if (!lstat(p->dir.p, &st) && S_ISLNK(st.st_mode))
		return true;
	return str_starts(p->package, "file://") &&
	       !url_parse(g->a, p->package, &u) &&
	       !stat(str_dup(g->a, u.path).p, &st) && S_ISDIR(st.st_mode);
}

/* The lock of what was fetched, in place of what there was. */
static void put_lock(struct module_guard *g, const struct guarded *p,
		     struct str address, const struct module_hash *h,
		     struct module_lock *l)
{
	struct module_lock new = { .address = address,
				   .version = p->version,
				   .used = true,
				   .added = !l || l->added };

	if (!p->version.n)
		new.commit = git_commit(g->o.git, p->dir);
	module_lock_add_hash(g->a, &new, h->all);
	module_lock_add_hash(g->a, &new, h->visible);
	if (l)
		*l = new;
	else
		vec_push(g->a, &g->locks.items, new);
}

/* Is the lock the same as when the package was installed? */
static bool same_lock(const struct module_guard *g, const struct module_lock *l)
{
	const struct module_lock *old =
		module_locks_find(&g->before, l->address, l->version);

	return old && module_lock_equal(old, l);
}

static struct str list(struct arena *a, const struct str_vec *hashes)
{
	struct str s = STR_NONE;

	for (size_t i = 0; i < hashes->len; i++)
		s = STR_CAT(a, s, i ? STR(" or ") : STR(""), hashes->items[i]);
	return s;
}

static int wrong(struct module_guard *g, const struct guarded *p,
		 const struct module_lock *l, const struct module_hash *h,
		 struct diags *ds)
{
	return diag_error(
		ds, NULL, "Module package does not match the lock file",
		"The package of module %.*s, \"%.*s\"%s%.*s, has the "
		"hash\n  %.*s\nwhere " WORKDIR_MODULE_LOCK_FILE " has\n  "
		"%.*s\n\n%s",
		STR_ARG(p->path), STR_ARG(l->address), l->version.n ? " " : "",
		STR_ARG(l->version), STR_ARG(h->all),
		STR_ARG(list(g->a, &l->hashes)),
		p->fetched
			? arena_printf(
				  g->a,
				  "What its address leads to is not what it was. "
				  "If that is meant, run \"%s modules lock -update\".",
				  product_command())
			: arena_printf(
				  g->a,
				  "Somebody changed it after it was installed. "
				  "Remove its directory and run \"%s init\" to "
				  "install it again.",
				  product_command()));
}

static int missing(const struct guarded *p, struct str address,
		   struct diags *ds)
{
	return diag_error(
		ds, NULL, "Module dependency changes detected",
		"The package of module %.*s, \"%.*s\"%s%.*s, is not in " WORKDIR_MODULE_LOCK_FILE
		", and -lockfile=readonly forbids to add it.",
		STR_ARG(p->path), STR_ARG(address), p->version.n ? " " : "",
		STR_ARG(p->version));
}

/* A lock that does not count any more is made anew by the first that uses
 * it. */
static bool counts(const struct module_guard *g, const struct module_lock *l)
{
	return l && (!g->o.upgrade || l->used);
}

int module_guard_check(struct module_guard *g, const struct guarded *p,
		       struct diags *ds)
{
	struct str address;
	struct module_lock *l;
	struct module_hash h;

	if (!g->on || module_guard_own(g, p))
		return 0;
	address = url_redacted(g->a, p->package);
	l = module_locks_find(&g->locks, address, p->version);
	if (!l && g->o.readonly)
		return missing(p, address, ds);
	/* An installed package may have been changed, so is not locked as it
	 * is. */
	if (!counts(g, l) && !p->fetched)
		return 1;
	if (module_hash(g->a, &g->digests, p->dir, &h))
		return diag_error(ds, NULL, "Unreadable module directory",
				  "%.*s cannot be read: %s.", STR_ARG(p->dir),
				  strerror(errno));
	if (!counts(g, l)) {
		put_lock(g, p, address, &h, l);
		return 0;
	}
	if (!str_vec_has(&l->hashes, h.all))
		return !p->fetched && !same_lock(g, l) ? 1
						       : wrong(g, p, l, &h, ds);
	l->used = true;
	return 0;
}

/* --- the end --- */

static void drop_unused(struct module_locks *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->items.len; i++)
		if (l->items.items[i].used)
			l->items.items[n++] = l->items.items[i];
	l->items.len = n;
}

static int write_text(const char *path, struct str text, struct diags *ds)
{
	if (!io_replace_file(path, text.p, text.n, 0644))
		return 0;
	return diag_error(ds, NULL, "Failed to save module lock file",
			  "%s cannot be written: %s.", path, io_why());
}

int module_guard_end(struct module_guard *g, struct diags *ds)
{
	struct str text = g->locks.text;

	if (!g->on)
		return 0;
	if (!g->o.readonly) {
		if (g->o.create || g->o.upgrade)
			drop_unused(&g->locks);
		text = module_locks_text(g->a, &g->locks);
		if (!(g->locks.present && str_eq(text, g->locks.text)) &&
		    write_text(WORKDIR_MODULE_LOCK_FILE, text, ds))
			return -1;
	}
	if (str_eq(text, g->before.text) ||
	    io_make_dirs(workdir_path(g->a, g->o.workdir, WORKDIR_MODULES).p,
			 0777))
		return 0;
	return write_text(before_path(g), text, ds);
}
