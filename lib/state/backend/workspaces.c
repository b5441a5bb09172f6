/* workspaces.c - see workspaces.h */
#include <errno.h>

#include "state/backend/workspaces.h"
#include "base/didyoumean.h"
#include "base/file_path.h"
#include "base/io.h"
#include "base/product.h"
#include "state/backend/backend_int.h"
#include "state/backend/lock.h"
#include "state/file/file.h"

int workspace_check_name(struct str name, struct diags *ds)
{
	if (workspace_name_valid(name))
		return 0;
	return diag_error(ds, NULL, "Invalid workspace name",
			  "The workspace name \"%.*s\" is not allowed: it may "
			  "hold only characters that a URL shows as they are, "
			  "and no path separators.",
			  STR_ARG(name));
}

bool workspace_several(const struct backend *b)
{
	return !b->ops->one_workspace &&
	       !(b->ops->has_one && b->ops->has_one(b));
}

struct str workspace_pattern(const struct backend *b)
{
	return b->ops->pattern ? b->ops->pattern(b) : STR_NONE;
}

int workspace_prepare(struct backend *b, struct str name, struct diags *ds)
{
	b->workspace = name;
	return b->ops->prepare ? b->ops->prepare(b, ds) : 0;
}

int workspace_list(struct backend *b, struct str_vec *out, struct diags *ds)
{
	if (b->ops->one_workspace)
		return diag_error(
			ds, NULL, "workspaces not supported",
			"The backend \"%s\" has the default workspace only.",
			b->ops->type);
	if (!b->ops->names_all)
		vec_push(b->arena, out, STR("default"));
	return b->ops->workspaces(b, out, ds);
}

static int exists(struct backend *b, struct str name, bool *found,
		  struct diags *ds)
{
	struct str_vec names = { 0 };

	*found = false;
	if (workspace_list(b, &names, ds))
		return -1;
	for (size_t i = 0; i < names.len; i++)
		*found = *found || str_eq(names.items[i], name);
	return 0;
}

int workspace_new(struct backend *b, struct str name, struct diags *ds)
{
	bool found;
	char *summary;

	if (workspace_check_name(name, ds))
		return -1;
	if (exists(b, name, &found, ds))
		return -1;
	if (found) {
		summary = arena_printf(ds->arena,
				       "Workspace \"%.*s\" already exists",
				       STR_ARG(name));
		return diag_error(
			ds, NULL, summary,
			"A workspace of this name exists; select it instead.");
	}
	return b->ops->workspace_make(b, name, ds);
}

/* Stores an empty state, unless somebody was faster. */
static int store_empty(struct backend *b, struct diags *ds)
{
	struct state *s;

	if (backend_know(b, ds))
		return -1;
	if (b->text.n)
		return 0;
	s = state_new(b->arena);
	s->lineage = state_new_lineage(b->arena);
	return backend_push(b, s, true, ds);
}

int workspace_empty_text(struct backend *b, struct str *text, struct diags *ds)
{
	struct state *s = state_new(b->arena);
	struct buf plain = BUF_INIT;
	int rc;

	s->serial = 1;
	s->lineage = state_new_lineage(b->arena);
	state_write(&plain, s);
	rc = backend_seal_text(b, buf_view(&plain), ds);
	buf_release(&plain);
	*text = buf_view(&b->sealed);
	return rc;
}

int workspace_make_empty(struct backend *b, struct str name, struct diags *ds)
{
	struct backend_options o = b->opts;
	struct backend *other;
	int rc = -1;

	o.workspace = name;
	o.like = b;
	other = backend_open(b->arena, &o, ds);
	if (!other)
		return -1;
	if (!backend_lock(other, "init", 0, ds))
		rc = store_empty(other, ds);
	rc |= backend_unlock(other, ds);
	backend_close(other);
	return rc;
}

struct str workspace_object(struct arena *a, struct str prefix, struct str key,
			    struct str workspace)
{
	const bool first = str_is(workspace, "default");

	return file_path_join(
		a, file_path_join(a, prefix, first ? STR_NONE : workspace),
		key);
}

struct str workspace_of_object(struct arena *a, struct str prefix,
			       struct str key, struct str object)
{
	const struct str before = file_path_join(a, prefix, STR_NONE);
	struct str name = object;
	ptrdiff_t slash;

	if (before.n &&
	    (!str_take(&name, before) || !str_take(&name, STR("/"))))
		return STR_NONE;
	slash = str_chr(name, '/');
	name = str_sub(name, 0, slash < 0 ? 0 : (size_t)slash);
	return str_eq(workspace_object(a, prefix, key, name), object)
		       ? name
		       : STR_NONE;
}

/* The managed instances of s, one a line, at most the first few. */
static size_t list_managed(const struct state *s, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->resources.len; i++) {
		const struct state_resource *r = s->resources.items[i];

		if (r->addr.mode != MODE_MANAGED)
			continue;
		for (size_t k = 0; k < r->instances.len; k++, n++) {
			if (n >= 20)
				continue;
			buf_puts(out, "\n  - ");
			state_resource_text(out, r->module, &r->addr);
			inst_key_print(out, r->instances.items[k]->key);
			if (r->instances.items[k]->deposed.n)
				buf_addf(out, " (deposed object %.*s)",
					 STR_ARG(r->instances.items[k]
							 ->deposed));
		}
	}
	return n;
}

static int check_empty(struct str name, const struct state *s, bool force,
		       struct diags *ds)
{
	struct buf list = BUF_INIT;
	size_t n = list_managed(s, &list);

	if (n && force)
		diag_warning(ds, NULL,
			     arena_printf(ds->arena, "\"%.*s\" was non-empty",
					  STR_ARG(name)),
			     "The objects that the workspace managed may still "
			     "exist, but nothing knows of them any more.");
	else if (n)
		diag_error(ds, NULL, "Workspace is not empty",
			   "The workspace \"%.*s\" manages %zu objects:%s%s\n"
			   "\nThey would be forgotten, not destroyed. Destroy "
			   "them first, or delete the workspace with -force.",
			   STR_ARG(name), n, list.p, n > 20 ? "\n  - …" : "");
	buf_release(&list);
	return n && !force ? -1 : 0;
}

static int look_inside(struct backend *b, struct str name, bool force,
		       bool lock, uint64_t timeout_ms, struct diags *ds)
{
	struct backend_options o = b->opts;
	struct backend *other;
	struct state *s = NULL;
	int rc = -1;

	o.workspace = name;
	o.like = b;
	other = backend_open(b->arena, &o, ds);
	if (!other)
		return -1;
	if (!lock || !backend_lock(other, "workspace-delete", timeout_ms, ds))
		s = backend_read(other, ds);
	if (s)
		rc = check_empty(name, s, force, ds);
	rc |= backend_unlock(other, ds);
	backend_close(other);
	return rc;
}

int workspace_delete(struct backend *b, struct str name, bool force, bool lock,
		     uint64_t timeout_ms, struct diags *ds)
{
	bool found;

	if (exists(b, name, &found, ds))
		return -1;
	if (!found)
		return diag_error(
			ds, NULL,
			arena_printf(ds->arena,
				     "Workspace \"%.*s\" doesn't exist",
				     STR_ARG(name)),
			"There is nothing to delete.");
	if (workspace_check_name(name, ds))
		return -1;
	b->forced = force;
	if (look_inside(b, name, force, lock, timeout_ms, ds))
		return -1;
	if (str_is(name, "default"))
		return diag_error(
			ds, NULL, "Workspace deletion failed",
			"The default workspace always exists; it cannot be deleted.");
	return b->ops->workspace_remove(b, name, ds);
}

/* --- by command --- */

int workspace_make(struct state_access *a, struct str name)
{
	return state_access_open(a) || workspace_new(a->b, name, a->ds) ||
			       workspace_select(a->o.workdir, name, a->ds)
		       ? -1
		       : 0;
}

int workspace_fill(struct state_access *a, struct str name, struct str file)
{
	struct buf text = BUF_INIT;
	struct state *s;
	int rc = -1;

	if (io_read_file(file.p, &text, 0))
		return diag_error(a->ds, NULL, "Error opening the given state",
				  "Cannot read %.*s: %s.", STR_ARG(file),
				  strerror(errno));
	s = state_parse(a->arena, buf_view(&text), file.p, a->ds);
	backend_close(a->b);
	a->b = NULL;
	a->o.workspace = name;
	if (s && !state_access_read(a, "workspace-new")) {
		s->lineage = STR_NONE; /* a state of its own */
		rc = backend_write(a->b, s, a->ds);
	}
	buf_release(&text);
	return rc;
}

/* *names: of all workspaces. */
static int is_known(struct state_access *a, struct str name, bool *known,
		    struct str_vec *names)
{
	*known = false;
	if (workspace_list(a->b, names, a->ds))
		return -1;
	for (size_t i = 0; i < names->len; i++)
		*known = *known || str_eq(names->items[i], name);
	return 0;
}

static int missing(struct state_access *a, struct str name,
		   const struct str_vec *names)
{
	struct str near =
		didyoumean_hint(a->arena, name, names->items, names->len);

	return diag_error(
		a->ds, NULL,
		arena_printf(a->arena, "Workspace \"%.*s\" doesn't exist",
			     STR_ARG(name)),
		"Make it with \"%s workspace new\", or select it with -or-create.%.*s",
		product_command(), STR_ARG(near));
}

int workspace_change(struct state_access *a, struct str name, bool create,
		     bool *made)
{
	struct str_vec names = { 0 };
	bool known;

	*made = false;
	if (workspace_check_name(name, a->ds))
		return -1;
	if (str_eq(name, a->o.workspace))
		return 1;
	if (is_known(a, name, &known, &names))
		return -1;
	if (!known && !create)
		return missing(a, name, &names);
	if (!known && workspace_new(a->b, name, a->ds))
		return -1;
	*made = !known;
	return workspace_select(a->o.workdir, name, a->ds);
}

int workspace_remove(struct state_access *a, struct str name, bool force)
{
	struct str_vec names = { 0 };
	uint64_t ms = 0;
	bool known;

	if (is_known(a, name, &known, &names))
		return -1;
	if (!known)
		return missing(a, name, &names);
	if (str_eq(name, a->o.workspace))
		return diag_error(
			a->ds, NULL,
			arena_printf(
				a->arena,
				"Workspace \"%.*s\" is your active workspace",
				STR_ARG(name)),
			"Switch to another workspace first.");
	if (lock_timeout_option(a->timeout, &ms, a->ds))
		return -1;
	return workspace_delete(a->b, name, force, a->lock, ms, a->ds);
}
