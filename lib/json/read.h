/* read.h - JSON text to tree; see json.h.  Wraps yajl. */
#ifndef TFPIPE_JSON_READ_H
#define TFPIPE_JSON_READ_H

#include "json/json.h"

/* Parses exactly one value (white space around it allowed), which must be
 * UTF-8.  The tree's strings are copies in the arena.  NULL on error, with
 * *err filled. */
const struct json *json_parse(struct arena *a, struct str text,
			      struct json_error *err);

#endif
