/*
 * table.c - the table of all built-in functions, and its published form
 */
#include <stdio.h>
#include <stdlib.h>

#include "funcs/table.h"
#include "funcs/funcs_int.h"
#include "json/write.h"
#include "value/type.h"

#define FUNCS_ENTRY(name) &func_##name,
static const struct func *const table[] = { FUNCS_ALL(FUNCS_ENTRY) };
#undef FUNCS_ENTRY

enum { TABLE_LEN = sizeof(table) / sizeof(table[0]) };

static int compare(const void *key, const void *entry)
{
	const struct func *f = *(const struct func *const *)entry;

	return str_cmp(*(const struct str *)key, str_c(f->name));
}

const struct func *funcs_lookup(struct str name)
{
	const struct func *const *found;

	if (str_starts(name, "core::"))
		name = str_sub(name, 6, name.n);
	found = bsearch(&name, table, TABLE_LEN, sizeof(table[0]), compare);
	return found ? *found : NULL;
}

const struct func *funcs_at(size_t i)
{
	return i < TABLE_LEN ? table[i] : NULL;
}

bool funcs_available(const struct func *f, bool console)
{
	if (f == &func_type)
		return console;
	return f != &func_plantimestamp || !console;
}

const struct func *funcs_find(void *data, struct str name)
{
	const struct func *f = funcs_lookup(name);

	(void)data;
	return f && funcs_available(f, false) ? f : NULL;
}

static void write_param(struct jw *w, const struct func_param *p)
{
	jw_object(w);
	jw_member_str(w, "name", str_c(p->name));
	if (p->description)
		jw_member_str(w, "description", str_c(p->description));
	if (p->flags & PARAM_NULL)
		jw_member_bool(w, "is_nullable", true);
	jw_key(w, "type");
	type_to_json(w, p->type);
	jw_object_end(w);
}

/* Adds an unknown argument; does it leave the result's type open? */
static bool add_unknown(struct func_call *c, const struct func_param *p,
			const struct value **args)
{
	args[c->nargs++] = value_unknown(c->arena, p->type);
	return p->type == &type_dynamic && !(p->flags & PARAM_DYNAMIC) &&
	       !(c->func->flags & FUNC_LAZY);
}

/* The result type of a call with unknown arguments, one for the variadic
 * parameter; dynamic where that says nothing. */
static const struct type *published_result(const struct func *f)
{
	struct arena a = ARENA_INIT;
	const struct value *args[8];
	struct func_error err = { 0 };
	struct func_call c = {
		.arena = &a, .func = f, .args = args, .err = &err
	};
	const struct type *t = f->result;
	bool open = false;

	for (const struct func_param *p = f->params; p && p->name; p++)
		open |= add_unknown(&c, p, args);
	if (f->variadic)
		open |= add_unknown(&c, f->variadic, args);
	if (!t && !open && f->result_type)
		t = f->result_type(&c);
	arena_release(&a);
	return t && !open ? t : &type_dynamic;
}

void func_signature_json(struct jw *w, const struct func *f, bool summary)
{
	jw_object(w);
	jw_member_str(w, "description", str_c(f->description));
	if (summary)
		jw_member_str(w, "summary", str_c(f->summary));
	jw_key(w, "return_type");
	/* what a provider's function returns is declared */
	type_to_json(w, summary ? f->result : published_result(f));
	if (f->params && f->params[0].name) {
		jw_key(w, "parameters");
		jw_array(w);
		for (const struct func_param *p = f->params; p->name; p++)
			write_param(w, p);
		jw_array_end(w);
	}
	if (f->variadic) {
		jw_key(w, "variadic_parameter");
		write_param(w, f->variadic);
	}
	jw_object_end(w);
}

/* list() and map() exist only to say that they are gone. */
static bool is_published(const struct func *f)
{
	return f != &func_type && f != &func_list && f != &func_map;
}

static void write_range(struct jw *w, const char *namespace, size_t from,
			size_t to)
{
	char name[64];

	for (size_t i = from; i < to; i++) {
		if (!is_published(table[i]))
			continue;
		snprintf(name, sizeof(name), "%s%s", namespace, table[i]->name);
		jw_key(w, name);
		func_signature_json(w, table[i], false);
	}
}

void funcs_metadata_json(struct jw *w)
{
	size_t core = 0; /* where "core::..." sorts among the bare names */

	while (core < TABLE_LEN && strcmp(table[core]->name, "core::") < 0)
		core++;
	jw_object(w);
	jw_member_str(w, "format_version", STR("1.0"));
	jw_key(w, "function_signatures");
	jw_object(w);
	write_range(w, "", 0, core);
	write_range(w, "core::", 0, TABLE_LEN);
	write_range(w, "", core, TABLE_LEN);
	jw_object_end(w);
	jw_object_end(w);
}
