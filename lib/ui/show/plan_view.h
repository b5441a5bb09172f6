/*
 * plan_view.h - the summary of a plan and its messages in the -json UI stream
 */
#ifndef TFPIPE_UI_PLAN_VIEW_H
#define TFPIPE_UI_PLAN_VIEW_H

#include "ui/show/shown_change.h"
#include "ui/view.h"

/* "Plan: 1 to add, 0 to change, 0 to destroy." */
void plan_counts_text(struct buf *b, const struct plan_counts *c);
/* Adds a resource_change to the counts; returns whether it is
 * displayed. */
bool plan_count(struct plan_counts *n, const struct shown_change *c);
/* planned_change / resource_drift of the UI stream. */
void plan_change_message(struct view *v, const struct shown_change *c,
			 bool drift);
/* Returns the end of an address's module part, module.a["x"].module.b; 0: there
 * is none. */
size_t plan_view_module_end(struct str addr);
/* change_summary and outputs; outputs: of output_change records. */
void plan_summary_message(struct view *v, const struct plan_counts *c);
void plan_outputs_message(struct view *v, const struct shown_change *outputs,
			  size_t n);

#endif
