/* diag.c - see diag.h */
#include <stdlib.h>

#include "base/diag.h"

static int by_traversal(const void *x, const void *y)
{
	const struct diag_value *a = x, *b = y;

	return str_cmp(a->traversal, b->traversal);
}

void diag_sort_values(struct diag_value *values, size_t n)
{
	if (n)
		qsort(values, n, sizeof(*values), by_traversal);
}

struct diag *diags_push(struct diags *ds, struct diag d)
{
	vec_push(ds->arena, ds, d);
	if (d.severity == SEV_ERROR)
		ds->errors++;
	return &ds->items[ds->len - 1];
}

static void add(struct diags *ds, enum severity sev,
		const struct range *subject, const char *summary,
		const char *fmt, va_list ap)
{
	struct diag d = { .severity = sev };

	d.summary = str_c(arena_strdup(ds->arena, summary));
	if (fmt)
		d.detail = str_c(arena_vprintf(ds->arena, fmt, ap));
	if (subject)
		d.subject = *subject;
	diags_push(ds, d);
}

int diag_error(struct diags *ds, const struct range *subject,
	       const char *summary, const char *detail_fmt, ...)
{
	va_list ap;

	va_start(ap, detail_fmt);
	add(ds, SEV_ERROR, subject, summary, detail_fmt, ap);
	va_end(ap);
	return -1;
}

int diag_error_line(struct diags *ds, const char *summary_fmt, ...)
{
	struct diag d = { .severity = SEV_ERROR };
	va_list ap;

	va_start(ap, summary_fmt);
	d.summary = str_c(arena_vprintf(ds->arena, summary_fmt, ap));
	va_end(ap);
	diags_push(ds, d);
	return -1;
}

void diag_warning(struct diags *ds, const struct range *subject,
		  const char *summary, const char *detail_fmt, ...)
{
	va_list ap;

	va_start(ap, detail_fmt);
	add(ds, SEV_WARNING, subject, summary, detail_fmt, ap);
	va_end(ap);
}

void diags_address(struct diags *ds, size_t from, struct str address)
{
	for (size_t i = from; i < ds->len; i++)
		if (!ds->items[i].address.n)
			ds->items[i].address = str_dup(ds->arena, address);
}

void diags_give_source(struct diags *ds, size_t from, const struct source *s)
{
	for (size_t i = from; i < ds->len; i++)
		if (str_eq(ds->items[i].subject.file, s->name))
			ds->items[i].source = s;
}

void diags_soften(struct diags *ds, size_t from)
{
	for (size_t i = from; i < ds->len; i++) {
		if (ds->items[i].severity != SEV_ERROR)
			continue;
		ds->items[i].severity = SEV_WARNING;
		ds->errors--;
	}
}

/* Made here: who copies a diagnostic need not link what counts columns. */
static const struct source *copied(struct arena *a, const struct source *s)
{
	struct source *copy = ARENA_NEW(a, struct source);

	copy->name = str_dup(a, s->name);
	copy->text = str_dup(a, s->text);
	copy->base = s->base;
	copy->arena = a;
	return copy;
}

void diags_append(struct diags *to, const struct diags *from)
{
	const struct source *given = NULL, *copy = NULL;

	for (size_t i = 0; i < from->len; i++) {
		struct diag d = from->items[i];

		if (d.source && d.source != given) {
			given = d.source;
			copy = copied(to->arena, given);
		}
		if (d.source)
			d.source = copy;
		d.cause = str_dup(to->arena, d.cause);
		d.summary = str_dup(to->arena, d.summary);
		d.detail = str_dup(to->arena, d.detail);
		d.address = str_dup(to->arena, d.address);
		d.call = str_dup(to->arena, d.call);
		d.check = str_dup(to->arena, d.check);
		d.signature = str_dup(to->arena, d.signature);
		d.subject.file = str_dup(to->arena, d.subject.file);
		d.context.file = str_dup(to->arena, d.context.file);
		if (d.difference.n)
			d.difference = str_dup(to->arena, d.difference);
		if (d.nvalues) {
			d.values = arena_dup(to->arena, d.values,
					     d.nvalues * sizeof(*d.values));
			for (size_t v = 0; v < d.nvalues; v++) {
				d.values[v].traversal =
					str_dup(to->arena,
						d.values[v].traversal);
				d.values[v].statement =
					str_dup(to->arena,
						d.values[v].statement);
			}
		}
		diags_push(to, d);
	}
}

/* --- codes --- */

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
