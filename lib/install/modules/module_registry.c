/* module_registry.c - see modules_int.h */
#include <unistd.h>

#include "base/file_path.h"
#include "base/io.h"
#include "config/source/source.h"
#include "config/source/url.h"
#include "config/source/version.h"
#include "install/modules/modules_int.h"
#include "install/package/kept.h"
#include "install/hosts/login.h"
#include "install/package/unpack.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

void registry_module_read(struct arena *a, struct str source,
			  struct registry_module *out)
{
	struct module_address m;
	size_t slash;

	module_address_split(a, source, &m);
	slash = (size_t)str_chr(m.package, '/');
	*out = (struct registry_module){
		.host = str_sub(m.package, 0, slash),
		.path = str_sub(m.package, slash + 1, m.package.n),
		.package = m.package,
		.subdir = m.subdir,
	};
}

/* --- versions --- */

static int no_access(const struct cfg_call *call,
		     const struct registry_module *m, struct str why,
		     struct diags *ds)
{
	return diag_error(ds, &call->at,
			  "Error accessing remote module registry",
			  "The versions of the module \"%.*s\", called at "
			  "%.*s:%u, could not be had from %.*s: %.*s.",
			  STR_ARG(call->name), STR_ARG(call->at.file),
			  call->at.start.line, STR_ARG(m->host), STR_ARG(why));
}

static const struct json *ask_versions(struct module_store *s,
				       const struct cfg_call *call,
				       const struct registry_module *m,
				       struct diags *ds)
{
	const struct json *known = map_get(&s->versions, m->package);
	struct registry_question q;
	struct fetch_answer answer;
	struct json_error error;
	struct str why;

	if (known)
		return known;
	if (vendor_place().n) {
		const struct vendor *v = module_store_vendor(s, &why);

		if (v)
			return json_parse(s->a,
					  vendor_versions(s->a, v, m->package),
					  &error);
		no_access(call, m, why, ds);
		return NULL;
	}
	if (registry_ask_versions(s, m, &q, &why) ||
	    registry_ask(s, &q, &answer, &why)) {
		no_access(call, m, why, ds);
	} else if (answer.status == 404) {
		diag_error(ds, &call->at, "Module not found",
			   "The module %.*s (\"%.*s\", called at %.*s:%u) is "
			   "not in the module registry at %.*s.",
			   STR_ARG(m->path), STR_ARG(call->name),
			   STR_ARG(call->at.file), call->at.start.line,
			   STR_ARG(m->host));
	} else if (answer.status != 200) {
		why = STR_CAT(s->a, STR("error looking up module versions: "),
			      fetch_status_text(s->a, answer.status));
		no_access(call, m, why, ds);
	} else {
		known = registry_take_versions(s, m, &answer);
		if (!known)
			no_access(call, m,
				  STR("the answer is no list of versions"), ds);
	}
	return known;
}

/* A pre-release is chosen only if exactly it is requested. */
static bool is_candidate(const struct version_constraints *c,
			 const struct version *v)
{
	return !v->prerelease.n ||
	       (c->len == 1 && c->items[0].op == VERSION_EQ &&
		version_cmp(&c->items[0].v, v) == 0);
}

static void warn_version(const struct cfg_call *call,
			 const struct registry_module *m, struct str text,
			 struct diags *ds)
{
	diag_warning(ds, &call->at,
		     "Invalid response from remote module registry",
		     "%.*s has a version of the module \"%.*s\" that is none, "
		     "\"%.*s\"; it is ignored.",
		     STR_ARG(m->host), STR_ARG(call->name), STR_ARG(text));
}

static bool pass_over(struct module_store *s, const struct cfg_call *call,
		      const struct json *release, struct str version,
		      struct diags *ds)
{
	const struct str published = json_get_str(release, "published_at");

	if (!s->cli || !release_too_new(s->a, s->cli->least_seconds, published))
		return false;
	diag_warning(ds, &call->at, "Release passed over",
		     "Version %.*s of the module \"%.*s\" was published at "
		     "%.*s, which is less than minimum_release_age (%.*s) ago.",
		     STR_ARG(version), STR_ARG(call->name),
		     STR_ARG(host_text(s->a, published)),
		     STR_ARG(s->cli->least_age));
	return true;
}

static int choose(struct module_store *s, const struct cfg_call *call,
		  const struct json *list, struct registry_module *m,
		  struct diags *ds)
{
	struct arena *a = s->a;
	struct version_constraints c = { 0 };
	struct version v, newest, match;
	bool any = false, matched = false;

	if (call->version.n)
		version_constraints_parse(a, call->version, &c);
	for (uint32_t i = 0; i < list->len; i++) {
		struct str text = json_get_str(&list->items[i], "version");
		const bool valid = version_parse(text, &v);

		if (!valid)
			warn_version(call, m, text, ds);
		if (!valid || !is_candidate(&c, &v))
			continue;
		if (!any || version_cmp(&v, &newest) > 0)
			newest = v;
		any = true;
		if (!version_allowed(&c, &v) ||
		    pass_over(s, call, &list->items[i], text, ds))
			continue;
		if (!matched || version_cmp(&v, &match) > 0)
			match = v;
		matched = true;
	}
	if (!any)
		return diag_error(
			ds, &call->at, "Module has no versions",
			"The module \"%.*s\", called at %.*s:%u, has no versions at %.*s.",
			STR_ARG(call->source), STR_ARG(call->at.file),
			call->at.start.line, STR_ARG(m->host));
	if (!matched)
		return diag_error(
			ds, &call->at, "Unresolvable module version constraint",
			"No version of the module \"%.*s\", called at "
			"%.*s:%u, matches \"%.*s\". The newest "
			"available version is %.*s.",
			STR_ARG(call->source), STR_ARG(call->at.file),
			call->at.start.line, STR_ARG(call->version),
			STR_ARG(version_text(a, &newest)));
	m->version = version_text(a, &match);
	return 0;
}

int registry_choose(struct module_store *s, const struct cfg_call *call,
		    struct registry_module *m, struct diags *ds)
{
	static const struct json none = { .kind = JSON_ARRAY };
	const struct json *j = ask_versions(s, call, m, ds), *modules, *list;

	if (!j)
		return -1;
	modules = json_get(j, "modules");
	if (!modules || modules->kind != JSON_ARRAY || !modules->len)
		return diag_error(
			ds, &call->at,
			"Invalid response from remote module registry",
			"The registry at %.*s was asked for the "
			"versions of the module \"%.*s\", called at "
			"%.*s:%u; its answer has none.",
			STR_ARG(m->host), STR_ARG(call->name),
			STR_ARG(call->at.file), call->at.start.line);
	list = json_get(&modules->items[0], "versions");
	if (!list || list->kind != JSON_ARRAY)
		list = &none;
	return choose(s, call, list, m, ds);
}

/* --- places --- */

static const struct location *locate(struct module_store *s,
				     const struct registry_module *m,
				     struct str *why)
{
	const struct location *known = registry_location(s, m);
	struct fetch_answer answer;
	struct registry_question q;

	if (known)
		return known;
	if (registry_ask_location(s, m, &q, why) ||
	    registry_ask(s, &q, &answer, why))
		return NULL;
	if (answer.status == 404) {
		*why = str_printf(s->a,
				  "module \"%.*s\" version \"%.*s\" not found",
				  STR_ARG(m->package), STR_ARG(m->version));
		return NULL;
	}
	return registry_take_location(s, m, &q, &answer, why);
}

/* --- packages --- */

static bool unpack_kept(struct module_store *s, struct str key, struct str dir)
{
	struct str copy = module_beside(s->a, dir, ".kept"), said;
	struct kept_archive k;
	bool done;

	kept_archive_find(s->a, key, copy, &k);
	done = k.file.n && !unpack_module(s->a, k.file, STR_NONE, dir, &said);
	io_remove_tree(copy.p);
	if (!done)
		io_remove_tree(dir.p);
	return done;
}

static struct str direct_key(struct module_store *s, const struct location *l)
{
	return STR_CAT(s->a, l->url, STR("\n"), s->pinned);
}

/* Of the package that the registry has itself. */
static struct fetch_request direct_request(struct module_store *s,
					   const struct location *l,
					   struct str dir)
{
	return (struct fetch_request){
		.url = l->url,
		.to = module_beside(s->a, dir, ".archive"),
		.token = l->with_token ? l->token : STR_NONE,
		.most = unpack_module_limit(),
	};
}

bool registry_coming_direct(struct module_store *s, const struct location *l,
			    struct str dir)
{
	const struct fetch_request r = direct_request(s, l, dir);

	if (!kept_archive_there(s->a, direct_key(s, l)))
		downloads_want(s->downloads, &r);
	return true;
}

static int fetch_direct(struct module_store *s, const struct location *l,
			struct str dir, struct str *why)
{
	const struct fetch_request r = direct_request(s, l, dir);
	struct fetch_answer answer;
	struct str said;
	int rc = -1;

	if (unpack_kept(s, direct_key(s, l), dir))
		return 0;
	if (downloads_get(s->downloads, &r, &answer)) {
		*why = answer.error;
	} else if (answer.status != 200) {
		*why = STR_CAT(
			s->a,
			STR("failed to download module package: server returned "),
			fetch_status_text(s->a, answer.status));
	} else {
		rc = unpack_module(s->a, r.to, STR_NONE, dir, &said);
		if (rc)
			*why = STR_CAT(s->a,
				       STR("extracting package archive: "),
				       said);
		else
			kept_archive_put(s->a, direct_key(s, l), r.to,
					 STR_NONE);
	}
	unlink(r.to.p);
	if (rc)
		io_remove_tree(dir.p);
	return rc;
}

/* Copies the package from the vendor folder. */
static int fetch_vendored(struct module_store *s, const struct cfg_call *call,
			  struct registry_module *m, struct str dir,
			  struct str *subdir, struct diags *ds)
{
	struct str why = STR_NONE;
	const struct vendored *p =
		module_store_vendored(s, m->package, m->version, &why);

	if (!p || vendor_copy(s->a, s->vendor, p, dir, &why))
		return diag_error(
			ds, &call->at, "Failed to download module",
			"The module \"%.*s\", called at %.*s:%u, could not be copied: %.*s.",
			STR_ARG(call->name), STR_ARG(call->at.file),
			call->at.start.line, STR_ARG(why));
	m->located = p->subdir;
	*subdir = file_path_join(s->a, m->located, m->subdir);
	return 0;
}

int registry_fetch(struct module_store *s, const struct cfg_call *call,
		   struct registry_module *m, struct str dir,
		   struct str *subdir, struct diags *ds)
{
	struct str why = STR_NONE, from;
	const struct location *l;
	int rc;

	if (vendor_place().n)
		return fetch_vendored(s, call, m, dir, subdir, ds);
	l = locate(s, m, &why);
	if (!l)
		return diag_error(
			ds, NULL, "Error accessing remote module registry",
			"Where %.*s %.*s is could not be had from %.*s: %.*s.",
			STR_ARG(m->package), STR_ARG(m->version),
			STR_ARG(m->host), STR_ARG(why));
	m->located = l->at.subdir;
	*subdir = file_path_join(s->a, m->located, m->subdir);
	from = l->direct ? l->url : l->at.package;
	s->pinned = registry_release(s->a, m);
	rc = l->direct ? fetch_direct(s, l, dir, &why)
		       : module_store_fetch(s, from, STR_NONE, dir, &why);
	s->pinned = STR_NONE;
	if (!rc)
		return 0;
	return diag_error(
		ds, &call->at, "Failed to download module",
		"Could not download module \"%.*s\", called at %.*s:%u, from "
		"\"%.*s\": %.*s.",
		STR_ARG(call->name), STR_ARG(call->at.file),
		call->at.start.line, STR_ARG(url_redacted(s->a, from)),
		STR_ARG(why));
}
