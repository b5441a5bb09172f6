/* tfe_workspace.c - workspaces of the TFE API; see tfe_int.h */
#include "state/backend/tfe/tfe_int.h"
#include "base/product.h"
#include "base/workdir.h"
#include "config/source/version.h"
#include "json/tree.h"
#include "remote/remote.h"

/* --- names --- */

static int not_supported(struct backend *b, struct str name, struct diags *ds)
{
	const struct tfe *t = b->data;

	return diag_error(ds, NULL, "workspaces not supported",
			  "The backend \"%s\" is set up for the workspace "
			  "\"%.*s\" alone, not for \"%.*s\".",
			  b->ops->type, STR_ARG(t->name), STR_ARG(name));
}

int tfe_remote_name(struct backend *b, struct str name, struct str *out,
		    struct diags *ds)
{
	const struct tfe *t = b->data;
	const bool standard = str_is(name, "default");

	if (standard ? t->cloud || !t->name.n : !t->cloud && !t->prefix.n)
		return standard
			       ? diag_error(
					 ds, NULL,
					 "default workspace not supported",
					 "The backend \"%s\" has no default workspace. Make one with \"%s workspace new\", or select one.",
					 b->ops->type, product_command())
			       : not_supported(b, name, ds);
	if (t->cloud && t->name.n && !str_eq(name, t->name))
		return not_supported(b, name, ds);
	if (standard)
		*out = t->name;
	else if (t->prefix.n &&
		 (name.n < t->prefix.n ||
		  !str_eq(str_sub(name, 0, t->prefix.n), t->prefix)))
		*out = STR_CAT(b->arena, t->prefix, name);
	else
		*out = name;
	return 0;
}

/* --- what is known of one --- */

void tfe_take(struct backend *b, const struct json *data)
{
	struct tfe *t = b->data;
	const struct json *at = json_get(data, "attributes");

	t->id = json_get_str(data, "id");
	t->mode = json_get_str(at, "execution-mode");
	t->version = json_get_str(at, "terraform-version");
	t->locked = json_get_bool(at, "locked", false);
	t->tag_names = json_get(at, "tag-names");
}

void tfe_look(struct backend *b, struct lock_info *holder)
{
	struct tfe *t = b->data;
	struct tfe_answer r;
	struct str path = tfe_path(b, "workspaces", t->remote_name);
	const struct json *data, *included;

	path = STR_CAT(b->arena, path, STR("?include=locked_by"));
	if (tfe_ask(b, "GET", path, STR_NONE, TFE_RETRIES, &r) || !tfe_done(&r))
		return;
	data = json_get(r.json, "data");
	tfe_take(b, data);
	if (!t->locked)
		return;
	holder->info =
		host_text(b->arena, json_get_str(json_get(data, "attributes"),
						 "locked-reason"));
	included = json_get(r.json, "included");
	if (included && included->kind == JSON_ARRAY && included->len) {
		const struct json *of = &included->items[0];
		const struct json *at = json_get(of, "attributes");
		struct str who = json_get_str(at, "username");

		if (!who.n)
			who = json_get_str(at, "name");
		if (!who.n)
			who = json_get_str(of, "id");
		holder->who = host_text(b->arena, who);
	}
}

/* --- what it allows --- */

/* Refuses to plan and apply here where the host is to do it, unless forced. */
static int check_mode(struct backend *b, struct diags *ds)
{
	const struct tfe *t = b->data;
	struct tfe_answer r;

	if (!str_starts(b->opts.operation, "OperationType") ||
	    str_is(t->mode, "local") || tfe_forced_local())
		return 0;
	/* a host that makes no runs for the organization leaves them to us */
	if (!tfe_ask(b, "GET", tfe_path(b, "entitlement-set", STR_NONE),
		     STR_NONE, TFE_RETRIES, &r) &&
	    tfe_done(&r) &&
	    !json_get_bool(json_get(json_get(r.json, "data"), "attributes"),
			   "operations", true))
		return 0;
	return diag_error(
		ds, NULL, "Workspace with remote execution",
		"The workspace %.*s/%.*s has the execution-mode \"%.*s\": its "
		"plans and applies are made by %.*s, which this program does "
		"not ask for. Nothing was done.\n\nTo plan and apply here, "
		"with the state kept there, set the execution mode to "
		"\"local\", in the general settings of the workspace or with "
		"the attribute \"execution-mode\" of the API. For one command "
		"TF_FORCE_LOCAL_BACKEND=1 does it.",
		STR_ARG(t->organization), STR_ARG(t->remote_name),
		STR_ARG(t->mode), STR_ARG(t->host));
}

/* May a state that we write be used by the version that the host runs?  A
 * state's format changes at most with a minor version. */
static bool version_fits(struct backend *b, struct str theirs)
{
	struct version_constraints all = { 0 };
	struct version ours, v;

	version_parse(STR(COMPATIBLE_VERSION), &ours);
	if (version_parse(theirs, &v) && !v.prerelease.n)
		return v.seg[0] == ours.seg[0] && v.seg[1] == ours.seg[1];
	return version_constraints_parse(b->arena, theirs, &all) &&
	       version_allowed(&all, &ours);
}

static int check_version(struct backend *b, struct diags *ds)
{
	static const char detail[] =
		"%s " COMPATIBLE_VERSION " writes this state, but the "
		"workspace %.*s/%.*s is set to the version %.*s.%s";
	const struct tfe *t = b->data;
	const char *summary =
		arena_printf(b->arena, "%s version mismatch", product_peer());

	if (!b->opts.operation.n ||
	    str_starts(b->opts.operation, "OperationType") ||
	    str_is(t->mode, "local") || str_is(t->version, "latest") ||
	    version_fits(b, t->version))
		return 0;
	if (b->opts.ignore_remote)
		diag_warning(ds, NULL, summary, detail, "Version",
			     STR_ARG(t->organization), STR_ARG(t->remote_name),
			     STR_ARG(t->version), "");
	else
		diag_error(ds, NULL, summary, detail, "Version",
			   STR_ARG(t->organization), STR_ARG(t->remote_name),
			   STR_ARG(t->version),
			   " -ignore-remote-version does it nevertheless; the "
			   "workspace may be unusable then.");
	return b->opts.ignore_remote ? 0 : -1;
}

static bool has_tags(const struct tfe *t)
{
	for (size_t i = 0; i < t->tags.len; i++) {
		const struct json *has = t->tag_names;
		bool found = false;

		for (uint32_t k = 0;
		     has && has->kind == JSON_ARRAY && k < has->len; k++)
			found |= has->items[k].kind == JSON_STRING &&
				 str_eq(has->items[k].text, t->tags.items[i]);
		if (!found)
			return false;
	}
	return true;
}

/* TF_WORKSPACE names one that is there: others are not made by a mistake in
 * it. */
static int not_selectable(struct backend *b, struct diags *ds)
{
	const struct tfe *t = b->data;

	return diag_error(ds, NULL, "Invalid workspace selection",
			  "TF_WORKSPACE names \"%.*s\", which is no workspace "
			  "of the organization %.*s%s.",
			  STR_ARG(t->remote_name), STR_ARG(t->organization),
			  t->tags.len
				  ? " with the tags that the configuration has"
				  : "");
}

int tfe_ready(struct backend *b, struct diags *ds)
{
	struct tfe *t = b->data;
	struct tfe_answer r;
	bool fixed;

	if (t->id.n)
		return 0;
	if (tfe_remote_name(b, b->workspace, &t->remote_name, ds) ||
	    tfe_discover(b, ds))
		return -1;
	if (t->id.n) /* it was handed on */
		return 0;
	fixed = t->cloud && b->opts.workdir->forced.n &&
		str_eq(b->opts.workdir->forced, t->remote_name);
	if (tfe_ask(b, "GET", tfe_path(b, "workspaces", t->remote_name),
		    STR_NONE, TFE_RETRIES, &r) ||
	    (!tfe_done(&r) && r.status != 404))
		return tfe_failed(b, "Failed to retrieve workspace",
				  t->remote_name, r.why, ds);
	if (r.status == 404 && fixed)
		return not_selectable(b, ds);
	if (r.status != 404)
		tfe_take(b, json_get(r.json, "data"));
	else if (tfe_make(b, ds))
		return -1;
	if (r.status != 404 && !has_tags(t) &&
	    (fixed ? not_selectable(b, ds) : tfe_add_tags(b, ds)))
		return -1;
	if (!t->id.n)
		return tfe_failed(b, "Failed to retrieve workspace",
				  t->remote_name, STR("the answer has no id"),
				  ds);
	b->version = STR_CAT(b->arena, t->id, STR(" "), t->base);
	return check_mode(b, ds) || check_version(b, ds) ? -1 : 0;
}

/* --- all of them --- */

static struct str search(struct backend *b, struct str project)
{
	const struct tfe *t = b->data;
	struct buf out = BUF_INIT;

	buf_str(&out, tfe_path(b, "workspaces", STR_NONE));
	if (t->cloud)
		buf_puts(&out, "?search%5Btags%5D=");
	else
		buf_puts(&out, "?search%5Bname%5D=");
	buf_str(&out, remote_escape(b->arena, t->prefix, false));
	for (size_t i = 0; i < t->tags.len; i++)
		buf_addf(&out, "%s%.*s", i ? "%2C" : "",
			 STR_ARG(remote_escape(b->arena, t->tags.items[i],
					       false)));
	if (project.n)
		buf_addf(&out, "&filter%%5Bproject%%5D%%5Bid%%5D=%.*s",
			 STR_ARG(project));
	return buf_take(b->arena, &out);
}

static void take_names(struct backend *b, const struct json *all,
		       struct str_vec *out)
{
	const struct tfe *t = b->data;

	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++) {
		struct str name =
			json_get_str(json_get(&all->items[i], "attributes"),
				     "name");

		if (name.n < t->prefix.n ||
		    !str_eq(str_sub(name, 0, t->prefix.n), t->prefix))
			continue; /* the host finds the prefix anywhere in a name */
		vec_push(b->arena, out, str_sub(name, t->prefix.n, name.n));
	}
}

int tfe_workspaces(struct backend *b, struct str_vec *out, struct diags *ds)
{
	struct tfe *t = b->data;
	struct str project = STR_NONE, path;
	struct tfe_answer r;
	int64_t page = 1;

	if (t->name.n && !t->cloud)
		return diag_error(
			ds, NULL, "workspaces not supported",
			"The backend is set up for the workspace \"%.*s\" alone.",
			STR_ARG(t->name));
	if (t->name.n) {
		vec_push(b->arena, out, t->name);
		return 0;
	}
	if (t->listed) {
		*out = t->names;
		return 0;
	}
	/* A wrong one is an error, not one among those to choose from. */
	if (b->opts.workdir->forced.n &&
	    str_eq(b->opts.workdir->forced, b->workspace) && tfe_ready(b, ds))
		return -1;
	if (tfe_discover(b, ds) ||
	    (t->project.n && tfe_find_project(b, &project, ds)))
		return -1;
	path = search(b, project);
	while (page) {
		if (tfe_page(b, path, &page, &r))
			return tfe_failed(
				b, "Failed to get existing workspaces of",
				t->organization, r.why, ds);
		if (r.status == 404)
			return tfe_no_organization(b, ds);
		if (!tfe_done(&r))
			return tfe_failed(
				b, "Failed to get existing workspaces of",
				t->organization, r.why, ds);
		take_names(b, json_get(r.json, "data"), out);
	}
	str_sort(out->items, out->len);
	t->names = *out;
	t->listed = true;
	return 0;
}

int tfe_workspace_make(struct backend *b, struct str name, struct diags *ds)
{
	struct tfe *t = b->data;

	t->id = STR_NONE;
	t->listed = false;
	return tfe_remote_name(b, name, &t->remote_name, ds) ||
			       tfe_discover(b, ds) || tfe_make(b, ds)
		       ? -1
		       : 0;
}

int tfe_workspace_remove(struct backend *b, struct str name, struct diags *ds)
{
	struct tfe *t = b->data;
	struct str remote, path;
	struct tfe_answer r;
	/* The host refuses, too, while something is managed. */
	const bool safe = t->cloud && !b->forced;

	if (tfe_remote_name(b, name, &remote, ds) || tfe_discover(b, ds))
		return -1;
	path = tfe_path(b, "workspaces", remote);
	if (safe)
		path = STR_CAT(b->arena, path, STR("/actions/safe-delete"));
	if (tfe_ask(b, safe ? "POST" : "DELETE", path, STR_NONE, TFE_RETRIES,
		    &r) ||
	    (!tfe_done(&r) && r.status != 404))
		return tfe_failed(b, "error deleting workspace", remote, r.why,
				  ds);
	return 0;
}
