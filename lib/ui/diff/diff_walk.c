/*
 * diff_walk.c - the walk over two sequences along their longest common
 * subsequence
 *
 * What both begin and end with is matched at once; the quadratic table is made
 * for the middle only, and not for one that would need more than LARGEST
 * cells: then its elements are all taken for different.
 */
#include "ui/diff/diff.h"

enum { LARGEST = 4 << 20 };

struct walk {
	const struct diff_sequence *s;
	ptrdiff_t *match; /* before -> after of the common subsequence, or -1 */
	bool *common;     /* of after */
};

static void pair_up(struct walk *w, size_t b, size_t a)
{
	w->match[b] = (ptrdiff_t)a;
	w->common[a] = true;
}

static void middle(struct arena *arena, struct walk *w, size_t b0, size_t b1,
		   size_t a0, size_t a1)
{
	const struct diff_sequence *s = w->s;
	size_t n = b1 - b0, m = a1 - a0, i, j;
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
	for (i = n, j = m; i && j;) {
		if (s->equal(s->data, b0 + i - 1, a0 + j - 1)) {
			pair_up(w, b0 + --i, a0 + --j);
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

	while (head < b1 && head < a1 && s->equal(s->data, head, head)) {
		pair_up(w, head, head);
		head++;
	}
	while (b1 > head && a1 > head && s->equal(s->data, b1 - 1, a1 - 1))
		pair_up(w, --b1, --a1);
	middle(arena, w, head, b1, head, a1);
}

void diff_walk(struct arena *arena, const struct diff_sequence *s)
{
	struct walk w = { s, ARENA_ARRAY(arena, ptrdiff_t, s->nbefore),
			  ARENA_ARRAY(arena, bool, s->nafter) };
	size_t b = 0, a = 0;

	for (size_t i = 0; i < s->nbefore; i++)
		w.match[i] = -1;
	find_common(arena, &w);
	while (b < s->nbefore || a < s->nafter) {
		bool b_free = b < s->nbefore && w.match[b] < 0;
		bool a_free = a < s->nafter && !w.common[a];

		if (b_free && a_free && s->pair(s->data, b, a))
			s->process(s->data, b++, a++);
		else if (b_free)
			s->process(s->data, b++, s->nafter);
		else if (a_free)
			s->process(s->data, s->nbefore, a++);
		else
			s->process(s->data, b++, a++);
	}
}
