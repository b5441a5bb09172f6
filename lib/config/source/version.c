/* version.c - see version.h */
#include "config/source/version.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_part(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '-' || c == '~';
}

/* 1.2.3 */
static bool read_segments(struct str s, size_t *i, struct version *out)
{
	for (;;) {
		uint64_t n = 0;
		size_t start = *i;

		for (; *i < s.n && is_digit(s.p[*i]); (*i)++) {
			if (n > (INT64_MAX - 9) / 10)
				return false;
			n = n * 10 + (uint64_t)(s.p[*i] - '0');
		}
		if (*i == start || out->given == VERSION_SEGMENTS)
			return false;
		out->seg[out->given++] = n;
		if (*i + 1 >= s.n || s.p[*i] != '.' || !is_digit(s.p[*i + 1]))
			return true;
		(*i)++;
	}
}

/* alpha.1: dots between parts that are not empty */
static bool read_parts(struct str s, size_t *i, struct str *out)
{
	size_t start = *i;

	for (;;) {
		size_t part = *i;

		while (*i < s.n && is_part(s.p[*i]))
			(*i)++;
		if (*i == part)
			return false;
		if (*i == s.n || s.p[*i] != '.')
			break;
		(*i)++;
	}
	*out = str_sub(s, start, *i);
	return true;
}

bool version_parse(struct str s, struct version *out)
{
	size_t i = 0;

	*out = (struct version){ .given = 0 };
	out->letter = s.n && s.p[0] == 'v';
	i += out->letter;
	if (!read_segments(s, &i, out))
		return false;
	/* "1.0beta" is read as "1.0-beta" */
	if (i < s.n && s.p[i] != '+') {
		if (s.p[i] == '-')
			i++;
		else if (!is_part(s.p[i]) || is_digit(s.p[i]))
			return false;
		if (!read_parts(s, &i, &out->prerelease))
			return false;
	}
	if (i < s.n && s.p[i] == '+') {
		i++;
		if (!read_parts(s, &i, &out->metadata))
			return false;
	}
	return i == s.n;
}

static struct str next_part(struct str *s)
{
	ptrdiff_t dot = str_chr(*s, '.');
	struct str part = dot < 0 ? *s : str_sub(*s, 0, (size_t)dot);

	*s = dot < 0 ? STR_NONE : str_sub(*s, (size_t)dot + 1, s->n);
	return part;
}

static struct str strip_zeros(struct str s)
{
	while (s.n > 1 && s.p[0] == '0')
		s = str_sub(s, 1, s.n);
	return s;
}

static int part_cmp(struct str a, struct str b)
{
	bool na = str_is_digits(a), nb = str_is_digits(b);

	if (na != nb)
		return na ? -1 : 1; /* numbers come before words */
	if (!na)
		return str_cmp(a, b);
	a = strip_zeros(a);
	b = strip_zeros(b);
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	return str_cmp(a, b);
}

static int prerelease_cmp(struct str a, struct str b)
{
	if (!a.n || !b.n)
		return (a.n == 0) - (b.n == 0); /* a release comes last */
	while (a.n && b.n) {
		int c = part_cmp(next_part(&a), next_part(&b));

		if (c)
			return c;
	}
	return (a.n != 0) - (b.n != 0);
}

static int segments_cmp(const struct version *a, const struct version *b)
{
	for (size_t i = 0; i < VERSION_SEGMENTS; i++)
		if (a->seg[i] != b->seg[i])
			return a->seg[i] < b->seg[i] ? -1 : 1;
	return 0;
}

int version_cmp(const struct version *a, const struct version *b)
{
	int c = segments_cmp(a, b);

	return c ? c : prerelease_cmp(a->prerelease, b->prerelease);
}

static bool read_constraint(struct str s, struct version_constraint *out)
{
	static const struct {
		const char *text;
		enum version_op op;
	} ops[] = {
		{ "!=", VERSION_NE }, { ">=", VERSION_GE },
		{ "<=", VERSION_LE }, { "~>", VERSION_PESSIMISTIC },
		{ "=", VERSION_EQ },  { ">", VERSION_GT },
		{ "<", VERSION_LT },
	};

	s = str_trim(s);
	out->op = VERSION_EQ;
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		if (!str_starts(s, ops[i].text))
			continue;
		out->op = ops[i].op;
		s = str_sub(s, strlen(ops[i].text), s.n);
		break;
	}
	return version_parse(str_trim(s), &out->v);
}

bool version_constraints_parse(struct arena *a, struct str s,
			       struct version_constraints *out)
{
	*out = (struct version_constraints){ 0 };
	for (;;) {
		ptrdiff_t comma = str_chr(s, ',');
		struct version_constraint c;

		if (!read_constraint(
			    comma < 0 ? s : str_sub(s, 0, (size_t)comma), &c))
			return false;
		vec_push(a, out, c);
		if (comma < 0)
			return true;
		s = str_sub(s, (size_t)comma + 1, s.n);
	}
}

/* May the pre-release v be compared with c at all? */
static bool prerelease_fits(const struct version *v, const struct version *c)
{
	if (!v->prerelease.n)
		return true;
	return c->prerelease.n && segments_cmp(v, c) == 0;
}

static bool pessimistic(const struct version *v, const struct version *c)
{
	size_t last = c->given > 3 ? c->given : 3;

	if (!prerelease_fits(v, c) || (c->prerelease.n && !v->prerelease.n) ||
	    version_cmp(v, c) < 0)
		return false;
	for (size_t i = 0; i + 1 < c->given; i++)
		if (v->seg[i] != c->seg[i])
			return false;
	return c->seg[last - 1] <= v->seg[last - 1];
}

static bool satisfied(const struct version_constraint *c,
		      const struct version *v)
{
	int cmp = version_cmp(v, &c->v);

	switch (c->op) {
	case VERSION_EQ:
		return cmp == 0;
	case VERSION_NE:
		return cmp != 0;
	case VERSION_GT:
		return prerelease_fits(v, &c->v) && cmp > 0;
	case VERSION_LT:
		return prerelease_fits(v, &c->v) && cmp < 0;
	case VERSION_GE:
		return prerelease_fits(v, &c->v) && cmp >= 0;
	case VERSION_LE:
		return prerelease_fits(v, &c->v) && cmp <= 0;
	case VERSION_PESSIMISTIC:
		return pessimistic(v, &c->v);
	}
	return false;
}

bool version_allowed(const struct version_constraints *c,
		     const struct version *v)
{
	for (size_t i = 0; i < c->len; i++)
		if (!satisfied(&c->items[i], v))
			return false;
	return true;
}

static bool is_exactly(const struct version *a, const struct version *b)
{
	return version_cmp(a, b) == 0 && str_eq(a->metadata, b->metadata);
}

/* Is v before the version that ~> c ends at: 2.0.0 of ~> 1.2, 1.3.0 of ~>
 * 1.2.3? */
static bool before_next(const struct version *v, const struct version *c)
{
	struct version end = { .seg = { c->seg[0] + 1 } };

	if (c->given > 2) {
		end.seg[0] = c->seg[0];
		end.seg[1] = c->seg[1] + 1;
	}
	return version_cmp(v, &end) < 0;
}

/* By precedence alone. */
static bool in_range(const struct version_constraint *c,
		     const struct version *v)
{
	int cmp = version_cmp(v, &c->v);

	switch (c->op) {
	case VERSION_EQ:
		return is_exactly(v, &c->v);
	case VERSION_NE:
		return !is_exactly(v, &c->v);
	case VERSION_GT:
		return cmp > 0;
	case VERSION_LT:
		return cmp < 0;
	case VERSION_GE:
		return cmp >= 0;
	case VERSION_LE:
		return cmp <= 0;
	case VERSION_PESSIMISTIC:
		return cmp >= 0 && before_next(v, &c->v);
	}
	return false;
}

bool version_allowed_of_provider(const struct version_constraints *c,
				 const struct version *v)
{
	bool named = !v->prerelease.n;

	for (size_t i = 0; i < c->len; i++) {
		if (!in_range(&c->items[i], v))
			return false;
		named |= c->items[i].op == VERSION_EQ;
	}
	return named;
}

static struct str segments_text(struct arena *a, const struct version *v,
				size_t n)
{
	struct buf b = BUF_INIT;
	struct str s;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%llu", i ? "." : "",
			 (unsigned long long)v->seg[i]);
	if (v->prerelease.n)
		buf_addf(&b, "-%.*s", STR_ARG(v->prerelease));
	if (v->metadata.n)
		buf_addf(&b, "+%.*s", STR_ARG(v->metadata));
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

struct str version_text(struct arena *a, const struct version *v)
{
	return segments_text(a, v, v->given > 3 ? v->given : 3);
}

struct str version_constraint_text(struct arena *a,
				   const struct version_constraint *c)
{
	static const char *const ops[] = {
		[VERSION_EQ] = "",
		[VERSION_NE] = "!= ",
		[VERSION_GT] = "> ",
		[VERSION_LT] = "< ",
		[VERSION_GE] = ">= ",
		[VERSION_LE] = "<= ",
		[VERSION_PESSIMISTIC] = "~> ",
	};
	size_t n = c->v.given;

	if (c->op != VERSION_PESSIMISTIC && n < 3)
		n = 3;
	return str_printf(a, "%s%.*s", ops[c->op],
			  STR_ARG(segments_text(a, &c->v, n)));
}
