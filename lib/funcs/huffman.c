/*
 * huffman.c - writing blocks: the second half of deflate_int.h
 *
 * A block is written with the fixed codes, with codes of its own, or stored,
 * whichever is shortest.
 */
#include <stdlib.h>

#include "funcs/deflate_int.h"

enum {
	NLIT = 286,      /* literals, end of block, lengths */
	NDIST = 30,
	NCODEGEN = 19,   /* the code that code lengths are written in */
	END_OF_BLOCK = 256,
	MAX_BITS = 15,
	STORED_MAX = 65535,
};

struct code {
	uint16_t bits; /* to be written lowest first */
	uint8_t len;
};

/* --- bits --- */

static void put_bits(struct bits *w, uint32_t v, unsigned n)
{
	w->acc |= (uint64_t)v << w->n;
	for (w->n += n; w->n >= 8; w->n -= 8) {
		buf_putc(w->out, (char)w->acc);
		w->acc >>= 8;
	}
}

static void put_code(struct bits *w, struct code c)
{
	put_bits(w, c.bits, c.len);
}

static void align(struct bits *w)
{
	if (w->n)
		put_bits(w, 0, 8 - w->n);
}

void block_stored(struct bits *w, struct str raw, bool last)
{
	put_bits(w, last, 3);
	align(w);
	put_bits(w, (uint32_t)raw.n, 16);
	put_bits(w, (uint32_t)~raw.n & 0xffff, 16);
	buf_str(w->out, raw);
}

/* --- lengths and distances as code, extra bits --- */

struct part {
	unsigned code, extra, nextra;
};

/* Codes 0..3 have no extra bits; from there on each group of 1 << log codes
 * has one more. */
static struct part split(unsigned v, unsigned log)
{
	struct part p = { v, 0, 0 };
	unsigned group = 1u << log, top = 31;

	if (v < group * 2)
		return p;
	while (!(v >> top))
		top--;
	p.nextra = top - log;
	p.extra = v & ((1u << p.nextra) - 1);
	p.code = (p.nextra << log) + (v >> p.nextra);
	return p;
}

static struct part length_part(deflate_token t)
{
	unsigned v = t >> 16 & 0xff;
	struct part p = split(v, 2);

	if (v == 255) /* length 258 has a code of its own */
		return (struct part){ 285, 0, 0 };
	p.code += 257;
	return p;
}

static struct part distance_part(deflate_token t)
{
	return split(t & 0x7fff, 1);
}

/* --- optimal codes of limited length --- */

struct symbol {
	uint32_t freq;
	uint16_t id;
};

static int by_freq(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	if (a->freq != b->freq)
		return a->freq < b->freq ? -1 : 1;
	return (int)a->id - (int)b->id;
}

static int by_id(const void *x, const void *y)
{
	return (int)((const struct symbol *)x)->id -
	       (int)((const struct symbol *)y)->id;
}

/* Package-merge: a level's list holds the symbols and, in pairs, the items of
 * the level before, in order of weight; of equals a pair comes first.  The
 * cheapest 2n - 2 items of the last level tell how many symbols have at least
 * so many bits.  counts[b]: how many symbols get b bits. */
static void count_lengths(const struct symbol *sym, int n, int max,
			  int counts[MAX_BITS + 1])
{
	uint64_t weight[2][2 * NLIT];
	bool leaf[MAX_BITS + 1][2 * NLIT];
	int len = n, items = 2 * n - 2, leaves[MAX_BITS + 2] = { 0 };

	if (max > n - 1)
		max = n - 1;
	for (int i = 0; i < n; i++) {
		weight[1][i] = sym[i].freq;
		leaf[1][i] = true;
	}
	for (int level = 2; level <= max; level++) {
		const uint64_t *from = weight[(level - 1) & 1];
		uint64_t *to = weight[level & 1];
		int s = 0, p = 0, pairs = len / 2;

		for (len = 0; s < n || p < pairs; len++) {
			uint64_t pair = p < pairs
						? from[2 * p] + from[2 * p + 1]
						: UINT64_MAX;
			bool take = s < n && sym[s].freq < pair;

			leaf[level][len] = take;
			to[len] = take ? sym[s].freq : pair;
			s += take;
			p += !take;
		}
	}
	for (int level = max; level > 0; level--) {
		for (int i = 0; i < items; i++)
			leaves[level] += leaf[level][i];
		items = 2 * (items - leaves[level]);
	}
	for (int b = 1; b <= max; b++)
		counts[b] = leaves[max + 1 - b] - leaves[max - b];
}

static uint16_t reversed(unsigned bits, int len)
{
	unsigned r = 0;

	while (len-- > 0) {
		r = r << 1 | (bits & 1);
		bits >>= 1;
	}
	return (uint16_t)r;
}

/* The shortest codes go to the most frequent symbols, those of one length in
 * order of the symbols. */
static void make_codes(const uint32_t *freq, int nfreq, int max,
		       struct code *codes)
{
	struct symbol sym[NLIT];
	int counts[MAX_BITS + 1] = { 0 }, n = 0;
	unsigned next = 0;

	for (int i = 0; i < nfreq; i++) {
		codes[i] = (struct code){ 0, 0 };
		if (freq[i])
			sym[n++] = (struct symbol){ freq[i], (uint16_t)i };
	}
	if (n <= 2) {
		for (int i = 0; i < n; i++)
			codes[sym[i].id] = (struct code){ (uint16_t)i, 1 };
		return;
	}
	qsort(sym, (size_t)n, sizeof(*sym), by_freq);
	count_lengths(sym, n, max, counts);
	for (int b = 1; b <= MAX_BITS; b++) {
		struct symbol *group = sym + n - counts[b];

		next <<= 1;
		if (counts[b] == 0)
			continue;
		qsort(group, (size_t)counts[b], sizeof(*group), by_id);
		for (int i = 0; i < counts[b]; i++, next++)
			codes[group[i].id] = (struct code){
				reversed(next, b), (uint8_t)b
			};
		n -= counts[b];
	}
}

static void fixed_codes(struct code *lit, struct code *dist)
{
	for (int i = 0; i < NLIT; i++) {
		if (i < 144)
			lit[i] = (struct code){ reversed(i + 48u, 8), 8 };
		else if (i < 256)
			lit[i] = (struct code){ reversed(i + 256u, 9), 9 };
		else if (i < 280)
			lit[i] = (struct code){ reversed(i - 256u, 7), 7 };
		else
			lit[i] = (struct code){ reversed(i - 88u, 8), 8 };
	}
	for (int i = 0; i < NDIST; i++)
		dist[i] = (struct code){ reversed((unsigned)i, 5), 5 };
}

/* --- blocks --- */

struct block {
	uint32_t lit_freq[NLIT], dist_freq[NDIST], gen_freq[NCODEGEN];
	struct code lit[NLIT], dist[NDIST], gen[NCODEGEN];
	int nlit, ndist, ngen; /* codes in use */
	/* Code lengths as written: gen code, and its extra bits. */
	struct part lengths[NLIT + NDIST];
	int nlengths;
	size_t extra; /* extra bits of all tokens */
};

static const uint8_t gen_order[NCODEGEN] = { 16, 17, 18, 0,  8,  7, 9,
					     6,	 10, 5,	 11, 4,	 12, 3,
					     13, 2,  14, 1,  15 };

static void count_tokens(struct block *b, const deflate_token *tokens,
			 size_t n)
{
	b->lit_freq[END_OF_BLOCK] = 1;
	for (size_t i = 0; i < n; i++) {
		struct part p, d;

		if (!(tokens[i] & TOKEN_MATCH)) {
			b->lit_freq[tokens[i]]++;
			continue;
		}
		p = length_part(tokens[i]);
		d = distance_part(tokens[i]);
		b->lit_freq[p.code]++;
		b->dist_freq[d.code]++;
		b->extra += p.nextra + d.nextra;
	}
	b->nlit = NLIT;
	while (b->lit_freq[b->nlit - 1] == 0)
		b->nlit--;
	b->ndist = NDIST;
	while (b->ndist > 0 && b->dist_freq[b->ndist - 1] == 0)
		b->ndist--;
	if (b->ndist == 0) { /* at least one must be described */
		b->dist_freq[0] = 1;
		b->ndist = 1;
	}
}

static void add_length(struct block *b, unsigned code, unsigned extra,
		       unsigned nextra)
{
	b->lengths[b->nlengths++] = (struct part){ code, extra, nextra };
	b->gen_freq[code]++;
}

/* One run of equal code lengths. */
static void add_run(struct block *b, unsigned len, int count)
{
	if (len) {
		add_length(b, len, 0, 0);
		count--;
	}
	while (len ? count >= 3 : count >= 11) {
		int max = len ? 6 : 138, n = count < max ? count : max;

		if (len)
			add_length(b, 16, (unsigned)n - 3, 2);
		else
			add_length(b, 18, (unsigned)n - 11, 7);
		count -= n;
	}
	if (!len && count >= 3) {
		add_length(b, 17, (unsigned)count - 3, 3);
		count = 0;
	}
	while (count-- > 0)
		add_length(b, len, 0, 0);
}

static void describe_codes(struct block *b)
{
	uint8_t lens[NLIT + NDIST];
	int n = b->nlit + b->ndist;

	for (int i = 0; i < n; i++)
		lens[i] = i < b->nlit ? b->lit[i].len
				      : b->dist[i - b->nlit].len;
	for (int i = 0, run; i < n; i += run) {
		for (run = 1; i + run < n && lens[i + run] == lens[i];)
			run++;
		add_run(b, lens[i], run);
	}
	make_codes(b->gen_freq, NCODEGEN, 7, b->gen);
	b->ngen = NCODEGEN;
	while (b->ngen > 4 && b->gen_freq[gen_order[b->ngen - 1]] == 0)
		b->ngen--;
}

static size_t total_bits(const uint32_t *freq, const struct code *codes,
			 int n)
{
	size_t total = 0;

	for (int i = 0; i < n; i++)
		total += (size_t)freq[i] * codes[i].len;
	return total;
}

static size_t content_bits(const struct block *b, const struct code *lit,
			   const struct code *dist)
{
	return total_bits(b->lit_freq, lit, NLIT) +
	       total_bits(b->dist_freq, dist, NDIST) + b->extra;
}

static size_t dynamic_bits(const struct block *b)
{
	return 3 + 5 + 5 + 4 + 3 * (size_t)b->ngen +
	       total_bits(b->gen_freq, b->gen, NCODEGEN) +
	       b->gen_freq[16] * 2 + b->gen_freq[17] * 3 +
	       b->gen_freq[18] * 7 + content_bits(b, b->lit, b->dist);
}

static void write_header(struct bits *w, const struct block *b)
{
	put_bits(w, 4, 3);
	put_bits(w, (uint32_t)b->nlit - 257, 5);
	put_bits(w, (uint32_t)b->ndist - 1, 5);
	put_bits(w, (uint32_t)b->ngen - 4, 4);
	for (int i = 0; i < b->ngen; i++)
		put_bits(w, b->gen[gen_order[i]].len, 3);
	for (int i = 0; i < b->nlengths; i++) {
		put_code(w, b->gen[b->lengths[i].code]);
		put_bits(w, b->lengths[i].extra, b->lengths[i].nextra);
	}
}

static void write_tokens(struct bits *w, const deflate_token *tokens,
			 size_t n, const struct code *lit,
			 const struct code *dist)
{
	for (size_t i = 0; i < n; i++) {
		struct part p;

		if (!(tokens[i] & TOKEN_MATCH)) {
			put_code(w, lit[tokens[i]]);
			continue;
		}
		p = length_part(tokens[i]);
		put_code(w, lit[p.code]);
		put_bits(w, p.extra, p.nextra);
		p = distance_part(tokens[i]);
		put_code(w, dist[p.code]);
		put_bits(w, p.extra, p.nextra);
	}
	put_code(w, lit[END_OF_BLOCK]);
}

void block_write(struct bits *w, const deflate_token *tokens, size_t n,
		 struct str raw)
{
	struct code lit[NLIT], dist[NDIST];
	struct block *b = xcalloc(1, sizeof(*b));
	size_t fixed, dynamic, best;

	count_tokens(b, tokens, n);
	make_codes(b->lit_freq, NLIT, MAX_BITS, b->lit);
	make_codes(b->dist_freq, NDIST, MAX_BITS, b->dist);
	describe_codes(b);
	fixed_codes(lit, dist);
	fixed = 3 + content_bits(b, lit, dist);
	dynamic = dynamic_bits(b);
	best = dynamic < fixed ? dynamic : fixed;
	if (raw.p && raw.n <= STORED_MAX && (raw.n + 5) * 8 < best) {
		block_stored(w, raw, false);
	} else if (dynamic < fixed) {
		write_header(w, b);
		write_tokens(w, tokens, n, b->lit, b->dist);
	} else {
		put_bits(w, 2, 3);
		write_tokens(w, tokens, n, lit, dist);
	}
	free(b);
}
