/* front.c - see display.h */
#include <errno.h>

#include "ui/display.h"
#include "stream/record.h"
#include "stream/stream.h"
#include "ui/diag_text.h"

int front_options(struct arena *a, const struct opts *o, int argc, char **argv,
		  const struct str *dir, struct str_vec *given,
		  struct diags *ds)
{
	struct str_vec rest = { 0 };
	enum opts_result r = opts_parse(a, o, argc, argv, &rest, given, ds);

	if (r == OPTS_DONE)
		return 0;
	if (r == OPTS_RUN && rest.len)
		diag_error(ds, NULL, "Too many command line arguments",
			   "%s takes no operands.", opts_called(o));
	else if (r == OPTS_RUN)
		opts_enter(*dir, ds);
	if (!diags_failed(ds))
		return -1;
	diags_print(ds, NULL);
	return 1;
}

void front_early(struct stream_out *out, const struct diags *ds, bool json,
		 const struct display *display)
{
	bool shown = display && display->running;

	record_diags(out, ds, NULL,
		     json || shown ? STR_NONE : diag_told_here(ds->arena));
	if (!json && !shown)
		diags_print(ds, NULL);
}

bool front_end(struct stream_out *out, const char *tool, const struct diags *ds,
	       const struct sources *sources, bool json,
	       struct display *display, bool failed)
{
	bool shown = display && display->running;

	record_diags(out, ds, sources,
		     json || shown ? STR_NONE : diag_told_here(ds->arena));
	/* Print before the end record, which reports success: this may fail. */
	if (!json && !shown) {
		diags_print(ds, sources);
		shown = true;
	}
	if (stream_end(out, failed)) {
		struct diags late = DIAGS_INIT(ds->arena);

		diag_error(&late, NULL, "Failed to write the output",
			   "%s: standard output: %s.", tool, strerror(errno));
		diags_print(&late, NULL);
		failed = true;
	}
	if (display && display->running)
		shown = display->end(display);
	if (!json && !shown)
		diags_print(ds, sources);
	return failed;
}
