/* cli_files.c - see credentials.h */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/credentials.h"
#include "base/file_path.h"
#include "base/io.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"

/* Empty counts as unset, as in the specification of these variables. */
static struct str variable(const char *name)
{
	return str_c(getenv(name));
}

static bool is_there(struct str path)
{
	return access(path.p, F_OK) == 0;
}

/* --- files --- */

static struct str main_file(struct arena *a)
{
	struct str home = variable("HOME"), xdg = variable("XDG_CONFIG_HOME");
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
	struct str home = variable("HOME"), xdg = variable("XDG_CONFIG_HOME");
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
	struct str named = variable("TF_CLI_CONFIG_FILE"), file;

	if (!named.n)
		named = variable("TERRAFORM_CONFIG");
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
	struct str home = variable("HOME"), data = variable("XDG_DATA_HOME");
	struct str others = variable("XDG_DATA_DIRS");

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
	struct str home = variable("HOME");

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
			name = variable(arena_strndup(a, name.p, name.n));
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

/* The file's syntax is an older one than that of configurations: a string has
 * no interpolations, and dev_overrides and a host's services are written as
 * blocks whose arguments have quoted names.  Makes attributes of those. */
static struct str modern(struct arena *a, struct str text, bool json)
{
	static const char *const names[] = { "dev_overrides", "services" };
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < text.n; i++) {
		const char *p = text.p + i;
		size_t n = 0;

		if (!json && *p == '$' && p[1] == '{' &&
		    (n = quote_template(&b, str_sub(text, i, text.n)))) {
			i += n - 1;
			continue;
		}
		for (size_t k = 0; !n && k < 2; k++)
			if (strncmp(p, names[k], strlen(names[k])) == 0)
				n = strlen(names[k]);
		if (!json && (*p == '$' || *p == '%') && p[1] == '{')
			buf_putc(&b, *p);
		if (!n || p[n + strspn(p + n, " \t")] != '{') {
			buf_putc(&b, *p);
			continue;
		}
		buf_add(&b, p, n);
		buf_puts(&b, " =");
		i += n - 1;
	}
	return buf_take(a, &b);
}

/* A file of JSON without the members that hold nothing: no blocks of that kind,
 * which is what a logout leaves. */
static struct str without_empty(struct arena *a, struct str text)
{
	struct json_error unread;
	const struct json *j = json_parse(a, text, &unread);
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .indent = 2 };
	bool any = false;

	if (!j || j->kind != JSON_OBJECT)
		return text; /* reading it reports errors */
	jw_object(&w);
	for (uint32_t i = 0; i < j->len; i++) {
		const struct json_member *m = &j->members[i];

		if (m->value.kind == JSON_OBJECT && !m->value.len) {
			any = true;
			continue;
		}
		jw_key_str(&w, m->name);
		jw_json(&w, &m->value);
	}
	jw_object_end(&w);
	if (any)
		text = buf_dup(a, &b);
	buf_release(&b);
	return text;
}

int cli_file_read(struct arena *a, struct str path, struct sources *sources,
		  struct body **out, struct diags *ds)
{
	const size_t errors = ds->errors;
	struct source *src;
	struct str text;
	bool json;

	*out = NULL;
	if (str_is(path, "/dev/null")) /* to have none */
		return 0;
	if (io_read_regular(a, path.p, 1 << 24, &text))
		return diag_error(ds, NULL,
				  "Unable to read CLI configuration file",
				  "%.*s: %s.", STR_ARG(path), strerror(errno));
	json = text.p[strspn(text.p, " \t\r\n")] == '{';
	if (json)
		text = without_empty(a, text);
	src = source_new(a, path, modern(a, text, json));
	sources_put(a, sources, src);
	*out = json ? parse_json_body(a, src, ds) : parse_loose(a, src, ds);
	return ds->errors > errors || !*out ? -1 : 0;
}
