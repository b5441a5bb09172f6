/*
 * format_test.c - the canonical layout
 *
 * A table of what becomes what; then generated texts, whose formatting must
 * mean the same and be stable.
 */
#include "lang/format/format.h"
#include "show_expr.h"
#include "test.h"

static const struct {
	const char *src, *want; /* want NULL: the same */
} rows[] = {
	{ "", "" },
	{ "a=1\nbcd  =   2\n", "a   = 1\nbcd = 2\n" },
	{ "a=1\n\nbcd=2\n", "a = 1\n\nbcd = 2\n" },
	{ "a=1 # x\nbcd=22// y\n", "a   = 1  # x\nbcd = 22 // y\n" },
	{ "a=1 /* x */\n", "a = 1 /* x */\n" },
	{ "b \"x\"   y{\na=1\n}\n", "b \"x\" \"y\" {\n  a = 1\n}\n" },
	{ "b{}\nc { }\nd {a=1}\n", "b {}\nc {}\nd { a = 1 }\n" },
	{ "  # c\nb {\n# d\n}\n", "# c\nb {\n  # d\n}\n" },
	{ "a = [\n1,\n2,\n]\n", "a = [\n  1,\n  2,\n]\n" },
	{ "a = [1,2 , 3]\nb=f( x ,y... )\n",
	  "a = [1, 2, 3]\nb = f(x, y...)\n" },
	{ "a={b=1,c : 2}\n", "a = { b = 1, c : 2 }\n" },
	{ "a = {\nb=1\nccc=2\n}\n", "a = {\n  b   = 1\n  ccc = 2\n}\n" },
	{ "a=-b - -1\nc=!d\ne=f ?g:h\n",
	  "a = -b - -1\nc = !d\ne = f ? g : h\n" },
	{ "a=b [0] . c[ \"d\" ]\n", "a = b[0].c[\"d\"]\n" },
	{ "a=[for x in[b]:x]\n", "a = [for x in [b] : x]\n" },
	{ "a=core :: f (1)\n", "a = core::f(1)\n" },
	{ "a=\"x${  b  }y%{if c}z%{  endif}\"\n",
	  "a = \"x${b}y%{if c}z%{endif}\"\n" },
	{ "a=\"${ {b=1} }\"\n", "a = { b = 1 }\n" },
	{ "a=\"x${ {b=1} }\"\n", "a = \"x${ { b = 1 } }\"\n" },
	{ "a=<<E\n  x ${  b }\n E\nc=1\n",
	  "a = <<E\n  x ${b}\n E\nc = 1\n" },
	{ "a   =  1   ", "a = 1   " },
	{ "\xef\xbb\xbf" "a=1\n", "a = 1\n" },
	{ "a=1\r\n\tb=2\r\n", "a = 1\r\nb = 2\r\n" },
	{ "a=\"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\" #x\nbb=1 #y\n",
	  "a  = \"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\" #x\n"
	  "bb = 1   #y\n" },
	/* unwrapping */
	{ "a = \"${b}\"\n", "a = b\n" },
	{ "a = \"${~ b ~}\"\n", "a = b\n" },
	{ "a = \"${b}${c}\"\n", NULL },
	{ "a = \"${\"${b}\"}\"\n", "a = \"${b}\"\n" },
	{ "a = [\"${b}\"]\n", NULL },
	{ "a = \"${\n  b ?\n  c : d\n}\"\n", "a = (b ?\nc : d)\n" },
	{ "a = \"${\n  f(\n  c)\n}\"\n", "a = (f(\nc))\n" },
	{ "a = \"${\n  (\n  c)\n}\"\n", "a = (\nc)\n" },
	/* old types */
	{ "variable \"x\" {\n  type = \"list\"\n}\n",
	  "variable \"x\" {\n  type = list(string)\n}\n" },
	{ "variable \"x\" {\n  type = map\n}\n",
	  "variable \"x\" {\n  type = map(any)\n}\n" },
	{ "variable \"x\" {\n  type = \"string\"\n}\n",
	  "variable \"x\" {\n  type = string\n}\n" },
	{ "variable \"x\" {\n  type = \"number\"\n}\n", NULL },
	{ "output \"x\" {\n  type = list\n}\n", NULL },
	{ "a {\n  variable \"x\" {\n    type = list\n  }\n}\n", NULL },
	/* labels */
	{ "a /* 1 */ b /* 2 */ \"c\" /* 3 */ {\n}\n",
	  "a \"b\" \"c\" /* 3 */ {\n}\n" },
	{ "a \"\\u00e9\\t\\\"\" {\n}\n", "a \"\xc3\xa9\\t\\\"\" {\n}\n" },
	{ "a \"\\u200b\" {\n}\n", NULL },
	{ "a \"x$y\" {\n}\n", NULL },
	{ "a = b[true]\n", NULL },
};

static void format(const char *what, struct str text, struct buf *out)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct source *src = source_new(&a, STR("t"), text);

	buf_puts(out, "");
	CHECK_ROW(!format_source(src, out, &ds), what);
	arena_release(&a);
}

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf b = BUF_INIT;

		format(rows[i].src, str_c(rows[i].src), &b);
		CHECK_STR(buf_view(&b),
			  rows[i].want ? rows[i].want : rows[i].src);
		buf_release(&b);
	}
}

static void test_errors(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct buf b = BUF_INIT;

	CHECK(format_source(source_new(&a, STR("t"), STR("a = [\n")), &b,
			    &ds));
	CHECK(b.len == 0 && ds.errors == 1);
	arena_release(&a);
}

/* --- generated texts --- */

struct generator {
	uint64_t state;
	struct buf out;
	int depth;
};

static unsigned pick(struct generator *g, unsigned n)
{
	g->state = g->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(g->state >> 33) % n;
}

/* Space that means nothing here; newlines: where they mean nothing either. */
static void space(struct generator *g, bool newlines)
{
	static const char *const some[] = {
		"", "", "", " ", " ", "  ", "\t", "/* c */",
		"\n", " \n ", "# d\n", "\r\n",
	};

	buf_puts(&g->out, some[pick(g, newlines ? 12 : 8)]);
}

static void gap(struct generator *g, bool newlines)
{
	buf_putc(&g->out, ' ');
	space(g, newlines);
}

static void gen_expr(struct generator *g, bool nl);

static void gen_name(struct generator *g)
{
	static const char *const names[] = { "a", "b-c", "_d", "\xc3\xa9",
					     "foo", "x1", "in", "for_" };

	buf_puts(&g->out, names[pick(g, 8)]);
}

static void gen_string(struct generator *g)
{
	static const char *const texts[] = {
		"x", " ", "\\n", "$", "$${", "%", "\xf0\x9f\x98\x80", "\\\"",
		"{", "//", "#",
	};
	unsigned n = pick(g, 4);

	buf_putc(&g->out, '"');
	buf_puts(&g->out, "t"); /* so that it is never just a sequence */
	for (unsigned i = 0; i < n; i++) {
		switch (pick(g, 5)) {
		case 0:
			buf_puts(&g->out, pick(g, 3) ? "${" : "${~");
			gap(g, true);
			gen_expr(g, true);
			gap(g, true);
			buf_puts(&g->out, pick(g, 3) ? "}" : "~}");
			break;
		case 1:
			buf_puts(&g->out, "%{ if ");
			gen_expr(g, true);
			buf_puts(&g->out, " }y%{ else }z%{ endif }");
			break;
		default:
			buf_puts(&g->out, texts[pick(g, 11)]);
			buf_putc(&g->out, 'u');
			break;
		}
	}
	buf_putc(&g->out, '"');
}

static void gen_binary(struct generator *g, bool nl)
{
	static const char *const ops[] = { "+", "-", "*", "/", "%", "==", "!=",
					   "<", ">=", "&&", "||" };

	gen_expr(g, nl);
	gap(g, nl);
	buf_puts(&g->out, ops[pick(g, 11)]);
	gap(g, nl);
	gen_expr(g, nl);
}

static void gen_items(struct generator *g)
{
	unsigned n = pick(g, 4);

	space(g, true);
	for (unsigned i = 0; i < n; i++) {
		gen_expr(g, true);
		space(g, true);
		if (i + 1 < n || pick(g, 2))
			buf_putc(&g->out, ',');
		space(g, true);
	}
}

static void gen_object(struct generator *g)
{
	unsigned n = pick(g, 4);

	buf_putc(&g->out, '{');
	for (unsigned i = 0; i < n; i++) {
		if (pick(g, 2))
			buf_puts(&g->out, pick(g, 3) ? "\n" : " # c\n");
		space(g, false);
		if (pick(g, 3)) {
			gen_name(g);
		} else {
			buf_putc(&g->out, '(');
			gen_expr(g, true);
			buf_putc(&g->out, ')');
		}
		space(g, false);
		buf_putc(&g->out, pick(g, 4) ? '=' : ':');
		space(g, false);
		gen_expr(g, false);
		space(g, false);
		buf_puts(&g->out, pick(g, 2) ? "\n" : ",");
	}
	space(g, false);
	buf_putc(&g->out, '}');
}

static void gen_for(struct generator *g)
{
	bool object = pick(g, 2);

	buf_puts(&g->out, object ? "{" : "[");
	space(g, true);
	buf_puts(&g->out, "for ");
	gen_name(g);
	if (pick(g, 2)) {
		buf_puts(&g->out, ",");
		gen_name(g);
	}
	buf_puts(&g->out, " in ");
	gen_expr(g, true);
	buf_puts(&g->out, " :");
	space(g, true);
	gen_expr(g, true);
	if (object) {
		buf_puts(&g->out, " => ");
		gen_expr(g, true);
		if (pick(g, 2))
			buf_puts(&g->out, "...");
	}
	if (pick(g, 2)) {
		buf_puts(&g->out, " if ");
		gen_expr(g, true);
	}
	space(g, true);
	buf_puts(&g->out, object ? "}" : "]");
}

static void gen_steps(struct generator *g, bool nl)
{
	static const char *const steps[] = { ".a", "[0]", "[ \"k\" ]", "[*]",
					     ".*", ".0", ". b", "[x . y]" };
	unsigned n = pick(g, 4);

	gen_name(g);
	for (unsigned i = 0; i < n; i++) {
		unsigned s = pick(g, 8);

		space(g, nl);
		buf_puts(&g->out, steps[s]);
		if (s == 4) /* nothing but attributes may follow */
			break;
		if (s == 5)
			buf_puts(&g->out, ".z");
	}
}

static void gen_heredoc(struct generator *g)
{
	buf_puts(&g->out, pick(g, 2) ? "<<E\n" : "<<-E\n");
	for (unsigned i = pick(g, 3); i; i--) {
		buf_puts(&g->out, pick(g, 2) ? "  text " : " \t");
		buf_puts(&g->out, "${ ");
		gen_expr(g, true);
		buf_puts(&g->out, pick(g, 2) ? "}x\n" : " ~}\n");
	}
	buf_puts(&g->out, "  E\n");
}

static void gen_expr(struct generator *g, bool nl)
{
	static const char *const leaves[] = { "1", "2.50", "true", "null",
					      "\"s\"", "1e3" };

	if (++g->depth > 6) {
		buf_puts(&g->out, leaves[pick(g, 6)]);
		g->depth--;
		return;
	}
	switch (pick(g, 12)) {
	case 0:
		gen_binary(g, nl);
		break;
	case 1:
		buf_puts(&g->out, pick(g, 2) ? "-" : "!");
		gen_steps(g, nl);
		break;
	case 2:
		buf_putc(&g->out, '(');
		space(g, true);
		gen_expr(g, true);
		space(g, true);
		buf_putc(&g->out, ')');
		break;
	case 3:
		buf_puts(&g->out, pick(g, 2) ? "f(" : "core::g(");
		gen_items(g);
		buf_putc(&g->out, ')');
		break;
	case 4:
		buf_putc(&g->out, '[');
		gen_items(g);
		buf_putc(&g->out, ']');
		break;
	case 5:
		gen_object(g);
		break;
	case 6:
		gen_for(g);
		break;
	case 7:
		gen_string(g);
		break;
	case 8:
		gen_expr(g, nl);
		buf_puts(&g->out, " ? ");
		gen_expr(g, nl);
		buf_puts(&g->out, " : ");
		gen_expr(g, nl);
		break;
	case 9:
		gen_steps(g, nl);
		break;
	case 10:
		if (nl) {
			gen_heredoc(g);
			break;
		}
		__attribute__((fallthrough));
	default:
		buf_puts(&g->out, leaves[pick(g, 6)]);
		break;
	}
	g->depth--;
}

static void gen_body(struct generator *g, int depth)
{
	for (unsigned i = pick(g, 6); i; i--) {
		space(g, false);
		if (pick(g, 3) || depth > 3) {
			buf_addf(&g->out, "a%u", pick(g, 1u << 30));
			space(g, false);
			buf_putc(&g->out, '=');
			space(g, false);
			gen_expr(g, false);
		} else {
			gen_name(g);
			buf_puts(&g->out, pick(g, 2) ? " \"l$1\"" : " lab ");
			space(g, false);
			buf_puts(&g->out, "{\n");
			gen_body(g, depth + 1);
			buf_puts(&g->out, "}");
		}
		space(g, false);
		buf_puts(&g->out, pick(g, 4) ? "\n" : " # end\n\n");
	}
}

static void tree_of(const char *what, struct str text, struct buf *out)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct body *b = parse_native(&a, source_new(&a, STR("t"), text), &ds);

	if (diags_failed(&ds))
		show_diags(out, &ds);
	else
		show_body(out, b);
	CHECK_ROW(!diags_failed(&ds), what);
	arena_release(&a);
}

/* Formatting keeps the tree, and does nothing the second time. */
static void test_generated(void)
{
	struct generator g = { .state = 1 };

	for (int i = 0; i < 3000; i++) {
		struct buf once = BUF_INIT, twice = BUF_INIT;
		struct buf before = BUF_INIT, after = BUF_INIT;

		buf_set_len(&g.out, 0);
		buf_puts(&g.out, "");
		gen_body(&g, 0);
		format(g.out.p, buf_view(&g.out), &once);
		tree_of(g.out.p, buf_view(&g.out), &before);
		tree_of(once.p, buf_view(&once), &after);
		CHECK_STR(buf_view(&after), before.p);
		format(once.p, buf_view(&once), &twice);
		CHECK_STR(buf_view(&twice), once.p);
		buf_release(&once);
		buf_release(&twice);
		buf_release(&before);
		buf_release(&after);
	}
	buf_release(&g.out);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_table());
	RUN(test_errors());
	RUN(test_generated());
	return test_done("format");
}
