/*
 * view.h - where something is shown, and how: text or messages, colours, widths
 */
#ifndef TFPIPE_UI_VIEW_H
#define TFPIPE_UI_VIEW_H

#include "base/map.h"
#include "base/io.h"
#include "stream/stream.h"
#include "ui/diag_text.h"

struct view {
	struct arena *arena;
	struct out *out;         /* stdout */
	struct out *err;         /* stderr: diagnostics as text */
	struct text_style style; /* of out */
	struct text_style err_style;
	bool json; /* the -json UI stream instead of text */
	bool data; /* out is what the command prints for programs:
				  warnings, too, go to err */
	bool show_sensitive;
	bool raw_provisioners; /* their output, with its control characters */
	bool in_automation;    /* TF_IN_AUTOMATION: no hints what to run */
	struct map started;    /* event_view.c: ephemeral resources at work */
	struct diag_display display; /* of ui_diags, as text */
	struct view *into; /* gets all output as messages, too; or NULL */
};

struct plan_counts {
	size_t add, change, destroy, import, forget;
	size_t shown; /* changes that are displayed, moves included */
};

#endif
