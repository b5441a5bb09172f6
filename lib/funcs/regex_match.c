/*
 * regex_match.c - running programs; see regex_int.h
 *
 * Thompson's simulation as Pike did it for captures: all threads advance
 * together, character by character, in order of preference; a thread at an
 * instruction where a preferred one has been is dropped.
 */
#include <stdlib.h>

#include "funcs/regex_int.h"

/* After so many steps (half a minute) nobody waits any more. */
static const uint64_t STEPS_MAX = (uint64_t)1 << 32;

struct threads {
	uint32_t *pcs;
	size_t *slots; /* nslots for each */
	size_t len;
};

/* What is left to do while entering threads: an instruction, or a slot to be
 * restored. */
struct todo {
	uint32_t pc;
	uint32_t slot; /* UINT32_MAX: it is an instruction */
	size_t value;
};

struct machine {
	const struct regex *re;
	struct str text;
	struct threads now, next;
	uint64_t *seen;  /* instruction -> generation in which it was entered */
	uint64_t generation;
	struct todo *stack;
	size_t *current; /* slots of the thread being entered */
	size_t *best;
	bool matched;
	uint64_t steps;
};

static bool is_word_at(struct str s, size_t i)
{
	unsigned char ch = i < s.n ? (unsigned char)s.p[i] : 0;

	return ch == '_' || (ch >= '0' && ch <= '9') ||
	       (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
}

static bool holds(enum assertion what, struct str s, size_t i)
{
	bool boundary;

	switch (what) {
	case BEGIN_TEXT:
		return i == 0;
	case END_TEXT:
		return i == s.n;
	case BEGIN_LINE:
		return i == 0 || s.p[i - 1] == '\n';
	case END_LINE:
		return i == s.n || s.p[i] == '\n';
	default:
		boundary = (i > 0 && is_word_at(s, i - 1)) !=
			   is_word_at(s, i);
		return boundary == (what == WORD_BOUNDARY);
	}
}

static void add_thread(struct machine *m, struct threads *to, uint32_t pc)
{
	size_t n = m->re->nslots;

	memcpy(to->slots + to->len * n, m->current, n * sizeof(size_t));
	to->pcs[to->len++] = pc;
}

/* Enters pc and all that follows without a character, preferred first.  Each
 * instruction is entered once a generation, so the stack stays small. */
static void enter(struct machine *m, struct threads *to, uint32_t start,
		  size_t at)
{
	struct todo *stack = m->stack;
	size_t n = 0;

	stack[n++] = (struct todo){ start, UINT32_MAX, 0 };
	while (n > 0) {
		struct todo t = stack[--n];
		const struct re_inst *in;

		if (t.slot != UINT32_MAX) {
			m->current[t.slot] = t.value;
			continue;
		}
		if (m->seen[t.pc] == m->generation)
			continue;
		m->seen[t.pc] = m->generation;
		m->steps++;
		in = &m->re->prog.items[t.pc];
		switch (in->op) {
		case OP_GOTO:
			stack[n++] = (struct todo){ in->to, UINT32_MAX, 0 };
			break;
		case OP_SPLIT:
			stack[n++] = (struct todo){ in->other, UINT32_MAX,
						    0 };
			stack[n++] = (struct todo){ in->to, UINT32_MAX, 0 };
			break;
		case OP_SAVE:
			stack[n++] = (struct todo){ 0, in->slot,
						    m->current[in->slot] };
			m->current[in->slot] = at;
			stack[n++] = (struct todo){ t.pc + 1, UINT32_MAX, 0 };
			break;
		case OP_CHECK:
			if (holds(in->assertion, m->text, at))
				stack[n++] = (struct todo){ t.pc + 1,
							    UINT32_MAX, 0 };
			break;
		default:
			add_thread(m, to, t.pc);
			break;
		}
	}
}

/* Moves all threads over the character ch at `at`; those after one that is
 * done are less preferred and end. */
static void step(struct machine *m, ucs4_t ch, size_t at, size_t width)
{
	const struct regex *re = m->re;
	size_t n = re->nslots;
	struct threads done = m->now;

	m->generation++;
	m->next.len = 0;
	for (size_t i = 0; i < m->now.len; i++) {
		const struct re_inst *in = &re->prog.items[m->now.pcs[i]];
		const size_t *slots = m->now.slots + i * n;

		m->steps++;
		if (in->op == OP_DONE) {
			memcpy(m->best, slots, n * sizeof(size_t));
			m->best[1] = at;
			m->matched = true;
			break;
		}
		if (width && set_has(in->set, ch)) {
			memcpy(m->current, slots, n * sizeof(size_t));
			enter(m, &m->next, m->now.pcs[i] + 1, at + width);
		}
	}
	m->now = m->next;
	m->next = done;
}

static enum re_result run(struct machine *m, size_t from)
{
	size_t at = from;

	for (;;) {
		size_t width = 0;
		ucs4_t ch = 0;

		if (!m->matched) { /* a match may also begin here */
			for (size_t i = 0; i < m->re->nslots; i++)
				m->current[i] = SIZE_MAX;
			m->current[0] = at;
			if (m->now.len == 0)
				m->generation++;
			enter(m, &m->now, 0, at);
		}
		if (at < m->text.n)
			width = re_char(str_sub(m->text, at, m->text.n), &ch);
		step(m, ch, at, width);
		if (width == 0 || (m->matched && m->now.len == 0))
			return m->matched ? RE_MATCH : RE_NO_MATCH;
		if (m->steps > STEPS_MAX)
			return RE_TOO_LONG;
		at += width;
	}
}

enum re_result regex_match(const struct regex *re, struct str text,
			   size_t from, size_t *slots)
{
	size_t n = re->prog.len, cells = n * re->nslots;
	enum re_result rc;
	struct machine m = {
		.re = re, .text = text, .best = slots,
		.now = { xcalloc(n, sizeof(uint32_t)),
			 xcalloc(cells, sizeof(size_t)), 0 },
		.next = { xcalloc(n, sizeof(uint32_t)),
			  xcalloc(cells, sizeof(size_t)), 0 },
		.seen = xcalloc(n, sizeof(uint64_t)),
		.stack = xcalloc(2 * n + 2, sizeof(struct todo)),
		.current = xcalloc(re->nslots, sizeof(size_t)),
	};

	rc = run(&m, from);
	free(m.now.pcs);
	free(m.now.slots);
	free(m.next.pcs);
	free(m.next.slots);
	free(m.seen);
	free(m.stack);
	free(m.current);
	return rc;
}
