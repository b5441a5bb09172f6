/*
 * glob_int.h - patterns of file names for fileset()
 *
 *	*  any characters but /        ?  one character but /
 *	[a-z] [^a-z] [!a-z]  one character of (not of) a class
 *	{a,b/c}  alternatives          **  as a whole part: any directories
 *	\x  x itself
 */
#ifndef TFPIPE_FUNCS_GLOB_INT_H
#define TFPIPE_FUNCS_GLOB_INT_H

#include "base/str.h"
#include "base/vec.h"

struct glob_list VEC_OF(struct str);

/* Is the pattern well formed? */
bool glob_valid(struct str pattern);

/* Expands a valid pattern into patterns without alternatives.  Returns 0, or -1
 * if there are too many to mean anything. */
int glob_expand(struct arena *a, struct str pattern, struct glob_list *out);

/* Has the pattern, of one part of a path, any of * ? [ ? */
bool glob_is_wild(struct str pattern);
/* A pattern that is not wild as the name it means. */
struct str glob_plain(struct arena *a, struct str pattern);

/* Does a name match a pattern of one part of a path? */
bool glob_match(struct str pattern, struct str name);

#endif
