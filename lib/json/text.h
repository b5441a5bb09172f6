/* text.h - JSON text written again; see write.h */
#ifndef TFPIPE_JSON_TEXT_H
#define TFPIPE_JSON_TEXT_H

#include "json/json.h"
#include "json/write.h"

/* Valid JSON text again, in the layout of the writer: without white space, or
 * indented.  Its strings keep their escapes; with html they get the rest. */
void jw_text(struct jw *w, struct str json);

#endif
