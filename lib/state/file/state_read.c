/*
 * state_read.c - the reader of state files; what is older than version 4 is
 * made that first (upgrade.c)
 *
 * One pass: the version is looked at first (it is the first member of any file
 * that a program wrote), then the root object is read by a table of members.
 * Attributes, private data and the like stay slices of the text.
 */
#include <stddef.h>

#include "state/file/file.h"
#include "state/file/file_int.h"
#include "base/product.h"
#include "json/read.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/type.h"

/* --- outputs and check results --- */

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

static int read_outputs(struct state_reader *rd, void *into)
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

static int read_checks(struct state_reader *rd, void *into)
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

/* --- the file --- */

#define UNSUPPORTED "Unsupported state file format"

struct root {
	struct str terraform_version, lineage;
	uint64_t serial;
	struct str version; /* seen already */
};

static const struct state_field root_fields[] = {
	{ "version", FIELD_TEXT, offsetof(struct root, version), NULL },
	{ "terraform_version", FIELD_STRING,
	  offsetof(struct root, terraform_version), NULL },
	{ "serial", FIELD_UINT, offsetof(struct root, serial), NULL },
	{ "lineage", FIELD_STRING, offsetof(struct root, lineage), NULL },
	{ "outputs", FIELD_FN, 0, read_outputs },
	{ "resources", FIELD_FN, 0, read_resources },
	{ "check_results", FIELD_FN, 0, read_checks },
	{ NULL, FIELD_FN, 0, NULL },
};

struct sniffed {
	struct str version, terraform_version, encryption;
};

static int syntax_error(struct diags *ds, const char *name,
			const struct json_scan *sc)
{
	return diag_error(
		ds, NULL, UNSUPPORTED,
		"%s could not be read as JSON: %s at byte offset %zu.", name,
		sc->error, (size_t)(sc->p - sc->start));
}

/* Looks for the version; stops at once when it is the first member. */
static int sniff(struct state_reader *rd, struct sniffed *out)
{
	struct json_scan *sc = &rd->scan;
	bool first = true;
	struct str name, value;
	int rc;

	if (json_scan_open(sc, '{'))
		return syntax_error(rd->ds, rd->name, sc);
	while ((rc = json_scan_member(sc, &first, &name)) == 1) {
		if (json_scan_value(sc, &value))
			break;
		if (str_is(name, "version"))
			out->version = value;
		else if (str_is(name, "terraform_version"))
			out->terraform_version = value;
		else if (str_is(name, "encryption_version"))
			out->encryption = value;
		if (str_is(out->version, "4"))
			break;
	}
	if (sc->error)
		return syntax_error(rd->ds, rd->name, sc);
	sc->p = sc->start;
	return 0;
}

static int version_error(struct state_reader *rd, const struct sniffed *sn)
{
	struct str v = sn->version;
	bool number = v.n && v.n < 10;

	for (size_t i = 0; i < v.n; i++)
		number = number && v.p[i] >= '0' && v.p[i] <= '9';
	if (!v.n && sn->encryption.n)
		return diag_error(
			rd->ds, NULL, UNSUPPORTED,
			"%s is encrypted, and can not be read without "
			"an encryption configuration.",
			rd->name);
	if (!v.n || str_is(v, "null"))
		return diag_error(rd->ds, NULL, UNSUPPORTED,
				  "%s has no \"version\" member, so its format "
				  "is not known. Is it a state file?",
				  rd->name);
	if (!number || str_is(v, "0"))
		return diag_error(rd->ds, NULL, UNSUPPORTED,
				  "%s has the format version %.*s, but the "
				  "version is a positive whole number.",
				  rd->name, (int)(v.n > 40 ? 40 : v.n), v.p);
	return diag_error(
		rd->ds, NULL, UNSUPPORTED,
		"%s has the format version %.*s, which is newer than version 4%s%.*s.",
		rd->name, STR_ARG(v),
		sn->terraform_version.n ? "; it was written by " : "",
		STR_ARG(sn->terraform_version));
}

/* 1.12.6, v1.2, 0.12.0-beta1+x: digits and dots, then a suffix. */
static bool version_ok(struct str v)
{
	size_t i = v.n && v.p[0] == 'v', digits = 0;

	for (; i < v.n; i++) {
		char c = v.p[i];

		if (c >= '0' && c <= '9')
			digits++;
		else if (c == '-' || c == '+')
			break;
		else if (c != '.' || i + 1 == v.n)
			return false;
	}
	return digits != 0;
}

static int read_root(struct state_reader *rd)
{
	struct root root = { .serial = 0 };

	if (read_fields(rd, root_fields, &root) || json_scan_end(&rd->scan)) {
		if (rd->scan.error)
			syntax_error(rd->ds, rd->name, &rd->scan);
		return -1;
	}
	rd->state->terraform_version = root.terraform_version;
	rd->state->lineage = root.lineage;
	rd->state->serial = root.serial;
	if (root.terraform_version.n && !version_ok(root.terraform_version))
		return diag_error(rd->ds, NULL,
				  arena_printf(rd->ds->arena,
					       "Invalid %s version string",
					       product_peer()),
				  "%s says that it was written by version "
				  "\"%.*s\", which is not a version.",
				  rd->name, STR_ARG(root.terraform_version));
	return 0;
}

static bool is_old(struct str version)
{
	return version.n == 1 && version.p[0] >= '1' && version.p[0] <= '3';
}

static void read_old(struct state_reader *rd, struct str text,
		     struct str version)
{
	struct arena *a = rd->state->arena;
	struct str made =
		state_upgrade(a, text, version.p[0] - '0', rd->name, rd->ds);

	if (!made.n)
		return;
	rd->scan = json_scan_start(a, made);
	read_root(rd);
}

struct state *state_parse(struct arena *a, struct str text, const char *name,
			  struct diags *ds)
{
	struct state_reader rd = { .scan = json_scan_start(a, text),
				   .ds = ds,
				   .name = name,
				   .scratch = ARENA_INIT };
	struct sniffed sn = { .version = STR_NONE };
	size_t errors = ds->errors;

	rd.state = state_new(a);
	if (!text.n)
		return rd.state;
	if (str_starts(text, "tfstate")) {
		diag_error(
			ds, NULL, UNSUPPORTED,
			"%s is in the binary format used before 2016, which is not supported.",
			name);
		return NULL;
	}
	if (!str_utf8_valid(text)) {
		diag_error(ds, NULL, UNSUPPORTED, "%s is not valid UTF-8.",
			   name);
		return NULL;
	}
	if (!sniff(&rd, &sn)) {
		if (is_old(sn.version))
			read_old(&rd, text, sn.version);
		else if (!str_is(sn.version, "4"))
			version_error(&rd, &sn);
		else
			read_root(&rd);
	}
	arena_release(&rd.scratch);
	return ds->errors == errors ? rd.state : NULL;
}
