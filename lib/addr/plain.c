/*
 * plain.c - addresses as most are: t_t.n, data.t_t.n, with a key in which
 * nothing is escaped
 *
 * Streams and states hold one in every record, and the parser takes as long for
 * it as all the rest of a record does.
 */
#include "addr/addr.h"

bool addr_split_key(struct str text, struct str *resource, struct inst_key *key)
{
	struct str k;
	const char *open;

	*resource = text;
	*key = KEY_ABSENT;
	if (!text.n || text.p[text.n - 1] != ']')
		return text.n != 0;
	open = memrchr(text.p, '[', text.n);
	if (!open)
		return false;
	resource->n = (size_t)(open - text.p);
	k = str_sub(text, resource->n + 1, text.n - 1);
	if (k.n >= 2 && k.p[0] == '"' && k.p[k.n - 1] == '"') {
		key->kind = KEY_STRING;
		key->s = str_sub(k, 1, k.n - 1);
		for (size_t i = 0; i < key->s.n; i++)
			if (strchr("\"\\$%", key->s.p[i]))
				return false;
		return true;
	}
	if (k.n == 0 || k.n > 18 || (k.n > 1 && k.p[0] == '0'))
		return false;
	key->kind = KEY_INT;
	for (size_t i = 0; i < k.n; i++) {
		if (k.p[i] < '0' || k.p[i] > '9')
			return false;
		key->i = key->i * 10 + (k.p[i] - '0');
	}
	return true;
}

/* The identifier at the beginning of text; empty: none, or not of ASCII. */
static struct str identifier(struct str text)
{
	size_t n = 0;

	for (; n < text.n; n++) {
		char c = text.p[n];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      c == '_' || (n && ((c >= '0' && c <= '9') || c == '-'))))
			break;
	}
	return str_sub(text, 0, n);
}

/* Others may be normalised. */
static bool is_ascii(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < ' ' || s.p[i] > '~')
			return false;
	return true;
}

/* Roots with a meaning of their own (module, each, …) have no underscore. */
bool instance_addr_plain(struct str text, struct instance_addr *out)
{
	struct instance_addr x = { .resource.mode = MODE_MANAGED };
	struct str rest;

	if (!addr_split_key(text, &rest, &x.key) ||
	    (x.key.kind == KEY_STRING && !is_ascii(x.key.s)))
		return false;
	if (str_starts(rest, "data.")) {
		x.resource.mode = MODE_DATA;
		rest = str_sub(rest, 5, rest.n);
	}
	x.resource.type = identifier(rest);
	if (str_chr(x.resource.type, '_') < 0 ||
	    x.resource.type.n + 1 >= rest.n || rest.p[x.resource.type.n] != '.')
		return false;
	rest = str_sub(rest, x.resource.type.n + 1, rest.n);
	x.resource.name = identifier(rest);
	if (x.resource.name.n != rest.n)
		return false;
	*out = x;
	return true;
}
