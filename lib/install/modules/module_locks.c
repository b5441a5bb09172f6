/* module_locks.c - see modules_int.h */
#include <errno.h>
#include <stdlib.h>

#include "install/modules/modules_int.h"
#include "addr/addr.h"
#include "base/io.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"

static const char summary[] = "Invalid module lock file";

/* --- reading --- */

static int read_string(struct arena *a, struct expression e, struct str name,
		       struct str *out, struct diags *ds)
{
	const size_t errors = ds->errors;
	const struct value *v = eval_expression(a, NULL, e, ds);
	struct range r = expression_range(e);

	if (ds->errors > errors)
		return -1;
	if (v->type != &type_string || !value_usable(v))
		return diag_error(ds, &r, summary, "\"%.*s\" must be a string.",
				  STR_ARG(name));
	*out = v->string;
	return 0;
}

static int read_optional(struct arena *a, const struct body_content *c,
			 const char *name, struct str *out, struct diags *ds)
{
	const struct attribute *at = content_attr(c, name);

	return at ? read_string(a, at->expr, at->name, out, ds) : 0;
}

static int read_hashes(struct arena *a, const struct attribute *at,
		       struct module_lock *out, struct diags *ds)
{
	struct range r = expression_range(at->expr);
	struct expression *items;
	struct str s;
	size_t n;

	if (expression_list(a, at->expr, &items, &n, ds))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (read_string(a, items[i], at->name, &s, ds))
			return -1;
		if (!str_starts(s, "h1:"))
			return diag_error(
				ds, &r, summary,
				"\"%.*s\" is not a hash, which begins with \"h1:\".",
				STR_ARG(s));
		module_lock_add_hash(a, out, s);
	}
	return n ? 0
		 : diag_error(ds, &r, summary,
			      "There must be at least one hash.");
}

static int read_lock(struct arena *a, const struct block *b,
		     struct module_locks *out, struct diags *ds)
{
	static const struct attr_schema attrs[] = { { "version", false },
						    { "commit", false },
						    { "hashes", true },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	struct range at = source_range(b->src, b->labels[0].span);
	struct module_lock l = { .address = b->labels[0].text };
	struct body_content c;

	if (body_content(a, b->body, &schema, &c, ds) ||
	    read_optional(a, &c, "version", &l.version, ds) ||
	    read_optional(a, &c, "commit", &l.commit, ds) ||
	    read_hashes(a, content_attr(&c, "hashes"), &l, ds))
		return -1;
	if (module_locks_find(out, l.address, l.version))
		return diag_error(ds, &at, summary,
				  "There is another lock for %.*s.",
				  STR_ARG(l.address));
	vec_push(a, &out->items, l);
	return 0;
}

int module_locks_read(struct arena *a, const char *path,
		      struct module_locks *out, struct diags *ds)
{
	static const struct attr_schema attrs[] = { { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "module", { "address" } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { attrs, blocks };
	const struct diags_mark before = diags_mark(ds);
	struct body_content c;
	struct source *src;
	struct body *b;
	int rc;

	*out = (struct module_locks){ .present = false };
	if (io_read_regular(a, path, 1 << 26, &out->text))
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : diag_error(ds, NULL, summary,
					    "%s cannot be read: %s.", path,
					    strerror(errno));
	out->present = true;
	src = source_new(a, str_c(path), out->text);
	b = parse_native(a, src, ds);
	rc = ds->errors > before.errors || body_content(a, b, &schema, &c, ds);
	for (size_t i = 0; !rc && i < c.blocks.len; i++)
		read_lock(a, &c.blocks.items[i], out, ds);
	diags_give_source(ds, before.len, src);
	return rc || ds->errors > before.errors ? -1 : 0;
}

/* --- what there is --- */

struct module_lock *module_locks_find(const struct module_locks *l,
				      struct str address, struct str version)
{
	for (size_t i = 0; i < l->items.len; i++)
		if (str_eq(l->items.items[i].address, address) &&
		    str_eq(l->items.items[i].version, version))
			return &l->items.items[i];
	return NULL;
}

void module_lock_add_hash(struct arena *a, struct module_lock *l,
			  struct str hash)
{
	if (!str_vec_has(&l->hashes, hash))
		vec_push(a, &l->hashes, hash);
}

bool module_lock_equal(const struct module_lock *l, const struct module_lock *r)
{
	if (!str_eq(l->commit, r->commit) || l->hashes.len != r->hashes.len)
		return false;
	for (size_t i = 0; i < l->hashes.len; i++)
		if (!str_vec_has(&r->hashes, l->hashes.items[i]))
			return false;
	return true;
}

/* --- writing --- */

static int by_address(const void *x, const void *y)
{
	const struct module_lock *l = x, *r = y;
	int c = str_cmp(l->address, r->address);

	return c ? c : str_cmp(l->version, r->version);
}

static void put_member(struct buf *b, const char *name, struct str value)
{
	if (!value.n)
		return;
	buf_addf(b, "  %s = ", name);
	addr_print_quoted(b, value);
	buf_puts(b, "\n");
}

static void put_lock(struct buf *b, struct module_lock *l)
{
	buf_puts(b, "\nmodule ");
	addr_print_quoted(b, l->address);
	buf_puts(b, " {\n");
	put_member(b, "version", l->version);
	put_member(b, "commit", l->commit);
	buf_puts(b, "  hashes = [\n");
	str_sort(l->hashes.items, l->hashes.len);
	for (size_t i = 0; i < l->hashes.len; i++) {
		buf_puts(b, "    ");
		addr_print_quoted(b, l->hashes.items[i]);
		buf_puts(b, ",\n");
	}
	buf_puts(b, "  ]\n}\n");
}

struct str module_locks_text(struct arena *a, struct module_locks *l)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "# This file is maintained automatically by \"tf init\".\n"
		     "# Manual edits may be lost in future updates.\n");
	if (l->items.len)
		qsort(l->items.items, l->items.len, sizeof(*l->items.items),
		      by_address);
	for (size_t i = 0; i < l->items.len; i++)
		put_lock(&b, &l->items.items[i]);
	return buf_take(a, &b);
}
