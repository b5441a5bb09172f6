/* diag_code.c - see diag.h */
#include "base/diag.h"

/* clang-format off */
static const struct diag_kind kinds[DIAG_CODES] = {
	[DIAG_PLAIN] = { "", "", false, false },
	[DIAG_ASSERTION] = { "assertion_failed", "Test assertion failed" },
	[DIAG_CHECK_DATA] = { "check_data", "", .check = true },
	[DIAG_CHECK_FAILED] = { "check_failed", "Check block assertion failed",
				.check = true },
	[DIAG_CHECK_UNKNOWN] = { "check_unknown",
				 "Check block assertion known after apply",
				 .check = true },
	[DIAG_CONFIG_GENERATED] = { "config_generated",
				    "Config generation is experimental" },
	[DIAG_MODULE_INCOMPATIBLE] = { "module_incompatible",
				       "Incompatible module" },
	[DIAG_OUTPUT_PRECONDITION] = { "output_precondition_failed",
		"Module output value precondition failed" },
	[DIAG_POSTCONDITION] = { "postcondition_failed",
		"Resource postcondition failed" },
	[DIAG_PRECONDITION] = { "precondition_failed",
		"Resource precondition failed" },
	[DIAG_PROVIDERS_OVERRIDDEN] = { "providers_overridden",
		"Provider development overrides are in effect",
		.early = true },
	[DIAG_VALUE_DEPRECATED] = { "value_deprecated",
		"Value derived from a deprecated source",
		.deprecation = true },
	[DIAG_VARIABLE_DEPRECATED] = { "variable_deprecated",
		"Variable marked as deprecated by the module author",
		.deprecation = true },
	[DIAG_VARIABLE_INVALID] = { "variable_invalid",
		"Invalid value for variable" },
	[DIAG_VARIABLE_MISSING] = { "variable_missing",
				    "No value for required variable" },
};
/* clang-format on */

const struct diag_kind *diag_kind(enum diag_code code)
{
	return &kinds[code];
}

enum diag_code diag_code_find(struct str name)
{
	for (int i = 0; i < DIAG_CODES; i++)
		if (str_is(name, kinds[i].name))
			return (enum diag_code)i;
	return DIAG_PLAIN;
}

struct diag *diag_coded(struct diags *ds, enum severity severity,
			enum diag_code code, const struct range *subject,
			const char *detail_fmt, ...)
{
	struct diag d = { .severity = severity, .code = code };
	va_list ap;

	d.summary = str_c(kinds[code].summary);
	va_start(ap, detail_fmt);
	d.detail = str_c(arena_vprintf(ds->arena, detail_fmt, ap));
	va_end(ap);
	if (subject)
		d.subject = *subject;
	return diags_push(ds, d);
}
