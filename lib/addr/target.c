/*
 * target.c - addresses from traversals and from text
 *
 * A traversal is read left to right: module steps (module.NAME[KEY]), then
 * what stands under the module.  The same reading serves targets, instance
 * addresses and module addresses.
 */
#include "addr/target.h"

#include "addr/addr_int.h"
#include "addr/selector.h"
#include "value/number.h"

int key_from_value(const struct value *v, struct inst_key *out,
		   const char **why)
{
	if (v->type == &type_string && value_usable(v)) {
		*out = (struct inst_key){ KEY_STRING, 0, v->string };
		return 0;
	}
	*out = KEY_ABSENT;
	if (v->type != &type_number || !value_usable(v)) {
		*why = "either a string or an integer is required";
		return -1;
	}
	out->kind = KEY_INT;
	if (value_get_int(v, &out->i))
		return 0;
	*why = "a number that is an index must be whole, and fit 64 bits";
	return -1;
}

struct range walk_range(const struct walk *w, size_t from, size_t to)
{
	struct span s = { w->at[from].start, w->at[to - 1].end };

	return source_range(w->src, s);
}

void walk_init(struct arena *a, struct walk *w, const struct traversal_ref *t)
{
	const struct traversal *tr = &t->traversal;
	struct step *steps;

	*w = (struct walk){ .src = t->src, .len = tr->nsteps + 1 };
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

static int bad(const struct walk *w, size_t from, size_t to,
	       const char *summary, const char *detail, struct diags *ds)
{
	struct range r = walk_range(w, from, to);

	return diag_error(ds, &r, summary, "%s", detail);
}

static bool is_attr(const struct walk *w, size_t i)
{
	return i < w->len && w->steps[i].kind == STEP_ATTR;
}

/* [ "module" "." NAME [ key ] ] … */
int walk_modules(struct arena *a, struct walk *w, struct module_addr *out,
		 struct diags *ds)
{
	static const char *const operator= "Invalid address operator";
	VEC(struct module_step) steps = { 0 };

	while (w->pos < w->len) {
		struct module_step step = { 0 };
		const char *why;

		if (!is_attr(w, w->pos))
			return bad(w, w->pos, w->pos + 1, operator,
				   "A name must follow the module prefix, "
				   "after a dot.", ds);
		if (!str_is(w->steps[w->pos].name, "module"))
			break;
		if (!is_attr(w, w->pos + 1)) {
			size_t i = w->pos + 1 < w->len ? w->pos + 1 : w->pos;

			return bad(w, i, i + 1, operator,
				   "The name of a module must follow "
				   "\"module.\".", ds);
		}
		step.name = w->steps[w->pos + 1].name;
		w->pos += 2;
		if (w->pos < w->len && w->steps[w->pos].kind == STEP_INDEX) {
			if (key_from_value(w->steps[w->pos].key, &step.key,
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

static int read_type_and_name(struct walk *w, struct resource_addr *out,
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
		return bad(w, w->pos < w->len ? w->pos : start, w->len,
			   invalid,
			   "Both a resource type and a name are needed.", ds);
	if (!is_attr(w, w->pos))
		return bad(w, w->pos, w->pos + 1, invalid, what[out->mode],
			   ds);
	if (!is_attr(w, w->pos + 1))
		return bad(w, w->pos + 1, w->pos + 2, invalid,
			   "A resource name is required.", ds);
	out->type = w->steps[w->pos].name;
	out->name = w->steps[w->pos + 1].name;
	w->pos += 2;
	return 0;
}

static int read_instance(struct walk *w, struct instance_addr *out,
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
		return bad(w, w->pos + 1, w->pos + 2, invalid,
			   "Something follows the end of the address.", ds);
	if (w->steps[w->pos].kind != STEP_INDEX)
		return bad(w, w->pos, w->pos + 1, invalid,
			   "An instance key must stand in square brackets.",
			   ds);
	if (!key_from_value(w->steps[w->pos].key, &out->key, &why))
		return 0;
	r = walk_range(w, w->pos, w->pos + 1);
	return diag_error(ds, &r, invalid, "Invalid instance key: %s.", why);
}

int target_from_traversal(struct arena *a, const struct traversal_ref *t,
			  struct target *out, struct diags *ds)
{
	struct walk w;

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

int addr_traversal(struct arena *a, struct str text, const char *name,
		   struct traversal_ref *out, struct diags *ds)
{
	const struct source *src = source_new(a, str_c(name), text);

	*out = (struct traversal_ref){
		.src = src, .span = { 0, (uint32_t)text.n } };
	return parse_traversal(a, src, &out->traversal, ds);
}

const char *target_invalid(struct arena *a, const char *option, struct str text)
{
	struct buf quoted = BUF_INIT;
	struct jw w = JW_INIT(&quoted);
	const char *summary;

	jw_str(&w, text);
	summary = arena_printf(a, "Invalid %s %.*s", option,
			       STR_ARG(buf_view(&quoted)));
	buf_release(&quoted);
	return summary;
}

int target_parse(struct arena *a, struct str text, const char *option,
		 struct target *out, struct diags *ds)
{
	struct diags inner = DIAGS_INIT(a);
	struct traversal_ref t;
	const char *summary;

	if (!addr_traversal(a, text, option, &t, &inner) &&
	    !target_from_traversal(a, &t, out, &inner))
		return 0;
	summary = target_invalid(ds->arena, option, text);
	for (size_t i = 0; i < inner.len; i++)
		diag_error(ds, NULL, summary, "%.*s",
			   STR_ARG(inner.items[i].detail));
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

void addr_told(struct diags *ds, size_t from, struct str text)
{
	for (size_t i = from; i < ds->len; i++)
		ds->items[i].detail = str_printf(ds->arena,
			"The address is \"%.*s\". %.*s", STR_ARG(text),
			STR_ARG(ds->items[i].detail));
}

int module_addr_parse(struct arena *a, struct str text,
		      struct module_addr *out, struct diags *ds)
{
	struct traversal_ref t;
	struct walk w;

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
	return bad(&w, w.pos, w.len, "Invalid module instance address",
		   w.pos ? "Something follows the module instance address."
			 : "A module instance address begins with "
			   "\"module.\".",
		   ds);
}

/* Does module target m contain the module instance o? */
static bool module_contains(struct module_addr m, struct module_addr o)
{
	if (o.len < m.len)
		return false;
	for (size_t i = 0; i < m.len; i++) {
		if (!str_eq(m.steps[i].name, o.steps[i].name))
			return false;
		if (i == m.len - 1 && m.steps[i].key.kind == KEY_NONE)
			return true;
		if (!key_equal(m.steps[i].key, o.steps[i].key))
			return false;
	}
	return true;
}

static bool reaches(const struct target *t, struct module_addr m)
{
	if (t->glob.n)
		return pattern_reaches(t, m);
	return t->kind == TARGET_MODULE ? module_contains(t->addr.module, m)
					: module_addr_equal(t->addr.module, m);
}

bool target_contains(const struct target *t, const struct instance_addr *i)
{
	if (t->glob.n)
		return pattern_contains(t, i);
	if (t->kind != TARGET_MODULE &&
	    (!resource_addr_equal(t->addr.resource, i->resource) ||
	     (t->kind == TARGET_INSTANCE && !key_equal(t->addr.key, i->key))))
		return false;
	return reaches(t, i->module);
}

static bool any_key(const struct target *t, size_t step)
{
	return t->addr.module.steps[step].key.kind == KEY_NONE &&
	       (t->glob.n || (t->kind == TARGET_MODULE &&
			      step + 1 == t->addr.module.len));
}

bool target_meets(const struct target *t, struct module_addr m)
{
	const struct module_addr *tm = &t->addr.module;

	for (size_t i = 0; i < tm->len && i < m.len &&
			   target_names(t, tm->steps[i].name, m.steps[i].name);
	     i++)
		if (!any_key(t, i) &&
		    !key_equal(tm->steps[i].key, m.steps[i].key))
			return false;
	return true;
}

void target_print(struct buf *b, const struct target *t)
{
	if (t->glob.n)
		buf_str(b, t->glob);
	else if (t->kind == TARGET_MODULE)
		module_addr_print(b, t->addr.module);
	else
		instance_addr_print(b, &t->addr);
}

bool target_set_replaces(const struct target_set *s,
			 const struct instance_addr *i)
{
	for (size_t k = 0; k < s->replace.len; k++)
		if (instance_addr_equal(&s->replace.items[k], i))
			return true;
	return false;
}
