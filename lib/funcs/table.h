/*
 * table.h - the built-in functions, and their published form
 *
 * One sorted table of all functions of the language, found by bare name or
 * with the namespace core:: before it.  One file a family; each function is a
 * struct func (lang/eval/func.h) with its parameters beside its code.
 *
 * Two functions depend on where they are used: type() exists in the console
 * only, plantimestamp() everywhere else (funcs_available).
 */
#ifndef TFPIPE_FUNCS_TABLE_H
#define TFPIPE_FUNCS_TABLE_H

#include "json/write.h"
#include "lang/eval/func.h"

/* The function of that name ("abs", "core::abs"), or NULL. */
const struct func *funcs_lookup(struct str name);
/* A struct scope's `function`: the function of that name that configurations
 * can call, or NULL.  data is not used. */
const struct func *funcs_find(void *data, struct str name);
/* All functions in order of name: for (i = 0; (f = funcs_at(i)); i++) */
const struct func *funcs_at(size_t i);
/* Does f exist in the console (true) or in configurations (false)? */
bool funcs_available(const struct func *f, bool console);
/* The published description of all functions that configurations can call, as
 * `metadata functions -json` prints it: format_version 1.0. */
void funcs_metadata_json(struct jw *w);
/* One function in that form; summary: with its member of that name. */
void func_signature_json(struct jw *w, const struct func *f, bool summary);

#endif
