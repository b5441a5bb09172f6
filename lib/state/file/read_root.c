/* read_root.c - outputs and check results of a state file */
#include <stddef.h>

#include "json/read.h"
#include "state/file/file_int.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/type.h"

struct raw_output {
	struct str value, type, deprecated;
	bool sensitive;
};

static const struct state_field output_fields[] = {
	{ "value", FIELD_TEXT, offsetof(struct raw_output, value), NULL },
	{ "type", FIELD_TEXT, offsetof(struct raw_output, type), NULL },
	{ "sensitive", FIELD_BOOL, offsetof(struct raw_output, sensitive),
	  NULL },
	{ "deprecated", FIELD_STRING, offsetof(struct raw_output, deprecated),
	  NULL },
	{ NULL, FIELD_FN, 0, NULL },
};

static const struct value *output_value(struct state_reader *rd,
					struct str name,
					const struct raw_output *raw)
{
	struct arena *a = rd->state->arena;
	struct json_error jerr = { 0 };
	struct verror verr = { .message = STR_INIT("a value is required") };
	const struct json *tj =
		raw->type.n ? json_parse(a, raw->type, &jerr) : NULL;
	const struct type *t = tj ? type_from_json(a, tj) : NULL;
	const struct json *vj;
	const struct value *v;

	if (!t) {
		diag_error(rd->ds, NULL, "Invalid output value type in state",
			   "%s: the type of the output \"%.*s\" is not valid.",
			   rd->name, STR_ARG(name));
		return NULL;
	}
	vj = raw->value.n ? json_parse(a, raw->value, &jerr) : NULL;
	v = vj ? value_from_json(a, vj, t, &verr) : NULL;
	if (!v)
		diag_error(
			rd->ds, NULL, "Invalid output value saved in state",
			"%s: the value of the output \"%.*s\" does not match its type: %.*s.",
			rd->name, STR_ARG(name), STR_ARG(verr.message));
	return v;
}

int read_outputs(struct state_reader *rd, void *into)
{
	struct state *s = rd->state;
	bool first = true;
	struct str name;
	int rc;

	(void)into;
	if (json_scan_peek(&rd->scan) != '{')
		return read_wrong(rd, "outputs", "an object");
	json_scan_open(&rd->scan, '{');
	while ((rc = json_scan_member(&rd->scan, &first, &name)) == 1) {
		struct raw_output raw = { .sensitive = false };
		const struct value *v;

		if (read_fields(rd, output_fields, &raw))
			return -1;
		v = output_value(rd, name, &raw);
		if (!v)
			continue;
		if (raw.sensitive)
			v = value_with_marks(s->arena, v, &marks_sensitive);
		state_output_set(s, name, v);
		state_output_deprecate(s, name, raw.deprecated);
	}
	return rc;
}

static const struct state_field check_fields[] = {
	{ "object_kind", FIELD_STRING,
	  offsetof(struct state_check, object_kind), NULL },
	{ "config_addr", FIELD_STRING,
	  offsetof(struct state_check, config_addr), NULL },
	{ "status", FIELD_STRING, offsetof(struct state_check, status), NULL },
	{ "objects", FIELD_TEXT, offsetof(struct state_check, objects), NULL },
	{ NULL, FIELD_FN, 0, NULL },
};

static bool one_of(struct str s, const char *const *words)
{
	for (; *words; words++)
		if (str_is(s, *words))
			return true;
	return false;
}

int read_checks(struct state_reader *rd, void *into)
{
	/* Drops kinds and statuses that a later version may add, as OpenTofu
	 * does. */
	static const char *const kinds[] = { "resource", "output", "check",
					     "var", NULL };
	static const char *const known[] = { "pass", "fail", "error", NULL };
	struct state *s = rd->state;
	bool first = true;
	int rc;

	(void)into;
	if (json_scan_peek(&rd->scan) != '[')
		return read_wrong(rd, "check_results", "a list");
	json_scan_open(&rd->scan, '[');
	s->checks_known = true;
	while ((rc = json_scan_element(&rd->scan, &first)) == 1) {
		struct state_check c = { .objects = STR_NONE };

		if (read_fields(rd, check_fields, &c))
			return -1;
		if (!one_of(c.object_kind, kinds))
			continue;
		if (!one_of(c.status, known))
			c.status = STR("unknown");
		vec_push(s->arena, &s->checks, c);
	}
	return rc;
}
