/*
 * diff_walk.c - the walk over two sequences along their longest common
 * subsequence
 *
 * The common prefix and suffix are matched at once; the quadratic table is made
 * for the middle only, and not for one that would need more than LARGEST cells:
 * then all its elements count as different.
 */
#include "ui/diff/diff_int.h"
#include "ui/diff/diff.h"

enum { LARGEST = 4 << 20 };

/* The subsequence: the n-th pair of it, in order. */
struct common {
	size_t b, a;
};

struct walk {
	const struct diff_sequence *s;
	struct common *common;
	size_t n, at; /* of them; those that have been met */
	size_t b, a;  /* what comes next */
};

static void middle(struct arena *arena, struct walk *w, size_t b0, size_t b1,
		   size_t a0, size_t a1)
{
	const struct diff_sequence *s = w->s;
	size_t n = b1 - b0, m = a1 - a0, i, j, k;
	uint32_t *len;

	if (n == 0 || m == 0 || n > LARGEST / m)
		return;
	len = ARENA_ARRAY(arena, uint32_t, (n + 1) * (m + 1));
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= m; j++) {
			uint32_t *at = &len[i * (m + 1) + j];

			if (s->equal(s->data, b0 + i - 1, a0 + j - 1))
				*at = at[-(ptrdiff_t)(m + 2)] + 1;
			else
				*at = at[-(ptrdiff_t)(m + 1)] > at[-1]
					      ? at[-(ptrdiff_t)(m + 1)]
					      : at[-1];
		}
	}
	k = w->n += len[n * (m + 1) + m];
	for (i = n, j = m; i && j;) {
		if (s->equal(s->data, b0 + i - 1, a0 + j - 1)) {
			i--;
			j--;
			w->common[--k] = (struct common){ b0 + i, a0 + j };
		} else if (len[(i - 1) * (m + 1) + j] >
			   len[i * (m + 1) + j - 1]) {
			i--;
		} else {
			j--;
		}
	}
}

static void find_common(struct arena *arena, struct walk *w)
{
	const struct diff_sequence *s = w->s;
	size_t head = 0, b1 = s->nbefore, a1 = s->nafter;

	w->common = ARENA_ARRAY(arena, struct common, b1 < a1 ? b1 : a1);
	while (head < b1 && head < a1 && s->equal(s->data, head, head)) {
		w->common[w->n++] = (struct common){ head, head };
		head++;
	}
	while (b1 > head && a1 > head && s->equal(s->data, b1 - 1, a1 - 1)) {
		b1--;
		a1--;
	}
	middle(arena, w, head, b1, head, a1);
	for (; b1 < s->nbefore; b1++, a1++)
		w->common[w->n++] = (struct common){ b1, a1 };
}

static bool is_next_before(const struct walk *w)
{
	return w->at < w->n &&
	       w->s->equal(w->s->data, w->b, w->common[w->at].a);
}

static bool is_next_after(const struct walk *w)
{
	return w->at < w->n &&
	       w->s->equal(w->s->data, w->common[w->at].b, w->a);
}

static void process(struct walk *w, bool before, bool after)
{
	const struct diff_sequence *s = w->s;

	before &= w->b < s->nbefore;
	after &= w->a < s->nafter;
	if (before || after)
		s->process(s->data, before ? w->b : s->nbefore,
			   after ? w->a : s->nafter);
	w->b += before;
	w->a += after;
}

static bool may_pair(const struct walk *w)
{
	const struct diff_sequence *s = w->s;

	return w->b < s->nbefore && w->a < s->nafter &&
	       s->pair(s->data, w->b, w->a);
}

/* Compares elements with those of the subsequence by value alone, as OpenTofu
 * does: the text shows which of several equal ones is kept. */
void diff_walk(struct arena *arena, const struct diff_sequence *s)
{
	struct walk w = { .s = s };

	find_common(arena, &w);
	while (w.b < s->nbefore || w.a < s->nafter) {
		while (w.b < s->nbefore && !is_next_before(&w))
			process(&w, true, may_pair(&w) && !is_next_after(&w));
		while (w.a < s->nafter && !is_next_after(&w))
			process(&w, may_pair(&w), true);
		process(&w, true, true);
		w.at++;
	}
}
