/*
 * type.h - the type system of the language
 *
 * Types are interned for the life of the process: two equal types are the same
 * pointer.  Composite types are made by the constructors below, which look the
 * type up first.  Object attributes are sorted by name (bytewise), names NFC.
 *
 * An object type may have optional attributes (from optional() in a type
 * constraint); such types occur in constraints only, never in values:
 * type_without_optional gives the type that values have.
 * Source: OpenTofu 1.12.6 as observed; semantic-traps.md 3, 6.
 */
#ifndef TFPIPE_VALUE_TYPE_H
#define TFPIPE_VALUE_TYPE_H

#include "base/diag.h"
#include "base/str.h"
#include "json/json.h"
#include "json/write.h"

enum type_kind {
	TYPE_DYNAMIC, /* "any": the type is not known (yet) */
	TYPE_BOOL,
	TYPE_NUMBER,
	TYPE_STRING,
	TYPE_LIST,
	TYPE_SET,
	TYPE_MAP,
	TYPE_TUPLE,
	TYPE_OBJECT,
};

struct type {
	enum type_kind kind;
	bool has_dynamic;  /* TYPE_DYNAMIC occurs in it */
	bool has_optional; /* an optional attribute occurs in it */
	uint32_t len;      /* tuple elements or object attributes */
	uint32_t depth;    /* levels: 1 for what is not composite */
	union {
		const struct type *elem;         /* list, set, map */
		const struct type *const *elems; /* tuple */
		const struct type_attr *attrs;   /* object, sorted by name */
	};
};

struct type_attr {
	struct str name;
	const struct type *type;
	bool optional;
};

extern const struct type type_dynamic, type_bool, type_number, type_string;

/* Composite types that static tables need to name; interned like all others,
 * so type_list(&type_string) == &type_list_string. */
extern const struct type type_list_dynamic, type_list_bool, type_list_number,
	type_list_string, type_set_dynamic, type_set_string, type_map_dynamic,
	type_map_string, type_map_list_string;

/* Levels of nesting at which text from outside is refused.  Functions that walk
 * types and values recurse once a level, so code that builds values from input
 * without such a limit (an evaluator) checks type->depth. */
enum { TYPE_DEPTH_MAX = 1000 };

const struct type *type_list(const struct type *elem);
const struct type *type_set(const struct type *elem);
const struct type *type_map(const struct type *elem);
const struct type *type_tuple(const struct type *const *elems, size_t n);
/* attrs need not be sorted; duplicates: the last counts. Names are copied and
 * normalised. */
const struct type *type_object(const struct type_attr *attrs, size_t n);

/* The attribute's index, or -1. */
int type_attr_index(const struct type *t, struct str name);

const struct type *type_without_optional(const struct type *t);

/* Is a value of type `given` valid where `want` is required, without
 * conversion? Like equality, but dynamic parts of `want` admit all. */
bool type_conforms(const struct type *given, const struct type *want);

static inline bool type_is_primitive(const struct type *t)
{
	return t->kind >= TYPE_BOOL && t->kind <= TYPE_STRING;
}

static inline bool type_is_collection(const struct type *t)
{
	return t->kind >= TYPE_LIST && t->kind <= TYPE_MAP;
}

/* type_text.c: types as text: friendly names, console notation, JSON */

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
