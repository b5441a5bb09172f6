/*
 * selectors.h - what is to be planned: mode, -target, -exclude, -replace,
 * -refresh
 */
#ifndef TFPIPE_ENGINE_STAGE_SELECTORS_H
#define TFPIPE_ENGINE_STAGE_SELECTORS_H

#include "base/opts.h"
#include "engine/run/run.h"

/* What is to be planned; `options` record. */
struct selectors {
	enum run_mode mode;
	bool refresh;
	struct target *targets, *excludes;
	size_t ntargets, nexcludes;
	struct instance_addr *replace;
	size_t nreplace;
};

/* The options that set them, as given on a command line. */
struct selector_options {
	struct str_vec target, exclude, target_files, exclude_files, replace;
	bool destroy, refresh_only;
	bool refresh; /* default true */
};

/* The options by which all of them are given, with -help's texts. */
enum { SELECTOR_OPTS = 9 }; /* the end included */
void selector_opts(struct selector_options *o, struct opt table[]);

int selectors_parse(struct arena *a, const struct selector_options *o,
		    struct selectors *out, struct diags *ds);
/* Options that exclude each other. */
int selectors_check(const struct selectors *s, struct diags *ds);
/* How records name them; the record of a plan has them, too. */
const char *run_mode_name(enum run_mode m);
void targets_member(struct jw *w, const char *name, const struct target *ts,
		    size_t n);
void instances_member(struct jw *w, const char *name,
		      const struct instance_addr *all, size_t n);
/* The record "options", and back. */
int selectors_read(struct arena *a, struct str line, struct selectors *out,
		   struct diags *ds);
void selectors_write(struct stream_out *o, const struct selectors *s);

#endif
