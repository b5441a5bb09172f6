/*
 * diff_int.h - what the parts of the difference computation share
 */
#ifndef TFPIPE_UI_DIFF_INT_H
#define TFPIPE_UI_DIFF_INT_H

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

#endif
