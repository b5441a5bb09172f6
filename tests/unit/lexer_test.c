/* lexer_test.c - tokens of native syntax */
#include "lang/syntax/lexer.h"
#include "test.h"

static const char *const names[] = {
	"EOF", "NL", "COMMENT", "ID", "NUM", "{", "}", "[", "]", "(", ")",
	"OQ", "CQ", "OH", "CH", "${", "%{", "SEQEND", "QLIT", "SLIT", "*",
	"/", "%", "+", "-", "=", "==", "!=", "<", "<=", ">", ">=", "&&", "||",
	"!", ".", ",", "::", "...", "=>", "?", ":", "&", "|", "~", "^", "'",
	"`", ";", "INVALID", "BAD", "QNL",
};

/* Each token as NAME:length. */
static const struct row {
	const char *src, *tokens;
	enum lex_mode mode;
} rows[] = {
	{ "", "", LEX_MAIN },
	{ "a-b _1 \xc3\xa9", "ID:3 ID:2 ID:2", LEX_MAIN },
	{ "1 1.5 1e3 1.5e-2 1.2.3 1. 1e", "NUM:1 NUM:3 NUM:3 NUM:6 NUM:5 "
	  "NUM:1 .:1 NUM:1 ID:1", LEX_MAIN },
	{ "1...", "NUM:1 ...:3", LEX_MAIN },
	{ "a.0.1", "ID:1 .:1 NUM:3", LEX_MAIN },
	{ "== != <= >= => && || :: ...", "==:2 !=:2 <=:2 >=:2 =>:2 &&:2 ||:2 "
	  ":::2 ...:3", LEX_MAIN },
	{ "& | ~ ^ ' ` ;", "&:1 |:1 ~:1 ^:1 ':1 `:1 ;:1", LEX_MAIN },
	{ "# c\n// d\r\n/* e\n */x", "COMMENT:4 COMMENT:6 COMMENT:8 ID:1",
	  LEX_MAIN },
	{ "/* open", "/:1 *:1 ID:4", LEX_MAIN },
	{ "a\r\nb\rc", "ID:1 NL:2 ID:1 INVALID:1 ID:1", LEX_MAIN },
	{ "\xef\xbb\xbf" "a", "ID:1", LEX_MAIN },
	{ "\xe2\x80\x9c", "INVALID:3", LEX_MAIN },
	{ "a\xff" "b", "ID:1 BAD:1 ID:1", LEX_MAIN },
	/* Unicode 9.0 is what counts: this letter came later. */
	{ "\xea\x9f\x80", "INVALID:3", LEX_MAIN },
	/* Quoted strings. */
	{ "\"ab\"", "OQ:1 QLIT:2 CQ:1", LEX_MAIN },
	{ "\"a\\\"b\"", "OQ:1 QLIT:4 CQ:1", LEX_MAIN },
	{ "\"$a$${b}%%{c\"", "OQ:1 QLIT:1 QLIT:1 QLIT:3 QLIT:2 QLIT:3 QLIT:1 "
	  "CQ:1", LEX_MAIN },
	{ "\"${a}%{~if b~}\"", "OQ:1 ${:2 ID:1 SEQEND:1 %{:3 ID:2 ID:1 "
	  "SEQEND:2 CQ:1", LEX_MAIN },
	{ "\"${\"${{}}\"}\"", "OQ:1 ${:2 OQ:1 ${:2 {:1 }:1 SEQEND:1 CQ:1 "
	  "SEQEND:1 CQ:1", LEX_MAIN },
	{ "\"a\n\nb\"", "OQ:1 QLIT:1 QNL:2 QLIT:1 CQ:1", LEX_MAIN },
	{ "\"a", "OQ:1 QLIT:1", LEX_MAIN },
	{ "\"\\", "OQ:1 INVALID:1", LEX_MAIN },
	/* Heredocs. */
	{ "<<E\na\n  E \nb", "OH:4 SLIT:2 CH:4 NL:1 ID:1", LEX_MAIN },
	{ "<<-E\r\na\r\nE\r\n", "OH:6 SLIT:3 CH:1 NL:2", LEX_MAIN },
	{ "<<E\n${a}E\nE\n", "OH:4 ${:2 ID:1 SEQEND:1 SLIT:2 CH:1 NL:1",
	  LEX_MAIN },
	{ "<<E\nE", "OH:4 SLIT:1", LEX_MAIN },
	{ "<< E\n", "<:1 <:1 ID:1 NL:1", LEX_MAIN },
	{ "~} }", "SEQEND:2 }:1", LEX_MAIN },
	/* Bare templates. */
	{ "a\n$b${c}$", "SLIT:2 SLIT:1 SLIT:1 ${:2 ID:1 SEQEND:1 SLIT:1",
	  LEX_BARE },
	{ "\"", "SLIT:1", LEX_BARE },
};

static struct span whole(struct str src)
{
	return (struct span){ 0, (uint32_t)src.n };
}

static void show_tokens(struct buf *b, struct str src, enum lex_mode mode)
{
	struct arena a = ARENA_INIT;
	struct lexer lx;
	struct token t;

	lexer_init(&lx, &a, src, whole(src), mode);
	for (;;) {
		lexer_next(&lx, &t);
		if (t.type == T_EOF)
			break;
		buf_addf(b, "%s%s:%u", b->len ? " " : "", names[t.type],
			 t.span.end - t.span.start);
	}
	arena_release(&a);
}

static void test_tokens(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf b = BUF_INIT;

		buf_puts(&b, "");
		show_tokens(&b, str_c(rows[i].src), rows[i].mode);
		CHECK_STR(buf_view(&b), rows[i].tokens);
		buf_release(&b);
	}
}

static void test_plain_string(void)
{
	static const struct {
		const char *src;
		bool plain;
	} cases[] = {
		{ "\"ab\" ", true },  { "\"\"", true },
		{ "\"a\\n\"", false }, { "\"$a\"", false },
		{ "\"a", false },      { "\"\xc3\xa9\"", true },
		{ "\"\xff\"", false }, { "\"a\nb\"", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena a = ARENA_INIT;
		struct span inside = { 0, 0 };
		struct lexer lx;
		struct token t;
		bool plain;

		lexer_init(&lx, &a, str_c(cases[i].src),
			   whole(str_c(cases[i].src)), LEX_MAIN);
		lexer_next(&lx, &t);
		plain = lexer_plain_string(&lx, &inside);
		CHECK_ROW(plain == cases[i].plain, cases[i].src);
		CHECK_ROW(!plain || cases[i].src[inside.end] == '"',
			  cases[i].src);
		lexer_next(&lx, &t);
		CHECK_ROW(!plain || t.type == T_EOF, cases[i].src);
		CHECK_ROW(plain || t.type != T_EOF, cases[i].src);
		arena_release(&a);
	}
}

/* Each unterminated comment opener must not look for the end again. */
static void test_hostile(void)
{
	size_t n = 1 << 20;
	struct buf b = BUF_INIT, out = BUF_INIT;
	struct arena a = ARENA_INIT;
	struct lexer lx;
	struct token t;
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		buf_puts(&b, i % 2 ? "/* " : "\"${");
	lexer_init(&lx, &a, buf_view(&b), whole(buf_view(&b)), LEX_MAIN);
	do {
		lexer_next(&lx, &t);
		count++;
	} while (t.type != T_EOF);
	CHECK(count > n);
	arena_release(&a);
	buf_release(&b);
	buf_release(&out);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_tokens());
	RUN(test_plain_string());
	RUN(test_hostile());
	return test_done("lexer");
}
