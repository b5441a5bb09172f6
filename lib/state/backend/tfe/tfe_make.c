/* tfe_make.c - workspaces, tags and projects of the TFE API are made; see
 * tfe_int.h */
#include "state/backend/tfe/tfe_int.h"
#include "base/product.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote.h"

int tfe_failed(struct backend *b, const char *what, struct str name,
	       struct str why, struct diags *ds)
{
	return diag_error(ds, NULL,
			  arena_printf(b->arena, "%s %.*s: %.*s", what,
				       STR_ARG(name), STR_ARG(why)),
			  (char *)NULL);
}

int tfe_no_organization(struct backend *b, struct diags *ds)
{
	const struct tfe *t = b->data;

	return diag_error(
		ds, NULL,
		arena_printf(
			b->arena,
			"Failed to read organization \"%.*s\" at host %.*s",
			STR_ARG(t->organization), STR_ARG(t->host)),
		"The host knows neither this organization nor its "
		"workspaces. See that the organization and the host "
		"are right, and that the token for %.*s is valid.",
		STR_ARG(t->host));
}

static void put_tags(struct jw *w, const struct tfe *t)
{
	jw_key(w, "data");
	jw_array(w);
	for (size_t i = 0; i < t->tags.len; i++) {
		jw_object(w);
		jw_member_str(w, "type", STR("tags"));
		jw_key(w, "attributes");
		jw_object(w);
		jw_member_str(w, "name", t->tags.items[i]);
		jw_object_end(w);
		jw_object_end(w);
	}
	jw_array_end(w);
}

/* {"data": {"type": TYPE, "attributes": {NAME: VALUE … */
static void put_head(struct jw *w, const char *type, const char *name,
		     struct str value)
{
	jw_object(w);
	jw_key(w, "data");
	jw_object(w);
	jw_member_str(w, "type", str_c(type));
	jw_key(w, "attributes");
	jw_object(w);
	jw_member_str(w, name, value);
}

static struct str one_attribute(struct backend *b, const char *type,
				const char *name, struct str value)
{
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);

	put_head(&w, type, name, value);
	jw_object_end(&w);
	jw_object_end(&w);
	jw_object_end(&w);
	return buf_take(b->arena, &out);
}

/* The project's id; empty: there is none of the name. */
int tfe_find_project(struct backend *b, struct str *id, struct diags *ds)
{
	const struct tfe *t = b->data;
	struct str path = tfe_path(b, "projects", STR_NONE);
	const struct json *all;
	struct tfe_answer r;

	*id = STR_NONE;
	path = STR_CAT(b->arena, path, STR("?filter%5Bnames%5D="),
		       remote_escape(b->arena, t->project, false));
	if (tfe_ask(b, "GET", path, STR_NONE, TFE_RETRIES, &r) ||
	    (!tfe_done(&r) && r.status != 404))
		return tfe_failed(b, "failed to retrieve project", t->project,
				  r.why, ds);
	all = json_get(r.json, "data");
	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++)
		if (str_eq(json_get_str(json_get(&all->items[i], "attributes"),
					"name"),
			   t->project))
			*id = json_get_str(&all->items[i], "id");
	return 0;
}

static int need_project(struct backend *b, struct str *id, struct diags *ds)
{
	const struct tfe *t = b->data;
	struct tfe_answer r;

	if (!t->project.n || tfe_find_project(b, id, ds) || id->n)
		return ds->errors ? -1 : 0;
	if (tfe_ask(b, "POST", tfe_path(b, "projects", STR_NONE),
		    one_attribute(b, "projects", "name", t->project), 0, &r) ||
	    !tfe_done(&r))
		return tfe_failed(b, "failed to create project", t->project,
				  r.why, ds);
	*id = json_get_str(json_get(r.json, "data"), "id");
	return 0;
}

static struct str new_workspace(struct backend *b, struct str project)
{
	const struct tfe *t = b->data;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);

	put_head(&w, "workspaces", "name", t->remote_name);
	if (!t->cloud)
		jw_member_str(&w, "terraform-version", STR(COMPATIBLE_VERSION));
	jw_object_end(&w);
	if (t->tags.len || project.n) {
		jw_key(&w, "relationships");
		jw_object(&w);
		if (t->tags.len) {
			jw_key(&w, "tags");
			jw_object(&w);
			put_tags(&w, t);
			jw_object_end(&w);
		}
		if (project.n) {
			jw_key(&w, "project");
			jw_object(&w);
			jw_key(&w, "data");
			jw_object(&w);
			jw_member_str(&w, "type", STR("projects"));
			jw_member_str(&w, "id", project);
			jw_object_end(&w);
			jw_object_end(&w);
		}
		jw_object_end(&w);
	}
	jw_object_end(&w);
	jw_object_end(&w);
	return buf_take(b->arena, &out);
}

/* A host that does not offer our version of the program gives it another,
 * which matters only to runs of its own. */
static void set_version(struct backend *b)
{
	struct tfe *t = b->data;
	struct str path = tfe_own_path(b, "");
	struct tfe_answer r;

	path.n--; /* the slash */
	if (!tfe_ask(b, "PATCH", path,
		     one_attribute(b, "workspaces", "terraform-version",
				   STR(COMPATIBLE_VERSION)),
		     TFE_RETRIES, &r) &&
	    tfe_done(&r))
		t->version = STR(COMPATIBLE_VERSION);
}

int tfe_make(struct backend *b, struct diags *ds)
{
	struct tfe *t = b->data;
	struct str project = STR_NONE;
	struct tfe_answer r;

	if (need_project(b, &project, ds))
		return -1;
	if (tfe_ask(b, "POST", tfe_path(b, "workspaces", STR_NONE),
		    new_workspace(b, project), 0, &r))
		return tfe_failed(b, "error creating workspace", t->remote_name,
				  r.why, ds);
	if (r.status == 404)
		return tfe_no_organization(b, ds);
	if (!tfe_done(&r))
		return tfe_failed(b, "error creating workspace", t->remote_name,
				  r.why, ds);
	tfe_take(b, json_get(r.json, "data"));
	if (t->cloud)
		set_version(b);
	return 0;
}

int tfe_add_tags(struct backend *b, struct diags *ds)
{
	struct tfe *t = b->data;
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	struct tfe_answer r;

	jw_object(&w);
	put_tags(&w, t);
	jw_object_end(&w);
	if (tfe_ask(b, "POST", tfe_own_path(b, "relationships/tags"),
		    buf_take(b->arena, &body), TFE_RETRIES, &r) ||
	    !tfe_done(&r))
		return tfe_failed(b, "Error updating workspace", t->remote_name,
				  r.why, ds);
	return 0;
}
