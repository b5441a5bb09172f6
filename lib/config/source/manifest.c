/* manifest.c - see manifest.h */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "config/source/manifest.h"
#include "base/io.h"
#include "base/product.h"
#include "base/workdir.h"
#include "config/source/source.h"
#include "config/source/url.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum { LARGEST_LIST = 1 << 28 };

static int bad(struct diags *ds, const char *path, const char *why)
{
	return diag_error(
		ds, NULL, "Failed to read module manifest",
		"The list of installed modules, %s, cannot be used: %s. Delete it and run \"%s init\" again.",
		path, why, product_command());
}

/* Old lists have addresses as they were written. */
static struct str normal(struct arena *a, struct str source)
{
	enum source_kind kind;
	const char *summary;
	struct str why,
		s = source_read(a, source, false, &kind, &summary, &why);

	return s.p ? s : source;
}

static int add(struct arena *a, const struct json *j, const char *path,
	       struct map *out, struct diags *ds)
{
	struct installed *rec = ARENA_NEW(a, struct installed);

	rec->key = json_get_str(j, "Key");
	rec->source = json_get_str(j, "Source");
	rec->version = json_get_str(j, "Version");
	rec->dir = json_get_str(j, "Dir");
	if (!rec->key.p || !rec->dir.p)
		return bad(ds, path, "a record lacks its key or directory");
	if (rec->source.n)
		rec->source = normal(a, rec->source);
	rec->dir = str_dup(a, rec->dir); /* NUL-terminated */
	if (map_put(a, out, rec->key, rec))
		return bad(ds, path, "two records have the same key");
	return 0;
}

int manifest_read(struct arena *a, const struct workdir *w, struct map *out,
		  struct diags *ds)
{
	const char *path = workdir_path(a, w, WORKDIR_MANIFEST).p;
	struct json_error err = { 0, NULL };
	struct str text;
	const struct json *list;
	const struct json *j;

	if (io_read_regular(a, path, LARGEST_LIST, &text))
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : bad(ds, path, strerror(errno));
	j = json_parse(a, text, &err);
	if (!j)
		return bad(ds, path, err.message);
	list = json_get(j, "Modules");
	if (!list || list->kind != JSON_ARRAY)
		return 0;
	for (size_t i = 0; i < list->len; i++)
		if (add(a, &list->items[i], path, out, ds))
			return -1;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	return str_cmp((*(struct installed *const *)a)->key,
		       (*(struct installed *const *)b)->key);
}

/* Has nobody but the user to read the list, for the secrets in an address? */
static bool is_secret(struct arena *a, const struct installed *rec)
{
	return !str_eq(url_redacted(a, rec->source), rec->source);
}

static void write_records(struct buf *out, const struct installed **sorted,
			  size_t n)
{
	struct jw w = JW_INIT(out);

	w.html = true;
	jw_object(&w);
	jw_key(&w, "Modules");
	jw_array(&w);
	for (size_t i = 0; i < n; i++) {
		const struct installed *rec = sorted[i];

		jw_object(&w);
		jw_member_str(&w, "Key", rec->key);
		jw_member_str(&w, "Source", rec->source);
		if (rec->version.n)
			jw_member_str(&w, "Version", rec->version);
		jw_member_str(&w, "Dir", rec->dir);
		jw_object_end(&w);
	}
	jw_array_end(&w);
	jw_object_end(&w);
}

int manifest_write(struct arena *a, const struct workdir *w,
		   const struct map *records, struct diags *ds)
{
	const char *dir = workdir_path(a, w, WORKDIR_MODULES).p;
	const char *path = workdir_path(a, w, WORKDIR_MANIFEST).p;
	const struct installed **sorted =
		ARENA_ARRAY(a, const struct installed *, records->len);
	size_t n = 0;
	struct buf out = BUF_INIT;
	mode_t mask = umask(0);
	int rc;

	umask(mask);
	for (size_t i = 0; i < records->len; i++)
		if (records->entries[i].value) {
			sorted[n] = records->entries[i].value;
			if (is_secret(a, sorted[n++]))
				mask |= 0077;
		}
	qsort(sorted, n, sizeof(*sorted), by_key);
	write_records(&out, sorted, n);
	rc = io_make_dirs(dir, 0777) ||
	     io_replace_file(path, out.p, out.len, 0666 & ~mask);
	buf_release(&out);
	if (!rc)
		return 0;
	return diag_error(
		ds, NULL, "Failed to update module manifest",
		"The list of installed modules, %s, cannot be written: %s.",
		path, io_why());
}

struct str manifest_key(struct arena *a, const struct cfg_module *caller,
			struct str call)
{
	struct str outer;

	if (!caller->call)
		return call;
	outer = manifest_key(a, caller->parent, caller->call->name);
	return str_printf(a, "%.*s.%.*s", STR_ARG(outer), STR_ARG(call));
}
