/*
 * fuzz_scope.h - a small scope to evaluate in: var.s, var.n and so on, and the
 * built-in functions but those that touch the disk, are slow on purpose or
 * differ each time
 */
#ifndef TFPIPE_TESTS_FUZZ_SCOPE_H
#define TFPIPE_TESTS_FUZZ_SCOPE_H

#include "funcs/table.h"
#include "fuzz.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "value/value.h"

static struct arena forever = ARENA_INIT;
static const struct value *vars;

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	(void)data, (void)ev, (void)ds;
	*used = 0;
	return str_is(r->root, "var") ? vars : NULL;
}

static const struct func *function(void *data, struct str name)
{
	static const char *const no[] = { "bcrypt", "file", "filebase64",
					  "fileset", "templatefile",
					  "fileexists", "rsadecrypt",
					  "filemd5", "filesha1", "filesha256",
					  "filesha512", "filebase64sha256",
					  "uuid", "timestamp",
					  "filebase64sha512" };

	(void)data;
	if (str_starts(name, "core::"))
		name = str_sub(name, 6, name.n);
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		if (str_is(name, no[i]))
			return NULL;
	return funcs_lookup(name);
}

static void make_vars(void)
{
	static const char text[] =
		"{ s = \"text\", n = 3, f = 0.5, t = true, z = null, "
		"l = tolist([1, 2]), e = [], o = { a = 1, b = \"x\" }, "
		"q = toset([\"a\", \"b\"]), m = tomap({ k = \"v\" }), "
		"x = sensitive(\"secret\") }";
	struct diags ds = DIAGS_INIT(&forever);
	struct scope sc = { .resolve = resolve, .function = function };
	struct source *src = source_new(&forever, STR("vars"),
					str_c(text));
	const struct value *known;
	struct str name = STR("u");
	struct str names[32];
	const struct value *elems[32];
	uint32_t n;

	known = eval_expression(&forever, &sc,
				parse_expression(&forever, src, &ds), &ds);
	FUZZ_HOLDS(!diags_failed(&ds));
	for (n = 0; n < known->len; n++) {
		names[n] = known->type->attrs[n].name;
		elems[n] = known->elems[n];
	}
	names[n] = name;
	elems[n++] = value_unknown(&forever, &type_string);
	names[n] = STR("d");
	elems[n++] = &value_unknown_dynamic;
	names[n] = STR("ul");
	elems[n++] = value_unknown(&forever, &type_list_string);
	vars = value_object(&forever, names, elems, n);
}

static struct scope fuzz_scope(void)
{
	if (!vars)
		make_vars();
	return (struct scope){ .resolve = resolve, .function = function,
			       .base_dir = ".", .console = true };
}

#endif
