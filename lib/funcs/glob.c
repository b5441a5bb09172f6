/*
 * glob.c - matching file names with patterns; see funcs_int.h
 */
#include "funcs/funcs_int.h"

enum { ALTERNATIVES_MAX = 4096 };

/* The length of the class at the start of s, 0 if it is malformed. */
static size_t class_length(struct str s)
{
	size_t i = 1;

	if (i < s.n && (s.p[i] == '^' || s.p[i] == '!'))
		i++;
	if (i >= s.n || s.p[i] == ']')
		return 0;
	for (; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == ']')
			return i + 1;
	}
	return 0;
}

bool glob_valid(struct str s)
{
	size_t depth = 0, n;

	for (size_t i = 0; i < s.n; i++) {
		switch (s.p[i]) {
		case '\\':
			if (++i >= s.n)
				return false;
			break;
		case '[':
			n = class_length(str_sub(s, i, s.n));
			if (n == 0)
				return false;
			i += n - 1;
			break;
		case '{':
			depth++;
			break;
		case '}':
			if (depth == 0)
				return false;
			depth--;
			break;
		default:
			break;
		}
	}
	return depth == 0;
}

/* The end of the alternative that begins at i: the comma or closing brace of
 * its level. */
static size_t alternative_end(struct str s, size_t i)
{
	size_t depth = 0;

	for (; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '{')
			depth++;
		else if (depth == 0 && (s.p[i] == ',' || s.p[i] == '}'))
			return i;
		else if (s.p[i] == '}')
			depth--;
	}
	return s.n;
}

/* Alternatives may begin in the middle of a class, as in {a,[b,c]}: what is
 * left of it is none any more. */
static size_t find_brace(struct str s)
{
	size_t i, class;

	for (i = 0; i < s.n && s.p[i] != '{'; i++) {
		class = s.p[i] == '[' ? class_length(str_sub(s, i, s.n)) : 0;
		if (class)
			i += class - 1;
		else if (s.p[i] == '\\')
			i++;
	}
	return i < s.n ? i : s.n;
}

/* The list is its own work queue: a pattern with alternatives is replaced by
 * those of its first group, which are looked at again. */
int glob_expand(struct arena *a, struct str pattern, struct glob_list *out)
{
	struct glob_list queue = { 0 };

	vec_push(a, &queue, pattern);
	for (size_t at = 0; at < queue.len; at++) {
		struct str s = queue.items[at];
		size_t open = find_brace(s), close = open, i;

		if (queue.len > ALTERNATIVES_MAX)
			return -1;
		if (open == s.n) {
			vec_push(a, out, s);
			continue;
		}
		do
			close = alternative_end(s, close + 1);
		while (close < s.n && s.p[close] == ',');
		for (i = open; i < close;) {
			size_t end = alternative_end(s, i + 1);

			vec_push(a, &queue,
				 str_printf(a, "%.*s%.*s%.*s",
					    STR_ARG(str_sub(s, 0, open)),
					    STR_ARG(str_sub(s, i + 1, end)),
					    STR_ARG(str_sub(s, close + 1,
							    s.n))));
			i = end;
		}
	}
	return 0;
}

bool glob_is_wild(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '*' || s.p[i] == '?' || s.p[i] == '[')
			return true;
		if (s.p[i] == '\\')
			i++;
	}
	return false;
}

struct str glob_plain(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n &&
		    strchr("*?[]{}", s.p[i + 1]))
			i++;
		out[n++] = s.p[i];
	}
	return (struct str){ out, n };
}

static size_t char_length(struct str s, size_t i)
{
	size_t n = utf8_len(s.p + i, s.n - i);

	return n ? n : 1;
}

/* The character at *i of a class, a backslash taken off; advances *i. */
static struct str class_char(struct str s, size_t *i)
{
	struct str ch;

	if (s.p[*i] == '\\' && *i + 1 < s.n)
		++*i;
	ch = str_sub(s, *i, *i + char_length(s, *i));
	*i += ch.n;
	return ch;
}

/* UTF-8 sorts bytewise as its code points do. */
static bool in_range(struct str low, struct str ch, struct str high)
{
	return str_cmp(low, ch) <= 0 && str_cmp(ch, high) <= 0;
}

static bool class_has(struct str class, struct str ch)
{
	bool negate = class.p[1] == '^' || class.p[1] == '!', found = false;
	size_t i = 1 + negate;

	while (i < class.n && class.p[i] != ']') {
		struct str low = class_char(class, &i), high = low;

		if (i + 1 < class.n && class.p[i] == '-' &&
		    class.p[i + 1] != ']') {
			i++;
			high = class_char(class, &i);
		}
		found |= in_range(low, ch, high);
	}
	return found != negate;
}

/* Does one pattern element at p match one character at n?  Advances both. */
static bool match_one(struct str pattern, size_t *p, struct str name, size_t *n)
{
	struct str ch = str_sub(name, *n, *n + char_length(name, *n)), want;
	size_t len;

	if (pattern.p[*p] == '?') {
		++*p;
	} else if (pattern.p[*p] == '[') {
		len = class_length(str_sub(pattern, *p, pattern.n));
		if (!class_has(str_sub(pattern, *p, *p + len), ch))
			return false;
		*p += len;
	} else {
		want = class_char(pattern, p);
		if (!str_eq(want, ch))
			return false;
	}
	*n += ch.n;
	return true;
}

/* After a mismatch the last * takes one character more. */
bool glob_match(struct str pattern, struct str name)
{
	size_t p = 0, n = 0, star = SIZE_MAX, star_n = 0;

	while (n < name.n) {
		size_t try_p = p;

		if (p < pattern.n && pattern.p[p] == '*') {
			star = ++p;
			star_n = n;
			continue;
		}
		if (p < pattern.n && match_one(pattern, &try_p, name, &n)) {
			p = try_p;
			continue;
		}
		if (star == SIZE_MAX)
			return false;
		star_n += char_length(name, star_n);
		n = star_n;
		p = star;
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}
