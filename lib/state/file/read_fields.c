/* read_fields.c - members by table, and the small texts inside a state file */
#include <stdlib.h>

#include "state/file/file_int.h"

int read_wrong(struct state_reader *rd, const char *field, const char *wanted)
{
	return diag_error(
		rd->ds, NULL, "Invalid state file format",
		"%s: the member \"%s\" that ends at byte %zu must be %s.",
		rd->name, field, (size_t)(rd->scan.p - rd->scan.start), wanted);
}

static int to_uint(struct str text, uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned d = (unsigned)(text.p[i] - '0');

		if (d > 9 || n > (UINT64_MAX - d) / 10)
			return -1;
		n = n * 10 + d;
	}
	*out = n;
	return text.n ? 0 : -1;
}

static int read_field(struct state_reader *rd, const struct state_field *f,
		      void *into)
{
	void *at = (char *)into + f->offset;
	struct json_scan *sc = &rd->scan;
	char c = json_scan_peek(sc);
	struct str text;

	if (f->kind == FIELD_FN && c != 'n')
		return f->fn(rd, into);
	if (f->kind == FIELD_STRING && c == '"')
		return json_scan_string(sc, at);
	if (json_scan_value(sc, &text))
		return -1;
	if (f->kind == FIELD_TEXT) {
		*(struct str *)at = text;
		return 0;
	}
	if (str_is(text, "null"))
		return 0;
	switch (f->kind) {
	case FIELD_UINT:
		if (to_uint(text, at))
			return read_wrong(rd, f->name, "a whole number");
		return 0;
	case FIELD_BOOL:
		if (c != 't' && c != 'f')
			return read_wrong(rd, f->name, "true or false");
		*(bool *)at = c == 't';
		return 0;
	default:
		return read_wrong(rd, f->name, "a string");
	}
}

int read_fields(struct state_reader *rd, const struct state_field *fields,
		void *into)
{
	bool first = true;
	struct str name;
	int rc;

	if (json_scan_open(&rd->scan, '{'))
		return -1;
	while ((rc = json_scan_member(&rd->scan, &first, &name)) == 1) {
		const struct state_field *f = fields;

		while (f->name && !str_is(name, f->name))
			f++;
		if (f->name ? read_field(rd, f, into)
			    : json_scan_value(&rd->scan, NULL))
			return -1;
	}
	return rc;
}

int read_index_key(struct arena *a, struct str json, struct inst_key *out)
{
	struct json_scan sc = json_scan_start(a, json);
	char *end, buf[64];
	double d;

	*out = KEY_ABSENT;
	if (json.n == 0 || str_is(json, "null"))
		return 0;
	if (json.p[0] == '"') {
		out->kind = KEY_STRING;
		return json_scan_string(&sc, &out->s);
	}
	if ((json.p[0] != '-' && (json.p[0] < '0' || json.p[0] > '9')) ||
	    json.n >= sizeof(buf))
		return -1;
	memcpy(buf, json.p, json.n);
	buf[json.n] = '\0';
	d = strtod(buf, &end);
	/* Exactly representable, as the peer reads it through a double too. */
	if (*end || !(d >= -9007199254740992.0 && d <= 9007199254740992.0))
		return -1;
	out->kind = KEY_INT;
	out->i = (int64_t)d;
	return 0;
}

/* One step: {"type":"get_attr","value":"a"} or {"type":"index","value":…} */
static bool step_ok(struct json_scan *sc)
{
	struct str name, type = STR_NONE, value = STR_NONE;
	bool first = true;
	int rc;

	if (json_scan_open(sc, '{'))
		return false;
	while ((rc = json_scan_member(sc, &first, &name)) == 1)
		if (str_is(name, "type") ? json_scan_string(sc, &type)
					 : json_scan_value(sc, &value))
			return false;
	if (rc || !value.n)
		return false;
	if (str_is(type, "get_attr"))
		return value.p[0] == '"';
	return str_is(type, "index") && value.p[0] == '{';
}

bool read_sensitive_ok(struct str json)
{
	struct arena scratch = ARENA_INIT;
	struct json_scan sc = json_scan_start(&scratch, json);
	bool first = true, ok = true;
	int rc = 0;

	if (json.n == 0 || str_is(json, "[]") || str_is(json, "null"))
		return true;
	if (json_scan_open(&sc, '['))
		return false;
	while (ok && (rc = json_scan_element(&sc, &first)) == 1) {
		bool first_step = true;

		ok = json_scan_open(&sc, '[') == 0;
		while (ok && (rc = json_scan_element(&sc, &first_step)) == 1)
			ok = step_ok(&sc);
		ok = ok && rc == 0;
	}
	arena_release(&scratch);
	return ok && rc == 0;
}

bool read_base64_ok(struct str s)
{
	size_t pad = 0;

	if (s.n % 4)
		return false;
	while (pad < 2 && pad < s.n && s.p[s.n - 1 - pad] == '=')
		pad++;
	for (size_t i = 0; i < s.n - pad; i++) {
		char c = s.p[i];

		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		      (c >= '0' && c <= '9') || c == '+' || c == '/'))
			return false;
	}
	return true;
}
