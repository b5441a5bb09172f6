/*
 * fileset_funcs.c - fileset
 *
 * Each pattern without alternatives is walked part by part.  Symbolic links
 * to directories are followed; a directory that contains itself is entered
 * once (OpenTofu goes round until the system refuses).
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "funcs/funcs_int.h"
#include "base/file_path.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/set.h"

struct walk {
	struct func_call *c;
	struct glob_list parts; /* of the pattern */
	struct glob_list found; /* paths of regular files */
	const struct marks *marks;
	bool failed;
};

/* The directories that ** is in, innermost first. */
struct entered {
	const struct entered *outer;
	dev_t dev;
	ino_t ino;
};

static void walk_parts(struct walk *w, struct str dir, size_t part,
		       const struct entered *in);

static struct str child_path(struct walk *w, struct str dir, struct str name)
{
	const char *slash = dir.n && dir.p[dir.n - 1] != '/' ? "/" : "";

	return str_printf(w->c->arena, "%.*s%s%.*s", STR_ARG(dir), slash,
			  STR_ARG(name));
}

/* Names in a directory, none if it cannot be read. */
static struct glob_list list_dir(struct walk *w, struct str dir)
{
	DIR *d =
		opendir(dir.n ? arena_strndup(w->c->arena, dir.p, dir.n) : ".");
	struct glob_list names = { 0 };
	struct dirent *e;

	if (!d)
		return names;
	while ((e = readdir(d))) {
		struct str name = str_c(e->d_name);

		if (!str_is(name, ".") && !str_is(name, ".."))
			vec_push(w->c->arena, &names,
				 str_dup(w->c->arena, name));
	}
	closedir(d);
	return names;
}

/* Takes path if it is a regular file. must: it is known to be there. */
static void add_file(struct walk *w, struct str path, bool must)
{
	struct stat st;

	if (stat(path.p, &st) == 0) {
		if (S_ISREG(st.st_mode))
			vec_push(w->c->arena, &w->found, path);
		return;
	}
	if (!must || w->failed)
		return;
	w->failed = true;
	func_fail(w->c, -1, "failed to stat %.*s: %s",
		  STR_ARG(func_quote_unless_secret(w->c->arena, path,
						   w->marks)),
		  strerror(errno));
}

/* All below dir, and the rest of the pattern at every level. */
static void walk_any_depth(struct walk *w, struct str dir, size_t part,
			   const struct entered *in)
{
	bool last = part + 1 == w->parts.len;
	struct glob_list names;
	struct entered here = { .outer = in };
	struct stat st;

	if (stat(dir.n ? dir.p : ".", &st) || !S_ISDIR(st.st_mode))
		return;
	here.dev = st.st_dev;
	here.ino = st.st_ino;
	for (const struct entered *e = in; e; e = e->outer) {
		if (e->dev == here.dev && e->ino == here.ino)
			return;
	}
	if (!last)
		walk_parts(w, dir, part + 1, NULL);
	names = list_dir(w, dir);
	for (size_t i = 0; i < names.len && !w->failed; i++) {
		struct str path = child_path(w, dir, names.items[i]);

		if (stat(path.p, &st) == 0 && S_ISDIR(st.st_mode))
			walk_any_depth(w, path, part, &here);
		else if (last)
			add_file(w, path, true);
	}
}

static void walk_parts(struct walk *w, struct str dir, size_t part,
		       const struct entered *in)
{
	struct str pattern = w->parts.items[part];
	bool last = part + 1 == w->parts.len;
	struct glob_list names = { 0 };
	bool wild = glob_is_wild(pattern);

	if (str_is(pattern, "**")) {
		walk_any_depth(w, dir, part, in);
		return;
	}
	if (wild)
		names = list_dir(w, dir);
	else
		vec_push(w->c->arena, &names, glob_plain(w->c->arena, pattern));
	for (size_t i = 0; i < names.len && !w->failed; i++) {
		struct str path;

		if (wild && !glob_match(pattern, names.items[i]))
			continue;
		path = child_path(w, dir, names.items[i]);
		if (last)
			add_file(w, path, wild);
		else
			walk_parts(w, path, part + 1, NULL);
	}
}

static void split_parts(struct arena *a, struct str p, struct glob_list *out)
{
	while (p.n) {
		ptrdiff_t slash = str_chr(p, '/');
		size_t n = slash < 0 ? p.n : (size_t)slash;
		struct str part = str_sub(p, 0, n);
		bool again = out->len && str_is(part, "**") &&
			     str_is(out->items[out->len - 1], "**");

		if (n > 0 && !again)
			vec_push(a, out, part);
		p = str_sub(p, n + (n < p.n), p.n);
	}
}

static void walk_pattern(struct walk *w, struct str pattern)
{
	bool rooted = pattern.n && pattern.p[0] == '/';

	w->parts = (struct glob_list){ 0 };
	split_parts(w->c->arena, pattern, &w->parts);
	if (w->parts.len)
		walk_parts(w, rooted ? STR("/") : STR(""), 0, NULL);
}

/* path as seen from base; both cleaned, both absolute or both relative. */
static struct str relative(struct arena *a, struct str base, struct str path)
{
	struct glob_list from = { 0 }, to = { 0 };
	struct buf b = BUF_INIT;
	size_t same = 0;

	if (!str_is(base, "."))
		split_parts(a, base, &from);
	split_parts(a, path, &to);
	while (same < from.len && same < to.len &&
	       str_eq(from.items[same], to.items[same]))
		same++;
	for (size_t i = same; i < from.len; i++)
		buf_puts(&b, b.len ? "/.." : "..");
	for (size_t i = same; i < to.len; i++) {
		if (b.len)
			buf_putc(&b, '/');
		buf_str(&b, to.items[i]);
	}
	return buf_take(a, &b);
}

static const struct value *found_files(struct walk *w, struct str base)
{
	struct arena *a = w->c->arena;
	const struct value **items =
		arena_alloc(a, w->found.len * sizeof(*items));

	for (size_t i = 0; i < w->found.len; i++)
		items[i] =
			value_string(a, relative(a, base, w->found.items[i]));
	return value_with_marks(a,
				value_set(a, &type_string, items, w->found.len),
				w->marks);
}

static const struct value *do_fileset(struct func_call *c)
{
	struct walk w = { .c = c };
	const struct value *dir = func_unmark(c, 0, &w.marks),
			   *pattern = func_unmark(c, 1, &w.marks);
	struct str base = func_relative_path(c, dir->string), whole;
	struct glob_list plain = { 0 };

	whole = file_path_join(c->arena, base, pattern->string);
	if (!glob_valid(whole))
		return func_fail(
			c, -1,
			"failed to glob pattern %.*s: syntax error in pattern",
			STR_ARG(func_quote_unless_secret(c->arena, whole,
							 w.marks)));
	if (glob_expand(c->arena, whole, &plain))
		return func_fail(
			c, -1, "failed to glob pattern: too many alternatives");
	for (size_t i = 0; i < plain.len && !w.failed; i++)
		walk_pattern(&w, plain.items[i]);
	return w.failed ? NULL : found_files(&w, base);
}

const struct func func_fileset = {
	.name = "fileset",
	.description = "The names of the files below a directory that match "
		       "a pattern; ** stands for any directories.",
	.params = PARAMS({ "path", &type_string, PARAM_MARKED, NULL },
			 { "pattern", &type_string, PARAM_MARKED, NULL }),
	.result = &type_set_string,
	.impl = do_fileset,
	.flags = FUNC_ELSEWHERE,
};
