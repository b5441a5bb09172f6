/* opts.c - see opts.h */
#include "base/opts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static void print_opt(const struct opt *p)
{
	char left[80];

	snprintf(left, sizeof(left), "-%s%s%s", p->name, p->arg ? "=" : "",
		 p->arg ? p->arg : "");
	printf("  %-28s %s\n", left, p->help);
}

/* Both tables as one. */
static void print_help(const struct opts *o)
{
	static const struct opt none = { NULL, 0, NULL, NULL, NULL };
	const struct opt *p = o->options, *q = o->shared ? o->shared : &none;

	printf("usage: %s [options]%s%s\n", o->tool, *o->synopsis ? " " : "",
	       o->synopsis);
	while (p->name || q->name) {
		bool mine = !q->name ||
			    (p->name && strcmp(p->name, q->name) < 0);

		print_opt(mine ? p++ : q++);
	}
	printf("  %-28s %s\n  %-28s %s\n", "-help", "show this help",
	       "-version", "show the version");
}

static int bad(struct diags *ds, const char *tool, const char *fmt,
	       struct str name)
{
	char text[256];

	snprintf(text, sizeof(text), fmt, (int)(name.n > 100 ? 100 : name.n),
		 name.p);
	return diag_error(ds, NULL, "Failed to parse command-line flags",
			  "%s: %s. See \"%s -help\".", tool, text, tool);
}

static int store(struct arena *a, const struct opts *o, const struct opt *p,
		 struct str value, bool has_value, struct diags *ds)
{
	char *end;
	long n;

	switch (p->kind) {
	case OPT_FLAG:
		if (!has_value || str_is(value, "true") || str_is(value, "1"))
			*(bool *)p->value = true;
		else if (str_is(value, "false") || str_is(value, "0"))
			*(bool *)p->value = false;
		else
			return bad(ds, o->tool,
				   "-%.*s takes true or false", str_c(p->name));
		return 0;
	case OPT_STRING:
		*(struct str *)p->value = value;
		return 0;
	case OPT_LIST:
		vec_push(a, (struct str_vec *)p->value, value);
		return 0;
	case OPT_INT:
		errno = 0;
		n = strtol(value.p, &end, 10);
		if (!value.n || *end || errno)
			return bad(ds, o->tool, "-%.*s takes a whole number",
				   str_c(p->name));
		*(long *)p->value = n;
		return 0;
	}
	return -1;
}

static const struct opt *find_in(const struct opt *table, struct str name)
{
	for (const struct opt *p = table; p && p->name; p++)
		if (str_is(name, p->name))
			return p;
	return NULL;
}

static const struct opt *find(const struct opts *o, struct str name)
{
	const struct opt *p = find_in(o->options, name);

	return p ? p : find_in(o->shared, name);
}

enum opts_result opts_parse(struct arena *a, const struct opts *o, int argc,
			    char **argv, struct str_vec *rest,
			    struct str_vec *given, struct diags *ds)
{
	int i, rc = 0;

	for (i = 1; i < argc; i++) {
		struct str arg = str_c(argv[i]), name, value = STR_NONE;
		const struct opt *p;
		ptrdiff_t eq;

		if (arg.n < 2 || arg.p[0] != '-') {
			vec_push(a, rest, arg);
			continue;
		}
		if (str_is(arg, "--")) {
			i++;
			break;
		}
		name = str_sub(arg, arg.p[1] == '-' ? 2 : 1, arg.n);
		eq = str_chr(name, '=');
		if (eq >= 0) {
			value = str_sub(name, (size_t)eq + 1, name.n);
			name.n = (size_t)eq;
		}
		if (str_is(name, "help") || str_is(name, "h")) {
			print_help(o);
			return OPTS_DONE;
		}
		if (str_is(name, "version")) {
			printf("%s (tfpipe) %s\n", o->tool, PACKAGE_VERSION);
			return OPTS_DONE;
		}
		p = find(o, name);
		if (!p) {
			rc |= bad(ds, o->tool,
				  "flag provided but not defined: -%.*s", name);
			continue;
		}
		if (given)
			vec_push(a, given, str_c(p->name));
		if (eq < 0 && p->kind != OPT_FLAG) {
			if (i + 1 == argc) {
				rc |= bad(ds, o->tool,
					  "flag needs an argument: -%.*s",
					  name);
				continue;
			}
			value = str_c(argv[++i]);
		}
		rc |= store(a, o, p, value, value.p != NULL, ds);
	}
	for (; i < argc; i++)
		vec_push(a, rest, str_c(argv[i]));
	return rc ? OPTS_BAD : OPTS_RUN;
}
