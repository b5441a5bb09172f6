/* visible.c - see visible.h */
#include "base/visible.h"

/* Which colour a letter behind PAINT_MARK is. */
static const char *paint_code(char letter)
{
	static const struct {
		char letter;
		const char *code;
	} paints[] = {
		{ '0', "0" },  { '1', "1" },  { '2', "2" },
		{ '4', "4" },  { 'r', "31" }, { 'g', "32" },
		{ 'y', "33" }, { 'c', "36" }, { 'k', "90" },
	};

	for (size_t i = 0; i < sizeof(paints) / sizeof(*paints); i++)
		if (paints[i].letter == letter)
			return paints[i].code;
	return NULL;
}

/* C1 and what embeds, overrides or isolates a direction. */
static bool is_hidden(uint32_t rune)
{
	return (rune >= 0x80 && rune < 0xa0) ||
	       (rune >= 0x202a && rune <= 0x202e) ||
	       (rune >= 0x2066 && rune <= 0x2069);
}

/* Compilers map these to the machine's vector instructions. */
typedef signed char bytes16 __attribute__((vector_size(16)));
typedef uint64_t words16 __attribute__((vector_size(16)));

static bool plain16(const char *p)
{
	bytes16 v;
	words16 odd;

	memcpy(&v, p, sizeof(v));
	odd = (words16)((v < 0x20) | (v == 0x7f)); /* others are below zero */
	return !(odd[0] | odd[1]);
}

/* The end of printed ASCII from i on. */
static size_t printed_upto(struct str s, size_t i)
{
	while (s.n - i >= 16 && plain16(s.p + i))
		i += 16;
	while (i < s.n && s.p[i] >= 0x20 && s.p[i] < 0x7f)
		i++;
	return i;
}

/* How many bytes at the beginning of s are shown as they are. */
static size_t plain_upto(struct str s, bool line)
{
	size_t i = 0, n;

	while ((i = printed_upto(s, i)) < s.n) {
		const unsigned char c = (unsigned char)s.p[i];

		if (c < 0x80) {
			if (line || (c != '\n' && c != '\t'))
				break;
			i++;
			continue;
		}
		n = utf8_len(s.p + i, s.n - i);
		/* All that are hidden begin with one of two bytes. */
		if (!n || ((c == 0xc2 || c == 0xe2) &&
			   is_hidden(utf8_rune(s.p + i, n))))
			break;
		i += n;
	}
	return i;
}

/* Shows the character at the beginning of s and returns its length. */
static size_t put_shown(struct buf *out, struct str s)
{
	const unsigned char c = (unsigned char)s.p[0];
	const size_t n = utf8_len(s.p, s.n);

	if (!n)
		buf_addf(out, "\\x%02x", c);
	else if (c < 0x80)
		buf_addf(out, "\xe2\x90%c", c == 0x7f ? 0xa1 : 0x80 + c);
	else
		buf_addf(out, "\\u%04x", utf8_rune(s.p, n));
	return n ? n : 1;
}

static void put(struct buf *out, struct str s, bool painted, bool line)
{
	while (s.n) {
		const char *code;
		size_t n = plain_upto(s, line);

		buf_add(out, s.p, n);
		s = str_sub(s, n, s.n);
		if (!s.n)
			return;
		code = painted && s.n > 1 && *s.p == PAINT_MARK
			       ? paint_code(s.p[1])
			       : NULL;
		if (code)
			buf_addf(out, "\033[%sm", code);
		n = code ? 2 : put_shown(out, s);
		s = str_sub(s, n, s.n);
	}
}

void visible_put(struct buf *out, struct str text, bool painted)
{
	put(out, text, painted, false);
}

void visible_line(struct buf *out, struct str text)
{
	put(out, text, false, true);
}

static struct str shown(struct arena *a, struct str text, bool line)
{
	struct buf b = BUF_INIT;

	if (plain_upto(text, line) == text.n)
		return text;
	put(&b, text, false, line);
	return buf_take(a, &b);
}

struct str visible_text(struct arena *a, struct str text)
{
	return shown(a, text, false);
}

struct str visible_word(struct arena *a, struct str text)
{
	return shown(a, text, true);
}
