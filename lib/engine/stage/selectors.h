/*
 * selectors.h - what is to be planned: mode, -target, -exclude, -replace,
 * -refresh, -minimal-refresh
 */
#ifndef TFPIPE_ENGINE_STAGE_SELECTORS_H
#define TFPIPE_ENGINE_STAGE_SELECTORS_H

#include "base/opts.h"
#include "engine/run/run.h"

/* The mode and the selected part of a plan. */
struct selectors {
	enum run_mode mode;
	bool refresh;
	bool minimal_refresh; /* but of nothing that is to stay as it is */
	int64_t refresh_older_than; /* seconds: nor what was read since; 0: all */
	struct target_set set;
};

/* The options that set them, as given on a command line. */
struct selector_options {
	struct str_vec target, exclude, replace;
	struct str_vec target_files, exclude_files, replace_files;
	bool destroy, refresh_only, minimal_refresh;
	struct str refresh; /* true, false, older-than=AGE; or empty */
	bool replace_later; /* tf-plan rejects -replace with this mode */
};

/* The options by which all of them are given, with -help's texts. */
enum { SELECTOR_OPTS = 11 }; /* the end included */
void selector_opts(struct selector_options *o, struct opt table[]);

int selectors_parse(struct arena *a, const struct selector_options *o,
		    struct selectors *out, struct diags *ds);
/* refresh_option.c: what -refresh says.  Without a text it is on; *age stays as
 * it is unless there is one.  -1: diagnosed. */
int refresh_option(struct str text, bool *on, int64_t *age, struct diags *ds);
/* Adds what -refresh and -minimal-refresh say; -1: diagnosed. */
int selectors_refresh(const struct selector_options *o, struct selectors *s,
		      struct diags *ds);
/* All objects are read, whenever that was last done. */
bool selectors_read_all(const struct selectors *s);
/* Options that exclude each other. */
int selectors_check(const struct selectors *s, struct diags *ds);
/* The record "options". */
void selectors_write(struct stream_out *o, const struct selectors *s);
/* The mode and the set, as members of that record and of a plan's. */
const char *run_mode_name(enum run_mode m);
void selectors_refresh_members(struct jw *w, const struct selectors *s);
void target_set_members(struct jw *w, const struct target_set *s);
/* Back. */
int selectors_read(struct arena *a, struct str line, struct selectors *out,
		   struct diags *ds);
/* Takes what either record says.  Whether they go together is not checked: a
 * plan may have what an import makes of them. */
int selectors_take(struct arena *a, const struct json *j, struct selectors *out,
		   struct diags *ds);

#endif
