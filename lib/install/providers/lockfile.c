/* lockfile.c - see requirements.h */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "install/providers/requirements.h"
#include "addr/provider.h"
#include "base/io.h"
#include "config/source/version.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"

static int read_string(struct arena *a, const struct attribute *at,
		       struct str *out, struct diags *ds)
{
	size_t errors = ds->errors;
	const struct value *v = eval_expression(a, NULL, at->expr, ds);
	struct range r = expression_range(at->expr);

	if (ds->errors > errors)
		return -1;
	if (v->type != &type_string || !value_usable(v))
		return diag_error(ds, &r, "Invalid dependency lock file",
				  "\"%.*s\" must be a string.",
				  STR_ARG(at->name));
	*out = v->string;
	return 0;
}

/* "h1:…": a scheme.  What follows may be of one that is not known here. */
static int check_hash(struct expression e, struct str hash, struct diags *ds)
{
	struct range r = expression_range(e);

	if (str_chr(hash, ':') > 0)
		return 0;
	return diag_error(ds, &r, "Invalid provider hash string",
			  "\"%.*s\" is not SCHEME:HASH.", STR_ARG(hash));
}

static int read_hashes(struct arena *a, const struct attribute *at,
		       struct str_vec *out, struct diags *ds)
{
	struct range r = expression_range(at->expr);
	struct expression *items;
	size_t n;

	if (expression_list(a, at->expr, &items, &n, ds))
		return -1;
	if (!n)
		return diag_error(
			ds, &r, "Invalid provider hash set",
			"There must be at least one hash, or no \"hashes\".");
	for (size_t i = 0; i < n; i++) {
		struct attribute one = { .name = at->name, .expr = items[i] };
		struct str s;

		if (read_string(a, &one, &s, ds) || check_hash(items[i], s, ds))
			return -1;
		vec_push(a, out, s);
	}
	return 0;
}

/* Versions and constraints are written in one way only, so that files can be
 * compared. */
static int check_version(struct arena *a, const struct attribute *at,
			 struct str text, struct diags *ds)
{
	struct range r = expression_range(at->expr);
	struct version v;

	if (version_parse(text, &v) && str_eq(version_text(a, &v), text))
		return 0;
	return diag_error(
		ds, &r, "Invalid provider version number",
		"\"%.*s\" is not a version in its normal form, such as 1.2.0.",
		STR_ARG(text));
}

static int check_constraints(struct arena *a, const struct attribute *at,
			     struct str text, struct diags *ds)
{
	struct range r = expression_range(at->expr);
	static const char summary[] = "Invalid provider version constraints";
	struct version_constraints c;
	struct str normal;

	if (!text.n)
		return 0;
	if (!version_constraints_parse(a, text, &c))
		return diag_error(ds, &r, summary,
				  "\"%.*s\" are no version constraints.",
				  STR_ARG(text));
	normal = requirements_normal(a, &c);
	if (str_eq(normal, text))
		return 0;
	return diag_error(ds, &r, summary,
			  "\"%.*s\" must be in normal form here: \"%.*s\".",
			  STR_ARG(text), STR_ARG(normal));
}

static int check_provider(struct arena *a, struct str text,
			  const struct range *at, struct provider_addr p,
			  struct diags *ds)
{
	struct str normal = provider_addr_text(a, p);

	if (provider_is_builtin(p))
		return diag_error(ds, at, "Invalid provider source address",
				  "%.*s is built in: it has no versions.",
				  STR_ARG(normal));
	if (!str_eq(normal, text))
		return diag_error(ds, at,
				  "Non-normalized provider source address",
				  "This must be written as \"%.*s\".",
				  STR_ARG(normal));
	return 0;
}

static int read_lock(struct arena *a, const struct block *b,
		     struct lockfile *out, struct diags *ds)
{
	static const struct attr_schema attrs[] = { { "version", true },
						    { "constraints", false },
						    { "hashes", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	struct range at = source_range(b->src, b->labels[0].span);
	const struct attribute *version, *constraints, *hashes;
	struct lock l = { .version = STR_NONE };
	struct body_content c;

	if (body_content(a, b->body, &schema, &c, ds) ||
	    provider_addr_read(a, b->labels[0].text, provider_default_host(),
			       &at, &l.provider, ds) ||
	    check_provider(a, b->labels[0].text, &at, l.provider, ds))
		return -1;
	version = content_attr(&c, "version");
	constraints = content_attr(&c, "constraints");
	hashes = content_attr(&c, "hashes");
	if (read_string(a, version, &l.version, ds) ||
	    check_version(a, version, l.version, ds) ||
	    (constraints &&
	     (read_string(a, constraints, &l.constraints, ds) ||
	      check_constraints(a, constraints, l.constraints, ds))) ||
	    (hashes && read_hashes(a, hashes, &l.hashes, ds)))
		return -1;
	if (lockfile_find(out, l.provider))
		return diag_error(ds, &at, "Duplicate provider lock",
				  "There is another lock for %.*s.",
				  STR_ARG(b->labels[0].text));
	vec_push(a, &out->locks, l);
	return 0;
}

int lockfile_read(struct arena *a, const char *path, struct lockfile *out,
		  struct diags *ds)
{
	static const struct attr_schema attrs[] = { { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "provider", { "source_addr" } },
		{ "module", { "path" } }, /* reserved */
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { attrs, blocks };
	const struct diags_mark before = diags_mark(ds);
	struct body_content c;
	struct source *src;
	struct str text;
	struct body *b;
	int rc;

	*out = (struct lockfile){ 0 };
	if (io_read_regular(a, path, 1 << 26, &text))
		return errno == ENOENT
			       ? 0
			       : diag_error(
					 ds, NULL,
					 "Failed to read dependency lock file",
					 "%s cannot be read: %s.", path,
					 strerror(errno));
	src = source_new(a, str_c(path), text);
	b = parse_native(a, src, ds);
	rc = ds->errors > before.errors || body_content(a, b, &schema, &c, ds);
	for (size_t i = 0; !rc && i < c.blocks.len; i++)
		if (str_is(c.blocks.items[i].type, "provider"))
			read_lock(a, &c.blocks.items[i], out, ds);
	diags_give_source(ds, before.len, src);
	return rc || ds->errors > before.errors ? -1 : 0;
}

struct lock *lockfile_find(struct lockfile *f, struct provider_addr p)
{
	for (size_t i = 0; i < f->locks.len; i++)
		if (provider_addr_equal(f->locks.items[i].provider, p))
			return &f->locks.items[i];
	return NULL;
}

/* Terraform's lock of a provider that is not locked itself; or NULL. */
static const struct lock *terraforms(struct lockfile *f, struct provider_addr p)
{
	if (!str_is(p.host, "registry.opentofu.org") ||
	    !str_is(p.namespace, "hashicorp") || lockfile_find(f, p))
		return NULL;
	p.host = STR("registry.terraform.io");
	return lockfile_find(f, p);
}

void lockfile_adopt(struct arena *a, struct lockfile *f,
		    const struct requirement_vec *reqs, struct diags *ds)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < reqs->len; i++) {
		struct provider_addr p = reqs->items[i]->provider;
		const struct lock *was = terraforms(f, p);
		struct lock l = { .provider = p };

		if (!was)
			continue;
		l.version = was->version;
		l.constraints = was->constraints;
		buf_addf(&names, "\n  - %.*s => %.*s",
			 STR_ARG(provider_addr_text(a, was->provider)),
			 STR_ARG(provider_addr_text(a, p)));
		vec_push(a, &f->locks, l);
	}
	if (names.len)
		diag_warning(
			ds, NULL,
			"Dependency lock file entries automatically updated",
			"The locked versions stay, but not the hashes, "
			"as the packages of the new registry are "
			"others:%.*s",
			STR_ARG(buf_view(&names)));
	buf_release(&names);
}

static int by_provider(const void *x, const void *y)
{
	return provider_addr_cmp(((const struct lock *)x)->provider,
				 ((const struct lock *)y)->provider);
}

struct str lockfile_text(struct arena *a, struct lockfile *f)
{
	struct buf b = BUF_INIT;
	struct str s;

	buf_puts(&b, "# This file is maintained automatically by \"tofu "
		     "init\".\n"
		     "# Manual edits may be lost in future updates.\n");
	if (f->locks.len)
		qsort(f->locks.items, f->locks.len, sizeof(*f->locks.items),
		      by_provider);
	for (size_t i = 0; i < f->locks.len; i++) {
		struct lock *l = &f->locks.items[i];
		struct str addr = provider_addr_text(a, l->provider);

		buf_addf(&b, "\nprovider \"%.*s\" {\n", STR_ARG(addr));
		buf_addf(&b,
			 l->constraints.n ? "  version     = \"%.*s\"\n"
					  : "  version = \"%.*s\"\n",
			 STR_ARG(l->version));
		if (l->constraints.n)
			buf_addf(&b, "  constraints = \"%.*s\"\n",
				 STR_ARG(l->constraints));
		if (l->hashes.len) {
			str_sort(l->hashes.items, l->hashes.len);
			buf_puts(&b, "  hashes = [\n");
			for (size_t k = 0; k < l->hashes.len; k++)
				buf_addf(&b, "    \"%.*s\",\n",
					 STR_ARG(l->hashes.items[k]));
			buf_puts(&b, "  ]\n");
		}
		buf_puts(&b, "}\n");
	}
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

/* A link is followed to another lock file, which several configurations may
 * share; any other is replaced. */
static char *shared(const char *path)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct lockfile there;
	struct stat st;
	char *real = NULL;

	if (!lstat(path, &st) && S_ISLNK(st.st_mode) &&
	    !lockfile_read(&a, path, &there, &ds) && there.locks.len)
		real = realpath(path, NULL);
	arena_release(&a);
	return real;
}

int lockfile_write(const char *path, struct str text, struct diags *ds)
{
	char *real = shared(path);
	int rc = io_replace_file(real ? real : path, text.p, text.n, 0644);

	free(real);
	if (!rc)
		return 0;
	return diag_error(ds, NULL, "Failed to save provider lock file",
			  "%s cannot be written: %s.", path, io_why());
}
