/*
 * deflate.c - finding repetitions: the first half of deflate_int.h
 *
 * Positions of four-byte sequences are chained by hash.  A match is held back
 * for one byte, to see whether a longer one begins there.  The text is seen
 * through a window of 64 KiB that moves on by 32 KiB, because how far back a
 * match may lie depends on where the window begins.
 */
#include <stdlib.h>

#include "funcs/deflate_int.h"

enum {
	WINDOW = 1 << 15,
	MIN_MATCH = 4,
	MAX_MATCH = 258,
	HASH_BITS = 17,
	/* the default level's parameters */
	GOOD = 8,   /* a match so long: look at a quarter of the chain */
	LAZY = 16,  /* so long: do not look for a longer one */
	NICE = 128, /* so long: look no further */
	CHAIN = 128,
};

struct lz {
	struct bits bits;
	const uint8_t *win; /* the window's first byte in the text */
	int end;            /* bytes in the window */
	int index;          /* next byte to look at */
	int block;          /* where the block began; -1: before the window */
	int64_t shift;      /* positions are stored as window index + shift */
	bool pending;       /* the byte before index is not yet a token */
	int length, offset; /* the match held back; length 3: none */
	int64_t *head;      /* last position of a hash */
	int64_t *prev;      /* position before, by position modulo WINDOW */
	deflate_token *tokens;
	size_t ntokens;
};

static unsigned hash4(const uint8_t *p)
{
	uint32_t v = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
		     (uint32_t)p[2] << 8 | p[3];

	return v * 0x1e35a7bdu >> (32 - HASH_BITS);
}

/* Enters position i; returns the window index of the one before it with the
 * same hash (negative: none in the window). */
static int64_t enter(struct lz *z, int i)
{
	unsigned h = hash4(z->win + i);
	int64_t before = z->head[h];

	z->prev[i & (WINDOW - 1)] = before;
	z->head[h] = i + z->shift;
	return before - z->shift;
}

static int match_length(const uint8_t *a, const uint8_t *b, int max)
{
	int n = 0;

	while (n < max && a[n] == b[n])
		n++;
	return n;
}

/* The longest match of more than 3 bytes on the chain from `at` on. */
static void find_match(struct lz *z, int64_t at, int lookahead)
{
	int max = lookahead < MAX_MATCH ? lookahead : MAX_MATCH;
	int nice = max < NICE ? max : NICE;
	const uint8_t *here = z->win + z->index;
	int64_t lowest = z->index - WINDOW;

	for (int tries = CHAIN; tries > 0; tries--) {
		const uint8_t *there = z->win + at;

		if (z->length < max && there[z->length] == here[z->length]) {
			int n = match_length(there, here, max);
			int distance = (int)(z->index - at);

			if (n > z->length &&
			    (n > MIN_MATCH || distance <= 4096)) {
				z->length = n;
				z->offset = distance;
				if (n >= nice)
					return;
			}
		}
		if (at == lowest)
			return;
		at = z->prev[at & (WINDOW - 1)] - z->shift;
		if (at < lowest || at < 0)
			return;
	}
}

static void end_block(struct lz *z, int index)
{
	struct str raw = STR_NONE;

	if (index <= 0)
		return;
	if (z->block >= 0)
		raw = (struct str){ (const char *)z->win + z->block,
				    (size_t)(index - z->block) };
	z->block = index;
	block_write(&z->bits, z->tokens, z->ntokens, raw);
	z->ntokens = 0;
}

static void add_token(struct lz *z, deflate_token t, int index)
{
	z->tokens[z->ntokens++] = t;
	if (z->ntokens == BLOCK_TOKENS)
		end_block(z, index);
}

/* Takes the match that began a byte ago and enters what it covers. */
static void take_match(struct lz *z, int length, int offset, int insert_end)
{
	int end = z->index + length - 1;

	z->tokens[z->ntokens++] = TOKEN_MATCH |
				  (deflate_token)(length - 3) << 16 |
				  (deflate_token)(offset - 1);
	for (z->index++; z->index < end; z->index++) {
		if (z->index < insert_end)
			enter(z, z->index);
	}
	z->pending = false;
	z->length = MIN_MATCH - 1;
	if (z->ntokens == BLOCK_TOKENS)
		end_block(z, z->index);
}

/* One byte further, or a match. */
static void step(struct lz *z, int lookahead, int insert_end, int64_t *chain)
{
	int length = z->length, offset = z->offset;
	int lowest = z->index > WINDOW ? z->index - WINDOW : 0;

	if (z->index < insert_end)
		*chain = enter(z, z->index) + z->shift;
	z->length = MIN_MATCH - 1;
	z->offset = 0;
	if (*chain - z->shift >= lowest && lookahead > length &&
	    length < LAZY)
		find_match(z, *chain - z->shift, lookahead);
	if (length >= MIN_MATCH && z->length <= length) {
		take_match(z, length, offset, insert_end);
		return;
	}
	if (z->pending)
		add_token(z, z->win[z->index - 1], z->index);
	z->index++;
	z->pending = true;
}

/* Works through the window; to its end only if nothing will follow. */
static void compress(struct lz *z, bool last, int64_t *chain)
{
	int insert_end = z->end - (MIN_MATCH - 1);

	for (;;) {
		int lookahead = z->end - z->index;

		if (lookahead < MIN_MATCH + MAX_MATCH && !last)
			return;
		if (lookahead == 0)
			break;
		step(z, lookahead, insert_end, chain);
	}
	if (z->pending)
		z->tokens[z->ntokens++] = z->win[z->index - 1];
	z->pending = false;
	if (z->ntokens > 0)
		end_block(z, z->index);
}

/* Moves the window on if need be and fills it; returns how much came in. */
static size_t fill(struct lz *z, size_t left)
{
	size_t room;

	if (z->index >= 2 * WINDOW - (MIN_MATCH + MAX_MATCH)) {
		z->win += WINDOW;
		z->index -= WINDOW;
		z->end -= WINDOW;
		z->block = z->block >= WINDOW ? z->block - WINDOW : -1;
		z->shift += WINDOW;
	}
	room = (size_t)(2 * WINDOW - z->end);
	if (left > room)
		left = room;
	z->end += (int)left;
	return left;
}

void deflate_text(struct buf *out, struct str in)
{
	struct lz z = {
		.bits = { .out = out },
		.win = (const uint8_t *)in.p,
		.shift = 1,
		.length = MIN_MATCH - 1,
		.head = xcalloc(1 << HASH_BITS, sizeof(*z.head)),
		.prev = xcalloc(WINDOW, sizeof(*z.prev)),
		.tokens = xcalloc(BLOCK_TOKENS + 1, sizeof(*z.tokens)),
	};
	int64_t chain = -1;
	size_t left = in.n;

	while (left > 0) {
		compress(&z, false, &chain);
		left -= fill(&z, left);
	}
	if (in.n)
		compress(&z, true, &chain);
	block_stored(&z.bits, STR(""), false);
	block_stored(&z.bits, STR(""), true);
	free(z.head);
	free(z.prev);
	free(z.tokens);
}
