/*
 * lexer_tmpl.c - tokens inside of strings, heredocs and bare templates
 *
 * How literal text is cut into tokens shows: "~" trims only the token beside
 * it.  A "$" or "%" that opens nothing is a token of its own, "$${" and "%%{"
 * are too (with the "~" that may follow), other text goes on as far as it can,
 * in heredocs and bare templates to the end of the line.
 */
#include "lang/syntax/syntax_int.h"

/* Text bytes that go on a literal without a second look. */
static const bool plain_quoted[256] = {
	[0 ... '\n' - 1] = true,       ['\n' + 1 ... '\r' - 1] = true,
	['\r' + 1 ... '"' - 1] = true, ['#'] = true,
	['&' ... '\\' - 1] = true,     ['\\' + 1 ... 0x7f] = true,
};

static bool at(const struct lexer *lx, uint32_t p, char c)
{
	return p < lx->len && lx->text[p] == c;
}

bool lexer_plain_string(struct lexer *lx, struct span *inside)
{
	const unsigned char *s = (const unsigned char *)lx->text;
	uint32_t p = lx->pos;

	for (;;) {
		size_t n;

		while (p < lx->len && plain_quoted[s[p]])
			p++;
		if (p >= lx->len)
			return false;
		if (s[p] == '"')
			break;
		n = s[p] < 0x80 ? 0 : utf8_len(lx->text + p, lx->len - p);
		if (!n)
			return false;
		p += (uint32_t)n;
	}
	*inside = (struct span){ lx->pos, p };
	lx->pos = p + 1;
	lx->depth--; /* the string's frame */
	return true;
}

/* End of the run of quoted text at p (p itself if there is none). */
static uint32_t quoted_run(const struct lexer *lx, uint32_t p)
{
	const unsigned char *s = (const unsigned char *)lx->text;

	while (p < lx->len) {
		uint32_t q = p;
		size_t n;

		if (plain_quoted[s[p]]) {
			p++;
			continue;
		}
		if (s[p] == '\\') /* takes any character along */
			q++;
		else if (s[p] < 0x80)
			break;
		if (q >= lx->len || s[q] == '\n' || s[q] == '\r')
			break;
		n = utf8_len(lx->text + q, lx->len - q);
		if (!n)
			break;
		p = q + (uint32_t)n;
	}
	return p;
}

/* End of the run of heredoc text at p: up to "$", "%", a line end or a byte
 * that is not text. */
static uint32_t line_run(const struct lexer *lx, uint32_t p)
{
	const unsigned char *s = (const unsigned char *)lx->text;

	while (p < lx->len) {
		size_t n = 1;

		if (s[p] >= 0x80)
			n = utf8_len(lx->text + p, lx->len - p);
		else if (s[p] == '$' || s[p] == '%' || s[p] == '\n' ||
			 s[p] == '\r')
			break;
		if (!n)
			break;
		p += (uint32_t)n;
	}
	return p;
}

/* Length of the line end at p, or 0. */
static uint32_t newline_len(const struct lexer *lx, uint32_t p)
{
	if (at(lx, p, '\n'))
		return 1;
	return at(lx, p, '\r') && at(lx, p + 1, '\n') ? 2 : 0;
}

/*
 * "$" or "%" at pos: a sequence opens, or it is an escape, or just itself.
 * T_EOF: at the very end of the text.
 */
static enum tok lex_marker(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	char c = lx->text[pos];
	enum tok opens = c == '$' ? T_INTERP : T_CONTROL;

	*end = pos + 1;
	if (pos + 1 >= lx->len)
		return T_EOF;
	if (at(lx, pos + 1, '{')) {
		*end = at(lx, pos + 2, '~') ? pos + 3 : pos + 2;
		lexer_top(lx)->line_start = false;
		lexer_push(lx, LEX_MAIN);
		return opens;
	}
	if (at(lx, pos + 1, c) && at(lx, pos + 2, '{'))
		*end = at(lx, pos + 3, '~') ? pos + 4 : pos + 3;
	else if (lexer_top(lx)->mode != LEX_STRING && newline_len(lx, pos + 2))
		*end = pos + 2; /* a quirk, but "~" shows it */
	return T_STRING_LIT;
}

static enum tok lex_quoted(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	const unsigned char *s = (const unsigned char *)lx->text;
	uint32_t p = pos;
	enum tok t;
	size_t n;

	switch (s[pos]) {
	case '"':
		*end = pos + 1;
		lx->depth--;
		return T_CQUOTE;
	case '\n':
	case '\r':
		while (p < lx->len && (s[p] == '\n' || s[p] == '\r'))
			p++;
		*end = p;
		return T_QUOTED_NEWLINE;
	case '$':
	case '%':
		t = lex_marker(lx, pos, end);
		return t == T_STRING_LIT ? T_QUOTED_LIT
		       : t == T_EOF      ? T_INVALID
					 : t;
	}
	*end = quoted_run(lx, pos);
	if (*end != pos)
		return T_QUOTED_LIT;
	n = utf8_len(lx->text + pos, lx->len - pos); /* 1: a backslash */
	*end = pos + (n ? (uint32_t)n : 1);
	return n ? T_INVALID : T_BAD_UTF8;
}

/* Is the line of text [pos, end) the closing marker of the heredoc? */
static bool closes_heredoc(const struct lexer *lx, const struct lex_frame *f,
			   uint32_t pos, uint32_t end)
{
	struct str line = { lx->text + pos, end - pos };

	line = text_trim_right(text_trim_left(line));
	return str_eq(line, (struct str){ lx->text + f->marker.start,
					  f->marker.end - f->marker.start });
}

static enum tok lex_heredoc(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	struct lex_frame *f = lexer_top(lx);
	char c = lx->text[pos];
	uint32_t text = pos, nl;
	enum tok t;

	if (c == '$' || c == '%') {
		t = lex_marker(lx, pos, &text);
		*end = text;
		if (t != T_STRING_LIT) /* f may have moved */
			return t == T_EOF ? T_INVALID : t;
		if (text <= pos + 2) {
			f->line_start = false;
			return t;
		}
	} else {
		text = line_run(lx, pos);
	}
	nl = newline_len(lx, text);
	if ((nl || (lx->fragment && text == lx->len)) && f->line_start &&
	    closes_heredoc(lx, f, pos, text)) {
		*end = text;
		lx->depth--;
		return T_CHEREDOC;
	}
	*end = text + nl;
	if (*end != pos) {
		f->line_start = nl != 0;
		return T_STRING_LIT;
	}
	*end = c == '\r' ? lx->len : pos + 1; /* "\r": no way on from here */
	return c == '\r' ? T_INVALID : T_BAD_UTF8;
}

static enum tok lex_bare(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	char c = lx->text[pos];
	enum tok t;

	if (c == '$' || c == '%') {
		t = lex_marker(lx, pos, end);
		if (t != T_STRING_LIT || *end <= pos + 2)
			return t == T_EOF ? T_STRING_LIT : t;
	} else {
		*end = line_run(lx, pos);
	}
	*end += newline_len(lx, *end);
	if (*end != pos)
		return T_STRING_LIT;
	*end = c == '\r' ? lx->len : pos + 1;
	return c == '\r' ? T_STRING_LIT : T_BAD_UTF8;
}

void lexer_template(struct lexer *lx, struct token *t)
{
	t->span.start = lx->pos;
	t->span.end = lx->pos;
	if (lx->pos >= lx->len) {
		t->type = T_EOF;
		return;
	}
	switch (lexer_top(lx)->mode) {
	case LEX_STRING:
		t->type = lex_quoted(lx, lx->pos, &t->span.end);
		break;
	case LEX_HEREDOC:
		t->type = lex_heredoc(lx, lx->pos, &t->span.end);
		break;
	default:
		t->type = lex_bare(lx, lx->pos, &t->span.end);
		break;
	}
	lx->pos = t->span.end;
}
