/*
 * picture.c - what a picture shows: boxes, and what is folded into them
 *
 * Folding goes step by step, and stops as soon as there are few enough boxes:
 * instances into their resource, resources of a type in a module, a module, a
 * module with those in it, modules beside each other.  First all that does not
 * change goes through these steps, then what does, at last both together.  Of
 * boxes that would fit into one no more are taken than are too many, small ones
 * first.
 */
#include <stdlib.h>

#include "base/visible.h"
#include "graph/picture/picture_int.h"

enum folding_level { /* how a fold came about */
		     ONE,
		     BY_RESOURCE,
		     BY_TYPE,
		     BY_MODULE,
		     BESIDE,
};

enum which { STEADY, CHANGING, ALL };

struct heap {
	struct str name;   /* of the first node: an address */
	struct str module; /* that it is in, or is */
	struct str type;
	enum picture_action action;
	enum folding_level level;
	uint32_t into; /* itself, or the fold that took it */
	uint32_t nodes, modules;
	struct picture_tally tally;
	bool managed, selected;
};

struct folding {
	struct picture *p;
	struct heap *folds;
	uint32_t n;
	size_t live, max;
};

/* --- actions --- */

static enum picture_action first_action(const struct picture_tally *t)
{
	enum picture_action a = PICTURE_ACTIONS - 1;

	while (a > PICTURE_UNCHANGED && !t->n[a])
		a--;
	return a;
}

static uint32_t instances(const struct picture_tally *t)
{
	uint32_t n = 0;

	for (int i = 0; i < PICTURE_ACTIONS; i++)
		n += t->n[i];
	return n;
}

/* --- addresses --- */

/* The end of the step that begins here, keys included: "a[0]" of "a[0].b". */
static size_t step_end(struct str s, size_t at)
{
	bool quotes = false;
	int depth = 0;

	for (; at < s.n; at++) {
		if (quotes && s.p[at] == '\\')
			at++;
		else if (s.p[at] == '"')
			quotes = !quotes;
		else if (!quotes && s.p[at] == '[')
			depth++;
		else if (!quotes && s.p[at] == ']')
			depth--;
		else if (!quotes && !depth && s.p[at] == '.')
			break;
	}
	return at < s.n ? at : s.n;
}

/* The modules in front, at most so many. */
static struct str module_of(struct str address, size_t max)
{
	size_t end = 0, at = 0;

	while (max-- &&
	       str_starts(str_sub(address, at, address.n), "module.")) {
		end = step_end(address, at + 7);
		at = end < address.n ? end + 1 : end;
	}
	return str_sub(address, 0, end);
}

static size_t depth_of(struct str module)
{
	size_t depth = 0;

	while (module_of(module, depth).n < module.n)
		depth++;
	return depth;
}

static struct str within(struct str address, struct str module)
{
	return module.n && module.n < address.n
		       ? str_sub(address, module.n + 1, address.n)
		       : address;
}

static struct str type_of(struct str name)
{
	const bool two =
		str_starts(name, "data.") || str_starts(name, "ephemeral.");
	size_t end = step_end(name, 0);

	return str_sub(name, 0, two ? step_end(name, end + 1) : end);
}

static struct str without_keys(struct arena *a, struct str address)
{
	struct buf b = BUF_INIT;

	for (size_t at = 0; at < address.n; at++) {
		const size_t end = step_end(address, at);
		const struct str step = str_sub(address, at, end);
		const ptrdiff_t key = str_chr(step, '[');
		size_t last = step.n;

		while (key >= 0 && step.p[last - 1] != ']')
			last--;
		buf_puts(&b, at ? "." : "");
		buf_str(&b, key < 0 ? step : str_sub(step, 0, (size_t)key));
		if (key >= 0) /* " (destroy)" */
			buf_str(&b, str_sub(step, last, step.n));
		at = end;
	}
	return buf_take(a, &b);
}

/* --- folding --- */

static bool is_drawn(const struct graph_node *n)
{
	return node_is_resource(n) || node_is_from_state(n);
}

static void begin(struct folding *f, const struct picture_tally *tallies)
{
	struct picture *p = f->p;
	const struct graph *g = p->graph;

	f->folds = ARENA_ARRAY(p->arena, struct heap, g->nodes.len + 1);
	p->box_of = ARENA_ARRAY(p->arena, uint32_t, g->nodes.len + 1);
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];
		struct heap *o = &f->folds[f->n];

		p->box_of[i] = GRAPH_NONE;
		if (!is_drawn(n))
			continue;
		p->box_of[i] = f->n;
		*o = (struct heap){ .name = n->address,
				    .module = module_of(n->address, SIZE_MAX),
				    .into = f->n++,
				    .nodes = 1,
				    .modules = 1,
				    .selected = n->selected };
		o->type = type_of(within(n->address, o->module));
		o->managed = n->kind != NODE_DATA && n->kind != NODE_EPHEMERAL;
		if (tallies)
			o->tally = tallies[i];
		o->action = first_action(&o->tally);
		/* A replacement counts where the new object is made. */
		for (int k = 0; k < PICTURE_ACTIONS; k++)
			if (n->kind != NODE_DESTROY || k != PICTURE_REPLACE)
				p->all.n[k] += o->tally.n[k];
	}
	f->live = p->resources = f->n;
}

static void fold_into(struct folding *f, uint32_t what, uint32_t into)
{
	struct heap *o = &f->folds[what], *to = &f->folds[into];

	o->into = into;
	to->nodes += o->nodes;
	to->modules += str_eq(o->module, to->module) ? 0 : o->modules;
	to->managed |= o->managed;
	to->selected |= o->selected;
	for (int k = 0; k < PICTURE_ACTIONS; k++)
		to->tally.n[k] += o->tally.n[k];
	if (o->action > to->action)
		to->action = o->action;
	f->live--;
}

struct fold_round {
	enum folding_level level;
	enum which which;
	size_t depth; /* of modules: those below it are meant, */
	size_t keep;  /* and so much of their paths is the same */
};

static struct str step_key(struct folding *f, const struct fold_round *s,
			   const struct heap *o)
{
	struct arena *a = f->p->arena;

	switch (s->level) {
	case BY_RESOURCE:
		return without_keys(a, o->name);
	case BY_TYPE:
		return str_printf(a, "%.*s %d %.*s", STR_ARG(o->type),
				  (int)o->action, STR_ARG(o->module));
	default:
		return module_of(o->module, s->keep);
	}
}

struct bucket {
	struct str key;
	uint32_t first;
	VEC(uint32_t) members;
};

static int larger_first(const void *x, const void *y)
{
	const struct bucket *a = *(struct bucket *const *)x,
			    *b = *(struct bucket *const *)y;

	if (a->members.len != b->members.len)
		return a->members.len > b->members.len ? -1 : 1;
	return a->first < b->first ? -1 : 1;
}

struct member {
	const struct heap *f;
	uint32_t index;
};

static int smaller_first(const void *x, const void *y)
{
	const struct member *a = x, *b = y;

	if (a->f->action != b->f->action)
		return a->f->action < b->f->action ? -1 : 1;
	if (a->f->nodes != b->f->nodes)
		return a->f->nodes < b->f->nodes ? -1 : 1;
	return a->index > b->index ? -1 : 1; /* the last ones go first */
}

static int by_index(const void *x, const void *y)
{
	const struct member *a = x, *b = y;

	return a->index < b->index ? -1 : 1;
}

static void fold_bucket(struct folding *f, const struct fold_round *s,
			const struct bucket *b)
{
	size_t n = b->members.len;
	struct member *m;
	struct heap *to;

	if (n < 2 || f->live <= f->max)
		return;
	m = ARENA_ARRAY(f->p->arena, struct member, n);
	for (size_t i = 0; i < n; i++)
		m[i] = (struct member){ &f->folds[b->members.items[i]],
					b->members.items[i] };
	qsort(m, n, sizeof(*m), smaller_first);
	/* A resource and a module are folded whole. */
	if ((s->level == BY_TYPE || s->level == BESIDE) &&
	    n > f->live - f->max + 1)
		n = f->live - f->max + 1;
	qsort(m, n, sizeof(*m), by_index);
	to = &f->folds[m[0].index];
	to->level = s->level;
	for (size_t i = 1; i < n; i++)
		fold_into(f, m[i].index, m[0].index);
	if (s->level == BY_RESOURCE)
		to->name = b->key;
	to->module = s->level == BY_RESOURCE ? module_of(b->key, SIZE_MAX)
		     : s->level == BY_TYPE   ? to->module
					     : b->key;
}

static bool is_meant(const struct heap *o, const struct fold_round *s)
{
	if (s->which == STEADY && o->action != PICTURE_UNCHANGED)
		return false;
	if (s->which == CHANGING && o->action == PICTURE_UNCHANGED)
		return false;
	return depth_of(o->module) >= s->depth;
}

static void fold_step(struct folding *f, struct fold_round s)
{
	struct arena *a = f->p->arena;
	struct map keys = { 0 };
	struct bucket **buckets;

	if (f->live <= f->max)
		return;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct heap *o = &f->folds[i];
		struct map_entry *at;
		struct bucket *b;

		if (o->into != i || !is_meant(o, &s))
			continue;
		at = map_slot(a, &keys, step_key(f, &s, o));
		if (!at->value) {
			b = at->value = ARENA_NEW(a, struct bucket);
			b->key = at->key;
			b->first = i;
		}
		b = at->value;
		vec_push(a, &b->members, i);
	}
	buckets = ARENA_ARRAY(a, struct bucket *, keys.len + 1);
	for (size_t i = 0; i < keys.len; i++)
		buckets[i] = keys.entries[i].value;
	qsort(buckets, keys.len, sizeof(*buckets), larger_first);
	for (size_t i = 0; i < keys.len; i++)
		fold_bucket(f, &s, buckets[i]);
}

static void fold_all(struct folding *f)
{
	size_t deepest = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (depth_of(f->folds[i].module) > deepest)
			deepest = depth_of(f->folds[i].module);
	for (enum which w = STEADY; w <= ALL; w++) {
		fold_step(f, (struct fold_round){ BY_RESOURCE, w, 0, 0 });
		fold_step(f, (struct fold_round){ BY_TYPE, w, 0, 0 });
		fold_step(f, (struct fold_round){ BY_MODULE, w, 0, SIZE_MAX });
		for (size_t d = deepest; d; d--) {
			fold_step(f, (struct fold_round){ BY_MODULE, w, d, d });
			fold_step(f,
				  (struct fold_round){ BESIDE, w, d, d - 1 });
		}
	}
	fold_step(f, (struct fold_round){ BESIDE, ALL, 0, 0 });
}

/* --- boxes and modules --- */

static uint32_t module_index(struct picture *p, struct map *known,
			     struct str path)
{
	struct map_entry *at = map_slot(p->arena, known, path);
	struct picture_module m = { .path = path, .parent = GRAPH_NONE };
	size_t depth = depth_of(path);

	if (at->value)
		return (uint32_t)((uintptr_t)at->value - 1);
	if (depth)
		m.parent = module_index(p, known, module_of(path, depth - 1));
	vec_push(p->arena, &p->modules, m);
	map_put(p->arena, known, path, (void *)(uintptr_t)p->modules.len);
	return (uint32_t)p->modules.len - 1;
}

static void say_actions(const struct picture_tally *t, struct buf *b)
{
	int kinds = 0;

	for (int i = 0; i < PICTURE_ACTIONS; i++)
		kinds += t->n[i] > 0;
	for (int i = PICTURE_ACTIONS - 1; i > 0 && kinds > 1; i--)
		if (t->n[i])
			buf_addf(b, "%s%s%u", b->len ? " " : "",
				 picture_action_sign((enum picture_action)i),
				 t->n[i]);
}

static struct str box_more(struct picture *p, const struct heap *o,
			   struct str type)
{
	const uint32_t n = instances(&o->tally);
	struct buf b = BUF_INIT;

	if (type.n)
		buf_addf(&b, "%.*s %.*s",
			 STR_ARG(picture_number(p->arena, o->nodes)),
			 STR_ARG(visible_word(p->arena, type)));
	else if (o->level >= BY_TYPE)
		buf_str(&b, picture_counted(p->arena, o->nodes, "resource"));
	else if (n > 1 || o->nodes > 1)
		buf_addf(&b, "\u00d7%u", n > o->nodes ? n : o->nodes);
	say_actions(&o->tally, &b);
	return buf_take(p->arena, &b);
}

/* A module that is one box lies in the one around it. */
static bool is_alone(const struct folding *f, const struct heap *o)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct heap *x = &f->folds[i];

		if (x->into == i && x != o &&
		    str_eq(module_of(x->module, depth_of(o->module)),
			   o->module))
			return false;
	}
	return true;
}

static struct picture_box box_for(struct folding *f, const struct heap *o,
				  struct map *known)
{
	struct arena *a = f->p->arena;
	struct str place = o->module, label = within(o->name, o->module);
	struct str what = STR_NONE;

	if (o->level >= BY_TYPE && o->level <= BY_MODULE && o->module.n &&
	    is_alone(f, o)) {
		place = module_of(place, depth_of(place) - 1);
		label = within(o->module, place);
		what = o->level == BY_TYPE ? o->type : what;
	} else if (o->level == BY_TYPE) {
		label = o->type;
	} else if (o->level == BY_MODULE) {
		label = STR("others");
	} else if (o->level == BESIDE) {
		label = picture_counted(a, o->modules, "module");
	}
	label = visible_word(a, label);
	return (struct picture_box){
		.label = label,
		.brief = picture_shortened(a, label),
		.more = box_more(f->p, o, what),
		.title = o->level < BY_TYPE ? visible_word(a, o->name)
			 : o->module.n && !str_eq(label, o->module)
				 ? str_printf(a, "%.*s: %.*s",
					      STR_ARG(visible_word(a,
								   o->module)),
					      STR_ARG(label))
				 : label,
		.module = module_index(f->p, known, place),
		.resources = o->nodes,
		.action = o->action,
		.tally = o->tally,
		.managed = o->managed,
		.selected = o->selected,
	};
}

static void make_boxes(struct folding *f)
{
	struct picture *p = f->p;
	struct map known = { 0 };
	uint32_t *box = ARENA_ARRAY(p->arena, uint32_t, f->n + 1);

	module_index(p, &known, STR(""));
	for (uint32_t i = 0; i < f->n; i++) {
		if (f->folds[i].into != i)
			continue;
		box[i] = (uint32_t)p->boxes.len;
		vec_push(p->arena, &p->boxes, box_for(f, &f->folds[i], &known));
		if (f->folds[i].nodes > 1) {
			p->folds++;
			p->folded += f->folds[i].nodes;
		}
	}
	for (size_t i = 0; i < p->graph->nodes.len; i++) {
		uint32_t at = p->box_of[i];

		while (at != GRAPH_NONE && f->folds[at].into != at)
			at = f->folds[at].into;
		p->box_of[i] = at == GRAPH_NONE ? at : box[at];
	}
}

/* A module that has nothing but one other is no cluster of its own. */
static void choose_clusters(struct picture *p)
{
	uint32_t *kids = ARENA_ARRAY(p->arena, uint32_t, p->modules.len);

	for (size_t i = 0; i < p->boxes.len; i++)
		p->modules.items[p->boxes.items[i].module].boxes++;
	for (size_t i = p->modules.len; i-- > 0;) {
		struct picture_module *m = &p->modules.items[i];

		m->drawn = m->parent == GRAPH_NONE || m->boxes || kids[i] > 1;
		if (m->parent != GRAPH_NONE && (m->drawn || kids[i]))
			kids[m->parent]++;
	}
	for (size_t i = 1; i < p->modules.len; i++) {
		struct picture_module *m = &p->modules.items[i];

		while (!p->modules.items[m->parent].drawn)
			m->parent = p->modules.items[m->parent].parent;
		m->label =
			visible_word(p->arena,
				     within(m->path,
					    p->modules.items[m->parent].path));
	}
}

void graph_picture(struct arena *a, const struct graph *g,
		   const struct picture_tally *tallies, size_t max_boxes,
		   enum picture_form form, struct buf *b)
{
	struct picture p = { .arena = a, .graph = g, .planned = tallies };
	struct folding f = { .p = &p, .max = max_boxes ? max_boxes : SIZE_MAX };

	begin(&f, tallies);
	fold_all(&f);
	make_boxes(&f);
	choose_clusters(&p);
	picture_connect(&p);
	if (form == PICTURE_DOT)
		picture_dot(&p, b);
	else if (form == PICTURE_MERMAID)
		picture_mermaid(&p, b);
	else
		picture_svg(&p, b);
}
