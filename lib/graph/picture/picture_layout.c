/* picture_layout.c - see picture_int.h */
#include <stdlib.h>

#include "graph/picture/picture_int.h"

enum {
	HIGH = 26,  /* a box */
	GAP = 10,   /* between what lies in a column */
	LANE = 6,   /* an edge on its way through one */
	PAD = 12,   /* around what is in a module */
	TITLE = 22, /* of a module, above that */
	WIDE = 64,  /* between columns */
	ALONE = 12, /* boxes without edges in a column, at least */
	SPREAD = 4, /* into so many columns, if there are no others */
	SWEEPS = 10,
};

enum kind { BOX, LANES, BLOCK };

struct thing {
	enum kind kind;
	uint32_t of;     /* box, box that the lane leads to, module */
	uint32_t lo, hi; /* its columns */
	uint32_t block;  /* that it lies in: an item; GRAPH_NONE: none */
	int y, h;        /* in its block; y is absolute after placing */
	int latest;      /* internal to placing */
	int wish;        /* where its middle would be best */
	int64_t sum;     /* of wishes within it */
	uint32_t wishes;
};

struct segment { /* between items of neighbouring columns */
	uint32_t left, right;
	bool back;
	bool ends, begins; /* an arrow points to the right item, or the left */
};

struct arranging {
	const struct picture *p;
	struct arena *a;
	struct layout *out;
	uint32_t *column; /* by box */
	uint32_t columns;
	VEC(struct thing)
	items; /* boxes first, then drawn modules, then lanes */
	VEC(struct segment) segments;
	uint32_t *block;    /* by module: its item */
	VEC(uint32_t) * in; /* by item of a block */
	int *x, *width;     /* by column */
	int *nested;        /* by module: how deep others lie in it */
	int *best;          /* by item: wishes of the best order so far */
	int64_t best_length;
};

/* --- columns --- */

struct order {
	uint32_t *first, *to; /* edges by their start */
	uint32_t *by;         /* dependencies first */
	uint32_t n;
};

/* Without those that go back there is no cycle, so each round ends. */
static void order_boxes(struct arranging *r, struct order *o)
{
	const struct picture *p = r->p;
	const uint32_t n = (uint32_t)p->boxes.len;
	uint32_t *left = ARENA_ARRAY(r->a, uint32_t, n + 1);
	uint32_t *users = ARENA_ARRAY(r->a, uint32_t, n + 2);
	uint32_t *user = ARENA_ARRAY(r->a, uint32_t, p->edges.len + 1);

	o->by = ARENA_ARRAY(r->a, uint32_t, n + 1);
	for (size_t i = 0; i < p->edges.len; i++) {
		const struct picture_edge *e = &p->edges.items[i];

		left[e->from] += !e->back;
		users[e->to + 1] += !e->back;
	}
	for (uint32_t i = 0; i < n; i++)
		users[i + 1] += users[i];
	for (size_t i = p->edges.len; i-- > 0;) {
		const struct picture_edge *e = &p->edges.items[i];

		if (!e->back)
			user[--users[e->to + 1]] = e->from;
	}
	/* users[i + 1] is where those of i begin now. */
	for (uint32_t i = 0; i < n; i++)
		if (!left[i])
			o->by[o->n++] = i;
	for (uint32_t k = 0; k < o->n; k++) {
		const uint32_t i = o->by[k];
		const uint32_t end =
			i + 1 < n ? users[i + 2] : (uint32_t)p->edges.len;

		for (uint32_t u = users[i + 1]; u < end; u++)
			if (!--left[user[u]])
				o->by[o->n++] = user[u];
	}
}

/* What has no edges lies where its module does, in as few rows as there are
 * columns for. */
static void spread_alone(struct arranging *r, const unsigned char *tied)
{
	const struct picture *p = r->p;
	uint32_t *alone = ARENA_ARRAY(r->a, uint32_t, p->modules.len);
	uint32_t *at = ARENA_ARRAY(r->a, uint32_t, p->modules.len);
	uint32_t *start = ARENA_ARRAY(r->a, uint32_t, p->modules.len);
	const uint32_t all = r->columns > SPREAD ? r->columns : SPREAD;

	for (size_t i = 0; i < p->modules.len; i++)
		start[i] = UINT32_MAX;
	for (size_t i = 0; i < p->boxes.len; i++) {
		const uint32_t m = p->boxes.items[i].module;

		alone[m] += !tied[i];
		if (tied[i] && r->column[i] < start[m])
			start[m] = r->column[i];
	}
	for (uint32_t i = 0; i < p->boxes.len; i++) {
		const uint32_t m = p->boxes.items[i].module;
		const uint32_t from = start[m] == UINT32_MAX ? 0 : start[m];
		uint32_t each = (alone[m] + all - from - 1) / (all - from);

		if (!tied[i])
			r->column[i] =
				from + at[m]++ / (each < ALONE ? ALONE : each);
		if (r->column[i] >= r->columns)
			r->columns = r->column[i] + 1;
	}
}

static void choose_columns(struct arranging *r)
{
	const struct picture *p = r->p;
	const size_t n = p->boxes.len;
	struct order o = { 0 };
	uint32_t *depth = ARENA_ARRAY(r->a, uint32_t, n + 1);
	uint32_t *near = ARENA_ARRAY(r->a, uint32_t, n + 1), deepest = 0;
	uint32_t *begin = ARENA_ARRAY(r->a, uint32_t, n + 2);
	unsigned char *tied = ARENA_ARRAY(r->a, unsigned char, n + 1);
	unsigned char *leads = ARENA_ARRAY(r->a, unsigned char, n + 1);

	order_boxes(r, &o);
	for (size_t i = 0; i < p->edges.len; i++) /* they are in order */
		begin[p->edges.items[i].from + 1]++;
	for (size_t i = 0; i < n; i++)
		begin[i + 1] += begin[i];
	for (uint32_t k = 0; k < o.n; k++) {
		const uint32_t from = o.by[k];

		for (uint32_t e = begin[from]; e < begin[from + 1]; e++) {
			const struct picture_edge *x = &p->edges.items[e];

			tied[from] = tied[x->to] = 1;
			if (x->back)
				continue;
			leads[from] = 1;
			if (depth[from] <= depth[x->to])
				depth[from] = depth[x->to] + 1;
		}
		if (depth[from] > deepest)
			deepest = depth[from];
	}
	/* What depends on nothing lies beside its first user. */
	for (size_t i = 0; i < n; i++)
		near[i] = UINT32_MAX;
	for (size_t i = 0; i < p->edges.len; i++) {
		const struct picture_edge *e = &p->edges.items[i];

		if (!e->back && depth[e->from] - 1 < near[e->to])
			near[e->to] = depth[e->from] - 1;
	}
	r->columns = deepest + 1;
	for (size_t i = 0; i < n; i++) {
		if (!leads[i] && near[i] != UINT32_MAX)
			depth[i] = near[i];
		r->column[i] = deepest - depth[i];
	}
	spread_alone(r, tied);
}

/* --- items --- */

static uint32_t add_item(struct arranging *r, struct thing i)
{
	vec_push(r->a, &r->items, i);
	return (uint32_t)r->items.len - 1;
}

static void widen(struct arranging *r, uint32_t block, uint32_t lo, uint32_t hi)
{
	for (; block != GRAPH_NONE; block = r->items.items[block].block) {
		struct thing *b = &r->items.items[block];

		b->lo = b->lo < lo ? b->lo : lo;
		b->hi = b->hi > hi ? b->hi : hi;
	}
}

static void make_items(struct arranging *r)
{
	const struct picture *p = r->p;
	const uint32_t boxes = (uint32_t)p->boxes.len;

	r->block = ARENA_ARRAY(r->a, uint32_t, p->modules.len);
	r->nested = ARENA_ARRAY(r->a, int, p->modules.len);
	for (uint32_t i = 0; i < boxes; i++)
		add_item(r, (struct thing){ .kind = BOX,
					    .of = i,
					    .lo = r->column[i],
					    .hi = r->column[i],
					    .h = HIGH });
	for (uint32_t i = 0; i < p->modules.len; i++) {
		const struct picture_module *m = &p->modules.items[i];

		if (m->drawn)
			r->block[i] = add_item(
				r,
				(struct thing){ .kind = BLOCK,
						.of = i,
						.lo = UINT32_MAX,
						.block = i ? r->block[m->parent]
							   : GRAPH_NONE });
	}
	for (uint32_t i = 0; i < boxes; i++) {
		struct thing *b = &r->items.items[i];

		b->block = r->block[p->boxes.items[i].module];
		widen(r, b->block, b->lo, b->hi);
	}
	for (size_t i = p->modules.len; i-- > 1;) {
		const struct picture_module *m = &p->modules.items[i];

		if (m->drawn && r->nested[m->parent] <= r->nested[i])
			r->nested[m->parent] = r->nested[i] + 1;
	}
}

static uint32_t above(const struct arranging *r, uint32_t item)
{
	return r->items.items[item].block;
}

static size_t depth_of(const struct arranging *r, uint32_t item)
{
	size_t n = 0;

	for (; item != GRAPH_NONE; item = above(r, item))
		n++;
	return n;
}

/* The innermost block that holds both. */
static uint32_t common_block(const struct arranging *r, uint32_t a, uint32_t b)
{
	size_t da = depth_of(r, a), db = depth_of(r, b);

	while (a != b || r->items.items[a].kind == BOX) {
		const bool up_a = da >= db, up_b = db >= da;

		if (up_a) {
			a = above(r, a);
			da--;
		}
		if (up_b) {
			b = above(r, b);
			db--;
		}
	}
	return a;
}

struct route {
	uint32_t to, from, block;
	bool back, turned;
};

static int by_target(const void *x, const void *y)
{
	const struct route *a = x, *b = y;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

static void add_segment(struct arranging *r, const struct route *x,
			uint32_t left, uint32_t right)
{
	vec_push(r->a, &r->segments,
		 (struct segment){ .left = left,
				   .right = right,
				   .back = x->back,
				   .ends = right == x->to && !x->turned,
				   .begins = left == x->from && x->turned });
}

/* From left to right, through lanes that edges to the same box share. */
static void add_route(struct arranging *r, const struct route *x,
		      uint32_t *lanes, uint32_t since)
{
	uint32_t left = x->from, right = x->to, at = left;
	uint32_t last = r->column[right];

	for (uint32_t c = r->column[left] + 1; c < last; c++) {
		uint32_t *lane = &lanes[c];

		if (*lane >= since && *lane < r->items.len) {
			add_segment(r, x, at, *lane);
			return; /* the rest of the way is there */
		}
		*lane = add_item(r, (struct thing){ .kind = LANES,
						    .of = right,
						    .lo = c,
						    .hi = c,
						    .block = x->block,
						    .h = LANE });
		add_segment(r, x, at, *lane);
		at = *lane;
	}
	add_segment(r, x, at, right);
}

static void make_routes(struct arranging *r)
{
	const struct picture *p = r->p;
	struct route *routes =
		ARENA_ARRAY(r->a, struct route, p->edges.len + 1);
	uint32_t *lanes = ARENA_ARRAY(r->a, uint32_t, r->columns + 1);
	uint32_t since = UINT32_MAX;

	for (size_t i = 0; i < p->edges.len; i++) {
		const struct picture_edge *e = &p->edges.items[i];
		const bool turned = r->column[e->from] > r->column[e->to];

		routes[i] = (struct route){ .from = turned ? e->to : e->from,
					    .to = turned ? e->from : e->to,
					    .back = e->back,
					    .turned = turned };
		routes[i].block = common_block(r, e->from, e->to);
	}
	if (p->edges.len)
		qsort(routes, p->edges.len, sizeof(*routes), by_target);
	for (size_t i = 0; i < p->edges.len; i++) {
		const struct route *x = &routes[i];

		if (!i || x->back || x[-1].back || x[-1].to != x->to ||
		    x[-1].block != x->block)
			since = (uint32_t)r->items.len;
		add_route(r, x, lanes, since);
	}
}

/* --- placing --- */

static const struct arranging *sorting;

static int by_wish(const void *x, const void *y)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int wa = sorting->items.items[a].wish,
		  wb = sorting->items.items[b].wish;

	if (wa != wb)
		return wa < wb ? -1 : 1;
	return a < b ? -1 : 1;
}

/* The lowest place for it under what lies in its columns already. */
static int lowest(const int *line, const struct thing *i, uint32_t lo)
{
	int y = line[i->lo - lo];

	for (uint32_t c = i->lo; c <= i->hi; c++)
		y = y > line[c - lo] ? y : line[c - lo];
	return y;
}

static void take(int *line, const struct thing *i, uint32_t lo, int y)
{
	for (uint32_t c = i->lo; c <= i->hi; c++)
		line[c - lo] = y;
}

/* Where each lies if all are as far down as there is room, measured from the
 * bottom. */
static void find_latest(struct arranging *r, const struct thing *b,
			uint32_t block, int *line)
{
	for (size_t k = r->in[block].len; k-- > 0;) {
		struct thing *i = &r->items.items[r->in[block].items[k]];

		i->latest = lowest(line, i, b->lo) + i->h;
		take(line, i, b->lo, i->latest + GAP);
	}
	memset(line, 0, (b->hi - b->lo + 1) * sizeof(*line));
}

/* One after the other, each as high as it can be; or (room: how much there is)
 * as near to its wish as what comes after it allows.  Returns the height. */
static int stack(struct arranging *r, uint32_t block, int room, int start)
{
	const struct thing *b = &r->items.items[block];
	const size_t n = r->in[block].len;
	int *line = xcalloc(b->hi - b->lo + 1, sizeof(*line)), h = 0;

	if (room)
		find_latest(r, b, block, line);
	for (size_t k = 0; k < n; k++) {
		struct thing *i = &r->items.items[r->in[block].items[k]];

		i->y = lowest(line, i, b->lo);
		if (room) {
			const int best = i->wish - i->h / 2 - start;
			const int last = room - i->latest;
			const int wish = best < last ? best : last;

			i->y = i->y > wish ? i->y : wish;
		}
		take(line, i, b->lo, i->y + i->h + GAP);
		h = h > i->y + i->h ? h : i->y + i->h;
	}
	free(line);
	return h;
}

/* Blocks within others come after them among the items. */
static void place(struct arranging *r, bool near)
{
	const size_t n = r->items.len, boxes = r->p->boxes.len;

	sorting = r;
	for (size_t i = n; i-- > boxes;) {
		struct thing *b = &r->items.items[i];

		if (b->kind != BLOCK)
			continue;
		if (r->in[i].len)
			qsort(r->in[i].items, r->in[i].len,
			      sizeof(*r->in[i].items), by_wish);
		b->h = stack(r, (uint32_t)i, 0, 0);
		if (b->of)
			b->h += TITLE + PAD;
	}
	for (size_t i = boxes; i < n; i++) {
		struct thing *b = &r->items.items[i];
		const int top = b->of ? TITLE : 0;

		if (b->kind != BLOCK)
			continue;
		if (near)
			stack(r, (uint32_t)i, b->h - (b->of ? TITLE + PAD : 0),
			      b->y + top);
		for (size_t k = 0; k < r->in[i].len; k++)
			r->items.items[r->in[i].items[k]].y += b->y + top;
	}
}

static int middle(const struct thing *i)
{
	return i->y + i->h / 2;
}

static void wish(struct arranging *r, uint32_t item, int y)
{
	r->items.items[item].sum += y;
	r->items.items[item].wishes++;
}

/* Everything wants to be where what it is tied to is: to the left, the right or
 * on both sides. */
static void make_wishes(struct arranging *r, bool left, bool right)
{
	for (size_t i = 0; i < r->items.len; i++)
		r->items.items[i].sum = r->items.items[i].wishes = 0;
	for (size_t i = 0; i < r->segments.len; i++) {
		const struct segment *s = &r->segments.items[i];

		if (left)
			wish(r, s->right, middle(&r->items.items[s->left]));
		if (right)
			wish(r, s->left, middle(&r->items.items[s->right]));
	}
	for (size_t i = 0; i < r->items.len; i++) {
		struct thing *x = &r->items.items[i];

		if (x->kind == BLOCK)
			continue;
		x->wish = x->wishes ? (int)(x->sum / x->wishes) : middle(x);
		for (uint32_t b = x->block; b != GRAPH_NONE && x->wishes;
		     b = above(r, b))
			wish(r, b, x->wish);
	}
	for (size_t i = 0; i < r->items.len; i++) {
		struct thing *x = &r->items.items[i];

		if (x->kind == BLOCK)
			x->wish = x->wishes ? (int)(x->sum / x->wishes)
					    : middle(x);
	}
}

static int64_t length(const struct arranging *r)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->segments.len; i++) {
		const struct segment *s = &r->segments.items[i];
		const int64_t d = middle(&r->items.items[s->left]) -
				  middle(&r->items.items[s->right]);

		n += d < 0 ? -d : d;
	}
	return n;
}

static void arrange(struct arranging *r)
{
	const size_t n = r->items.len;

	r->in = arena_array(r->a, n + 1, sizeof(*r->in));
	r->best = ARENA_ARRAY(r->a, int, n + 1);
	r->best_length = INT64_MAX;
	for (uint32_t i = 0; i < n; i++)
		if (above(r, i) != GRAPH_NONE)
			vec_push(r->a, &r->in[above(r, i)], i);
	place(r, false);
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		int64_t now;

		make_wishes(r, sweep % 3 != 1, sweep % 3 != 0);
		place(r, false);
		now = length(r);
		if (now >= r->best_length)
			continue;
		r->best_length = now;
		for (size_t i = 0; i < n; i++)
			r->best[i] = r->items.items[i].wish;
	}
	for (size_t i = 0; i < n && r->best_length != INT64_MAX; i++)
		r->items.items[i].wish = r->best[i];
	place(r, true);
}

/* --- pixels --- */

static int text_width(size_t cells)
{
	return (int)(cells * PICTURE_CELL + 9) / 10;
}

static int box_width(const struct picture_box *o)
{
	const char *sign = picture_action_sign(o->action);
	size_t cells = picture_cells(o->brief);

	cells += *sign ? strlen(sign) + 1 : 0;
	cells += o->more.n ? picture_cells(o->more) + 2 : 0;
	return text_width(cells) + 20;
}

static void set_columns(struct arranging *r)
{
	int *before = ARENA_ARRAY(r->a, int, r->columns + 2), x = 0;
	int *after = ARENA_ARRAY(r->a, int, r->columns + 2);

	r->x = ARENA_ARRAY(r->a, int, r->columns + 1);
	r->width = ARENA_ARRAY(r->a, int, r->columns + 1);
	for (size_t i = 0; i < r->items.len; i++) {
		const struct thing *t = &r->items.items[i];
		int w = 0;

		if (t->kind == BOX)
			w = box_width(&r->p->boxes.items[t->of]);
		if (t->kind == BLOCK && t->of) {
			const int around = PAD * (r->nested[t->of] + 1);

			w = text_width(picture_cells(
				r->p->modules.items[t->of].label));
			if (before[t->lo] < around)
				before[t->lo] = around;
			if (after[t->hi] < around)
				after[t->hi] = around;
		}
		if (r->width[t->lo] < w)
			r->width[t->lo] = w;
	}
	for (uint32_t c = 0; c < r->columns; c++) {
		r->x[c] = x + before[c];
		x = r->x[c] + r->width[c] + after[c] + WIDE;
	}
	r->out->width = x - WIDE;
}

static void put_out(struct arranging *r)
{
	struct layout *l = r->out;

	l->boxes = ARENA_ARRAY(r->a, struct layout_rect, r->p->boxes.len + 1);
	l->modules = ARENA_ARRAY(r->a, struct layout_rect, r->p->modules.len);
	for (size_t i = 0; i < r->items.len; i++) {
		const struct thing *t = &r->items.items[i];
		struct layout_rect at = { r->x[t->lo], t->y, r->width[t->lo],
					  t->h };

		if (t->kind == BOX) {
			l->boxes[t->of] = at;
		} else if (t->kind == BLOCK) {
			const int around = PAD * (r->nested[t->of] + 1);

			at.x -= around;
			at.w = r->x[t->hi] + r->width[t->hi] + around - at.x;
			l->modules[t->of] = at;
		}
		if (l->height < at.y + at.h)
			l->height = at.y + at.h;
	}
	for (size_t i = 0; i < r->segments.len; i++) {
		const struct segment *s = &r->segments.items[i];
		const struct thing *a = &r->items.items[s->left],
				   *b = &r->items.items[s->right];

		vec_push(
			r->a, &l->lines,
			(struct layout_line){
				.from = { r->x[a->lo] + r->width[a->lo],
					  middle(a) },
				.to = { r->x[b->lo] + (a->lo == b->lo
							       ? r->width[b->lo]
							       : 0),
					middle(b) },
				.width = b->kind == LANES ? r->width[b->lo] : 0,
				.back = s->back,
				.ends = s->ends,
				.begins = s->begins });
	}
}

void picture_layout(const struct picture *p, struct layout *out)
{
	struct arranging r = { .p = p, .a = p->arena, .out = out };

	*out = (struct layout){ 0 };
	r.column = ARENA_ARRAY(r.a, uint32_t, p->boxes.len + 1);
	choose_columns(&r);
	make_items(&r);
	make_routes(&r);
	arrange(&r);
	set_columns(&r);
	put_out(&r);
}
