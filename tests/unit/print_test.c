/*
 * print_test.c - what was printed is what was parsed
 *
 *	print_test [FILE|DIRECTORY ...]
 *
 * Of every .tf and .tofu file that has no syntax error, the tree must be the
 * same after it went through text made from the tree, through the formatter
 * (which must also leave its own text alone), and through records.  Without
 * arguments: the files that the project has itself.
 */
#include <ftw.h>
#include <stdlib.h>

#include "base/io.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/format/format.h"
#include "print_tree.h"
#include "show_expr.h"
#include "stream/record.h"
#include "test.h"

static size_t files, bytes, with_errors;

/* The tree of a text; NULL if it has errors. */
static const struct body *tree(struct arena *a, struct str text, struct buf *b)
{
	struct diags ds = DIAGS_INIT(a);
	struct source *src = source_new(a, STR("t.tf"), text);
	struct body *body = parse_native(a, src, &ds);

	if (diags_failed(&ds))
		return NULL;
	show_body(b, body);
	return body;
}

static void printed(struct arena *a, const struct body *body, struct str want,
		    const char *name)
{
	struct buf text = BUF_INIT, again = BUF_INIT;

	print_body(&text, body);
	CHECK_ROW(tree(a, buf_dup(a, &text), &again), name);
	CHECK_ROW(str_eq(buf_view(&again), want), name);
	buf_release(&text);
	buf_release(&again);
}

static void formatted(struct arena *a, struct str text, struct str want,
		      const char *name)
{
	struct diags ds = DIAGS_INIT(a);
	struct buf one = BUF_INIT, two = BUF_INIT, again = BUF_INIT;

	CHECK_ROW(!format_source(source_new(a, STR("t.tf"), text), &one, &ds),
		  name);
	text = buf_dup(a, &one);
	CHECK_ROW(!format_source(source_new(a, STR("t.tf"), text), &two, &ds),
		  name);
	CHECK_ROW(str_eq(buf_view(&one), buf_view(&two)), name);
	CHECK_ROW(tree(a, text, &again) && str_eq(buf_view(&again), want),
		  name);
	buf_release(&one);
	buf_release(&two);
	buf_release(&again);
}

/* Constants travel as values, so it is the record that must be the same. */
static void recorded(struct arena *a, const struct body *body,
		     const char *name)
{
	struct diags ds = DIAGS_INIT(a);
	struct record_reader in = { .arena = a, .ds = &ds };
	struct buf text = BUF_INIT, again = BUF_INIT;
	struct jw w = JW_INIT(&text);
	struct json_error err;
	const struct json *j;
	struct body *back = NULL;

	record_body(&w, body);
	j = json_parse(a, buf_view(&text), &err);
	CHECK_ROW(j && !record_body_read(&in, j, &back), name);
	w = (struct jw)JW_INIT(&again);
	if (back)
		record_body(&w, back);
	CHECK_ROW(str_eq(buf_view(&again), buf_view(&text)), name);
	buf_release(&text);
	buf_release(&again);
}

static void look_at(struct str text, const char *name)
{
	struct arena a = ARENA_INIT;
	struct buf want = BUF_INIT;
	const struct body *body = tree(&a, text, &want);

	files++;
	bytes += text.n;
	if (body) {
		printed(&a, body, buf_view(&want), name);
		formatted(&a, text, buf_view(&want), name);
		recorded(&a, body, name);
	} else {
		test_note("not parsed: %s", name);
		with_errors++;
	}
	buf_release(&want);
	arena_release(&a);
}

static int visit(const char *path, const struct stat *st, int kind,
		 struct FTW *at)
{
	struct str name = str_c(path);
	struct buf text = BUF_INIT;

	(void)st;
	if (kind == FTW_F && (at->level == 0 || str_ends(name, ".tf") ||
			      str_ends(name, ".tofu"))) {
		CHECK_ROW(io_read_file(path, &text, SIZE_MAX) == 0, path);
		look_at(buf_view(&text), path);
	}
	buf_release(&text);
	return 0;
}

/* Texts that are hard to print and parse again. */
static const char *const rows[] = {
	"a = \"$${x} %%{y} \\u0024{z} $ % $$ ${\"$\"}${a}\"\n",
	"a = \"%{if x}%{else}b%{endif}\"\n",
	"a = \"%{for k, v in x~} ${k}%{if v}y%{endif}%{endfor}\"\n",
	"a = <<E\n%{for k in x~}\n ${k}%{if v}y%{endif}\n%{endfor}\nE\n",
	"a = <<-E\n  x ${y ~}\n   z\\n\n  E\n",
	"a = - -1 + !b[\"c\"].*.d[*].e[f.g][0].1\n",
	"a = {(b) = c, d = e, \"f${g}\" = h, 1 = [for x in y : [x]]}\n",
	"a = {for k, v in x : k => v... if v != null}\nb \"c\" d { e = f(g...) }\n",
	"a = provider::b::c(\"\\\"\\\\\\t\\u00e9\\U0001F600\", 1e400, 0.1)\n",
	"a = x ? \"${y}\" : (z ? 1 : 2) == 3 && 4 > 5 || 6 % 7 <= 8\n",
};

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		look_at(str_c(rows[i]), rows[i]);
}

static void test_files(const char *below)
{
	nftw(below, visit, 32, FTW_PHYS);
	test_note("%zu files of %zu bytes, %zu with syntax errors", files,
		  bytes, with_errors);
}

/* Arguments name files and directories to use instead of the project's. */
int main(int argc, char **argv)
{
	char own[4096];

	snprintf(own, sizeof(own), "%s/tests", test_srcdir());
	RUN(test_rows());
	if (argc == 1)
		RUN(test_files(own));
	for (int i = 1; i < argc; i++)
		RUN(test_files(argv[i]));
	return test_done("print");
}
