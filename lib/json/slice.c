/* slice.c - see read.h */
#include "json/read.h"
#include "json/json_int.h"

bool json_slice_next(struct json_slice *s)
{
	struct json_scan in = { NULL, s->p, s->p, s->end, NULL };
	bool first = !s->started;
	unsigned holds;
	int rc;

	if (s->bad)
		return false;
	if (first && json_scan_open(&in, '{'))
		rc = -1;
	else
		rc = json_scan_name(&in, &first, &s->name, &holds);
	if (rc == 1 && json_scan_value(&in, &s->value))
		rc = -1;
	s->started = true;
	s->bad = rc < 0;
	s->p = rc == 1 ? in.p : rc ? in.end : in.p - 1; /* the bracket */
	return rc == 1;
}

struct str json_slice_get(struct str object, const char *name)
{
	struct json_slice s = JSON_SLICE_INIT(object);

	while (json_slice_next(&s))
		if (str_is(s.name, name))
			return s.value;
	return STR_NONE;
}

struct str json_slice_str(struct arena *a, struct str v)
{
	struct str s;

	if (v.n < 2 || v.p[0] != '"')
		return STR_NONE;
	s = str_sub(v, 1, v.n - 1);
	if (json_plain(s, false) == s.n)
		return s;
	if (!str_utf8_valid(s))
		return STR_NONE;
	return memchr(s.p, '\\', s.n) ? json_unescape(a, s) : s;
}
