/*
 * config_test.c - loading configurations: what they declare, what is wrong with
 * them, and the way through records and back
 *
 * Each golden file of tests/golden/config is a module in the form
 *
 *	== main.tf
 *	text of the file
 *	== expect
 *	error|warning FILE:L,C-L,C: summary      one line a diagnostic, in order
 *
 * Files named DIR/x.tf make directories; a module in ./DIR is taken as
 * installed.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/module.h"
#include "stream/stream.h"
#include "test.h"
#include "addr/provider.h"
#include "base/io.h"
#include "base/workdir.h"
#include "config/config.h"
#include "config/record/records.h"
#include "config/load/load.h"
#include "config/source/manifest.h"
#include "config/check/refs.h"
#include "config/source/version.h"

static struct arena a = ARENA_INIT;
static char dir[] = "/tmp/config_test.XXXXXX";
static const struct workdir workdir = WORKDIR_INIT;

/* --- the directory of a case --- */

static void put(const char *name, struct str text)
{
	char *path = arena_strdup(&a, name), *slash = strrchr(path, '/');
	int fd;

	if (slash) {
		*slash = '\0';
		CHECK(io_make_dirs(path, 0700) == 0);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(fd >= 0 && io_write_all(fd, text.p, text.n) == 0);
	close(fd);
}

static void remove_all(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *sub = arena_printf(&a, "%s/%s", path, e->d_name);

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (unlink(sub)) {
			remove_all(sub);
			rmdir(sub);
		}
	}
	if (d)
		closedir(d);
}

/* Modules with local sources are where their sources say. */
static struct str find(void *data, struct cfg_call *call, struct diags *ds)
{
	struct str dir_ = call->module->dir, source = call->source;

	(void)data;
	(void)ds;
	if (call->source_kind != SOURCE_LOCAL)
		return STR_NONE;
	source = str_sub(source, 2, source.n); /* without ./ */
	return str_is(dir_, ".") ? source
				 : str_printf(&a, "%.*s/%.*s", STR_ARG(dir_),
					      STR_ARG(source));
}

static struct config *load(struct diags *ds)
{
	struct config_options o = { .dir = STR("."),
				    .workdir = &workdir,
				    .find = find };
	struct config *c = config_load(&a, &o, ds);

	if (!ds->errors)
		config_check_references(c, ds);
	return c;
}

/* --- through records and back --- */

static struct str written(const struct config *c)
{
	struct stream_out o;
	struct buf b = BUF_INIT;
	struct str s;
	int fd = open("stream", O_RDWR | O_CREAT | O_TRUNC, 0600);

	stream_out_init(&o, fd, true);
	stream_begin(&o, "tf-parse", NULL);
	config_write(&o, c);
	CHECK(stream_end(&o, false) == 0);
	stream_out_release(&o);
	lseek(fd, 0, SEEK_SET);
	io_read_fd(fd, &b, 0);
	close(fd);
	s = buf_dup(&a, &b);
	buf_release(&b);
	return s;
}

static int read_one(void *data, struct str kind, struct str line,
		    struct diags *ds)
{
	return config_read_record(data, kind, line, ds) < 0 ? -1 : 0;
}

static void check_round_trip(const char *name, const struct config *c)
{
	struct diags ds = DIAGS_INIT(&a);
	struct config *back = config_new(&a);
	struct str first = written(c), second;
	int fd = open("stream", O_RDONLY);
	struct stream_info info;

	CHECK_ROW(stream_read(&a, fd, &info, NULL, read_one, back, &ds) == 0,
		  name);
	close(fd);
	CHECK_ROW(config_finish(back, &ds) == 0, name);
	for (size_t i = 0; i < ds.len; i++)
		test_note("%s: %.*s: %.*s", name,
			  STR_ARG(ds.items[i].summary),
			  STR_ARG(ds.items[i].detail));
	CHECK_ROW(ds.len == 0, name);
	second = written(back);
	if (!str_eq(first, second)) {
		size_t i = 0;

		while (i < first.n && i < second.n && first.p[i] == second.p[i])
			i++;
		test_note("%s: written %.*s\n%s: again   %.*s", name,
			  (int)(first.n - i > 300 ? 300 : first.n - i),
			  first.p + i, name,
			  (int)(second.n - i > 300 ? 300 : second.n - i),
			  second.p + i);
	}
	CHECK_ROW(str_eq(first, second), name);
	config_check_references(back, &ds);
	CHECK_ROW(ds.errors == 0, name);
}

/* --- golden files --- */

static struct str diag_line(const struct diag *d)
{
	const char *sev = d->severity == SEV_ERROR ? "error" : "warning";
	struct range r = d->subject;

	if (!range_present(&r))
		return str_printf(&a, "%s -: %.*s\n", sev,
				  STR_ARG(d->summary));
	if (r.end.byte == r.start.byte) /* as reports show it */
		r.end.column++;
	return str_printf(&a, "%s %.*s:%u,%u-%u,%u: %.*s\n", sev,
			  STR_ARG(r.file), r.start.line, r.start.column,
			  r.end.line, r.end.column, STR_ARG(d->summary));
}

static void check_case(const char *name, struct str want)
{
	struct diags ds = DIAGS_INIT(&a);
	struct config *c = load(&ds);
	struct buf got = BUF_INIT;

	for (size_t i = 0; i < ds.len; i++)
		buf_str(&got, diag_line(&ds.items[i]));
	if (!str_eq(buf_view(&got), want))
		test_note("%s: got\n%.*s%s: want\n%.*s", name,
			  STR_ARG(buf_view(&got)), name, STR_ARG(want));
	CHECK_ROW(str_eq(buf_view(&got), want), name);
	if (!ds.errors)
		check_round_trip(name, c);
	buf_release(&got);
}

static void run_case(const char *name, struct str text)
{
	struct str want = STR("");

	remove_all(".");
	while (text.n) {
		ptrdiff_t eol = str_chr(text, '\n'), next;
		struct str title = str_sub(text, 3, (size_t)eol), part;

		text = str_sub(text, (size_t)eol + 1, text.n);
		next = str_starts(text, "== ")
			       ? 0
			       : str_find(text, STR("\n== ")) + 1;
		part = text;
		if (next || str_starts(text, "== "))
			part = str_sub(text, 0, (size_t)next);
		text = str_sub(text, part.n, text.n);
		if (str_is(title, "expect"))
			want = part;
		else
			put(arena_strndup(&a, title.p, title.n), part);
	}
	check_case(name, want);
}

static int by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

static void test_golden(const char *srcdir)
{
	char *path = arena_printf(&a, "%s/tests/golden/config", srcdir);
	DIR *d = opendir(path);
	VEC(char *) names = { 0 };
	struct dirent *e;

	CHECK(d != NULL);
	while (d && (e = readdir(d)))
		if (str_ends(str_c(e->d_name), ".txt"))
			vec_push(&a, &names, arena_strdup(&a, e->d_name));
	if (d)
		closedir(d);
	CHECK(names.len > 20);
	qsort(names.items, names.len, sizeof(*names.items), by_name);
	for (size_t i = 0; i < names.len; i++) {
		struct buf b = BUF_INIT;

		CHECK(!io_read_file(arena_printf(&a, "%s/%s", path,
						 names.items[i]), &b, 0));
		run_case(names.items[i], buf_dup(&a, &b));
		buf_release(&b);
	}
}

/* --- versions --- */

static void test_versions(void)
{
	static const struct {
		const char *constraint, *version;
		bool want;
	} rows[] = {
		{ ">= 1.0", "1.12.6", true },
		{ "~> 1.2", "1.9.0", true },
		{ "~> 1.2", "2.0.0", false },
		{ "~> 1.2.3", "1.2.9", true },
		{ "~> 1.2.3", "1.3.0", false },
		{ "~> 1", "5.0.0", true },
		{ ">= 1.0, < 2.0", "2.0.0", false },
		{ "!= 1.5.0", "1.5", false },
		{ "1.2", "1.2.0", true },
		{ "= v1.2", "1.2.0", true },
		{ "> 1.0", "1.1.0-beta", false },
		{ ">= 1.1.0-alpha", "1.1.0-beta", true },
		{ ">= 1.1.0-beta.2", "1.1.0-beta.10", true },
		{ "< 1.0.0", "1.0.0-rc1", false },
	};
	static const char *const bad[] = { "", "x", "1.", ">= ", "1.2,",
					   "=> 1", "1..2", "1.2 3" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct version_constraints c;
		struct version v;

		CHECK_ROW(version_constraints_parse(
				  &a, str_c(rows[i].constraint), &c),
			  rows[i].constraint);
		CHECK_ROW(version_parse(str_c(rows[i].version), &v),
			  rows[i].version);
		CHECK_ROW(version_allowed(&c, &v) == rows[i].want,
			  rows[i].constraint);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct version_constraints c;

		CHECK_ROW(!version_constraints_parse(&a, str_c(bad[i]), &c),
			  bad[i]);
	}
}

/* Another rule for pre-releases. */
static void test_provider_versions(void)
{
	static const struct {
		const char *constraint, *version;
		bool want;
	} rows[] = {
		{ ">= 2.0.0-beta1", "2.0.0-beta1", false },
		{ ">= 2.0.0-beta1", "2.0.0-beta2", false },
		{ ">= 2.0.0-beta1", "2.0.0", true },
		{ "~> 2.0.0-beta1", "2.0.0-beta2", false },
		{ "~> 2.0.0-beta1", "2.0.0", true },
		{ "~> 2.0.0-beta1", "2.1.0", false },
		{ "~> 2.1", "2.0.9", false },
		{ "~> 2.1", "2.9.0", true },
		{ "~> 2.1", "3.0.0", false },
		{ "2.0.0-beta1", "2.0.0-beta1", true },
		{ "2.0.0-beta1, >= 1.0", "2.0.0-beta1", true },
		{ "2.0.0-beta1, != 2.0.0-beta1", "2.0.0-beta1", false },
		{ "2.0.0-beta1, < 2.0.0-alpha", "2.0.0-beta1", false },
		{ "!= 1.0.0", "2.0.0-beta1", false },
		{ "1.0.0", "1.0.0+build", false },
		{ ">= 1.0.0", "1.0.0+build", true },
	};
	static const struct version_constraints none = { 0 };
	struct version v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct version_constraints c;

		CHECK_ROW(version_constraints_parse(
				  &a, str_c(rows[i].constraint), &c),
			  rows[i].constraint);
		CHECK_ROW(version_parse(str_c(rows[i].version), &v),
			  rows[i].version);
		CHECK_ROW(version_allowed_of_provider(&c, &v) == rows[i].want,
			  rows[i].constraint);
	}
	version_parse(STR("1.0.0-rc1"), &v);
	CHECK(!version_allowed_of_provider(&none, &v));
}

/* --- the list of installed modules --- */

static void test_manifest(void)
{
	struct diags ds = DIAGS_INIT(&a);
	struct map out = { 0 }, in = { 0 };
	struct installed root = { STR(""), STR(""), STR(""), STR(".") };
	struct installed m = { STR("a.b"), STR("./b<c"), STR("1.2.0"),
			       STR("x/b") };
	struct installed *got;

	remove_all(".");
	CHECK(manifest_read(&a, &workdir, &in, &ds) == 0 && in.len == 0);
	map_put(&a, &out, m.key, &m);
	map_put(&a, &out, root.key, &root);
	CHECK(manifest_write(&a, &workdir, &out, &ds) == 0);
	CHECK(manifest_read(&a, &workdir, &in, &ds) == 0 && in.len == 2);
	got = map_get(&in, STR("a.b"));
	CHECK(got != NULL);
	CHECK_STR(got->source, "./b<c");
	CHECK_STR(got->version, "1.2.0");
	CHECK_STR(got->dir, "x/b");
	put(".terraform/modules/modules.json", STR("{\"Modules\":[{}]}"));
	CHECK(manifest_read(&a, &workdir, &in, &ds) == -1);
	put(".terraform/modules/modules.json", STR("nonsense"));
	CHECK(manifest_read(&a, &workdir, &in, &ds) == -1);
	CHECK(ds.errors == 2);
}

/* --- which provider configuration serves what --- */

static struct str choice(const struct config *c, const char *module,
			 const char *resource)
{
	struct cfg_module *m = map_get(&c->modules, str_c(module));
	struct resource_addr r = { MODE_MANAGED, str_c(resource), STR("x") };
	struct cfg_resource *res = config_resource(m, &r);
	struct cfg_provider_choice ch;

	if (!res)
		return STR("no such resource");
	config_provider_choose(m, res->provider_ref, res->provider, &ch);
	return str_printf(&a, "%.*s%s%s",
			  STR_ARG(provider_config_text(&a, &ch.addr)),
			  ch.provider ? "" : " (implied)",
			  ch.key.root ? " [key]" : "");
}

static void test_provider_choice(void)
{
	struct diags ds = DIAGS_INIT(&a);
	struct config *c;

	remove_all(".");
	put("main.tf",
	    STR("terraform {\n required_providers {\n"
		"  p = { source = \"ex.com/a/p\" }\n }\n}\n"
		"provider \"p\" {\n x = 1\n}\n"
		"provider \"p\" {\n alias = \"w\"\n x = 2\n}\n"
		"provider \"q\" {\n alias = \"e\"\n for_each = { k = 1 }\n}\n"
		"resource \"p_a\" \"x\" {\n}\n"
		"resource \"p_b\" \"x\" {\n provider = p.w\n}\n"
		"resource \"q_a\" \"x\" {\n provider = q.e[\"k\"]\n}\n"
		"resource \"q_b\" \"x\" {\n}\n"
		"module \"m\" {\n source = \"./m\"\n"
		" providers = {\n  p.z = p.w\n  q = q.e[\"k\"]\n }\n}\n"));
	put("m/main.tf",
	    STR("terraform {\n required_providers {\n"
		"  p = {\n   source = \"ex.com/a/p\"\n"
		"   configuration_aliases = [p.z]\n  }\n"
		"  q = { source = \"hashicorp/q\" }\n }\n}\n"
		"resource \"p_a\" \"x\" {\n}\n"
		"resource \"p_b\" \"x\" {\n provider = p.z\n}\n"
		"resource \"q_a\" \"x\" {\n}\n"));
	c = load(&ds);
	CHECK(ds.errors == 0);
	CHECK_STR(choice(c, "", "p_a"), "provider[\"ex.com/a/p\"]");
	CHECK_STR(choice(c, "", "p_b"), "provider[\"ex.com/a/p\"].w");
	CHECK_STR(choice(c, "", "q_a"),
		  "provider[\"registry.opentofu.org/hashicorp/q\"].e [key]");
	CHECK_STR(choice(c, "", "q_b"),
		  "provider[\"registry.opentofu.org/hashicorp/q\"] (implied)");
	CHECK_STR(choice(c, "module.m", "p_a"), "provider[\"ex.com/a/p\"]");
	CHECK_STR(choice(c, "module.m", "p_b"), "provider[\"ex.com/a/p\"].w");
	CHECK_STR(choice(c, "module.m", "q_a"),
		  "provider[\"registry.opentofu.org/hashicorp/q\"].e [key]");
}

/* --- unreadable files --- */

static void test_unreadable(void)
{
	struct diags ds = DIAGS_INIT(&a);
	struct buf garbage = BUF_INIT;

	remove_all(".");
	load(&ds);
	CHECK(ds.len == 0); /* no files: an empty module */
	CHECK(mkfifo("pipe.tf", 0600) == 0);
	CHECK(symlink("nowhere", "broken.tf") == 0);
	CHECK(mkdir("dir.tf", 0700) == 0);
	load(&ds);
	CHECK(ds.errors == 2); /* a directory is not even looked at */
	for (size_t i = 0; i < ds.len; i++)
		CHECK_STR(ds.items[i].summary, "Failed to read file");
	remove_all(".");
	for (int i = 0; i < 100000; i++)
		buf_putc(&garbage, (char)(i * 7919 >> 3));
	put("x.tf", buf_view(&garbage));
	put("y.tf.json", buf_view(&garbage));
	ds = (struct diags)DIAGS_INIT(&a);
	load(&ds);
	CHECK(ds.errors > 0);
	buf_release(&garbage);
}

int main(int argc, char **argv)
{
	char *here = realpath(test_srcdir(), NULL);

	test_begin(argc, argv);
	CHECK(here && mkdtemp(dir) && chdir(dir) == 0);
	RUN(test_versions());
	RUN(test_provider_versions());
	RUN(test_manifest());
	RUN(test_provider_choice());
	RUN(test_unreadable());
	RUN(test_golden(here));
	remove_all(".");
	CHECK(chdir("/") == 0 && rmdir(dir) == 0);
	free(here);
	arena_release(&a);
	return test_done("config");
}
