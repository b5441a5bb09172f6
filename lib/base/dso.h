/*
 * dso.h - shared objects of this package that a program loads when it needs
 * them
 *
 * Each wraps libraries which are slow to load and seldom needed.  It is loaded
 * from the program's directory (in a build tree); from LIBEXEC_FROM_BIN, which
 * is relative to that, so that an installed prefix can be moved; or else from
 * PKGLIBEXECDIR; and from nowhere else.
 */
#ifndef TFPIPE_BASE_DSO_H
#define TFPIPE_BASE_DSO_H

/* The table of that name in NAME.so, which stays loaded.  A table begins with
 * the version of the package, a const char *.  NULL: none of this version was
 * found, or it cannot be loaded. */
const void *dso_table(const char *name, const char *table);

#endif
