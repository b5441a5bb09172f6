/* format_files.c - see format.h */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lang/format/format.h"
#include "base/child.h"

struct format_run {
	struct arena *a; /* what outlives a file */
	const struct format_options *o;
	struct buf *out;
	bool *changed;
	struct sources *ss;
	struct diags *ds;
};

static const char *const extensions[] = {
	".tf", ".tofu", ".tfvars", ".tftest.hcl", ".tofutest.hcl", NULL,
};

static bool formattable(struct str name)
{
	for (const char *const *e = extensions; *e; e++)
		if (str_ends(name, *e))
			return true;
	return false;
}

static int file_error(struct format_run *r, const char *summary,
		      const char *what, const char *path)
{
	return diag_error(r->ds, NULL, summary, "%s %s: %s.", what, path,
			  strerror(errno));
}

/* --- names --- */

/* Adds the parts of p to the list, resolving "." and "..". */
static void add_parts(struct arena *a, struct str p, struct str_vec *out)
{
	size_t i = 0, from;

	while (i < p.n) {
		from = i;
		while (i < p.n && p.p[i] != '/')
			i++;
		if (i - from == 2 && memcmp(p.p + from, "..", 2) == 0)
			out->len -= out->len > 0;
		else if (i > from && !(i - from == 1 && p.p[from] == '.'))
			vec_push(a, out, str_sub(p, from, i));
		i++;
	}
}

/* The path as messages and lists show it: relative to where we are. */
static const char *shown_path(struct arena *a, struct str path)
{
	struct str_vec here = { 0 }, to = { 0 };
	struct buf b = BUF_INIT;
	size_t same = 0;
	char cwd[PATH_MAX];
	const char *text;

	if (!getcwd(cwd, sizeof(cwd)))
		return arena_strndup(a, path.p, path.n);
	add_parts(a, str_c(cwd), &here);
	if (!str_starts(path, "/"))
		add_parts(a, str_c(cwd), &to);
	add_parts(a, path, &to);
	while (same < here.len && same < to.len &&
	       str_eq(here.items[same], to.items[same]))
		same++;
	for (size_t i = same; i < here.len; i++)
		buf_puts(&b, "../");
	for (size_t i = same; i < to.len; i++) {
		buf_str(&b, to.items[i]);
		buf_putc(&b, '/');
	}
	text = b.len ? arena_strndup(a, b.p, b.len - 1) : ".";
	buf_release(&b);
	return text;
}

/* --- differences --- */

static int temporary(char *path, size_t size, struct str text)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (snprintf(path, size, "%s/tf-fmt.XXXXXX",
		     dir && *dir ? dir : "/tmp") >= (int)size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (io_write_all(fd, text.p, text.n)) {
		close(fd);
		unlink(path);
		return -1;
	}
	return close(fd);
}

/* Runs diff(1), which exits with 1 when there are differences. */
static int run_diff(struct format_run *r, const char *name, const char *old,
		    const char *new)
{
	const char *argv[] = {
		"diff",
		arena_printf(r->a, "--label=old/%s", name),
		arena_printf(r->a, "--label=new/%s", name),
		"-u",
		old,
		new,
		NULL,
	};
	struct child_options co = { .argv = argv,
				    .in = CHILD_NULL,
				    .out = CHILD_PIPE,
				    .err = CHILD_INHERIT };
	struct child c;
	int status, rc;

	if (child_start(&co, &c))
		return -1;
	rc = io_read_fd(c.out, r->out, 0);
	close(c.out);
	while (waitpid(c.pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (!rc && (!WIFEXITED(status) || WEXITSTATUS(status) > 1)) {
		errno = ECHILD;
		rc = -1;
	}
	return rc;
}

static int show_diff(struct format_run *r, const char *name, struct str text,
		     struct str result)
{
	char old[PATH_MAX], new[PATH_MAX];
	int rc = temporary(old, sizeof(old), text);

	if (!rc) {
		rc = temporary(new, sizeof(new), result);
		if (!rc) {
			rc = run_diff(r, name, old, new);
			unlink(new);
		}
		unlink(old);
	}
	return rc ? file_error(r, "Failed to generate diff", "Cannot compare",
			       name)
		  : 0;
}

/* --- one file --- */

/* Replaces the target file, not a link to it. */
static int rewrite(struct format_run *r, const char *path, struct str result)
{
	char real[PATH_MAX];
	struct stat st;

	if (!realpath(path, real) || stat(real, &st) ||
	    io_replace_file(real, result.p, result.n, st.st_mode & 07777))
		return file_error(r, "Writing formatted file failed",
				  "Cannot write", path);
	return 0;
}

static int report_change(struct format_run *r, const char *name,
			 struct str text, struct str result)
{
	*r->changed = true;
	if (r->o->list) {
		buf_puts(r->out, name);
		buf_putc(r->out, '\n');
	}
	if (r->o->write && rewrite(r, name, result))
		return -1;
	return r->o->diff ? show_diff(r, name, text, result) : 0;
}

static int format_text(struct format_run *r, const char *name, struct str text)
{
	struct arena a = ARENA_INIT;
	struct source *src = source_new(&a, str_c(name), text);
	struct buf result = BUF_INIT;
	int rc = format_source(src, &result, r->ds);

	if (rc)
		sources_put(r->a, r->ss,
			    source_new(r->a, str_dup(r->a, src->name),
				       str_dup(r->a, text)));
	else if (!str_eq(text, buf_view(&result)))
		rc = report_change(r, name, text, buf_view(&result));
	if (!rc && !r->o->list && !r->o->write && !r->o->diff)
		buf_str(r->out, buf_view(&result));
	buf_release(&result);
	arena_release(&a);
	return rc;
}

static int format_file(struct format_run *r, const char *path)
{
	const char *name = shown_path(r->a, str_c(path));
	struct buf text = BUF_INIT;
	int rc;

	if (io_read_file(path, &text, 0))
		rc = file_error(r, "Failed to read file", "Cannot read", name);
	else
		rc = format_text(r, name, buf_view(&text));
	buf_release(&text);
	return rc;
}

/* --- directories --- */

static int compare_names(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Hidden files, and editors' backups. */
static bool ignored(const char *name)
{
	size_t n = strlen(name);

	return name[0] == '.' || name[n - 1] == '~' ||
	       (name[0] == '#' && name[n - 1] == '#');
}

static int format_dir(struct format_run *r, const char *path);

static int format_entry(struct format_run *r, const char *dir, const char *name)
{
	const char *path = arena_printf(r->a, "%s/%s", dir, name);
	struct stat st;

	if (lstat(path, &st))
		return file_error(r, "Failed to open file", "Cannot look at",
				  path);
	if (S_ISDIR(st.st_mode))
		return r->o->recursive ? format_dir(r, path) : 0;
	return formattable(str_c(name)) ? format_file(r, path) : 0;
}

/* Depth is bounded by how long a path can be. */
static int format_dir(struct format_run *r, const char *path)
{
	VEC(const char *) names = { 0 };
	DIR *d = opendir(path);
	struct dirent *e;
	int rc = 0;

	if (!d)
		return file_error(r, "Invalid path",
				  "Cannot read the directory", path);
	while ((e = readdir(d)))
		if (!ignored(e->d_name))
			vec_push(r->a, &names, arena_strdup(r->a, e->d_name));
	closedir(d);
	if (names.len)
		qsort(names.items, names.len, sizeof(*names.items),
		      compare_names);
	for (size_t i = 0; i < names.len; i++)
		if (format_entry(r, path, names.items[i]))
			rc = -1;
	return rc;
}

/* --- entrances --- */

int format_paths(struct arena *a, const struct format_options *o,
		 const struct str_vec *paths, struct buf *out, bool *changed,
		 struct sources *ss, struct diags *ds)
{
	struct format_run r = { a, o, out, changed, ss, ds };
	struct stat st;
	int rc = 0;

	for (size_t i = 0; i < paths->len; i++) {
		const char *path = shown_path(a, paths->items[i]);

		if (stat(path, &st))
			return file_error(&r, "Invalid file or directory path",
					  "There is nothing at", path);
		if (S_ISDIR(st.st_mode))
			rc |= format_dir(&r, path);
		else if (formattable(str_c(path)))
			rc |= format_file(&r, path);
		else
			rc |= diag_error(ds, NULL, "Invalid file extension",
					 "%s: only .tf, .tofu, .tfvars, "
					 ".tftest.hcl and .tofutest.hcl files "
					 "are formatted.",
					 path);
	}
	return rc;
}

int format_input(struct arena *a, const struct format_options *o, int fd,
		 struct buf *out, bool *changed, struct sources *ss,
		 struct diags *ds)
{
	struct format_run r = { a, o, out, changed, ss, ds };
	struct buf text = BUF_INIT;
	int rc;

	if (io_read_fd(fd, &text, 0))
		rc = file_error(&r, "Failed to read file", "Cannot read",
				"the input");
	else
		rc = format_text(&r, "<stdin>", buf_view(&text));
	buf_release(&text);
	return rc;
}
