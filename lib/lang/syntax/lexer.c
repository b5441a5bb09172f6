/*
 * lexer.c - tokens of expressions and bodies; see lexer.h
 *
 * One look at a table says what may begin at a byte; longest match wins, as in
 * the language's own definition.
 */
#include "lang/syntax/syntax_int.h"

enum {
	K_BAD, /* starts nothing: invalid */
	K_ID,  /* letter or underscore */
	K_DIGIT,
	K_SELF,  /* a token of its own */
	K_MULTI, /* may go on: see lex_operator */
	K_HIGH,  /* not ASCII */
};

static const uint8_t kind_of[256] = {
	['a' ... 'z'] = K_ID,    ['A' ... 'Z'] = K_ID,     ['_'] = K_ID,
	['0' ... '9'] = K_DIGIT, ['['] = K_SELF,           [']'] = K_SELF,
	['('] = K_SELF,          [')'] = K_SELF,           [','] = K_SELF,
	['*'] = K_SELF,          ['%'] = K_SELF,           ['+'] = K_SELF,
	['-'] = K_SELF,          ['?'] = K_SELF,           ['\n'] = K_SELF,
	['^'] = K_SELF,          [';'] = K_SELF,           ['`'] = K_SELF,
	['\''] = K_SELF,         ['.'] = K_MULTI,          ['/'] = K_MULTI,
	['='] = K_MULTI,         ['<'] = K_MULTI,          ['>'] = K_MULTI,
	['!'] = K_MULTI,         [':'] = K_MULTI,          ['&'] = K_MULTI,
	['|'] = K_MULTI,         ['~'] = K_MULTI,          ['{'] = K_MULTI,
	['}'] = K_MULTI,         ['"'] = K_MULTI,          ['#'] = K_MULTI,
	['\r'] = K_MULTI,        [0x80 ... 0xff] = K_HIGH,
};

static const uint8_t self_token[256] = {
	['['] = T_OBRACK,    [']'] = T_CBRACK,   ['('] = T_OPAREN,
	[')'] = T_CPAREN,    [','] = T_COMMA,    ['*'] = T_STAR,
	['%'] = T_PERCENT,   ['+'] = T_PLUS,     ['-'] = T_MINUS,
	['?'] = T_QUESTION,  ['\n'] = T_NEWLINE, ['^'] = T_BIT_XOR,
	[';'] = T_SEMICOLON, ['`'] = T_BACKTICK, ['\''] = T_APOSTROPHE,
	['.'] = T_DOT,       ['/'] = T_SLASH,    ['='] = T_EQUAL,
	['<'] = T_LT,        ['>'] = T_GT,       ['!'] = T_BANG,
	[':'] = T_COLON,     ['&'] = T_BIT_AND,  ['|'] = T_BIT_OR,
	['~'] = T_BIT_NOT,   ['\r'] = T_INVALID,
};

/* Bytes that go on an identifier. */
static const bool id_more[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['_'] = true,
	['0' ... '9'] = true, ['-'] = true,
};

void lexer_init(struct lexer *lx, struct arena *a, struct str text,
		struct span part, enum lex_mode mode)
{
	lx->text = text.p;
	lx->len = part.end;
	lx->pos = part.start;
	/* A byte order mark is no part of the text. */
	if (part.start == 0 && part.end >= 3 &&
	    memcmp(text.p, "\xef\xbb\xbf", 3) == 0)
		lx->pos = 3;
	lx->arena = a;
	lx->fragment = false;
	lx->frames = lx->few;
	lx->cap = sizeof(lx->few) / sizeof(*lx->few);
	lx->depth = 0;
	lx->no_comment_end = lx->len;
	lexer_push(lx, mode);
}

void lexer_stop(struct lexer *lx)
{
	lx->pos = lx->len;
	lx->depth = 1;
}

void lexer_push(struct lexer *lx, enum lex_mode mode)
{
	if (lx->depth == lx->cap) {
		struct lex_frame *more =
			ARENA_ARRAY(lx->arena, struct lex_frame, lx->cap * 2);

		memcpy(more, lx->frames, lx->cap * sizeof(*more));
		lx->frames = more;
		lx->cap *= 2;
	}
	lx->frames[lx->depth++] =
		(struct lex_frame){ .mode = (uint8_t)mode, .line_start = true };
}

/* Length of the identifier at the position, 0 if there is none. */
static uint32_t lexer_ident_len(const struct lexer *lx, uint32_t pos)
{
	const unsigned char *s = (const unsigned char *)lx->text;
	uint32_t p = pos;

	while (p < lx->len) {
		size_t n;

		if (s[p] < 0x80) {
			if (p == pos ? kind_of[s[p]] != K_ID : !id_more[s[p]])
				break;
			p++;
			continue;
		}
		n = ident_char(lx->text + p, lx->len - p, p == pos);
		if (!n)
			break;
		p += (uint32_t)n;
	}
	return p - pos;
}

/*
 * number = digit { digit | "." | ("e"|"E") ["+"|"-"] digit }, not ending in
 * ".": too much on purpose, so that 1.2.3 is one bad number.
 */
static uint32_t number_end(const struct lexer *lx, uint32_t pos)
{
	const char *s = lx->text;
	uint32_t p = pos + 1, good = p;

	for (;;) {
		uint32_t q = p;

		while (p < lx->len && s[p] >= '0' && s[p] <= '9')
			p++;
		if (p != q)
			good = p;
		if (p >= lx->len)
			break;
		if (s[p] == '.') {
			p++;
			continue;
		}
		if (s[p] != 'e' && s[p] != 'E')
			break;
		q = p + 1;
		if (q < lx->len && (s[q] == '+' || s[q] == '-'))
			q++;
		if (q >= lx->len || s[q] < '0' || s[q] > '9')
			break;
		p = good = q + 1;
	}
	return good;
}

static uint32_t line_comment_end(const struct lexer *lx, uint32_t pos)
{
	const char *nl = memchr(lx->text + pos, '\n', lx->len - pos);

	return nl ? (uint32_t)(nl - lx->text) + 1 : lx->len;
}

/* The end of the comment that opens at pos; 0 if it is unterminated.  Remembers
 * that, so that many openers do not each search for an end. */
static uint32_t block_comment_end(struct lexer *lx, uint32_t pos)
{
	uint32_t p = pos + 2;

	while (p < lx->no_comment_end) {
		const char *star =
			memchr(lx->text + p, '*', lx->no_comment_end - p);

		if (!star)
			break;
		p = (uint32_t)(star - lx->text) + 1;
		if (p < lx->len && lx->text[p] == '/')
			return p + 1;
	}
	if (pos + 2 < lx->no_comment_end)
		lx->no_comment_end = pos + 2;
	return 0;
}

/* heredoc = "<<" ["-"] identifier newline; 0 if it is none. */
static uint32_t heredoc_open(struct lexer *lx, uint32_t pos)
{
	uint32_t name = pos + 2, end, n;

	if (name < lx->len && lx->text[name] == '-')
		name++;
	n = lexer_ident_len(lx, name);
	if (!n)
		return 0;
	end = name + n;
	if (end < lx->len && lx->text[end] == '\r')
		end++;
	if (end >= lx->len || lx->text[end] != '\n')
		return 0;
	lexer_push(lx, LEX_HEREDOC);
	lexer_top(lx)->marker = (struct span){ name, name + n };
	return end + 1;
}

static enum tok close_brace(struct lexer *lx, bool trim)
{
	struct lex_frame *f = lexer_top(lx);

	if (lx->depth > 1 && f->braces == 0) {
		lx->depth--;
		return T_SEQ_END;
	}
	/* One too many at the outermost level changes nothing. */
	if (f->braces)
		f->braces--;
	return trim ? T_SEQ_END : T_CBRACE;
}

/* The two-byte tokens that are just their bytes. */
static enum tok pair_token(char a, char b)
{
	switch (a) {
	case '=':
		return b == '=' ? T_EQ : b == '>' ? T_FAT_ARROW : T_EOF;
	case '!':
		return b == '=' ? T_NE : T_EOF;
	case '<':
		return b == '=' ? T_LE : T_EOF;
	case '>':
		return b == '=' ? T_GE : T_EOF;
	case '&':
		return b == '&' ? T_AND : T_EOF;
	case '|':
		return b == '|' ? T_OR : T_EOF;
	case ':':
		return b == ':' ? T_DCOLON : T_EOF;
	case '\r':
		return b == '\n' ? T_NEWLINE : T_EOF;
	}
	return T_EOF;
}

/* Bytes that may begin something longer; *end is set past the token. */
static enum tok lex_operator(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	const char *s = lx->text;
	char c = s[pos], d = pos + 1 < lx->len ? s[pos + 1] : '\0';
	enum tok pair = pair_token(c, d);
	uint32_t e;

	*end = pos + 1;
	switch (c) {
	case '{':
		lexer_top(lx)->braces++;
		return T_OBRACE;
	case '}':
		return close_brace(lx, false);
	case '"':
		lexer_push(lx, LEX_STRING);
		return T_OQUOTE;
	case '#':
		*end = line_comment_end(lx, pos);
		return T_COMMENT;
	case '~':
		if (d != '}')
			return T_BIT_NOT;
		*end = pos + 2;
		return close_brace(lx, true);
	case '/':
		e = d == '/'   ? line_comment_end(lx, pos)
		    : d == '*' ? block_comment_end(lx, pos)
			       : 0;
		if (!e)
			return T_SLASH;
		*end = e;
		return T_COMMENT;
	case '.':
		if (d != '.' || pos + 2 >= lx->len || s[pos + 2] != '.')
			return T_DOT;
		*end = pos + 3;
		return T_ELLIPSIS;
	case '<':
		if (d == '<' && (e = heredoc_open(lx, pos))) {
			*end = e;
			return T_OHEREDOC;
		}
		break;
	}
	if (pair == T_EOF)
		return self_token[(unsigned char)c];
	*end = pos + 2;
	return pair;
}

static enum tok lex_high(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	uint32_t n = lexer_ident_len(lx, pos);

	if (n) {
		*end = pos + n;
		return T_IDENT;
	}
	n = (uint32_t)utf8_len(lx->text + pos, lx->len - pos);
	*end = pos + (n ? n : 1);
	return n ? T_INVALID : T_BAD_UTF8;
}

static enum tok lex_main(struct lexer *lx, uint32_t pos, uint32_t *end)
{
	const unsigned char *s = (const unsigned char *)lx->text;
	uint32_t p = pos;

	switch (kind_of[s[pos]]) {
	case K_ID:
		do
			p++;
		while (p < lx->len && id_more[s[p]]);
		if (p < lx->len && s[p] >= 0x80)
			p = pos + lexer_ident_len(lx, pos);
		*end = p;
		return T_IDENT;
	case K_DIGIT:
		*end = number_end(lx, pos);
		return T_NUMBER;
	case K_SELF:
		*end = pos + 1;
		return self_token[s[pos]];
	case K_MULTI:
		return lex_operator(lx, pos, end);
	case K_HIGH:
		return lex_high(lx, pos, end);
	}
	*end = pos + 1;
	return T_INVALID;
}

void lexer_next(struct lexer *lx, struct token *t)
{
	uint32_t p = lx->pos;

	if (lexer_top(lx)->mode != LEX_MAIN) {
		lexer_template(lx, t);
		return;
	}
	while (p < lx->len && (lx->text[p] == ' ' || lx->text[p] == '\t'))
		p++;
	t->span.start = p;
	t->span.end = p;
	if (p >= lx->len)
		t->type = T_EOF;
	else
		t->type = lex_main(lx, p, &t->span.end);
	lx->pos = t->span.end;
}
