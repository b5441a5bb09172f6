/* diff_int.h - what the parts of the difference computation share */
#ifndef TFPIPE_UI_DIFF_DIFF_INT_H
#define TFPIPE_UI_DIFF_DIFF_INT_H

#include "base/vec.h"
#include "ui/diff/diff.h"

struct child_vec VEC_OF(struct diff_child);

/* Computes the difference of a value by its schema of whatever kind. */
typedef const struct diff *diff_fn(struct arena *a, const struct diff_input *in,
				   const void *schema);

/* NULL or the JSON null. */
bool diff_absent(const struct json *j);
bool diff_true(const struct json *j);
size_t diff_length(const struct json *j);
/* Does one of them lead to here? */
bool diff_path_ends(struct diff_paths p);
/* Leaves what is not relevant as it was.  It is for the caller to say of what:
 * of attributes that are lists or sets all elements matter, if one does. */
void diff_unless_relevant(struct diff_input *c);

/* Derives the other members of c, the child of in at key, from its values. */
void diff_child_settle(struct arena *a, const struct diff_input *in,
		       struct str key, struct diff_input *c);
struct diff_input diff_child_key(struct arena *a, const struct diff_input *in,
				 struct str key);
struct diff_input diff_child_index(struct arena *a, const struct diff_input *in,
				   size_t before, size_t after);

struct diff_input diff_as_delete(const struct diff_input *in);
struct diff_input diff_as_create(const struct diff_input *in);

enum diff_action diff_action_of(const struct diff_input *in);
/* Returns the action of a container before its children are considered. */
enum diff_action diff_default_action(const struct diff_input *in);
enum diff_action diff_combine(enum diff_action current, enum diff_action next);

struct diff *diff_make(struct arena *a, enum diff_kind kind,
		       enum diff_action action, bool replace);
struct diff *diff_with_children(struct diff *d, const struct child_vec *v);

/* Sensitive and unknown values, handled before the type; NULL: it is
 * neither. */
const struct diff *diff_if_sensitive(struct arena *a,
				     const struct diff_input *in,
				     enum diff_kind kind, diff_fn *f,
				     const void *schema);
const struct diff *diff_if_unknown(struct arena *a, const struct diff_input *in,
				   const struct json *child_unknown, diff_fn *f,
				   const void *schema);

/*
 * diff_string.c: rendering primitive values: strings of one line, of
 * several, and strings that hold JSON
 */

void diff_put_primitive(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st);

/* diff_text.c: what the parts of difference rendering share */

/* The style of what is within a value: of which elements it is said that they
 * force replacement, the container decides; what is in those says nothing. */
static inline struct diff_style diff_style_within(struct diff_style st)
{
	st.force_replace = false;
	return st;
}

/* text in a colour, PAINT_*, if there is colour */
void diff_paint(struct buf *b, const char *paint, const char *text, bool color);
/* The beginning of a line: indent and symbol. */
void diff_put_lead(struct buf *b, unsigned indent, enum diff_action a,
		   struct diff_style st);
void diff_put_null_suffix(struct buf *b, enum diff_action a,
			  struct diff_style st);
void diff_put_replace(struct buf *b, bool replace, struct diff_style st);
void diff_put_arrow(struct buf *b, struct diff_style st);

/* diff_value.c: differences of values: by their type, or by the JSON alone */

enum diff_action diff_container_action(const struct diff_input *in,
				       enum json_kind kind);
int diff_by_key(const void *x, const void *y);
/* The members of values whose keys no type names: kids are the keys of before
 * and after, with hidden also those of what is unknown and sensitive, sorted,
 * once each; the inputs of all of them are returned.  In one pass, for there
 * may be very many. */
const struct diff_input *diff_members(struct arena *a,
				      const struct diff_input *in, bool hidden,
				      struct child_vec *kids);
enum diff_action diff_set_elems(struct arena *a, const struct diff_input *in,
				diff_fn *f, const void *schema,
				struct child_vec *kids);
int diff_by_key(const void *x, const void *y);

/*
 * diff_walk.c: the walk over two sequences along their longest common
 * subsequence
 */

void diff_walk(struct arena *a, const struct diff_sequence *s);

#endif
