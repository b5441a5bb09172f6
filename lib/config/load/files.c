/*
 * files.c - the configuration files of a directory
 *
 * Reads NAME.tf, NAME.tf.json, NAME.tofu and NAME.tofu.json; NAME.tofu
 * (.tofu.json) hides NAME.tf (.tf.json).  Ignores hidden files and editors'
 * backups.  Files named override or *_override are merged over the others.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "config/load/load.h"
#include "base/file_path.h"
#include "base/io.h"
#include "config/load/load_int.h"
#include "config/decode/decode_int.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"

enum { FILE_SIZE_MAX = 1 << 30 };

struct name {
	struct str text; /* file name */
	struct str base; /* without extension */
	bool tofu, json;
};
struct name_vec VEC_OF(struct name);

static bool split_name(struct str text, struct name *out)
{
	static const struct {
		const char *ext;
		bool tofu, json;
	} exts[] = {
		{ ".tf", false, false },
		{ ".tf.json", false, true },
		{ ".tofu", true, false },
		{ ".tofu.json", true, true },
	};

	if (text.p[0] == '.' || text.p[text.n - 1] == '~' ||
	    (text.p[0] == '#' && text.p[text.n - 1] == '#'))
		return false;
	for (size_t i = 0; i < 4; i++) {
		if (!str_ends(text, exts[i].ext))
			continue;
		*out = (struct name){ text, text, exts[i].tofu, exts[i].json };
		out->base.n -= strlen(exts[i].ext);
		return true;
	}
	return false;
}

static int by_text(const void *a, const void *b)
{
	return str_cmp(((const struct name *)a)->text,
		       ((const struct name *)b)->text);
}

/* A link is read as a file. */
static bool is_directory(DIR *dir, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return !fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISDIR(st.st_mode);
}

/* The names that count, sorted; -1 with errno. */
static int list(struct arena *a, const char *dir, struct name_vec *out)
{
	DIR *d = opendir(*dir ? dir : ".");
	struct map tofu = { 0 };
	struct dirent *e;
	size_t kept = 0;

	if (!d)
		return -1;
	while ((e = readdir(d))) {
		struct name n;

		if (split_name(str_c(e->d_name), &n) && !is_directory(d, e)) {
			split_name(str_dup(a, n.text), &n);
			vec_push(a, out, n);
		}
	}
	closedir(d);
	if (!out->len)
		return 0;
	qsort(out->items, out->len, sizeof(*out->items), by_text);
	for (size_t i = 0; i < out->len; i++)
		if (out->items[i].tofu)
			map_put(a, &tofu, out->items[i].text, out);
	for (size_t i = 0; i < out->len; i++) {
		struct name n = out->items[i];
		struct str twin = str_printf(a, "%.*s%s", STR_ARG(n.base),
					     n.json ? ".tofu.json" : ".tofu");

		if (n.tofu || !map_has(&tofu, twin))
			out->items[kept++] = n;
	}
	out->len = kept;
	return 0;
}

int files_present(void)
{
	struct arena a = ARENA_INIT;
	struct name_vec names = { 0 };
	int rc = list(&a, ".", &names) ? -1 : names.len != 0;

	arena_release(&a);
	return rc;
}

/* A file that several calls share is parsed again for each if it has syntax
 * errors, but they are reported once. */
static void load(struct config *c, const char *dir, const struct name *n,
		 struct cfg_file_vec *out, struct diags *ds)
{
	struct cfg_file f = { .path = file_path_in(c->arena, str_c(dir),
						   n->text),
			      .tofu = n->tofu };
	struct diags said = DIAGS_INIT(c->arena);
	struct source *src;
	struct str text;

	f.override =
		str_is(n->base, "override") || str_ends(n->base, "_override");
	if (io_read_regular(c->arena, f.path.p, FILE_SIZE_MAX, &text)) {
		diag_error(ds, NULL, "Failed to read file",
			   "The file \"%.*s\" could not be read: %s.",
			   STR_ARG(f.path), strerror(errno));
		return;
	}
	src = source_new(c->arena, f.path, text);
	if (sources_get(&c->sources, f.path))
		ds = &said;
	sources_put(c->arena, &c->sources, src);
	f.body = n->json ? parse_json_body(c->arena, src, ds)
			 : parse_native(c->arena, src, ds);
	if (f.body)
		vec_push(c->arena, out, f);
}

int files_load(struct config *c, const char *dir, struct cfg_file_vec *out,
	       struct diags *ds)
{
	struct name_vec names = { 0 };

	if (list(c->arena, dir, &names))
		return diag_error(ds, NULL, "Failed to read module directory",
				  "The module directory %s cannot be read: %s.",
				  *dir ? dir : ".", strerror(errno));
	/* Primary files first, as their mistakes are reported first. */
	for (int over = 0; over < 2; over++)
		for (size_t i = 0; i < names.len; i++) {
			struct name *n = &names.items[i];
			bool is_over = str_is(n->base, "override") ||
				       str_ends(n->base, "_override");

			if (is_over == over)
				load(c, dir, n, out, ds);
		}
	return 0;
}

/* --- looking without reading --- */

static bool is_word_byte(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '-';
}

static bool has_word(struct str text, const char *word)
{
	size_t n = strlen(word), from = 0;
	ptrdiff_t i;

	while ((i = str_find(str_sub(text, from, text.n), str_c(word))) >= 0) {
		const char *p = text.p + from + i;

		if ((p == text.p || !is_word_byte(p[-1])) &&
		    !is_word_byte(p[n])) /* a NUL behind the text */
			return true;
		from += (size_t)i + n;
	}
	return false;
}

/* True for a file that cannot be read (loading it reports why) and for JSON
 * with escapes: either may mention anything. */
static bool file_mentions(const char *dir, const struct name *n,
			  const char *const *words)
{
	struct arena a = ARENA_INIT;
	struct str text = STR_NONE;
	bool yes = io_read_regular(&a, file_path_in(&a, str_c(dir), n->text).p,
				   FILE_SIZE_MAX, &text) ||
		   (n->json && str_find(text, STR("\\u")) >= 0);

	for (; !yes && *words; words++)
		yes = has_word(text, *words);
	arena_release(&a);
	return yes;
}

bool files_mention(const char *dir, const char *const *words)
{
	struct arena a = ARENA_INIT;
	struct name_vec names = { 0 };
	bool yes = false;

	if (!list(&a, dir, &names))
		for (size_t i = 0; !yes && i < names.len; i++)
			yes = file_mentions(dir, &names.items[i], words);
	arena_release(&a);
	return yes;
}
