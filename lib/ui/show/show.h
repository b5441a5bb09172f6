/*
 * show.h - what tf-show does: reads a stream or a state file and renders it, as
 * text or as the published JSON
 */
#ifndef TFPIPE_UI_SHOW_H
#define TFPIPE_UI_SHOW_H

#include "ui/show/shown.h"

struct show_options {
	bool json;
	bool detailed_exitcode; /* 2 when there is something to apply */
	bool no_color, show_sensitive;
	bool saved;            /* rendering a plan file as OpenTofu does: that it
				  is one of a plan that failed is no failure */
	int fd;                /* where to; standard output by default */
	const struct state *state; /* shown instead of what fd has */
	struct provider_source *providers; /* whose schemas states need */
};

/* What the operand names, or there being none the standard input: a descriptor,
 * and *name for messages.  -1: diagnosed. */
int show_open(const struct str_vec *operands, struct str *name,
	      struct diags *ds);

/* Returns the exit status: 0, 1 on failure, 2 as -detailed-exitcode has it.
 * fd: what to read. */
int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name);

/* Text, and then the same as JSON into the file at path: reads fd twice. */
int show_both(struct arena *a, const struct show_options *o, int fd,
	      struct str name, struct str path, struct diags *ds);

/* The configuration in the published form on standard output.  Without
 * providers one module for itself, c being loaded so: no expressions, which
 * takes schemas, and nothing of what it calls.  -1 with diagnostics. */
int show_config(struct arena *a, const struct config *c,
		struct provider_source *providers, struct diags *ds);

/* --- parts, each in a file of its name --- */

/* The published plan representation (show -json PLAN). */
void plan_json(struct jw *w, const struct shown *s);
/* The published state representation.  schemas as in struct shown. */
void state_json(struct jw *w, const struct state *st,
		const struct map *schemas);
/* Its "values" member alone (prior_state, planned_values share it). */
void state_values_json(struct jw *w, const struct state *st,
		       const struct map *schemas);
/* Its "checks" member, if there are any. */
void state_checks_json(struct jw *w, const struct state *st);
/* `configuration`; that of one module for itself where schemas is NULL. */
void config_json(struct jw *w, const struct config *c,
		 const struct map *schemas);
/* The plan as people read it: each change when its record comes, the whole at
 * the end. */
void plan_text_change(struct view *v, struct shown *s, struct str line);
void plan_text(struct view *v, const struct shown *s);
/* A state as people read it. */
void state_text(struct view *v, const struct state *st,
		const struct map *schemas);
/* One object of it (state show). */
void state_instance_text(struct buf *b, const struct state_resource *r,
			 const struct state_instance *i,
			 const struct map *schemas, struct diff_style st);

#endif
