/* vendor.c - see modules.h */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "install/modules/modules.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "install/cli_config.h"
#include "install/package/copy_tree.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum { NAME_MOST = 100, DIGEST_BYTES = 6 };

static const char *path_of(struct arena *a, const struct vendor *v,
			   struct str name)
{
	return arena_printf(a, "%.*s/modules/%.*s", STR_ARG(v->dir),
			    STR_ARG(name));
}

/* --- reading --- */

/* Is it a plain name?  Packages are inside of the folder only. */
static bool is_name(struct str s)
{
	return s.n && s.p[0] != '.' && str_chr(s, '/') < 0;
}

static int read_packages(struct arena *a, const struct json *list,
			 struct vendor *v)
{
	for (uint32_t i = 0; i < list->len; i++) {
		const struct json *j = &list->items[i];
		struct vendored p = { json_get_str(j, "address"),
				      json_get_str(j, "version"),
				      json_get_str(j, "subdir"),
				      json_get_str(j, "dir") };

		if (!p.address.n || !is_name(p.dir))
			return -1;
		vec_push(a, &v->packages, p);
	}
	return 0;
}

int vendor_open(struct arena *a, struct vendor *v, struct str *why)
{
	struct json_error error = { 0, "it is not the index of a folder" };
	const struct json *j, *list;
	const char *path;
	struct str text;

	*v = (struct vendor){ .dir = vendor_place() };
	path = path_of(a, v, STR("index.json"));
	if (io_read_regular(a, path, 1 << 26, &text)) {
		*why = str_printf(a, "%s cannot be read: %s", path,
				  strerror(errno));
		return -1;
	}
	j = json_parse(a, text, &error);
	list = j ? json_get(j, "packages") : NULL;
	if (list && list->kind == JSON_ARRAY && !read_packages(a, list, v))
		return 0;
	*why = str_printf(a, "%s cannot be used: %s", path, error.message);
	return -1;
}

const struct vendored *vendor_find(const struct vendor *v, struct str address,
				   struct str version)
{
	for (size_t i = 0; i < v->packages.len; i++)
		if (str_eq(v->packages.items[i].address, address) &&
		    str_eq(v->packages.items[i].version, version))
			return &v->packages.items[i];
	return NULL;
}

struct str vendor_versions(struct arena *a, const struct vendor *v,
			   struct str address)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	buf_puts(&b, "{\"modules\":[{\"versions\":");
	jw_array(&w);
	for (size_t i = 0; i < v->packages.len; i++) {
		if (!str_eq(v->packages.items[i].address, address))
			continue;
		jw_object(&w);
		jw_member_str(&w, "version", v->packages.items[i].version);
		jw_object_end(&w);
	}
	jw_array_end(&w);
	buf_puts(&b, "}]}");
	return buf_take(a, &b);
}

int vendor_copy(struct arena *a, const struct vendor *v,
		const struct vendored *p, struct str to, struct str *why)
{
	const char *from = path_of(a, v, p->dir);

	if (!copy_tree(from, to.p, copy_all))
		return 0;
	*why = str_printf(a, "%s cannot be copied: %s", from, strerror(errno));
	io_remove_tree(to.p);
	return -1;
}

/* --- making --- */

/* A directory name: the readable part of the address, and a digest that makes
 * it unique. */
static struct str name_of(struct arena *a, const struct vendored *p)
{
	unsigned char sum[DIGEST_MAX];
	struct str all = STR_CAT(a, p->address,
				 p->version.n ? STR(" ") : STR(""), p->version);
	struct buf b = BUF_INIT;
	struct str s;

	for (size_t i = 0; i < all.n && b.len < NAME_MOST; i++) {
		const char c = all.p[i];

		if (isalnum((unsigned char)c) || (b.len && strchr(".-", c)))
			buf_addf(&b, "%c", c);
		else if (b.len && b.p[b.len - 1] != '_')
			buf_puts(&b, "_");
	}
	if (digest_of("sha256", all, sum))
		buf_addf(&b, "-%.*s", STR_ARG(str_hex(a, sum, DIGEST_BYTES)));
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

static enum copy_how without_git(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strcmp(slash ? slash + 1 : path, ".git") ? COPY_BYTES : COPY_NOT;
}

int vendor_add(struct arena *a, struct vendor *v, struct vendored p,
	       struct str from, struct str *why)
{
	const char *to;

	if (vendor_find(v, p.address, p.version))
		return 0;
	p.dir = name_of(a, &p);
	to = path_of(a, v, p.dir);
	if (io_make_dirs(path_of(a, v, STR_NONE), 0777) ||
	    copy_tree(str_dup(a, from).p, to, without_git)) {
		*why = str_printf(a, "%.*s cannot be copied to %s: %s",
				  STR_ARG(from), to, strerror(errno));
		return -1;
	}
	vec_push(a, &v->packages, p);
	return 0;
}

static int by_dir(const void *x, const void *y)
{
	return str_cmp(((const struct vendored *)x)->dir,
		       ((const struct vendored *)y)->dir);
}

static void put_package(struct buf *b, const struct vendored *p)
{
	struct jw w = JW_INIT(b);

	jw_object(&w);
	jw_member_str(&w, "address", p->address);
	if (p->version.n)
		jw_member_str(&w, "version", p->version);
	if (p->subdir.n)
		jw_member_str(&w, "subdir", p->subdir);
	jw_member_str(&w, "dir", p->dir);
	jw_object_end(&w);
}

int vendor_write(struct arena *a, struct vendor *v, struct str *why)
{
	const char *path = path_of(a, v, STR("index.json"));
	struct buf b = BUF_INIT;
	int rc;

	if (v->packages.len)
		qsort(v->packages.items, v->packages.len,
		      sizeof(*v->packages.items), by_dir);
	buf_puts(&b, "{\"packages\":[");
	for (size_t i = 0; i < v->packages.len; i++) {
		buf_puts(&b, i ? ",\n" : "\n");
		put_package(&b, &v->packages.items[i]);
	}
	buf_puts(&b, "\n]}\n");
	rc = io_make_dirs(path_of(a, v, STR_NONE), 0777) ||
	     io_replace_file(path, b.p, b.len, 0644);
	buf_release(&b);
	if (!rc)
		return 0;
	*why = str_printf(a, "%s cannot be written: %s", path, strerror(errno));
	return -1;
}
