/* words_show.c - what `tf show` is to show */
#include "driver/driver_int.h"

static int needs_json(struct words *w, const char *what)
{
	return diag_error(&w->ds, NULL,
			  arena_printf(w->a, "JSON output required for %s",
				       what),
			  "A %s is shown as JSON only: -json is needed.", what);
}

int words_show_check(struct words *w, const struct str_vec *operands)
{
	const struct word_options *o = &w->options;
	int targets = o->show_state + o->show_config + (o->plan_file.n > 0) +
		      (o->module.n > 0);

	if (o->show_config && !o->show_json)
		return needs_json(w, "configuration");
	if (o->module.n && !o->show_json)
		return needs_json(w, "module");
	if (!targets && operands->len > 1)
		return diag_error(&w->ds, NULL,
				  "Too many command line arguments",
				  "At most one operand is taken.");
	if (targets && operands->len)
		return diag_error(
			&w->ds, NULL, "Unexpected command line arguments",
			"What to show is said by an option, so there is no operand.");
	if (targets > 1)
		return diag_error(&w->ds, NULL,
				  "Conflicting object types to show",
				  "-state, -plan=FILE, -config and -module=DIR "
				  "say what to show, and only one thing is "
				  "shown.");
	return 0;
}

/* A file is an operand however it was named. */
void words_show_target(struct words *w, const struct str_vec *operands,
		       struct buf *words)
{
	const struct word_options *o = &w->options;

	if (o->show_config)
		buf_puts(words, " -config");
	else if (o->module.n)
		shell_word(words, str_printf(w->a, "-module=%.*s",
					     STR_ARG(o->module)));
	else
		buf_puts(words, o->plan_file.n || operands->len ? " -saved"
								: " -current");
}
