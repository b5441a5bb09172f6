/* inputs_missing.c - the list of variables that have no value, for callers that
 * can ask */
#include <errno.h>

#include "engine/run/inputs.h"
#include "base/io.h"
#include "base/visible.h"

static void add_escaped(struct buf *b, struct str text)
{
	struct buf shown = BUF_INIT;
	struct str s;

	visible_put(&shown, text, false);
	s = buf_view(&shown);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n' || s.p[i] == '\\')
			buf_putc(b, '\\');
		buf_putc(b, s.p[i] == '\n' ? 'n' : s.p[i]);
	}
	buf_release(&shown);
}

/* NAME, tab, "plain" or "sensitive" with ",ephemeral" behind it, tab, the
 * description with \\ and \n escaped. */
static void add_missing(struct buf *b, const struct cfg_variable *v)
{
	buf_addf(b, "%.*s\t%s%s\t", STR_ARG(v->name),
		 v->sensitive ? "sensitive" : "plain",
		 v->ephemeral ? ",ephemeral" : "");
	add_escaped(b, v->description);
	if (v->deprecated.n) {
		buf_puts(b, v->description.n ? ".\\n" : "");
		buf_puts(
			b,
			"Variable is marked as deprecated with the following message: ");
		add_escaped(b, v->deprecated);
	}
	buf_putc(b, '\n');
}

int inputs_write_missing(struct str file, const struct cfg_module *root,
			 struct str_vec *names, struct diags *ds)
{
	struct buf b = BUF_INIT;
	int rc;

	str_sort(names->items, names->len);
	for (size_t i = 0; i < names->len; i++)
		add_missing(&b, map_get(&root->variables, names->items[i]));
	rc = io_replace_file(file.p, b.p, b.len, 0600);
	if (rc)
		diag_error(ds, NULL,
			   "Cannot write the list of missing variables",
			   "%s: %s.", file.p, strerror(errno));
	buf_release(&b);
	return rc;
}
