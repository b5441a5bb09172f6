/* type_text.h - types as text: friendly names, console notation, JSON */
#ifndef TFPIPE_VALUE_TYPE_TEXT_H
#define TFPIPE_VALUE_TYPE_TEXT_H

#include "json/write.h"
#include "value/type.h"

/* "string", "list of number", "object", "dynamic": how messages name it. */
struct str type_friendly(struct arena *a, const struct type *t);
/* How messages name a type that is asked for: "any type" where it is dynamic.
 */
struct str type_friendly_constraint(struct arena *a, const struct type *t);
/* The console's type() notation, over several lines. */
void type_render(struct buf *b, const struct type *t);
/* The ecosystem's JSON notation: "string", ["list","string"],
 * ["object",{"a":"string"},["a"]] (third element: optional names). */
void type_to_json(struct jw *w, const struct type *t);
const struct type *type_from_json(struct arena *a, const struct json *j);

#endif
