/* parse_test.c - native syntax: trees, errors and where they point, limits */
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "show_expr.h"
#include "test.h"

enum entrance { EXPR, TEMPLATE, FILE_, TRAVERSAL };

/* tree: NULL to parse only (the trees of some tests are too high to show). */
static void parse_and_show(struct arena *a, enum entrance how, struct str text,
			   struct buf *tree, struct diags *ds)
{
	struct source *src = source_new(a, STR("t"), text);
	struct expression e = EXPRESSION_NONE;
	struct body *body;
	struct traversal t;

	if (tree)
		buf_puts(tree, "");
	switch (how) {
	case EXPR:
		e = parse_expression(a, src, ds);
		break;
	case TEMPLATE:
		e = parse_template(a, src, ds);
		break;
	case FILE_:
		body = parse_native(a, src, ds);
		if (tree)
			show_body(tree, body);
		return;
	case TRAVERSAL:
		if (!parse_traversal(a, src, &t, ds))
			show_traversal(tree, &t);
		return;
	}
	if (e.root && tree)
		show_expr(tree, e.root);
}

static const struct row {
	enum entrance how;
	const char *src, *want;
} trees[] = {
	/* operators */
	{ EXPR, "1+2*3-4", "(- (+ 1 (* 2 3)) 4)" },
	{ EXPR, "a||b&&c==d<e+f%g", "(|| a (&& b (== c (< d (+ e (% f g))))))" },
	{ EXPR, "1-2-3", "(- (- 1 2) 3)" },
	{ EXPR, "-a.b+!c", "(+ (neg a.b) (! c))" },
	{ EXPR, "- - 1", "(neg (neg 1))" },
	{ EXPR, "(1+2)*3", "(* (parens (+ 1 2)) 3)" },
	{ EXPR, "a ? b : c ? d : e", "(? a b (? c d e))" },
	{ EXPR, "a\n?\nb\n:\nc", "(? a b c)" },
	{ EXPR, "1.50", "1.5" },
	{ EXPR, "[true, false, null]", "(tuple true false null)" },
	/* traversals */
	{ EXPR, "a.b[0][\"c\"].0.d", "a.b[0][\"c\"][0].d" },
	{ EXPR, "a[b].c", "(get (index a b) .c)" },
	{ EXPR, "a[(0)]", "(index a (parens 0))" },
	{ EXPR, "a[-1]", "(index a (neg 1))" },
	{ EXPR, "a[null]", "a[null]" },
	{ EXPR, "f().a[0]", "(get (get (f) .a) [0])" },
	{ EXPR, "a.*.b.0.c", "(.* a (get (get (get _ .b) [0]) .c))" },
	{ EXPR, "a[*].b[c][*].d",
	  "([*] a ([*] (index (get _ .b) c) (get _ .d)))" },
	{ EXPR, "a.*.b[0]", "(get (.* a (get _ .b)) [0])" },
	{ EXPR, "a [ * ] . b", "([*] a (get _ .b))" },
	{ EXPR, "null.a", "(get null .a)" },
	/* calls */
	{ EXPR, "f(a, b...)", "(f... a b)" },
	{ EXPR, "f(\na,\n)", "(f a)" },
	{ EXPR, "core::f(1)", "(core::f 1)" },
	{ EXPR, "provider :: x::f()", "(provider::x::f)" },
	/* collections */
	{ EXPR, "{a=1,b:2\n\"c\"=3\n(d)=4,5=6}",
	  "(object a=1 b=2 \"c\"=3 (parens d)=4 5=6)" },
	{ EXPR, "{null=1}", "(object null=1)" },
	{ EXPR, "{a.b=1}", "(object a.b=1)" },
	{ EXPR, "{a=\n1}", "" },
	{ EXPR, "[for x in y : x]", "(for ,x y - x -)" },
	{ EXPR, "[\nfor x in y : x]", "(for ,x y - x -)" },
	{ EXPR, "{for k, v in y : k => v... if v}", "(for... k,v y k v v)" },
	{ EXPR, "{\nfor k, v in y : k => v}", "(for k,v y k v -)" },
	{ EXPR, "[for]", "" },
	{ EXPR, "[(for)]", "(tuple (parens for))" },
	/* strings */
	{ EXPR, "\"a\"", "\"a\"" },
	{ EXPR, "\"\"", "\"\"" },
	{ EXPR, "\"\\\"\\\\\\n\\u00e9\\U0001F600\"",
	  "\"\\\"\\\\\\n\xc3\xa9\xf0\x9f\x98\x80\"" },
	{ EXPR, "\"e\\u0301\"", "\"\xc3\xa9\"" },
	{ EXPR, "\"$${a}%%{b}$c%\"", "\"${a}%{b}$c%\"" },
	{ EXPR, "\"${a}\"", "(wrap a)" },
	{ EXPR, "\"a${b}c\"", "(template \"a\" b \"c\")" },
	{ EXPR, "\"${a}${b}\"", "(template a b)" },
	{ EXPR, "\"${\"${a}\"}\"", "(wrap (wrap a))" },
	{ EXPR, "\" ${~a~} b\"", "(template \"\" a \"b\")" },
	{ EXPR, "\"${\na\n}\"", "(wrap a)" },
	/* directives */
	{ EXPR, "\"%{if a}b%{else}c%{endif}\"", "(template (? a \"b\" \"c\"))" },
	{ EXPR, "\"%{if a}${b}%{endif}\"", "(template (? a (template b) \"\"))" },
	{ EXPR, "\"x%{for k,v in a}${v}%{endfor}\"",
	  "(template \"x\" (join k,v a - (template v) -))" },
	{ EXPR, "\"%{for v in a}%{if v}x%{endif}%{endfor}\"",
	  "(template (join ,v a - (template (? v \"x\" \"\")) -))" },
	{ EXPR, "\"a %{~ if b ~} c %{~ endif ~} d\"",
	  "(template \"a\" (? b \"c\" \"\") \"d\")" },
	/* heredocs */
	{ EXPR, "<<E\na\n b\nE\n", "\"a\\n b\\n\"" },
	{ EXPR, "<<E\nE\n", "\"\"" },
	{ EXPR, "<<E\n\\n$${x}\nE\n", "\"\\\\n${x}\\n\"" },
	{ EXPR, "<<E\n${a}\nE\n", "(template a \"\\n\")" },
	{ EXPR, "<<-E\n  a\n    b\n\n  c\n  E\n", "\"a\\n  b\\n\\nc\\n\"" },
	{ EXPR, "<<-E\n  a\n ${b}\n  E\n", "(template \" a\\n\" b \"\\n\")" },
	{ EXPR, "<<-E\n  ${a}\n   b\nE\n", "(template \"\" a \"\\n b\\n\")" },
	{ EXPR, "<<E\r\na\r\nE\r\n", "\"a\\r\\n\"" },
	{ EXPR, "[<<A\nx\nA\n, <<B\ny\nB\n]", "(tuple \"x\\n\" \"y\\n\")" },
	{ TEMPLATE, "a\"${b}\"\n$", "(template \"a\\\"\" b \"\\\"\\n$\")" },
	{ TEMPLATE, "${a}", "(wrap a)" },
	{ TEMPLATE, "", "\"\"" },
	{ TEMPLATE, "%{ for a in b ~}\n  ${a}\n%{ endfor ~}\n",
	  "(template (join ,a b - (template \"  \" a \"\\n\") -) \"\")" },
	/* bodies */
	{ FILE_, "a = 1\n\nb \"c\" d {\n e = 2\n f {}\n}\ng {h=3}",
	  "{ a=1 b \"c\" \"d\"{ e=2 f{}} g{ h=3}}" },
	{ FILE_, "# c\na = [ # d\n 1, /* e */ 2 ]\n// f",
	  "{ a=(tuple 1 2)}" },
	{ FILE_, "a = (\n1\n+\n2)\r\nb = 1", "{ a=(parens (+ 1 2)) b=1}" },
	{ FILE_, "b \"a\\\"$${x}\" {}", "{ b \"a\\\"${x}\"{}}" },
	{ FILE_, "\xef\xbb\xbf" "a = 1", "{ a=1}" },
	{ FILE_, "a = <<E\nx\nE\nb = 1", "{ a=\"x\\n\" b=1}" },
	/* references alone */
	{ TRAVERSAL, "a.b[0][\"c d\"].e", "a.b[0][\"c d\"].e" },
};

static void test_trees(void)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct buf b = BUF_INIT;

		parse_and_show(&a, trees[i].how, str_c(trees[i].src), &b, &ds);
		CHECK_STR(buf_view(&b), trees[i].want);
		CHECK_ROW(diags_failed(&ds) == !*trees[i].want, trees[i].src);
		buf_release(&b);
		arena_release(&a);
	}
}

static const struct row errors[] = {
	{ EXPR, "", "Missing expression 1:1-1:1" },
	{ EXPR, "1 +", "Missing expression 1:4-1:4" },
	{ EXPR, "1 + )", "Invalid expression 1:5-1:6" },
	{ EXPR, "a b", "Extra characters after expression 1:3-1:4" },
	{ EXPR, "a ? b", "Missing false expression in conditional 1:6-1:6" },
	{ EXPR, "(a", "Unbalanced parentheses 1:3-1:3" },
	{ EXPR, "1.2.3", "Invalid number literal 1:1-1:6" },
	{ EXPR, "a.", "Invalid attribute name 1:3-1:3" },
	{ EXPR, "a.0.1", "Invalid legacy index syntax 1:3-1:6" },
	{ EXPR, "a.*.*", "Nested splat expression not allowed 1:5-1:6" },
	{ EXPR, "a[0", "Missing close bracket on index 1:4-1:4" },
	{ EXPR, "a[*.b]", "Missing close bracket on splat index 1:6-1:7" },
	{ EXPR, "f(1", "Unterminated function call 1:1-1:3" },
	{ EXPR, "f(1 2)", "Missing argument separator 1:5-1:6" },
	{ EXPR, "f(a... b)", "Missing closing parenthesis 1:4-1:7" },
	{ EXPR, "a::", "Missing function name 1:4-1:4" },
	{ EXPR, "a::b", "Missing open parenthesis 1:5-1:5" },
	{ EXPR, "[1 2]", "Missing item separator 1:4-1:5" },
	{ EXPR, "[1,",
	  "Missing expression 1:4-1:4" },
	{ EXPR, "[1", "Unterminated tuple constructor expression 1:1-1:2" },
	{ EXPR, "{a=1 b=2}", "Missing attribute separator 1:6-1:7" },
	{ EXPR, "{a}", "Missing key/value separator 1:3-1:4" },
	{ EXPR, "{a,b}", "Missing attribute value 1:3-1:4" },
	{ EXPR, "{a=1", "Unterminated object constructor expression 1:1-1:2" },
	{ EXPR, "[for 1 in a: b]", "Invalid 'for' expression 1:6-1:7" },
	{ EXPR, "[for a of b: c]", "Invalid 'for' expression 1:8-1:10" },
	{ EXPR, "[for a in b: c => d]", "Invalid 'for' expression 1:14-1:15" },
	{ EXPR, "{for a in b: c}", "Invalid 'for' expression 1:14-1:15" },
	{ EXPR, "[for a in b: c...]", "Invalid 'for' expression 1:15-1:18" },
	{ EXPR, "\"\\q\"", "Invalid escape sequence 1:2-1:4" },
	{ EXPR, "\"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\\u12\"",
	  "Invalid escape sequence 1:3-1:7" },
	{ EXPR, "\"\\ud800\"", "Invalid escape sequence 1:2-1:8" },
	{ EXPR, "\"a", "Unterminated template string 1:3-1:3" },
	{ EXPR, "\"${a", "Unclosed template interpolation sequence 1:2-1:4" },
	{ EXPR, "\"${a b}\"",
	  "Extra characters after interpolation expression 1:6-1:7" },
	{ EXPR, "\"%{iff a}\"",
	  "Invalid template control keyword 1:4-1:7" },
	{ EXPR, "\"%{ 1 }\"", "Invalid template directive 1:5-1:6" },
	{ EXPR, "\"%{if a}b\"", "Unexpected end of template 1:10-1:11" },
	{ EXPR, "\"%{endif}\"", "Unexpected endif directive 1:2-1:10" },
	{ EXPR, "\"%{for a in b}%{else}%{endfor}\"",
	  "Unexpected else directive 1:15-1:22; "
	  "Unexpected endfor directive 1:22-1:31" },
	{ EXPR, "\"%{if a b}%{endif}\"",
	  "Extra characters in if marker 1:9-1:10" },
	{ EXPR, "a & b", "Unsupported operator 1:3-1:4; "
	  "Extra characters after expression 1:3-1:4" },
	{ EXPR, "'a'", "Invalid character 1:1-1:2; "
	  "Invalid expression 1:1-1:2" },
	{ FILE_, "a = \"x\ny\"\n", "Invalid multi-line string 1:7-2:1; "
	  "Unterminated template string 1:7-2:1" },
	{ FILE_, "a = \xff\n", "Invalid character encoding 1:5-1:6; "
	  "Invalid expression 1:5-1:6" },
	{ FILE_, "a = 1 b = 2\nc = 3", "Missing newline after argument "
	  "1:7-1:8" },
	{ FILE_, "a = 1,\nb = 2", "Unexpected comma after argument 1:6-1:7" },
	{ FILE_, "a = 1\na = 2", "Attribute redefined 2:1-2:2" },
	{ FILE_, "a", "Argument or block definition required 1:1-1:2" },
	{ FILE_, "\"a\" = 1", "Invalid argument name 1:1-1:2" },
	{ FILE_, "a {", "Unclosed configuration block 1:3-1:4" },
	{ FILE_, "a \"b\"\n{\n}", "Invalid block definition 1:6-2:1" },
	{ FILE_, "a b = 1", "Invalid block definition 1:5-1:6" },
	{ FILE_, "a \"${b}\" {}", "Invalid string literal 1:4-1:6" },
	{ FILE_, "a { b {} }", "Argument definition required 1:5-1:8" },
	{ FILE_, "a { b = 1\n}", "Invalid single-argument block definition "
	  "1:10-2:1" },
	{ FILE_, "a { b = 1, c = 2 }",
	  "Invalid single-argument block definition 1:10-1:11" },
	{ FILE_, "a {} b {}", "Missing newline after block definition "
	  "1:6-1:7" },
	{ FILE_, "a = <<E\nx\nE", "Unterminated template string 3:2-3:2" },
	/* one mistake, one message, and the rest is read */
	{ FILE_, "a = [1 2\nb = 3\n]\nc = 4\n",
	  "Missing item separator 1:8-1:9" },
	{ FILE_, "a {\n b = \n}\nc { d = 1 }\ne = f(\n",
	  "Invalid expression 2:6-3:1; "
	  "Unterminated function call 5:5-5:7" },
	{ TRAVERSAL, "1", "Variable name required 1:1-1:2" },
	{ TRAVERSAL, "a.1", "Attribute name required 1:3-1:4" },
	{ TRAVERSAL, "a[b]", "Index value required 1:3-1:4" },
	{ TRAVERSAL, "a[*]", "Attribute name required 1:3-1:4" },
	{ TRAVERSAL, "a[0", "Unclosed index brackets 1:4-1:4" },
	{ TRAVERSAL, "a b", "Invalid character 1:3-1:4" },
};

static void test_errors(void)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct buf b = BUF_INIT;

		parse_and_show(&a, errors[i].how, str_c(errors[i].src), NULL,
			       &ds);
		buf_puts(&b, "");
		show_diags(&b, &ds);
		CHECK_STR(buf_view(&b), errors[i].want);
		buf_release(&b);
		arena_release(&a);
	}
}

static void test_recovery(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct buf b = BUF_INIT;

	parse_and_show(&a, FILE_, STR("a {\n x = [1 2]\n y = 2\n}\n"
				      "b = 1 2\nc { d = 3 }\n"), &b, &ds);
	CHECK_STR(buf_view(&b), "{ b=1 a{ x=(tuple 1) y=2} c{ d=3}}");
	CHECK(ds.len == 1);
	buf_release(&b);
	arena_release(&a);
}

/* --- limits --- */

/* n times `open`, then n times `close`. */
static void nested(enum entrance how, const char *open, const char *middle,
		   const char *close, size_t n, const char *want)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct buf b = BUF_INIT, got = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_puts(&b, open);
	buf_puts(&b, middle);
	for (size_t i = 0; i < n; i++)
		buf_puts(&b, close);
	parse_and_show(&a, how, buf_view(&b), NULL, &ds);
	for (size_t i = 0; i < ds.len; i++)
		buf_addf(&got, "%s%.*s", i ? "; " : "",
			 STR_ARG(ds.items[i].summary));
	CHECK_STR(buf_view(&got), want);
	buf_release(&b);
	buf_release(&got);
	arena_release(&a);
}

static void test_depth(void)
{
	static const struct {
		enum entrance how;
		const char *open, *middle, *close;
	} cases[] = {
		{ EXPR, "[", "1", "]" },	{ EXPR, "(", "1", ")" },
		{ EXPR, "{a=", "1", "}" },	{ EXPR, "f(", "1", ")" },
		{ EXPR, "a[", "1", "]" },	{ EXPR, "-", "1", "" },
		{ EXPR, "!", "1", "" },		{ EXPR, "\"${", "1", "}\"" },
		{ EXPR, "a ? b : ", "1", "" },	{ EXPR, "a ? ", "1", ": b" },
		{ EXPR, "", "a", "[*]" },	{ EXPR, "", "f()", ".a" },
		{ EXPR, "", "a", "[b]" },
		{ EXPR, "[for a in ", "1", ": b]" },
		{ EXPR, "1 + (", "1", ")" },
		{ TEMPLATE, "%{if a}", "1", "%{endif}" },
		{ TEMPLATE, "%{for a in b}", "1", "%{endfor}" },
		{ TEMPLATE, "${<<E\n", "1", "\nE\n}" },
		{ FILE_, "a {\n", "b = 1\n", "}\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		nested(cases[i].how, cases[i].open, cases[i].middle,
		       cases[i].close, 300000, "Nesting too deep");
		nested(cases[i].how, cases[i].open, cases[i].middle,
		       cases[i].close, 200, "");
	}
	/* Long is not deep. */
	nested(EXPR, "a + ", "1", "", 300000, "");
	nested(EXPR, "a || b && ", "1", "", 300000, "");
	nested(EXPR, "", "a", ".b[0]", 300000, "");
	nested(TEMPLATE, "x${a}", "", "%{if b}c%{endif}", 100000, "");
}

/* A position in a line of a megabyte costs no more than another: with a
 * quadratic cost this takes minutes.  Errors come to an end. */
static void test_long_line(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct buf b = BUF_INIT;
	size_t n = LANG_MAX_ERRORS;
	const struct pos *at;

	for (size_t i = 0; i < 4 * n; i++)
		buf_puts(&b, "\xc3\xa9 \"01234567890123456789\" \x01");
	parse_and_show(&a, EXPR, buf_view(&b), NULL, &ds);
	CHECK(ds.len == n + 1);
	at = &ds.items[n - 2].subject.start;
	CHECK(at->line == 1 && at->byte % 27 == 26);
	CHECK(at->column == at->byte / 27 * 26 + 26);
	CHECK_STR(ds.items[n].summary, "Too many errors");
	buf_release(&b);
	arena_release(&a);
}

/* --- static readings --- */

static struct expression expr(struct arena *a, const char *text)
{
	struct diags ds = DIAGS_INIT(a);
	struct expression e =
		parse_expression(a, source_new(a, STR("t"), str_c(text)), &ds);

	CHECK_ROW(!diags_failed(&ds), text);
	return e;
}

static void test_variables(void)
{
	static const struct {
		const char *src, *vars, *calls;
	} rows[] = {
		{ "a.b + c[d.e][0]", "a.b c d.e", "" },
		{ "[for x in y : f(x, z)]", "y z", "f" },
		{ "{for k, v in a : k => [for v in v : w]}", "a w", "" },
		{ "\"${a}%{if b}${c}%{endif}%{for d in e}${d}%{endfor}\"",
		  "a b c e", "" },
		{ "{a = b, (c) = d, \"${e}\" = 1}", "b c d e", "" },
		{ "a[*].b[c] + d.*.e", "a c d", "" },
		{ "x::f(g(a), -b, !c ? d : (e))", "a b c d e", "x::f g" },
		{ "a + b + c + d", "a b c d", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct expression e = expr(&a, rows[i].src);
		struct traversal_vec vars = { 0 };
		struct call_vec calls = { 0 };
		struct buf b = BUF_INIT;

		expression_variables(&a, e, &vars);
		buf_puts(&b, "");
		for (size_t k = 0; k < vars.len; k++) {
			buf_puts(&b, k ? " " : "");
			show_traversal(&b, &vars.items[k].traversal);
		}
		CHECK_STR(buf_view(&b), rows[i].vars);
		buf_set_len(&b, 0);
		expression_calls(&a, e, &calls);
		for (size_t k = 0; k < calls.len; k++)
			buf_addf(&b, "%s%.*s", k ? " " : "",
				 STR_ARG(calls.items[k].name));
		CHECK_STR(buf_view(&b), rows[i].calls);
		buf_release(&b);
		arena_release(&a);
	}
}

static void test_static(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct traversal_ref ref;
	struct expression *items, *values;
	struct buf b = BUF_INIT;
	size_t n;

	CHECK(!expression_traversal(&a, expr(&a, "a.b[0]"), &ref, &ds));
	show_traversal(&b, &ref.traversal);
	CHECK_STR(buf_view(&b), "a.b[0]");
	CHECK(!expression_traversal(&a, expr(&a, "true.x"), &ref, &ds));
	CHECK_STR(ref.traversal.root, "true");
	CHECK(ref.traversal.nsteps == 1);
	CHECK(expression_traversal(&a, expr(&a, "a[b]"), &ref, &ds));
	CHECK(expression_traversal(&a, expr(&a, "\"a\""), &ref, &ds));
	CHECK(expression_traversal(&a, expr(&a, "(a)"), &ref, &ds));
	CHECK_STR(ds.items[0].summary, "Invalid expression");
	CHECK(!expression_rel_traversal(&a, expr(&a, "a.b"), &ref, &ds));
	CHECK(ref.traversal.root.n == 0 && ref.traversal.nsteps == 2);
	CHECK_STR(ref.traversal.steps[0].name, "a");
	CHECK_STR(expression_keyword(expr(&a, "all")), "all");
	CHECK_STR(expression_keyword(expr(&a, "null")), "null");
	CHECK(!expression_keyword(expr(&a, "a.b")).p);
	CHECK(!expression_keyword(expr(&a, "\"a\"")).p);
	CHECK(!expression_list(&a, expr(&a, "[a, b]"), &items, &n, &ds));
	CHECK(n == 2);
	CHECK_STR(expression_text(items[1]), "b");
	CHECK(expression_list(&a, expr(&a, "{}"), &items, &n, &ds));
	CHECK(!expression_map(&a, expr(&a, "{a = b.c}"), &items, &values, &n,
			      &ds));
	CHECK(n == 1);
	CHECK_STR(expression_keyword(items[0]), "a");
	CHECK_STR(expression_text(values[0]), "b.c");
	CHECK(expression_map(&a, expr(&a, "[]"), &items, &values, &n, &ds));
	buf_release(&b);
	arena_release(&a);
}

static void test_starts(void)
{
	static const struct {
		const char *src, *start;
	} rows[] = {
		{ "\"ab\"", "ab" },	 { "[1, 2]", "[" },
		{ "{a = 1}", "{" },	 { "f(1) + 2", "f(" },
		{ "-a", "-" },		 { "(a ? b : c)", "a" },
		{ "a[b]", "[" },	 { "a.*.b", ".*" },
		{ "[for a in b : a]", "[" }, { "\"a${b}\"", "a" },
		{ "<<E\nx\ny\nE\n", "x\ny\n" }, { "a.b", "a.b" },
		{ "<<E\n\"x\"${y}\nE\n", "\"x\"" },
		{ "\"${\"a\"}b\"", "a" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct expression e = expr(&a, rows[i].src);
		struct span s = expression_start(e);

		CHECK_STR(str_sub(e.src->text, s.start, s.end), rows[i].start);
		arena_release(&a);
	}
}

/* An expression that travels as text is read again as it was. */
static void test_fragment(void)
{
	static const char *const texts[] = {
		"<<E\na\n  E", "<<E\nE", "[<<E\na\nE\n]", "<<-E\n a\n b${c}\nE",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct str file = str_printf(&a, "x = %s\ny = 1\n", texts[i]);
		struct body *b = parse_native(
			&a, source_new(&a, STR("t"), file), &ds);
		struct expression e, again;
		struct buf first = BUF_INIT, second = BUF_INIT;

		CHECK_ROW(b->attrs.len == 2, texts[i]);
		e = b->attrs.items[0].expr;
		CHECK_STR(expression_text(e), texts[i]);
		again = parse_expression(
			&a, source_fragment(&a, STR("t"), str_c(texts[i]),
					    source_pos(e.src,
						       e.root->span.start)),
			&ds);
		show_expr(&first, e.root);
		CHECK_ROW(again.root && !diags_failed(&ds), texts[i]);
		if (again.root)
			show_expr(&second, again.root);
		CHECK_STR(buf_view(&second), first.p);
		buf_release(&first);
		buf_release(&second);
		arena_release(&a);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_fragment());
	RUN(test_trees());
	RUN(test_errors());
	RUN(test_recovery());
	RUN(test_depth());
	RUN(test_long_line());
	RUN(test_variables());
	RUN(test_static());
	RUN(test_starts());
	return test_done("parse");
}
