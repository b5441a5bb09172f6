/* form.c - the forms by their names */
#include "ui/show/form/form.h"

static const struct plan_form *const forms[] = {
	&form_flat, &form_html, &form_markdown, &form_tsv, NULL,
};

/* Of a name, as -format has it; NULL after a diagnostic. */
static const struct plan_form *form_find(struct str name, struct diags *ds)
{
	for (size_t i = 0; forms[i]; i++)
		if (str_is(name, forms[i]->name))
			return forms[i];
	diag_error(ds, NULL, "Invalid output format",
		   "-format is flat, html, md or tsv, not \"%.*s\".",
		   STR_ARG(name));
	return NULL;
}

int form_options(const struct str *format, const long *max_size,
		 bool show_sensitive, const struct plan_form **form,
		 struct diags *ds)
{
	if (format)
		*form = form_find(*format, ds);
	if (format && !*form)
		return -1;
	if (*form && (*form)->for_others && show_sensitive)
		return diag_error(
			ds, NULL, "Incompatible command line options",
			"-show-sensitive is not for -format=%s, which is made to be given away.",
			(*form)->name);
	if (max_size && *form != &form_markdown)
		return diag_error(
			ds, NULL, "Unsupported option",
			"-max-size has no effect here: it is for -format=md.");
	if (max_size && *max_size < FORM_MIN_SIZE)
		return diag_error(ds, NULL, "Invalid size",
				  "-max-size is %d or more.", FORM_MIN_SIZE);
	return 0;
}
