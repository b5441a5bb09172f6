/* xml.c - see xml.h */
#include <stdlib.h>
#include <string.h>

#include "remote/xml.h"

static const struct {
	const char *entity;
	char c;
} entities[] = { { "&amp;", '&' },
		 { "&lt;", '<' },
		 { "&gt;", '>' },
		 { "&quot;", '"' },
		 { "&apos;", '\'' } };

/* Decodes numeric references to one byte only: stores send other characters
 * unescaped. */
static struct str unescape(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	while (s.n) {
		size_t take = 1;

		out[n] = s.p[0];
		for (size_t i = 0; i < sizeof(entities) / sizeof(*entities);
		     i++)
			if (str_starts(s, entities[i].entity)) {
				out[n] = entities[i].c;
				take = strlen(entities[i].entity);
			}
		if (str_starts(s, "&#") && str_chr(s, ';') > 2) {
			const bool hex = s.p[2] == 'x';
			char *end;
			long c = strtol(s.p + 2 + hex, &end, hex ? 16 : 10);

			if (*end == ';' && c > 0 && c < 0x80) {
				out[n] = (char)c;
				take = (size_t)(end - s.p) + 1;
			}
		}
		n++;
		s = str_sub(s, take, s.n);
	}
	out[n] = '\0';
	return (struct str){ out, n };
}

struct str xml_element(struct arena *a, struct str *rest, const char *name)
{
	const struct str begin = str_printf(a, "<%s>", name);
	const struct str end = str_printf(a, "</%s>", name);
	ptrdiff_t at = str_find(*rest, begin), n;
	struct str s;

	if (at < 0)
		return STR_NONE;
	s = str_sub(*rest, (size_t)at + begin.n, rest->n);
	n = str_find(s, end);
	if (n < 0)
		return STR_NONE;
	*rest = str_sub(s, (size_t)n + end.n, s.n);
	s = str_sub(s, 0, (size_t)n);
	return unescape(a, s);
}

struct str xml_failure(struct arena *a, const struct fetch_answer *answer)
{
	struct str text = answer->body, code, words;

	if (answer->error.n)
		return answer->error;
	code = xml_element(a, &text, "Code");
	words = xml_element(a, &text, "Message");
	return host_text(a, str_printf(a, "bad response code: %d%s%.*s%s%.*s%s",
				       answer->status, code.n ? " (" : "",
				       STR_ARG(code), words.n ? ": " : "",
				       STR_ARG(words), code.n ? ")" : ""));
}
