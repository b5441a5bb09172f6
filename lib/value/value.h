/*
 * value.h - values: immutable, shared, in arenas
 *
 * A value is known, null or unknown, has a type, and may carry marks.  Marks
 * belong to the value they are on, not to what is inside it: a list may be
 * unmarked with a sensitive element (value_unmark_deep collects all).
 *
 * No function here modifies a value.  Every function that makes one takes the
 * arena first; the result may share parts of its arguments, so arguments must
 * live as long as the result (value_copy moves a value into another arena).
 *
 * Numbers: binary floating point (MPFR); integers that fit an int64 are held
 * inline.  Each has a precision, 512 bits when it was parsed from text, 64 when
 * it was made from a machine integer, 53 from a double; an operation's result
 * has the larger of its operands'.  (It shows: 1/3 of two lengths prints 20
 * digits.)  Strings and map keys are NFC.  Sets are held sorted in the set
 * order (semantic-traps.md 1) without duplicates.
 */
#ifndef TFPIPE_VALUE_VALUE_H
#define TFPIPE_VALUE_VALUE_H

#include "value/type.h"

enum value_state { VALUE_KNOWN, VALUE_NULL, VALUE_UNKNOWN };

enum mark {
	MARK_SENSITIVE = 1 << 0,
	MARK_EPHEMERAL = 1 << 1,
	MARK_DEPRECATED = 1 << 2, /* causes are in struct marks */
	MARK_TYPE = 1 << 3,       /* result of the console's type() */
	/* A part of a sensitive or ephemeral value whose marks lie at the
	 * whole, while the evaluator goes through it (marks_within): only
	 * diagnostics look at it, which must not show the part either. */
	MARK_WITHIN = 1 << 4,
	/* What people must not be shown. */
	MARKS_CONFIDENTIAL = MARK_SENSITIVE | MARK_EPHEMERAL | MARK_WITHIN,
};

/* Why a value is deprecated, to warn where it is used. */
struct deprecation {
	struct str by;      /* address of what declares it: module.a.output.b */
	struct str message; /* the author's words */
	bool remote;        /* its module is not the root module's own: on the
			       way to it is a source that is no path */
};

struct marks { /* immutable; NULL means none */
	unsigned bits;
	uint32_t ndeprecations;
	const struct deprecation *deprecations;
};

/* The refinements of an unknown value.  Absent bounds: NULL. */
struct refinement {
	bool not_null;
	struct str prefix;             /* strings; empty if none */
	const struct value *min, *max; /* numbers */
	bool min_inclusive, max_inclusive;
	uint64_t len_min, len_max; /* collections; UINT64_MAX = none */
};

struct bignum; /* MPFR number, see number.h */

struct value {
	const struct type *type;
	uint8_t state;      /* enum value_state */
	bool inner_marks;   /* some value inside carries marks */
	bool inner_unknown; /* some value inside is unknown */
	bool big;           /* number: .num is set, not .integer */
	uint32_t len;       /* list, set, map, tuple, object: elements;
			      inline number: its precision in bits */
	const struct marks *marks;
	union {
		bool boolean;
		int64_t integer;
		const struct bignum *num;
		struct str string;
		/* list, tuple: in order; set: in set order; object: in the
		 * type's attribute order; map: in key order. */
		struct {
			const struct value *const *elems;
			const struct str *keys; /* map only */
		};
		const struct refinement *refined; /* unknown; may be NULL */
	};
};

/* --- making --- */
extern const struct value value_true, value_false;
extern const struct value value_null_dynamic;    /* untyped null */
extern const struct value value_unknown_dynamic; /* also "the error value" */
extern const struct value value_empty_string, value_zero;

const struct value *value_bool(bool b);
/* NFC-normalises (ASCII fast path, borrowing s when it is normal already). */
const struct value *value_string(struct arena *a, struct str s);
const struct value *value_null(struct arena *a, const struct type *t);
const struct value *value_unknown(struct arena *a, const struct type *t);

/* Elements must be of type `elem` (or the list is of dynamic elements). The
 * array is copied. */
const struct value *value_list(struct arena *a, const struct type *elem,
			       const struct value *const *elems, size_t n);
/* Sorts by key; of duplicates the last counts. */
const struct value *value_map(struct arena *a, const struct type *elem,
			      const struct str *keys,
			      const struct value *const *elems, size_t n);
const struct value *value_tuple(struct arena *a,
				const struct value *const *elems, size_t n);
/* The object type is made from the values' types; duplicates: last counts. */
const struct value *value_object(struct arena *a, const struct str *names,
				 const struct value *const *elems, size_t n);
/* Elements in the attribute order of t, an object type. */
const struct value *value_object_of(struct arena *a, const struct type *t,
				    const struct value *const *elems);

/* --- looking --- */
static inline bool value_is_null(const struct value *v)
{
	return v->state == VALUE_NULL;
}
static inline bool value_is_known(const struct value *v) /* or null */
{
	return v->state != VALUE_UNKNOWN;
}
static inline bool value_usable(const struct value *v) /* known, not null */
{
	return v->state == VALUE_KNOWN;
}
bool value_wholly_known(const struct value *v);
/* The object's attribute or map's element, NULL if it has none (or v is not
 * VALUE_KNOWN).  Marks of v are not transferred. */
const struct value *value_get(const struct value *v, struct str name);

/* Deep copy into another arena; types and static values are shared. */
const struct value *value_copy(struct arena *a, const struct value *v);
/* Copies what lies in `from`, which is to be released; the rest stays where it
 * is.  What v has in common with itself is copied each time. */
const struct value *value_move(const struct arena *from, struct arena *to,
			       const struct value *v);
const struct marks *marks_move(const struct arena *from, struct arena *to,
			       const struct marks *m);
/* Takes the size of what value_move would copy from *room; false: more than
 * that. */
bool value_move_fits(const struct arena *from, const struct value *v,
		     size_t *room);

extern const struct marks marks_sensitive, marks_ephemeral;
static inline bool value_has_mark(const struct value *v, enum mark m)
{
	return v->marks && (v->marks->bits & m);
}

/* --- refinements --- */
/* Nothing known: any length, no bounds. Start from a copy of it. */
extern const struct refinement refinement_none;
/* An unknown, not null bool: what a comparison that cannot be made yields. */
extern const struct value value_unknown_bool;

/* equal.c: the three equalities */

/* Same type, state, content, refinement and marks (what the "no change"
 * decisions use). */
bool value_identical(const struct value *a, const struct value *b);
/* As value_identical, marks ignored at every depth. */
bool value_equal_unmarked(const struct value *a, const struct value *b);
/* The language's ==: a bool, possibly unknown, with the marks of both. */
const struct value *value_equals(struct arena *a, const struct value *x,
				 const struct value *y);

/* rebuild.c: composites with other elements */

/* An object of type t; if an element has another type than t says, an object of
 * another type with the names of t. */
const struct value *value_object_like(struct arena *a, const struct type *t,
				      const struct value *const *elems);
/* A composite like v, marks included, with as many other elements. */
const struct value *value_rebuild(struct arena *a, const struct value *v,
				  const struct value *const *elems);
/* A composite like v with other elements, in which a set or list becomes a
 * tuple and a map an object: so the elements of a set keep marks and types of
 * their own. */
const struct value *value_rebuild_loose(struct arena *a, const struct value *v,
					const struct value *const *elems);

/* render.c: a value as the console prints it */

/* Appends without a final newline: "a", tolist([…]), (known after apply),
 * (sensitive value). */
void value_render(struct buf *b, const struct value *v);

#endif
