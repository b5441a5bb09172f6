/* template_tree_int.h - from the parts of a template to its tree */
#ifndef TFPIPE_LANG_TEMPLATE_TREE_INT_H
#define TFPIPE_LANG_TEMPLATE_TREE_INT_H

#include "lang/syntax/parser_int.h"

/* Takes the common indent off the lines of p->parts from base on (<<-). */
void template_flush(struct parser *p, size_t base);
/* The tree of the parts from base on, which end with PART_END. */
struct expr *template_tree(struct parser *p, size_t base, struct span span);

#endif
