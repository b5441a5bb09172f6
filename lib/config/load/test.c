/* test.c - see test.h */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "config/load/test.h"
#include "addr/reference.h"
#include "addr/walk.h"
#include "base/file_path.h"
#include "base/io.h"
#include "config/decode/decode_int.h"
#include "config/module.h"
#include "config/module_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"

/* --- the files --- */

enum { FILE_SIZE_MAX = 1 << 30 };

static const char *const extensions[] = { ".tftest.hcl", ".tftest.json",
					  ".tofutest.hcl", ".tofutest.json" };

static size_t extension(struct str name)
{
	for (size_t i = 0; i < 4; i++)
		if (str_ends(name, extensions[i]))
			return i;
	return 4;
}

/* Is that the name of a file of tests? */
static bool test_file_name(struct str name)
{
	return name.n && name.p[0] != '.' && name.p[name.n - 1] != '~' &&
	       !(name.p[0] == '#' && name.p[name.n - 1] == '#') &&
	       extension(name) < 4;
}

/* The names in dir, joined with `shown`; -1 with errno. */
static int list(struct arena *a, struct str dir, struct str shown,
		struct str_vec *out)
{
	DIR *d = opendir(dir.n ? arena_strndup(a, dir.p, dir.n) : ".");
	struct dirent *e;

	if (!d)
		return -1;
	while ((e = readdir(d))) {
		struct str name = str_dup(a, str_c(e->d_name));
		struct str path = file_path_in(a, dir, name);
		struct stat st;

		if (test_file_name(name) && !stat(path.p, &st) &&
		    !S_ISDIR(st.st_mode))
			vec_push(a, out, file_path_in(a, shown, name));
	}
	closedir(d);
	return 0;
}

/* x.tofutest.hcl hides x.tftest.hcl. */
static void drop_hidden(struct arena *a, struct str_vec *names)
{
	struct map there = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < names->len; i++)
		map_put(a, &there, names->items[i], names);
	for (size_t i = 0; i < names->len; i++) {
		struct str n = names->items[i];
		size_t ext = extension(n);
		struct str base = str_sub(n, 0, n.n - strlen(extensions[ext]));

		if (ext >= 2 ||
		    !map_has(&there,
			     STR_CAT(a, base, str_c(extensions[ext + 2]))))
			names->items[kept++] = n;
	}
	names->len = kept;
}

static void load(struct config *c, struct str dir, struct str name,
		 struct cfg_test_file_vec *out, struct diags *ds)
{
	struct cfg_test_file f = { .name = name };
	struct str path = file_path_in(c->arena, dir, name), text;
	struct decls declared = { .providers = { NULL, 0, 0 } };
	struct decoder d = {
		.a = c->arena, .ds = ds, .config = c, .out = &declared
	};
	struct source *src;
	struct body *body;

	if (io_read_regular(c->arena, arena_strndup(c->arena, path.p, path.n),
			    FILE_SIZE_MAX, &text)) {
		diag_error(ds, NULL, "Failed to read file",
			   "The file \"%.*s\" could not be read: %s.",
			   STR_ARG(path), strerror(errno));
		return;
	}
	src = source_new(c->arena, path, text);
	sources_put(c->arena, &c->sources, src);
	body = str_ends(name, ".json") ? parse_json_body(c->arena, src, ds)
				       : parse_native(c->arena, src, ds);
	if (!body)
		return;
	decode_test_file(&d, body, &f);
	vec_push(c->arena, out, f);
}

/* That the directory of tests is not there is nothing to speak of if nobody
 * named it. */
static int list_dir(struct config *c, struct str dir, struct str test_dir,
		    struct str_vec *names, struct diags *ds)
{
	struct str path = file_path_in(c->arena, dir, test_dir);

	if (!test_dir.n || !list(c->arena, path, test_dir, names))
		return 0;
	if (errno != ENOENT)
		return diag_error(ds, NULL, "Failed to read test directory",
				  "The directory %.*s cannot be read: %s.",
				  STR_ARG(path), strerror(errno));
	if (!str_is(test_dir, "tests"))
		diag_warning(ds, NULL, "Test directory does not exist",
			     "There is no directory %.*s.", STR_ARG(path));
	return 0;
}

int test_files(struct config *c, struct str dir, struct str test_dir,
	       struct cfg_test_file_vec *out, struct diags *ds)
{
	const size_t errors = ds->errors;
	struct str_vec names = { 0 };

	if (test_dir.n > 2 && str_starts(test_dir, "./"))
		test_dir = str_sub(test_dir, 2, test_dir.n);
	while (test_dir.n > 1 && test_dir.p[test_dir.n - 1] == '/')
		test_dir.n--;
	if (list_dir(c, dir, test_dir, &names, ds))
		return -1;
	if (!str_is(test_dir, "."))
		list(c->arena, dir, STR(""), &names);
	str_sort(names.items, names.len);
	drop_hidden(c->arena, &names);
	for (size_t i = 0; i < names.len; i++)
		load(c, dir, names.items[i], out, ds);
	return ds->errors > errors ? -1 : 0;
}

struct str test_name(struct arena *a, const struct cfg_test_file *f)
{
	size_t ext = extension(f->name);
	struct str name =
		str_dup(a, str_sub(f->name, 0,
				   f->name.n - strlen(extensions[ext])));

	for (char *p = (char *)name.p; *p; p++)
		if (*p == '/')
			*p = '.';
	return name;
}

struct str test_module_key(struct arena *a, const struct cfg_test_file *f,
			   const struct cfg_run *r)
{
	return str_printf(a, "test.%.*s.%.*s", STR_ARG(test_name(a, f)),
			  STR_ARG(r->name));
}

/* --- what a run says --- */

static bool attr_at(const struct traversal *t, size_t i)
{
	return i < t->nsteps && t->steps[i].kind == STEP_ATTR;
}

struct str test_checkable(struct arena *a, const struct traversal_ref *ref)
{
	static const char *const alone[] = { "var", "output", "check" };
	static const char *const no[] = { "local", "module", "each",
					  "count", "path",   "terraform",
					  "tofu",  "self",   "ephemeral",
					  "run" };
	const struct traversal *t = &ref->traversal;
	bool data = str_is(t->root, "data"), res = str_is(t->root, "resource");
	size_t from = data || res, n = 0;
	struct buf text = BUF_INIT;
	struct traversal part = *t;
	struct str out;

	for (size_t i = 0; i < 3; i++)
		if (str_is(t->root, alone[i]) && attr_at(t, 0))
			n = 1;
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		if (str_is(t->root, no[i]))
			return STR_NONE;
	if (!n) {
		if (!attr_at(t, 0) || (from && !attr_at(t, 1)))
			return STR_NONE;
		n = from + 1;
		if (n < t->nsteps && t->steps[n].kind == STEP_INDEX)
			n++;
	}
	part.nsteps = n;
	traversal_print(a, &text, &part);
	out = buf_dup(a, &text);
	buf_release(&text);
	if (res)
		str_take(&out, STR("resource."));
	return out;
}

static void check_repeated(struct arena *a, const struct cfg_override_vec *v,
			   struct diags *ds)
{
	for (int modules = 0; modules < 2; modules++)
		for (size_t i = 0; i < v->len; i++)
			for (size_t k = 0; k < i; k++) {
				const struct cfg_override *x = &v->items[i];

				if (modules != str_is(x->kind,
						      "override_module") ||
				    !str_eq(x->target, v->items[k].target))
					continue;
				diag_error(
					ds, &x->at,
					arena_printf(a,
						     "Duplicated `%.*s` block",
						     STR_ARG(x->kind)),
					"Two of these blocks have the target %.*s.",
					STR_ARG(x->target));
				break;
			}
}

int test_check(struct arena *a, const struct cfg_test_file *f,
	       const struct cfg_run *r, struct diags *ds)
{
	const size_t errors = ds->errors;

	check_repeated(a, &f->overrides, ds);
	if (ds->errors > errors)
		return -1;
	for (size_t i = 0; i < r->expect_failures.len; i++) {
		const struct traversal_ref *t = &r->expect_failures.items[i];
		struct range at = source_range(t->src, t->span);

		if (!test_checkable(a, t).p)
			diag_error(ds, &at,
				   "Invalid `expect_failures` reference",
				   "Only input variables, outputs, check "
				   "blocks, managed resources and data sources "
				   "can be expected to fail.");
	}
	check_repeated(a, &r->overrides, ds);
	for (size_t i = 0; i < r->replace.len; i++) {
		const struct traversal_ref *t = &r->replace.items[i];
		struct range at = source_range(t->src, t->span);

		if (str_is(t->traversal.root, "data"))
			diag_error(
				ds, &at,
				"Can only target managed resources for forced replacements.",
				"A data source is not replaced.");
	}
	return ds->errors > errors ? -1 : 0;
}

/* --- the configuration of a run --- */

struct transform {
	struct config *c;
	struct arena *a;
	const struct cfg_test_file *f;
	const struct cfg_run *r;
	struct diags *ds;
};

static void put_provider(struct transform *x, const struct cfg_provider *from,
			 struct str name, struct str alias)
{
	struct cfg_provider *p = arena_dup(x->a, from, sizeof(*from));

	p->name = name;
	p->alias = alias;
	p->module = x->c->root;
	p->provider = module_provider(x->c->root, name);
	map_put(x->a, &x->c->root->providers,
		alias.n ? STR_CAT(x->a, name, STR("."), alias) : name, p);
}

/* A provider block comes before a mock of the same address. */
static const struct cfg_provider *find_provider(const struct cfg_test_file *f,
						struct str name,
						struct str alias)
{
	const struct cfg_provider *found = NULL;

	for (size_t i = 0; i < f->providers.len; i++) {
		const struct cfg_provider *p = f->providers.items[i];

		if (str_eq(p->name, name) && str_eq(p->alias, alias) &&
		    (!found || !p->mocked || found->mocked))
			found = p;
	}
	return found;
}

static void pass_provider(struct transform *x,
			  const struct cfg_provider_pass *pass)
{
	const struct cfg_provider_ref *ref = &pass->parent;
	const struct cfg_provider *p =
		find_provider(x->f, ref->name, ref->alias);

	if (p)
		put_provider(x, p, pass->child_name, pass->child_alias);
	else
		diag_error(x->ds, &ref->name_at,
			   arena_printf(
				   x->a,
				   "Missing provider definition for %.*s%s%.*s",
				   STR_ARG(ref->name), ref->alias.n ? "." : "",
				   STR_ARG(ref->alias)),
			   "This file of tests has no such provider.");
}

static void apply_providers(struct transform *x)
{
	if (x->r->providers.len) {
		for (size_t i = 0; i < x->r->providers.len; i++)
			pass_provider(x, &x->r->providers.items[i]);
		return;
	}
	for (int mocked = 0; mocked < 2; mocked++)
		for (size_t i = 0; i < x->f->providers.len; i++) {
			const struct cfg_provider *p = x->f->providers.items[i];

			if (p->mocked == mocked)
				put_provider(x, p, p->name, p->alias);
		}
}

/* What the run says counts, and then what the file says. */
static void merge_overrides(struct transform *x)
{
	struct cfg_override_vec *out = &x->c->test->overrides;
	struct map run = { 0 };

	for (size_t i = 0; i < x->r->overrides.len; i++) {
		struct cfg_override *o = &x->r->overrides.items[i];

		map_put(x->a, &run, o->target, o);
		vec_push(x->a, out, *o);
	}
	for (size_t i = 0; i < x->f->overrides.len; i++) {
		const struct cfg_override *o = &x->f->overrides.items[i];

		if (!map_has(&run, o->target)) {
			vec_push(x->a, out, *o);
			continue;
		}
		diag_warning(
			x->ds, &o->at,
			arena_printf(
				x->a,
				"Multiple `%.*s` blocks for the same address",
				STR_ARG(o->kind)),
			"The run overrides %.*s as well, and that counts.",
			STR_ARG(o->target));
	}
}

static bool is_data(struct str kind)
{
	return str_is(kind, "override_data");
}

static void check_resource(struct transform *x, const struct cfg_override *o)
{
	struct diags ignored = DIAGS_INIT(x->a);
	struct instance_addr addr;
	struct cfg_module *m;
	enum resource_mode want = is_data(o->kind) ? MODE_DATA : MODE_MANAGED;

	if (instance_addr_parse(x->a, o->target, &addr, &ignored))
		return;
	m = config_module(x->c, addr.module);
	if (!m) {
		diag_error(x->ds, &o->at,
			   arena_printf(x->a, "Module not found: %.*s",
					STR_ARG(module_addr_text(x->a,
								 addr.module))),
			   "There is no such module to override something in.");
		return;
	}
	if (!config_resource(m, &addr.resource)) {
		diag_error(x->ds, &o->at,
			   arena_printf(x->a, "Resource not found: %.*s",
					STR_ARG(o->target)),
			   "There is no such resource to override.");
		return;
	}
	if (addr.resource.mode != want)
		diag_error(
			x->ds, &o->at,
			arena_printf(x->a,
				     "Unsupported `%s` target in `%.*s` block",
				     want == MODE_DATA ? "resource" : "data",
				     STR_ARG(o->kind)),
			"%.*s cannot be overridden by this block.",
			STR_ARG(o->target));
}

/* --- override_module: the outputs that are given, and nothing else --- */

static struct expression made_expression(struct transform *x, const char *text)
{
	return parse_expression(
		x->a, source_new(x->a, STR("override_module"), str_c(text)),
		x->ds);
}

/* Outputs that come of a function are members of what that returns. */
static struct expression member(struct transform *x,
				const struct cfg_override *o, struct str name)
{
	struct str text = expression_text(o->values);

	return made_expression(x, arena_printf(x->a, "try((%.*s).%.*s, null)",
					       STR_ARG(text), STR_ARG(name)));
}

static struct str key_text(struct transform *x, struct expression key)
{
	struct diags ignored = DIAGS_INIT(x->a);
	struct str word = expression_keyword(key);
	const struct value *v;

	if (word.p)
		return word;
	v = eval_expression(x->a, NULL, key, &ignored);
	return !ignored.errors && v->type == &type_string && value_usable(v)
		       ? v->string
		       : STR_NONE;
}

static void override_outputs(struct transform *x, struct cfg_module *m,
			     const struct cfg_override *o)
{
	struct diags ignored = DIAGS_INIT(x->a);
	struct expression *keys = NULL, *values = NULL;
	struct expression none = made_expression(x, "null");
	size_t n = 0;
	bool listed = !o->values.root || !expression_map(x->a, o->values, &keys,
							 &values, &n, &ignored);

	for (size_t i = 0; i < m->outputs.len; i++) {
		struct cfg_output *out = m->outputs.entries[i].value;

		out->value = listed ? none : member(x, o, out->name);
		out->preconditions.len = 0;
		out->depends_on.len = 0;
	}
	for (size_t i = 0; listed && i < n; i++) {
		struct str name = key_text(x, keys[i]);
		struct cfg_output *out = map_get(&m->outputs, name);

		if (out)
			out->value = values[i];
		else
			diag_warning(
				x->ds, &o->at,
				arena_printf(x->a, "Output not found: %.*s",
					     STR_ARG(name)),
				"The module has no such output: it is ignored.");
	}
}

static bool is_below(struct str path, struct str module)
{
	return path.n > module.n && str_starts(path, "module.") &&
	       memcmp(path.p, module.p, module.n) == 0 &&
	       path.p[module.n] == '.';
}

static void drop_below(struct transform *x, struct str path)
{
	struct map kept = { 0 };

	for (size_t i = 0; i < x->c->modules.len; i++) {
		const struct map_entry *e = &x->c->modules.entries[i];

		if (!is_below(e->key, path))
			map_put(x->a, &kept, e->key, e->value);
	}
	x->c->modules = kept;
}

static void override_module(struct transform *x, const struct cfg_override *o)
{
	struct cfg_module *m = map_get(&x->c->modules, o->target);

	if (!m) {
		diag_error(x->ds, &o->at,
			   arena_printf(x->a, "Module not found: %.*s",
					STR_ARG(o->target)),
			   "There is no such module to override.");
		return;
	}
	override_outputs(x, m, o);
	m->managed = m->data = m->ephemeral = (struct map){ 0 };
	m->locals = m->calls = m->checks = (struct map){ 0 };
	m->moved.len = m->removed.len = 0;
	drop_below(x, m->path);
}

int test_apply(struct config *c, const struct cfg_test_file *f,
	       const struct cfg_run *r, struct diags *ds)
{
	struct transform x = { c, c->arena, f, r, ds };
	const size_t errors = ds->errors;
	struct cfg_override_vec *all;

	c->test = ARENA_NEW(c->arena, struct cfg_test);
	c->test->name = r->name;
	c->test->plan = r->plan;
	c->test->asserts = r->asserts;
	c->test->at = r->at;
	c->root->backend = c->root->cloud = NULL;
	c->root->encryption = NULL;
	apply_providers(&x);
	merge_overrides(&x);
	all = &c->test->overrides;
	for (size_t i = 0; i < all->len; i++)
		if (!str_is(all->items[i].kind, "override_module"))
			check_resource(&x, &all->items[i]);
	for (size_t i = 0; i < all->len; i++)
		if (str_is(all->items[i].kind, "override_module"))
			override_module(&x, &all->items[i]);
	return ds->errors > errors ? -1 : 0;
}
