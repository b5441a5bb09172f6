/* same.c - see tree.h */
#include "json/tree.h"
#include "json/json_int.h"

/* Both texts are walked at once, token by token, which are the same bytes
 * mostly.  depth counts the brackets around y. */
struct same {
	struct arena *arena;
	const char *x, *xend, *y, *yend;
	bool nulls, state;
	size_t depth, nwrapped;
	size_t wrapped[JSON_DEPTH]; /* the depths of values in {"value":…} */
};

static const char *after_spaces(const char *p, const char *end)
{
	const uint64_t spaces = UINT64_C(0x2020202020202020);
	uint64_t word;

	if (p < end && *p == '\n') /* and the indentation of a state file */
		p++;
	while (end - p >= (ptrdiff_t)sizeof(word) &&
	       (memcpy(&word, p, sizeof(word)), word == spaces))
		p += sizeof(word);
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

static inline const char *after_space(const char *p, const char *end)
{
	return p<end && * p> ' ' ? p : after_spaces(p, end);
}

static const char *after_value(const char *p, const char *end,
			       struct str *value)
{
	struct json_scan in =
		json_scan_start(NULL, (struct str){ p, (size_t)(end - p) });

	return json_scan_value(&in, value) ? NULL : in.p;
}

/* Behind the string at p; its inside. */
static const char *after_string(const char *p, const char *end,
				struct str *inside, unsigned *holds)
{
	struct json_scan in =
		json_scan_start(NULL, (struct str){ p, (size_t)(end - p) });

	return json_scan_inside(&in, inside, holds) ? NULL : in.p;
}

/* At the name of a member: behind "name":null and a comma beside it; NULL: it
 * is not null. */
static const char *after_null(const char *p, const char *end, bool comma_behind)
{
	struct str inside, value;
	unsigned holds;

	p = after_string(p, end, &inside, &holds);
	if (p)
		p = after_space(p, end);
	if (!p || p == end || *p != ':')
		return NULL;
	p = after_value(p + 1, end, &value);
	if (!p || !str_is(value, "null"))
		return NULL;
	p = after_space(p, end);
	return comma_behind && p < end && *p == ',' ? after_space(p + 1, end)
						    : p;
}

/* Skips a null that is left out on the other side, which has come to the end of
 * the object. */
static bool skip_last(const char **at, const char *end)
{
	const char *p = *at;

	if (p < end && *p == ',')
		p = after_space(p + 1, end);
	if (p == end || *p != '"')
		return false;
	p = after_null(p, end, false);
	if (p)
		*at = p;
	return p != NULL;
}

/* The strings at both places differ: they are spelled in two ways, or are the
 * names of members, of which one is left out. */
static bool other_string(struct same *s)
{
	struct str x, y;
	unsigned hx, hy;
	const char *px = after_string(s->x, s->xend, &x, &hx);
	const char *py = after_string(s->y, s->yend, &y, &hy);
	const char *p;

	if (!px || !py)
		return false;
	if ((hx | hy) & JSON_HOLDS_ESCAPES) {
		struct str tx = json_unescape(s->arena, x);

		if (str_eq(tx, json_unescape(s->arena, y))) {
			s->x = px;
			s->y = py;
			return true;
		}
	}
	if (!s->nulls)
		return false;
	if (str_cmp(x, y) < 0) {
		p = after_null(s->x, s->xend, true);
		s->x = p ? p : s->x;
	} else {
		p = after_null(s->y, s->yend, true);
		s->y = p ? p : s->y;
	}
	return p != NULL;
}

/* Is y at {"value":…,"type":…}?  Its beginning decides: looking further at each
 * level would take too long. */
static bool enter_wrapped(struct same *s)
{
	static const char head[] = "{\"value\":";
	const char *p = s->y + 1;

	if (!s->state || s->nwrapped == JSON_DEPTH)
		return false;
	if ((size_t)(s->yend - s->y) > sizeof(head) &&
	    memcmp(s->y, head, sizeof(head) - 1) == 0) {
		p = s->y + sizeof(head) - 1;
	} else {
		p = after_space(p, s->yend);
		if ((size_t)(s->yend - p) < 9 || memcmp(p, "\"value\"", 7) != 0)
			return false;
		p = after_space(p + 7, s->yend);
		if (p == s->yend || *p++ != ':')
			return false;
	}
	s->y = after_space(p, s->yend);
	s->wrapped[s->nwrapped++] = ++s->depth;
	return true;
}

/* The value in there has ended. */
static bool leave_wrapped(struct same *s)
{
	const char *p = after_space(s->y, s->yend);
	struct str name, type;
	unsigned holds;

	if (p == s->yend || *p != ',')
		return false;
	p = after_space(p + 1, s->yend);
	if (p == s->yend || *p != '"')
		return false;
	p = after_string(p, s->yend, &name, &holds);
	if (!p || !str_is(name, "type"))
		return false;
	p = after_space(p, s->yend);
	if (p == s->yend || *p != ':')
		return false;
	p = after_value(p + 1, s->yend, &type);
	if (p)
		p = after_space(p, s->yend);
	if (!p || p == s->yend || *p != '}')
		return false;
	s->y = p + 1;
	s->depth--;
	s->nwrapped--;
	return true;
}

/* Where both have the same string: behind it. */
static bool same_string(struct same *s)
{
	const char *p = s->x + 1;
	size_t n;

	while ((p = json_plain_end(p, s->xend, false)) < s->xend && *p != '"')
		p += 1 + (*p == '\\');
	n = (size_t)(p + 1 - s->x);
	if (p >= s->xend || (size_t)(s->yend - s->y) < n ||
	    memcmp(s->x, s->y, n) != 0)
		return other_string(s);
	s->x += n;
	s->y += n;
	return true;
}

static bool ends_value(char c)
{
	return c == ',' || c == '}' || c == ']';
}

/* One step where both have the same character. */
static bool same_char(struct same *s, char c)
{
	if (c == '"')
		return same_string(s);
	if (c == '{' && enter_wrapped(s))
		return true;
	s->depth += c == '{' || c == '[';
	s->depth -= c == '}' || c == ']';
	s->x++;
	s->y++;
	return true;
}

/* One where they have not. */
static bool other_char(struct same *s)
{
	const char *x = after_space(s->x, s->xend);
	const char *y = after_space(s->y, s->yend);

	if (x != s->x || y != s->y) {
		s->x = x;
		s->y = y;
		return true;
	}
	if (y < s->yend && *y == '{')
		return enter_wrapped(s);
	if (!s->nulls || x == s->xend || y == s->yend)
		return false;
	if (*x == '}')
		return skip_last(&s->y, s->yend);
	return *y == '}' && skip_last(&s->x, s->xend);
}

static bool at_end(const struct same *s)
{
	return (s->x == s->xend || *s->x <= ' ') &&
	       after_space(s->x, s->xend) == s->xend;
}

/* Has the value in a {"value":…} ended on both sides? */
static bool wrapped_ends(const struct same *s, bool done)
{
	const char *x = after_space(s->x, s->xend);
	const char *y = after_space(s->y, s->yend);

	return s->nwrapped && s->wrapped[s->nwrapped - 1] == s->depth &&
	       (done || ends_value(*x)) && y < s->yend && ends_value(*y);
}

/* As far as both are the same bytes but for white space, and no wrapper may
 * begin or end: the fast way.  depth counts for wrappers alone. */
static void same_bytes(struct same *s)
{
	const char *x = s->x, *y = s->y;

	while (x < s->xend && y < s->yend) {
		const char c = *x, *p;

		if (c <= ' ') {
			x = after_spaces(x, s->xend);
		} else if (*y <= ' ') {
			y = after_spaces(y, s->yend);
		} else if (c != *y || (c == '{' && s->state) ||
			   (s->nwrapped && ends_value(c))) {
			break;
		} else if (c == '"') {
			p = json_plain_end(x + 1, s->xend, false);
			if (p == s->xend || *p != '"' || s->yend - y <= p - x ||
			    memcmp(x, y, (size_t)(p + 1 - x)) != 0)
				break;
			y += p + 1 - x;
			x = p + 1;
		} else {
			s->depth += c == '{' || c == '[';
			s->depth -= c == '}' || c == ']';
			x++;
			y++;
		}
	}
	s->x = x;
	s->y = y;
}

static bool same(struct same *s)
{
	for (;;) {
		bool done;

		same_bytes(s);
		done = at_end(s);
		if (s->nwrapped && wrapped_ends(s, done)) {
			if (!leave_wrapped(s))
				return false;
			continue;
		}
		if (done)
			return after_space(s->y, s->yend) == s->yend;
		if (s->y < s->yend && *s->x == *s->y ? !same_char(s, *s->x)
						     : !other_char(s))
			return false;
	}
}

bool json_same(struct arena *a, struct str x, struct str y, enum json_same how)
{
	struct same s;

	if (str_eq(x, y))
		return true;
	if (!x.n || !y.n)
		return false;
	s.arena = a;
	s.x = x.p;
	s.xend = x.p + x.n;
	s.y = y.p;
	s.yend = y.p + y.n;
	s.nulls = how != JSON_SAME_PLAIN;
	s.state = how == JSON_SAME_STATE;
	s.depth = s.nwrapped = 0;
	return same(&s);
}

size_t json_count_true(struct str text)
{
	struct json_scan in = json_scan_start(NULL, text);
	unsigned holds;
	struct str inside;
	size_t n = 0;

	while (in.p < in.end)
		if (*in.p == '"') {
			if (json_scan_inside(&in, &inside, &holds))
				break;
		} else {
			n += *in.p++ == 't';
		}
	return n;
}

/* To the member that `step` names, as JSON. */
static bool enter_member(struct json_scan *in, struct str step)
{
	bool first = true;
	unsigned holds;
	struct str name;

	if (json_scan_open(in, '{'))
		return false;
	while (json_scan_name(in, &first, &name, &holds) == 1) {
		if (str_eq(name, str_sub(step, 1, step.n - 1)))
			return true;
		if (json_scan_value(in, NULL))
			return false;
	}
	return false;
}

static bool enter_element(struct json_scan *in, struct str step)
{
	bool first = true;
	size_t n = 0;

	for (size_t i = 0; i < step.n; i++) {
		if (step.p[i] < '0' || step.p[i] > '9' || i > 8)
			return false;
		n = 10 * n + (size_t)(step.p[i] - '0');
	}
	if (json_scan_open(in, '['))
		return false;
	while (json_scan_element(in, &first) == 1) {
		if (!n--)
			return true;
		if (json_scan_value(in, NULL))
			return false;
	}
	return false;
}

bool json_true_at(struct str text, struct str path)
{
	struct json_scan at = json_scan_start(NULL, path);
	struct json_scan in = json_scan_start(NULL, text);
	bool first = true;
	struct str step;
	int rc;

	if (json_scan_open(&at, '['))
		return false;
	while ((rc = json_scan_element(&at, &first)) == 1) {
		if (json_scan_value(&at, &step))
			return false;
		if (step.p[0] == '"' ? !enter_member(&in, step)
				     : !enter_element(&in, step))
			return false;
	}
	return rc == 0 && json_scan_peek(&in) == 't';
}
