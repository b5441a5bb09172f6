/* canon_kinds.c - what of which records there is; see compare_int.h */
#include "compare/compare_int.h"

/* In the order of the lines.  What is left out differs from run to run, is said
 * by the address, or follows from other records. */
static const struct canon_kind kinds[] = {
	{ "header", CANON_NONE, false, { NULL } },
	{ "stage", CANON_NONE, false, { NULL } },
	{ "seal", CANON_NONE, false, { NULL } },
	{ "end", CANON_NONE, false, { NULL } },
	{ "source", CANON_NONE, false, { NULL } },
	{ "schema", CANON_NONE, false, { NULL } },
	{ "planned", CANON_NONE, false, { NULL } },
	{ "module_output", CANON_NONE, false, { NULL } },
	{ "operations", CANON_NONE, false, { NULL } },
	{ "progress", CANON_NONE, false, { NULL } },
	{ "slowest", CANON_NONE, false, { NULL } },
	{ "state_written", CANON_NONE, false, { NULL } },
	{ "state", CANON_NONE, false, { NULL } },

	{ "module", CANON_PLAIN, false, { "dir", NULL } },
	{ "terraform", CANON_PLAIN, false, { "module", NULL } },
	{ "required_provider", CANON_PLAIN, false, { "module", "name", NULL } },
	{ "provider_config",
	  CANON_PLAIN,
	  false,
	  { "module", "name", "alias", NULL } },
	{ "provider_meta", CANON_PLAIN, false, { "module", "name", NULL } },
	{ "backend", CANON_PLAIN, false, { "module", NULL } },
	{ "encryption", CANON_PLAIN, false, { "module", NULL } },
	{ "variable", CANON_PLAIN, false, { "module", "name", NULL } },
	{ "local", CANON_PLAIN, false, { "module", "name", NULL } },
	{ "output", CANON_PLAIN, false, { "module", "name", NULL } },
	{ "module_call",
	  CANON_PLAIN,
	  false,
	  { "module", "name", "source_written", NULL } },
	{ "resource",
	  CANON_PLAIN,
	  false,
	  { "module", "mode", "type", "name", NULL } },
	{ "check", CANON_PLAIN, false, { "module", "name", NULL } },
	{ "moved", CANON_PLAIN, false, { "module", NULL } },
	{ "removed", CANON_PLAIN, false, { "module", NULL } },
	{ "import", CANON_PLAIN, false, { "module", NULL } },
	{ "test", CANON_PLAIN, false, { NULL } },
	{ "test_value", CANON_PLAIN, false, { NULL } },
	{ "variable_value", CANON_PLAIN, false, { "given", "source", NULL } },
	{ "local_value", CANON_PLAIN, false, { NULL } },
	{ "expansion", CANON_PLAIN, false, { NULL } },
	{ "previous_run_state",
	  CANON_OBJECT,
	  false,
	  { "private", "sensitive_attributes", NULL } },
	{ "prior_state",
	  CANON_OBJECT,
	  false,
	  { "private", "sensitive_attributes", NULL } },
	{ "previous_output", CANON_PLAIN, false, { NULL } },
	{ "prior_output", CANON_PLAIN, false, { NULL } },
	{ "previous_check", CANON_PLAIN, false, { NULL } },
	{ "options", CANON_PLAIN, false, { NULL } },
	{ "node", CANON_PLAIN, false, { NULL } },
	{ "edge", CANON_PLAIN, false, { "from", "phase", NULL } },

	{ "edited", CANON_PLAIN, true, { NULL } },
	{ "selection", CANON_PLAIN, true, { NULL } },
	{ "plan",
	  CANON_PLAIN,
	  true,
	  { "timestamp", "unread", "errored", "empty", "relevant_attributes",
	    NULL } },
	{ "resource_drift",
	  CANON_CHANGE,
	  true,
	  { "mode", "type", "name", "index", "module_address", "deposed",
	    NULL } },
	{ "resource_change",
	  CANON_CHANGE,
	  true,
	  { "mode", "type", "name", "index", "module_address", "deposed",
	    "refreshed", NULL } },
	{ "output_change", CANON_CHANGE, true, { "planned", NULL } },
	{ "check_result", CANON_PLAIN, true, { NULL } },
	{ "event", CANON_EVENT, true, { "sensitive_outputs", NULL } },
	{ "diagnostic",
	  CANON_PLAIN,
	  true,
	  { "told", "again", "remote", "range", "snippet", "difference",
	    NULL } },
};

size_t canon_kind_find(struct str kind, const struct canon_kind **k)
{
	static const struct canon_kind other = {
		"", CANON_PLAIN, true, { NULL }
	};
	const size_t n = sizeof(kinds) / sizeof(*kinds);

	for (size_t i = 0; i < n; i++)
		if (str_is(kind, kinds[i].kind)) {
			*k = &kinds[i];
			return i;
		}
	*k = &other;
	return n;
}

static bool is_one_of(struct str name, const char *const *names)
{
	for (; *names; names++)
		if (str_is(name, *names))
			return true;
	return false;
}

bool canon_is_place(const struct json_member *m)
{
	static const char *const places[] = { "at",       "name_at", "type_at",
					      "child_at", "header",  "missing",
					      NULL };

	if (m->value.kind == JSON_STRING)
		return is_one_of(m->name, places);
	return m->value.kind == JSON_ARRAY && str_is(m->name, "references");
}

bool canon_is_left_out(const struct canon_kind *k, struct str name)
{
	return str_is(name, "record") || str_is(name, "address") ||
	       is_one_of(name, k->without);
}
