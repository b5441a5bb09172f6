/*
 * dso.h - shared objects of this package that a program loads when it needs
 * them
 *
 * Each wraps libraries which are slow to load and seldom needed.  It lies
 * beside the program (in a build tree), or else in PKGLIBEXECDIR, and is loaded
 * from nowhere else.
 */
#ifndef TFPIPE_BASE_DSO_H
#define TFPIPE_BASE_DSO_H

/* The table that NAME.so, which stays loaded, has under that name.  A
 * table begins with the version of the package, a const char *.  NULL: there is
 * none of this version, or it cannot be loaded. */
const void *dso_table(const char *name, const char *table);

#endif
