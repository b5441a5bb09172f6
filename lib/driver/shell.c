/* shell.c - words as a shell reads and writes them (see driver_int.h) */
#include <string.h>

#include "driver/driver_int.h"

void shell_quote(struct buf *out, struct str word)
{
	buf_putc(out, '\'');
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, word.p[i]);
	}
	buf_putc(out, '\'');
}

struct splitter {
	struct arena *a;
	struct str_vec *out;
	struct buf word;
	bool any;    /* a word has begun, empty or not */
	char quote;  /* ' or " that is open; 0 */
	char nested; /* ` or ), within which nothing splits; 0 */
};

static void end_word(struct splitter *s)
{
	if (s->any)
		vec_push(s->a, s->out, buf_dup(s->a, &s->word));
	buf_set_len(&s->word, 0);
	s->any = false;
}

static void add(struct splitter *s, char c)
{
	buf_putc(&s->word, c);
	s->any = true;
}

/* $( and ` are text to us, but what belongs together stays together. */
static bool nests(struct splitter *s, char c)
{
	bool dollar = s->word.len && s->word.p[s->word.len - 1] == '$';

	if (s->nested) {
		if (c == s->nested)
			s->nested = 0;
		return true;
	}
	if (c == '`')
		s->nested = '`';
	else if (c == '(' && dollar)
		s->nested = ')';
	return s->nested != 0;
}

/* Outside of quotes. */
static const char *take_plain(struct splitter *s, char c)
{
	if (nests(s, c)) {
		add(s, c);
		return NULL;
	}
	if (c == '\'' || c == '"') {
		s->quote = c;
		s->any = true;
	} else if (strchr(" \t\r\n", c)) {
		end_word(s);
	} else if (strchr(";&|<>()", c)) {
		return arena_printf(s->a, "'%c' has to be quoted", c);
	} else {
		add(s, c);
	}
	return NULL;
}

const char *shell_split(struct arena *a, struct str text, struct str_vec *out)
{
	struct splitter s = { .a = a, .out = out, .word = BUF_INIT };
	const char *wrong = NULL;
	size_t i;

	for (i = 0; i < text.n && !wrong; i++) {
		char c = text.p[i];

		if (c == '\\' && s.quote != '\'') {
			if (++i < text.n)
				add(&s, text.p[i]);
			else
				wrong = "it ends with a backslash";
		} else if (!s.quote) {
			wrong = take_plain(&s, c);
		} else if (c == s.quote) {
			s.quote = 0;
		} else {
			add(&s, c);
		}
	}
	if (!wrong && (s.quote || s.nested))
		wrong = arena_printf(a, "a %c is not closed",
				     s.quote ? s.quote : s.nested);
	end_word(&s);
	buf_release(&s.word);
	return wrong;
}
