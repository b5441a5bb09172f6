/* path_json.h - paths in state files and published plans; see path.h */
#ifndef TFPIPE_VALUE_PATH_JSON_H
#define TFPIPE_VALUE_PATH_JSON_H

#include "json/write.h"
#include "value/path.h"

/* The state file's form: [{"type":"get_attr","value":"a"},
 * {"type":"index","value":{"value":0,"type":"number"}}] */
void path_to_state_json(struct jw *w, struct path p);
int path_from_state_json(struct arena *a, const struct json *j,
			 struct path *out);
/* The plan JSON's form (replace_paths): ["a",0,"k"]; a set step is the element.
 * -1, and null written in its place, when that is not known. */
int path_to_plan_json(struct jw *w, struct path p);

#endif
