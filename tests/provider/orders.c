/* orders.c - the text of orders */
#include <ctype.h>

#include "orders.h"
#include "value/number.h"

static const struct {
	const char *name;
	enum operation op;
} operations[] = {
	{ "set", OP_SET },
	{ "retype", OP_RETYPE },
	{ "null", OP_NULL },
	{ "unknown", OP_UNKNOWN },
	{ "refined", OP_REFINED },
	{ "prior", OP_PRIOR },
	{ "config", OP_CONFIG },
	{ "remove", OP_REMOVE },
	{ "drop", OP_DROP },
	{ "grow", OP_GROW },
	{ "replace", OP_REPLACE },
	{ "legacy", OP_LEGACY },
	{ "error", OP_ERROR },
	{ "partial", OP_PARTIAL },
	{ "warning", OP_WARNING },
	{ "absent", OP_ABSENT },
	{ "garbage", OP_GARBAGE },
	{ "deferred", OP_DEFERRED },
	{ "private", OP_PRIVATE },
	{ "identity", OP_IDENTITY },
	{ "type", OP_TYPE },
	{ "none", OP_NONE },
	{ "twice", OP_TWICE },
	{ "renew", OP_RENEW },
	{ "status", OP_STATUS },
	{ "nonsense", OP_NONSENSE },
	{ "hang", OP_HANG },
	{ "finish", OP_FINISH },
	{ "sleep", OP_SLEEP },
	{ "crash", OP_CRASH },
	{ "log", OP_LOG },
};

static struct str trim(struct str s)
{
	while (s.n && isspace((unsigned char)s.p[0]))
		s = str_sub(s, 1, s.n);
	while (s.n && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Splits at the first c; without one, all goes to the left. */
static struct str cut(struct str *s, char c)
{
	ptrdiff_t i = str_chr(*s, c);
	struct str left = *s;

	if (i < 0) {
		*s = STR_NONE;
		return left;
	}
	left.n = (size_t)i;
	*s = str_sub(*s, (size_t)i + 1, s->n);
	return left;
}

static const struct value *index_of(struct arena *a, struct str s)
{
	if (s.n >= 2 && s.p[0] == '"')
		return value_string(a, str_sub(s, 1, s.n - 1));
	return value_number_parse(a, s);
}

static const char *parse_path(struct arena *a, struct str s, struct path *out)
{
	while (s.n) {
		size_t n = 0;

		if (s.p[0] == '[') {
			ptrdiff_t end = str_chr(s, ']');
			const struct value *i =
				end < 0 ? NULL
					: index_of(a, str_sub(s, 1,
							      (size_t)end));

			if (!i)
				return "bad index in a path";
			*out = path_index(a, *out, i);
			s = str_sub(s, (size_t)end + 1, s.n);
		} else {
			if (s.p[0] == '.')
				s = str_sub(s, 1, s.n);
			while (n < s.n && s.p[n] != '.' && s.p[n] != '[')
				n++;
			*out = path_attr(a, *out, str_sub(s, 0, n));
			s = str_sub(s, n, s.n);
		}
	}
	return NULL;
}

static const char *parse_order(struct arena *a, struct str s,
			       struct order *out)
{
	struct str arg = s, head = cut(&arg, '='), rest = head, word;

	word = cut(&rest, ':');
	*out = (struct order){ .arg = arg, .call = word };
	if (str_chr(word, '@') >= 0) {
		out->call = word;
		out->name = cut(&out->call, '@');
	}
	word = cut(&rest, ':');
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		if (!str_is(word, operations[i].name))
			continue;
		out->op = operations[i].op;
		return parse_path(a, rest, &out->path);
	}
	return "unknown operation";
}

const char *orders_parse(struct arena *a, struct str text,
			 struct order_vec *out)
{
	while (text.n) {
		struct str one = trim(cut(&text, ';'));
		struct order o;
		const char *err;

		if (!one.n)
			continue;
		err = parse_order(a, one, &o);
		if (err)
			return arena_printf(a, "%s: %.*s", err, STR_ARG(one));
		vec_push(a, out, o);
	}
	return NULL;
}
