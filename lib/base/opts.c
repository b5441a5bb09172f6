/* opts.c - see opts.h */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/opts.h"
#include "base/didyoumean.h"
#include "base/product.h"

static const char *typed; /* take_typed; NULL: the program's own name */

const char *opts_called(const struct opts *o)
{
	return typed ? typed : o->tool;
}

/* --- help --- */

static const struct opt no_options = { NULL, 0, NULL, NULL, NULL };

/* The next row of both tables as one; NULL at the end. */
static const struct opt *next_row(const struct opt **p, const struct opt **q)
{
	bool first = !(*q)->name ||
		     ((*p)->name && strcmp((*p)->name, (*q)->name) < 0);
	const struct opt **from = first ? p : q;

	return (*from)->name ? (*from)++ : NULL;
}

static bool is_told(const struct opt *p)
{
	return p->kind != OPT_REFUSED && !(p->flags & OPT_HIDDEN);
}

/* In the -help of a command, where those of other modes are not. */
static bool is_helpful(const struct opt *p, unsigned mode)
{
	return is_told(p) && (!typed || !(p->flags & OPT_OWN)) &&
	       (!mode || !p->modes || (p->modes & mode));
}

static void print_opt(const struct opt *p)
{
	char left[80];

	snprintf(left, sizeof(left), "-%s%s%s", p->name, p->arg ? "=" : "",
		 p->arg ? p->arg : "");
	printf("  %-28s %s%s\n", left, p->help,
	       p->kind == OPT_LIST ? "; repeatable" : "");
}

static void print_help(const struct opts *o)
{
	const struct opt *p = o->options ? o->options : &no_options;
	const struct opt *q = o->shared ? o->shared : &no_options, *row;
	const char *synopsis = o->synopsis;
	const unsigned mode =
		typed && o->mode ? o->mode(o->mode_data, &synopsis) : 0;

	printf("Usage: %s [options]%s%s\n\n", opts_called(o),
	       *synopsis ? " " : "", synopsis);
	if (o->about)
		printf("%s\n\n", o->about);
	puts("Options:");
	while ((row = next_row(&p, &q)))
		if (is_helpful(row, mode))
			print_opt(row);
	printf("  %-28s %s\n", "-help", "show this help");
}

void opts_print_rows(const struct opts *o, FILE *out)
{
	const struct opt *p = o->options ? o->options : &no_options;
	const struct opt *q = o->shared ? o->shared : &no_options, *row;

	while ((row = next_row(&p, &q)))
		if (is_told(row))
			fprintf(out, "-%s%s\t%s\n", row->name,
				row->arg ? "=" : "", row->help);
}

/* --- parsing --- */

struct parse {
	struct arena *a;
	const struct opts *o;
	struct str_vec *given;
	struct diags *ds;
	const struct opt *of_group[8]; /* the first that was given of each */
	size_t ngroups;
};

static int bad(struct parse *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int bad(struct parse *s, const char *fmt, ...)
{
	va_list ap;
	const char *text;

	va_start(ap, fmt);
	text = arena_vprintf(s->a, fmt, ap);
	va_end(ap);
	return diag_error(s->ds, NULL, "Failed to parse command-line flags",
			  "%s", text);
}

static int refuse(struct parse *s, const struct opt *p)
{
	return diag_error(s->ds, NULL, "Unsupported option",
			  "%s: -%s is not supported: %s.", opts_called(s->o),
			  p->name, p->help);
}

int opts_bool(struct str text, bool *out)
{
	static const char *const yes[] = {
		"1", "t", "T", "true", "TRUE", "True"
	};
	static const char *const no[] = { "0",     "f",     "F",
					  "false", "FALSE", "False" };

	for (int i = 0; i < 6; i++) {
		if (str_is(text, yes[i]) || str_is(text, no[i])) {
			*out = str_is(text, yes[i]);
			return 0;
		}
	}
	return -1;
}

static int read_int(struct str text, long *out)
{
	char *end;

	errno = 0;
	*out = strtol(text.p, &end, 10);
	return !text.n || *end || errno ? -1 : 0;
}

/* value.p NULL: a flag without one. */
static int store(struct parse *s, const struct opt *p, struct str value)
{
	bool flag = true;
	long n;

	switch (p->kind) {
	case OPT_FLAG:
		if (value.p && opts_bool(value, &flag))
			return bad(
				s,
				"invalid boolean value \"%.*s\" for -%s: parse error",
				STR_ARG(value), p->name);
		if (p->value)
			*(bool *)p->value = flag;
		value = flag ? STR_NONE : STR("false");
		break;
	case OPT_WORD:
		if (p->value)
			*(struct str *)p->value = value.p ? value : STR("true");
		break;
	case OPT_STRING:
		if (p->value)
			*(struct str *)p->value = value;
		break;
	case OPT_LIST:
		if (p->value)
			vec_push(s->a, (struct str_vec *)p->value, value);
		break;
	case OPT_INT:
		if (read_int(value, &n))
			return bad(
				s,
				"invalid value \"%.*s\" for flag -%s: parse error",
				STR_ARG(value), p->name);
		if (p->value)
			*(long *)p->value = n;
		break;
	case OPT_REFUSED:
		return refuse(s, p);
	}
	if (s->o->seen)
		s->o->seen(s->o->seen_data, p,
			   value.p ? str_printf(s->a, "-%s=%.*s", p->name,
						STR_ARG(value))
				   : str_printf(s->a, "-%s", p->name));
	return 0;
}

/* A flag that is switched off excludes nothing. */
static int check_group(struct parse *s, const struct opt *p, struct str value)
{
	bool on = true;

	if (!p->group ||
	    (p->kind == OPT_FLAG && value.p && (opts_bool(value, &on) || !on)))
		return 0;
	for (size_t i = 0; i < s->ngroups; i++) {
		if (s->of_group[i]->group != p->group)
			continue;
		return s->of_group[i] == p
			       ? 0
			       : diag_error(s->ds, NULL, p->group->summary,
					    "%s", p->group->detail);
	}
	if (s->ngroups < sizeof(s->of_group) / sizeof(*s->of_group))
		s->of_group[s->ngroups++] = p;
	return 0;
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

/* Options that Terraform has, and OpenTofu has not. */
static bool of_terraform(struct str name)
{
	static const char *const names[] = { "allow-deferral", "cloud-run",
					     "create-default-workspace",
					     "invoke", "query" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_is(name, names[i]))
			return true;
	return false;
}

static int unknown(struct parse *s, struct str name)
{
	const struct opt *const tables[] = { s->o->options, s->o->shared };
	struct str_vec names = { 0 };
	struct str near;

	for (int i = 0; i < 2; i++)
		for (const struct opt *p = tables[i]; p && p->name; p++)
			if (is_told(p))
				vec_push(s->a, &names, str_c(p->name));
	vec_push(s->a, &names, STR("help"));
	near = didyoumean_word(name, names.items, names.len);
	if (of_terraform(name))
		return bad(s,
			   "flag provided but not defined: -%.*s\n\n"
			   "It is Terraform's alone.",
			   STR_ARG(name));
	return bad(s, "flag provided but not defined: -%.*s%s%.*s%s",
		   STR_ARG(name), near.n ? "\n\nDid you mean -" : "",
		   STR_ARG(near), near.n ? "?" : "");
}

/* One option; *i is its place in argv, or becomes that of its argument. */
static int take_option(struct parse *s, struct str name, int argc, char **argv,
		       int *i)
{
	struct str value = STR_NONE;
	ptrdiff_t eq = str_chr(name, '=');
	const struct opt *p;

	if (eq == 0 || !name.n || name.p[0] == '-')
		return bad(s, "bad flag syntax: %s", argv[*i]);
	if (eq > 0) {
		value = str_sub(name, (size_t)eq + 1, name.n);
		name.n = (size_t)eq;
	}
	p = find(s->o, name);
	if (!p)
		return unknown(s, name);
	if (s->given)
		vec_push(s->a, s->given, str_c(p->name));
	if (eq < 0 && p->kind != OPT_FLAG && p->kind != OPT_WORD &&
	    p->kind != OPT_REFUSED) {
		if (*i + 1 == argc)
			return bad(s, "flag needs an argument: -%s", p->name);
		value = str_c(argv[++*i]);
	}
	return check_group(s, p, value) || store(s, p, value) ? -1 : 0;
}

/* -help and the like print and end. */
static bool is_answered(const struct opts *o, struct str name)
{
	if (str_is(name, "help") || str_is(name, "h"))
		print_help(o);
	else if (str_is(name, "help-options"))
		opts_print_rows(o, stdout);
	else if (str_is(name, "version"))
		printf("%s (%s) %s\n", o->tool, PRODUCT, PACKAGE_VERSION);
	else
		return false;
	return true;
}

/* What was typed for the program, as "tf state mv" for tf-state mv, if tf runs
 * it (TFPIPE_TYPED, which is removed); NULL: its own name.  Once a process. */
static void take_typed(struct arena *a)
{
	const char *name = "TFPIPE_TYPED", *value = getenv(name);

	typed = value ? arena_strndup(a, value, strlen(value)) : NULL;
	unsetenv(name);
}

enum opts_result opts_parse(struct arena *a, const struct opts *o, int argc,
			    char **argv, struct str_vec *rest,
			    struct str_vec *given, struct diags *ds)
{
	struct parse s = { .a = a, .o = o, .given = given, .ds = ds };
	int i, rc = 0;

	take_typed(a);
	for (i = 1; i < argc; i++) {
		struct str arg = str_c(argv[i]), name;

		if (arg.n < 2 || arg.p[0] != '-') {
			vec_push(a, rest, arg);
			continue;
		}
		if (str_is(arg, "--")) {
			i++;
			break;
		}
		name = str_sub(arg, arg.p[1] == '-' ? 2 : 1, arg.n);
		if (is_answered(o, name))
			return OPTS_DONE;
		rc |= take_option(&s, name, argc, argv, &i);
	}
	for (; i < argc; i++)
		vec_push(a, rest, str_c(argv[i]));
	return rc ? OPTS_BAD : OPTS_RUN;
}

bool opts_given(const struct str_vec *given, const char *name)
{
	for (size_t i = 0; i < given->len; i++)
		if (str_is(given->items[i], name))
			return true;
	return false;
}

const struct opt *opts_misplaced(const struct opts *o,
				 const struct str_vec *given, unsigned mode)
{
	for (size_t i = 0; i < given->len; i++) {
		const struct opt *p = find(o, given->items[i]);

		if (p->modes && !(p->modes & mode))
			return p;
	}
	return NULL;
}

int opts_enter(struct str dir, struct diags *ds)
{
	if (!dir.n || !chdir(dir.p))
		return 0;
	return diag_error(ds, NULL, "Cannot change to the directory",
			  "%.*s: %s.", STR_ARG(dir), strerror(errno));
}
