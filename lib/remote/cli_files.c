/* cli_files.c - see credentials.h */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/credentials.h"
#include "base/file_path.h"
#include "base/io.h"
#include "json/read.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"

static bool is_there(struct str path)
{
	return access(path.p, F_OK) == 0;
}

/* --- files --- */

static struct str main_file(struct arena *a)
{
	struct str home = str_env("HOME"), xdg = str_env("XDG_CONFIG_HOME");
	struct str ours, older;

	if (!home.n)
		return STR_NONE;
	ours = file_path_in(a, home, STR(".tofurc"));
	if (is_there(ours))
		return ours;
	older = file_path_in(a, home, STR(".terraformrc"));
	if (is_there(older))
		return older;
	if (!xdg.n)
		return STR_NONE;
	ours = file_path_in(a, xdg, STR("opentofu/tofurc"));
	return is_there(ours) ? ours : STR_NONE;
}

struct str cli_dir(struct arena *a)
{
	struct str home = str_env("HOME"), xdg = str_env("XDG_CONFIG_HOME");
	struct str dir =
		home.n ? file_path_in(a, home, STR(".terraform.d")) : STR_NONE;

	if (home.n && xdg.n && !is_there(dir))
		dir = file_path_in(a, xdg, STR("opentofu"));
	return dir;
}

static void directory_files(struct arena *a, struct str_vec *out)
{
	struct str dir = cli_dir(a);
	const size_t first = out->len;
	struct dirent *e;
	DIR *d;

	d = dir.n ? opendir(dir.p) : NULL;
	while (d && (e = readdir(d)))
		if (str_ends(str_c(e->d_name), ".tfrc") ||
		    str_ends(str_c(e->d_name), ".tfrc.json"))
			vec_push(a, out,
				 file_path_in(a, dir, str_c(e->d_name)));
	if (d)
		closedir(d);
	str_vec_sort(out, first);
}

void cli_files(struct arena *a, struct str_vec *out, struct diags *ds)
{
	struct str named = str_env("TF_CLI_CONFIG_FILE"), file;

	if (!named.n)
		named = str_env("TERRAFORM_CONFIG");
	if (named.n && !is_there(named)) {
		diag_warning(ds, NULL, "Unable to open CLI configuration file",
			     "The CLI configuration file %.*s, which the "
			     "environment names, does not exist.",
			     STR_ARG(named));
		return;
	}
	file = named.n ? named : main_file(a);
	if (file.n)
		vec_push(a, out, file);
	if (!named.n)
		directory_files(a, out);
}

/* --- directories of providers --- */

void cli_plugin_dirs(struct arena *a, struct str_vec *out)
{
	struct str home = str_env("HOME"), data = str_env("XDG_DATA_HOME");
	struct str others = str_env("XDG_DATA_DIRS");

	vec_push(a, out, STR("terraform.d/plugins"));
	if (home.n)
		vec_push(a, out,
			 file_path_in(a, home, STR(".terraform.d/plugins")));
	if (data.n)
		vec_push(a, out,
			 file_path_in(a, data, STR("opentofu/plugins")));
	if (!data.n && home.n)
		data = file_path_in(a, home, STR(".local/share"));
	if (data.n)
		vec_push(a, out,
			 file_path_in(a, data, STR("terraform/plugins")));
	if (!others.n)
		others = STR("/usr/local/share:/usr/share");
	while (others.n) {
		ptrdiff_t end = str_chr(others, ':');
		size_t n = end < 0 ? others.n : (size_t)end;

		if (n)
			vec_push(a, out,
				 file_path_in(a, str_sub(others, 0, n),
					      STR("terraform/plugins")));
		others = str_sub(others, end < 0 ? n : n + 1, others.n);
	}
}

/* --- paths --- */

static bool is_name_byte(char c, bool first)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

/* The name of a variable at s, behind the dollar; its end in *end. */
static struct str name_at(struct str s, size_t *end)
{
	const bool braces = s.n && s.p[0] == '{';
	size_t n = braces;

	while (n < s.n && is_name_byte(s.p[n], n == (size_t)braces))
		n++;
	*end = n;
	if (!braces)
		return str_sub(s, 0, n);
	if (n == s.n || s.p[n] != '}')
		return STR_NONE;
	*end = n + 1;
	return str_sub(s, 1, n);
}

struct str cli_home(struct arena *a, struct str path)
{
	struct str home = str_env("HOME");

	if (!home.n || (!str_is(path, "~") && !str_starts(path, "~/")))
		return path;
	return str_printf(a, "%.*s%.*s", STR_ARG(home),
			  STR_ARG(str_sub(path, 1, path.n)));
}

struct str cli_expand(struct arena *a, struct str path)
{
	struct buf b = BUF_INIT;

	path = cli_home(a, path);
	for (size_t i = 0; i < path.n; i++) {
		struct str name = STR_NONE;
		size_t n = 0;

		if (path.p[i] == '$')
			name = name_at(str_sub(path, i + 1, path.n), &n);
		if (name.n) {
			name = str_env(arena_strndup(a, name.p, name.n));
			buf_add(&b, name.p, name.n);
			i += n;
		} else {
			buf_putc(&b, path.p[i]);
		}
	}
	return buf_take(a, &b);
}

/* --- what is in them --- */

/* Writes ${...} of a template, in which quotes end no string, as text of a
 * string of the current syntax.  Returns its length in bytes; 0: it has no end
 * on its line. */
static size_t quote_template(struct buf *b, struct str text)
{
	size_t n = strlen("${"), before = b->len;

	buf_puts(b, "$${");
	for (int depth = 1; n < text.n && text.p[n] != '\n'; n++) {
		const char c = text.p[n];

		depth += (c == '{') - (c == '}');
		if (c == '"' || c == '\\')
			buf_putc(b, '\\');
		if ((c == '$' || c == '%') && text.p[n + 1] == '{')
			buf_putc(b, c);
		buf_putc(b, c);
		if (!depth)
			return n + 1;
	}
	buf_set_len(b, before);
	return 0;
}

/* Notes that the text read has n bytes more in front of what the file has at
 * `before`. */
static void note(struct arena *a, struct cli_file *f, size_t before, size_t n)
{
	const struct cli_insertion i = { .before = (uint32_t)before,
					 .n = (uint32_t)n };

	if (n)
		vec_push(a, &f->insertions, i);
}

/* The file's syntax is an older one than that of configurations: a string has
 * no interpolations, and dev_overrides and a host's services are written as
 * blocks whose arguments have quoted names.  Makes attributes of those. */
static struct str modern(struct arena *a, struct str text, struct cli_file *f)
{
	static const char *const names[] = { "dev_overrides", "services" };
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < text.n; i++) {
		const char *p = text.p + i;
		const size_t before = b.len;
		size_t n = 0;

		if (*p == '$' && p[1] == '{' &&
		    (n = quote_template(&b, str_sub(text, i, text.n)))) {
			i += n - 1;
			note(a, f, i + 1, b.len - before - n);
			continue;
		}
		for (size_t k = 0; !n && k < 2; k++)
			if (strncmp(p, names[k], strlen(names[k])) == 0)
				n = strlen(names[k]);
		if ((*p == '$' || *p == '%') && p[1] == '{') {
			buf_putc(&b, *p);
			note(a, f, i, 1);
		}
		if (!n || p[n + strspn(p + n, " \t")] != '{') {
			buf_putc(&b, *p);
			continue;
		}
		buf_add(&b, p, n);
		buf_puts(&b, " =");
		i += n - 1;
		note(a, f, i + 1, strlen(" ="));
	}
	return buf_take(a, &b);
}

/* Takes the member from byte `from` to `to` out, with one of the commas beside
 * it. */
static void blank(char *p, size_t from, size_t to)
{
	static const char space[] = " \t\r\n";

	to += strspn(p + to, space);
	if (p[to] == ',') {
		to++;
	} else {
		while (from && strchr(space, p[from - 1]))
			from--;
		from -= from && p[from - 1] == ',';
	}
	for (size_t i = from; i < to; i++)
		if (!strchr(space, p[i]))
			p[i] = ' ';
}

/* A file of JSON without the members that hold nothing: no blocks of that kind,
 * which is what a logout leaves. */
static struct str without_empty(struct arena *a, struct str text)
{
	char *copy = arena_strndup(a, text.p, text.n);
	struct json_slice s = JSON_SLICE_INIT(text);

	while (json_slice_next(&s)) {
		struct json_slice in = JSON_SLICE_INIT(s.value);

		if (s.value.p[0] == '{' && !json_slice_next(&in) && !in.bad)
			blank(copy, (size_t)(s.name.p - 1 - text.p),
			      (size_t)(s.value.p - text.p) + s.value.n);
	}
	return s.bad ? text : (struct str){ copy, text.n };
}

/* Where the file has what is at `offset` of the text read. */
static uint32_t written_at(const struct cli_file *f, uint32_t offset)
{
	uint32_t more = 0;

	for (size_t i = 0; i < f->insertions.len; i++) {
		const struct cli_insertion *in = &f->insertions.items[i];

		if (in->before + more >= offset)
			break;
		more += offset - in->before - more < in->n
				? offset - in->before - more
				: in->n;
	}
	return offset - more;
}

static bool speaks_of_credentials(struct str text)
{
	return str_find(text, STR("credentials")) >= 0;
}

/* May the lines that hold the range have a token or a password? */
static bool may_be_secret(const struct cli_file *f, const struct body *b,
			  const struct range *r)
{
	bool yes = false;

	if (!speaks_of_credentials(f->written->text))
		return false;
	if (!b || b->node) /* nobody knows where which block ends */
		return true;
	for (size_t i = 0; i < b->attrs.len; i++)
		yes |= speaks_of_credentials(b->attrs.items[i].name);
	for (size_t i = 0; i < b->blocks.len; i++) {
		const struct block *in = &b->blocks.items[i];

		yes |= speaks_of_credentials(in->type) &&
		       source_pos(b->src, in->header.start).line <=
			       r->end.line &&
		       source_pos(b->src, in->close.end).line >= r->start.line;
	}
	return yes;
}

void cli_file_told(const struct cli_file *f, const struct body *b,
		   struct diags *ds, size_t from)
{
	const struct source *s = f->written;

	for (size_t i = from; s && i < ds->len; i++) {
		struct diag *d = &ds->items[i];
		struct range *r = &d->subject;

		if (!range_present(r) || !str_eq(r->file, s->name))
			continue;
		*r = source_range(s,
				  (struct span){ written_at(f, r->start.byte),
						 written_at(f, r->end.byte) });
		if (!may_be_secret(f, b, r))
			d->source = s;
	}
}

int cli_file_read(struct arena *a, struct str path, struct cli_file *f,
		  struct body **out, struct diags *ds)
{
	const struct diags_mark before = diags_mark(ds);
	struct str text;
	bool json;

	*f = (struct cli_file){ .written = NULL };
	*out = NULL;
	if (str_is(path, "/dev/null")) /* to have none */
		return 0;
	if (io_read_regular(a, path.p, 1 << 24, &text))
		return diag_error(ds, NULL,
				  "Unable to read CLI configuration file",
				  "%.*s: %s.", STR_ARG(path), strerror(errno));
	f->written = source_new(a, path, text);
	json = text.p[strspn(text.p, " \t\r\n")] == '{';
	text = json ? without_empty(a, text) : modern(a, text, f);
	*out = json ? parse_json_body(a, source_new(a, path, text), ds)
		    : parse_loose(a, source_new(a, path, text), ds);
	cli_file_told(f, NULL, ds, before.len);
	return ds->errors > before.errors || !*out ? -1 : 0;
}
