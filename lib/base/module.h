/*
 * module.h - parts of this package that a program loads when it needs them
 *
 * A module is a shared object that wraps libraries which are slow to load and
 * seldom needed.  It lies beside the program (in a build tree), or else in
 * PKGLIBEXECDIR, and is loaded from nowhere else.
 */
#ifndef TFPIPE_BASE_MODULE_H
#define TFPIPE_BASE_MODULE_H

/* The symbol of the module "NAME.so", which stays loaded.  NULL: there is none,
 * or it cannot be loaded. */
const void *module_symbol(const char *name, const char *symbol);

#endif
