/*
 * selector.c - what -target and -exclude name: addresses, and patterns of them
 *
 * A pattern is an address in which * matches any characters of a name, or [*]
 * any key.  Quoted keys are as they are: a * may be part of them.
 */
#include <ctype.h>

#include "addr/target.h"
#include "addr/addr.h"
#include "addr/addr_int.h"

/* In a name: [*] alone makes no pattern, but is refused as OpenTofu does. */
static bool has_star(struct str text)
{
	bool quoted = false;

	for (size_t i = 0; i < text.n; i++) {
		if (quoted && text.p[i] == '\\')
			i++;
		else if (text.p[i] == '"')
			quoted = !quoted;
		else if (text.p[i] == '*' && !quoted &&
			 !(i && text.p[i - 1] == '['))
			return true;
	}
	return false;
}

struct glob_step {
	struct str name;
	struct inst_key key;
	bool keyed; /* even by [*] */
};

struct glob_reader {
	struct str rest;
	const char *why;
};

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '*' ||
	       (unsigned char)c >= 0x80;
}

static struct str take(struct glob_reader *r, size_t n)
{
	struct str s = str_sub(r->rest, 0, n);

	r->rest = str_sub(r->rest, n, r->rest.n);
	return s;
}

static int wrong(struct glob_reader *r, const char *why)
{
	r->why = why;
	return -1;
}

/* "[" KEY "]" */
static int read_key(struct glob_reader *r, struct inst_key *key)
{
	ptrdiff_t end = str_chr(r->rest, ']');
	struct str text, before;

	if (r->rest.n > 1 && r->rest.p[1] == '"') {
		ptrdiff_t quote =
			str_find(str_sub(r->rest, 2, r->rest.n), STR("\"]"));

		end = quote < 0 ? -1 : quote + 3;
	}
	if (end < 0)
		return wrong(r, "A key must end with a bracket.");
	text = take(r, (size_t)end + 1);
	if (str_is(text, "[*]"))
		return 0;
	if (!addr_split_key(text, &before, key) || before.n)
		return wrong(r, "A key is a number, a string in quotes, or *.");
	return 0;
}

static int read_step(struct glob_reader *r, struct glob_step *s)
{
	size_t n = 0;

	*s = (struct glob_step){ .key = KEY_ABSENT };
	while (n < r->rest.n && is_name_char(r->rest.p[n]))
		n++;
	if (!n)
		return wrong(r, "A pattern is made of names with dots between "
				"them; * stands for any part of a name.");
	s->name = take(r, n);
	if (r->rest.n && r->rest.p[0] == '[') {
		s->keyed = true;
		if (read_key(r, &s->key))
			return -1;
	}
	if (r->rest.n && r->rest.p[0] != '.')
		return wrong(r, "A dot must follow a name or a key.");
	if (r->rest.n) {
		take(r, 1);
		if (!r->rest.n)
			return wrong(r, "A name must follow the last dot.");
	}
	return 0;
}

static int read_modules(struct arena *a, struct glob_reader *r,
			struct glob_step *s, struct module_addr *out)
{
	VEC(struct module_step) steps = { 0 };

	while (str_is(s->name, "module") && !s->keyed) {
		if (!r->rest.n)
			return wrong(
				r,
				"The name of a module must follow \"module.\".");
		if (read_step(r, s))
			return -1;
		vec_push(a, &steps, ((struct module_step){ s->name, s->key }));
		*s = (struct glob_step){ .key = KEY_ABSENT };
		if (!r->rest.n)
			break;
		if (read_step(r, s))
			return -1;
	}
	*out = (struct module_addr){ steps.items, steps.len };
	return 0;
}

/* s: the first step of it, which was read already. */
static int read_resource(struct glob_reader *r, struct glob_step s,
			 struct target *out)
{
	struct resource_addr *res = &out->addr.resource;

	res->mode = MODE_MANAGED;
	if (str_is(s.name, "data"))
		res->mode = MODE_DATA;
	else if (str_is(s.name, "ephemeral"))
		res->mode = MODE_EPHEMERAL;
	if (res->mode != MODE_MANAGED &&
	    (s.keyed || !r->rest.n || read_step(r, &s)))
		return wrong(r, "Both a resource type and a name are needed.");
	if (s.keyed || !r->rest.n)
		return wrong(r, "Both a resource type and a name are needed.");
	res->type = s.name;
	if (read_step(r, &s))
		return -1;
	if (r->rest.n)
		return wrong(r, "Something follows the end of the address.");
	res->name = s.name;
	out->addr.key = s.key;
	out->kind = s.key.kind == KEY_NONE ? TARGET_RESOURCE : TARGET_INSTANCE;
	return 0;
}

static int read_pattern(struct arena *a, struct glob_reader *r,
			struct target *out)
{
	struct glob_step s;

	memset(out, 0, sizeof(*out));
	if (read_step(r, &s) || read_modules(a, r, &s, &out->addr.module))
		return -1;
	if (!s.name.n) {
		out->kind = TARGET_MODULE;
		return 0;
	}
	return read_resource(r, s, out);
}

int selector_parse(struct arena *a, struct str text, const char *option,
		   struct target *out, struct diags *ds)
{
	struct glob_reader r = { text, NULL };

	if (!has_star(text))
		return target_parse(a, text, option, out, ds);
	if (read_pattern(a, &r, out) == 0) {
		out->glob = text;
		return 0;
	}
	return diag_error(ds, NULL, target_invalid(ds->arena, option, text),
			  "%s", r.why);
}

/* --- matching --- */

static bool glob(struct str pattern, struct str s)
{
	size_t p = 0, i = 0, star = SIZE_MAX, from = 0;

	while (i < s.n) {
		if (p < pattern.n && pattern.p[p] == '*') {
			star = p++;
			from = i;
		} else if (p < pattern.n && pattern.p[p] == s.p[i]) {
			p++;
			i++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

bool target_names(const struct target *t, struct str pattern, struct str name)
{
	return t->glob.n ? glob(pattern, name) : str_eq(pattern, name);
}

bool target_names_resource(const struct target *t, struct resource_addr r)
{
	const struct resource_addr *w = &t->addr.resource;

	return w->mode == r.mode && target_names(t, w->type, r.type) &&
	       target_names(t, w->name, r.name);
}

static bool key_fits(struct inst_key pattern, struct inst_key key)
{
	return pattern.kind == KEY_NONE || inst_key_equal(pattern, key);
}

bool target_pattern_reaches(const struct target *t, struct module_addr o)
{
	const struct module_addr *m = &t->addr.module;

	if (o.len < m->len || (t->kind != TARGET_MODULE && o.len > m->len))
		return false;
	for (size_t k = 0; k < m->len; k++)
		if (!glob(m->steps[k].name, o.steps[k].name) ||
		    !key_fits(m->steps[k].key, o.steps[k].key))
			return false;
	return true;
}

bool target_pattern_contains(const struct target *t,
			     const struct instance_addr *i)
{
	return target_pattern_reaches(t, i->module) &&
	       (t->kind == TARGET_MODULE ||
		(target_names_resource(t, i->resource) &&
		 key_fits(t->addr.key, i->key)));
}
