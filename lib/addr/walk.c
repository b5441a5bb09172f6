/* walk.c - addresses from traversals, and from text that is one */
#include "addr/walk.h"
#include "addr/addr_int.h"
#include "addr/addr.h"
#include "lang/syntax/parse.h"

struct range walk_range(const struct addr_walk *w, size_t from, size_t to)
{
	struct span s = { w->at[from].start, w->at[to - 1].end };

	return source_range(w->src, s);
}

void walk_init(struct arena *a, struct addr_walk *w,
	       const struct traversal_ref *t)
{
	const struct traversal *tr = &t->traversal;
	struct step *steps;

	*w = (struct addr_walk){ .src = t->src, .len = tr->nsteps + 1 };
	steps = ARENA_ARRAY(a, struct step, w->len);
	w->at = ARENA_ARRAY(a, struct span, w->len);
	steps[0] = (struct step){ .kind = STEP_ATTR,
				  .name = tr->root,
				  .span = tr->root_span };
	if (tr->nsteps)
		memcpy(steps + 1, tr->steps, tr->nsteps * sizeof(*steps));
	for (size_t i = 0; i < w->len; i++)
		w->at[i] = steps[i].span;
	w->steps = steps;
}

/* An error about steps from `from` to before `to`; -1. */
static int walk_bad(const struct addr_walk *w, size_t from, size_t to,
		    const char *summary, const char *detail, struct diags *ds)
{
	struct range r = walk_range(w, from, to);

	return diag_error(ds, &r, summary, "%s", detail);
}

static bool is_attr(const struct addr_walk *w, size_t i)
{
	return i < w->len && w->steps[i].kind == STEP_ATTR;
}

/* [ "module" "." NAME [ key ] ] … */
int walk_modules(struct arena *a, struct addr_walk *w, struct module_addr *out,
		 struct diags *ds)
{
	static const char *const operator= "Invalid address operator";
	VEC(struct module_step) steps = { 0 };

	while (w->pos < w->len) {
		struct module_step step = { 0 };
		const char *why;

		if (!is_attr(w, w->pos))
			return walk_bad(
				w, w->pos, w->pos + 1, operator,
				"A name must follow the module prefix, after a dot.",
				ds);
		if (!str_is(w->steps[w->pos].name, "module"))
			break;
		if (!is_attr(w, w->pos + 1)) {
			size_t i = w->pos + 1 < w->len ? w->pos + 1 : w->pos;

			return walk_bad(
				w, i, i + 1, operator,
				"The name of a module must follow \"module.\".",
				ds);
		}
		step.name = w->steps[w->pos + 1].name;
		w->pos += 2;
		if (w->pos < w->len && w->steps[w->pos].kind == STEP_INDEX) {
			if (inst_key_from_value(w->steps[w->pos].key, &step.key,
						&why)) {
				struct range r =
					walk_range(w, w->pos, w->pos + 1);

				return diag_error(ds, &r, operator,
						  "Invalid module index: %s.",
						  why);
			}
			w->pos++;
		}
		vec_push(a, &steps, step);
	}
	*out = (struct module_addr){ steps.items, steps.len };
	return 0;
}

static int read_type_and_name(struct addr_walk *w, struct resource_addr *out,
			      struct diags *ds)
{
	static const char *const invalid = "Invalid address";
	static const char *const what[] = {
		[MODE_MANAGED] = "A resource type name is required.",
		[MODE_DATA] = "A data source name is required.",
		[MODE_EPHEMERAL] = "An ephemeral resource name is required.",
	};
	size_t start = w->pos;

	out->mode = MODE_MANAGED;
	if (str_is(w->steps[start].name, "data"))
		out->mode = MODE_DATA;
	else if (str_is(w->steps[start].name, "ephemeral"))
		out->mode = MODE_EPHEMERAL;
	if (out->mode != MODE_MANAGED)
		w->pos++;
	if (w->len - w->pos < 2)
		return walk_bad(w, w->pos < w->len ? w->pos : start, w->len,
				invalid,
				"Both a resource type and a name are needed.",
				ds);
	if (!is_attr(w, w->pos))
		return walk_bad(w, w->pos, w->pos + 1, invalid, what[out->mode],
				ds);
	if (!is_attr(w, w->pos + 1))
		return walk_bad(w, w->pos + 1, w->pos + 2, invalid,
				"A resource name is required.", ds);
	out->type = w->steps[w->pos].name;
	out->name = w->steps[w->pos + 1].name;
	w->pos += 2;
	return 0;
}

static int read_instance(struct addr_walk *w, struct instance_addr *out,
			 struct diags *ds)
{
	static const char *const invalid = "Invalid address";
	struct range r;
	const char *why;

	if (read_type_and_name(w, &out->resource, ds))
		return -1;
	if (w->pos == w->len)
		return 0;
	if (w->len - w->pos > 1)
		return walk_bad(w, w->pos + 1, w->pos + 2, invalid,
				"Something follows the end of the address.",
				ds);
	if (w->steps[w->pos].kind != STEP_INDEX)
		return walk_bad(
			w, w->pos, w->pos + 1, invalid,
			"An instance key must stand in square brackets.", ds);
	if (!inst_key_from_value(w->steps[w->pos].key, &out->key, &why))
		return 0;
	r = walk_range(w, w->pos, w->pos + 1);
	return diag_error(ds, &r, invalid, "Invalid instance key: %s.", why);
}

int target_from_traversal(struct arena *a, const struct traversal_ref *t,
			  struct target *out, struct diags *ds)
{
	struct addr_walk w;

	memset(out, 0, sizeof(*out));
	walk_init(a, &w, t);
	if (walk_modules(a, &w, &out->addr.module, ds))
		return -1;
	if (w.pos == w.len) {
		out->kind = TARGET_MODULE;
		return 0;
	}
	if (read_instance(&w, &out->addr, ds))
		return -1;
	out->kind = out->addr.key.kind == KEY_NONE ? TARGET_RESOURCE
						   : TARGET_INSTANCE;
	return 0;
}

/* The address with quotes around each key that is no number; *changed: were any
 * missing? */
static struct str with_quotes(struct arena *a, struct str text, bool *changed)
{
	struct buf b = BUF_INIT;
	struct str quoted;

	while (text.n) {
		ptrdiff_t open = str_chr(text, '['), end = str_chr(text, ']');
		struct str key;
		bool number = true;

		if (open < 0 || end <= open + 1)
			break;
		key = str_sub(text, (size_t)open + 1, (size_t)end);
		for (size_t i = 0; i < key.n; i++)
			number &= key.p[i] >= '0' && key.p[i] <= '9';
		buf_str(&b, str_sub(text, 0, (size_t)open + 1));
		if (number || str_chr(key, '"') >= 0 || str_is(key, "*")) {
			buf_str(&b, key);
		} else {
			addr_print_quoted(&b, key);
			*changed = true;
		}
		buf_putc(&b, ']');
		text = str_sub(text, (size_t)end + 1, text.n);
	}
	buf_str(&b, text);
	quoted = buf_dup(a, &b);
	buf_release(&b);
	return quoted;
}

/* A shell takes away quotes that do not stand in others. */
static void tell_of_quotes(struct str text, size_t from, struct diags *ds)
{
	bool changed = false;
	struct str quoted = with_quotes(ds->arena, text, &changed);

	if (!changed)
		return;
	for (size_t i = from; i < ds->len; i++)
		ds->items[i].detail = str_printf(
			ds->arena,
			"%.*s A text as a key has quotes, which a shell takes "
			"away unless others are around the whole: '%.*s'.",
			STR_ARG(ds->items[i].detail), STR_ARG(quoted));
}

int addr_traversal(struct arena *a, struct str text, const char *name,
		   struct traversal_ref *out, struct diags *ds)
{
	const struct source *src = source_new(a, str_c(name), text);
	const size_t from = ds->len;

	*out = (struct traversal_ref){ .src = src,
				       .span = { 0, (uint32_t)text.n } };
	if (!parse_traversal(a, src, &out->traversal, ds))
		return 0;
	tell_of_quotes(text, from, ds);
	return -1;
}

int instance_addr_parse(struct arena *a, struct str text,
			struct instance_addr *out, struct diags *ds)
{
	struct traversal_ref t;
	struct target target;
	struct range r;

	if (instance_addr_plain(text, out))
		return 0;
	if (addr_traversal(a, text, "", &t, ds) ||
	    target_from_traversal(a, &t, &target, ds))
		return -1;
	*out = target.addr;
	if (target.kind != TARGET_MODULE)
		return 0;
	r = source_range(t.src, t.span);
	return diag_error(ds, &r, "Invalid address",
			  "A resource instance must follow the module path.");
}

int module_addr_parse(struct arena *a, struct str text, struct module_addr *out,
		      struct diags *ds)
{
	struct traversal_ref t;
	struct addr_walk w;

	*out = (struct module_addr){ NULL, 0 };
	if (!text.n)
		return 0;
	if (addr_traversal(a, text, "", &t, ds))
		return -1;
	walk_init(a, &w, &t);
	if (walk_modules(a, &w, out, ds))
		return -1;
	if (w.pos == w.len)
		return 0;
	return walk_bad(
		&w, w.pos, w.len, "Invalid module instance address",
		w.pos ? "Something follows the module instance address."
		      : "A module instance address begins with \"module.\".",
		ds);
}

void addr_told(struct diags *ds, size_t from, struct str text)
{
	for (size_t i = from; i < ds->len; i++)
		ds->items[i].detail =
			str_printf(ds->arena, "The address is \"%.*s\". %.*s",
				   STR_ARG(text), STR_ARG(ds->items[i].detail));
}
