/* form.c - the forms by their names */
#include "ui/show/form/form.h"

static const struct plan_form *const forms[] = {
	&form_flat, &form_html, &form_markdown, &form_tsv, NULL,
};

const struct plan_form *form_find(struct str name, struct diags *ds)
{
	for (size_t i = 0; forms[i]; i++)
		if (str_is(name, forms[i]->name))
			return forms[i];
	diag_error(ds, NULL, "Invalid output format",
		   "-format is flat, html, md or tsv, not \"%.*s\".",
		   STR_ARG(name));
	return NULL;
}
