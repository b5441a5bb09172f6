/*
 * deflate_int.h - compression (RFC 1951), byte for byte as OpenTofu's
 *
 * base64gzip() is used for user data of machines: a compressed text that
 * differs in a byte replaces the machine.  zlib's output is as valid but
 * another one; so the choices are made here as OpenTofu's run-time library
 * makes them at its default level, and only reading is left to zlib.
 */
#ifndef TFPIPE_FUNCS_DEFLATE_INT_H
#define TFPIPE_FUNCS_DEFLATE_INT_H

#include "base/str.h"

/* Appends the compressed form of in: its blocks, an empty stored block (a sync
 * flush) and an empty last block. */
void deflate_text(struct buf *out, struct str in);

/* --- between deflate.c and huffman.c --- */

/* A literal byte, or a match: TOKEN_MATCH | (length - 3) << 16 | distance - 1
 */
typedef uint32_t deflate_token;
#define TOKEN_MATCH ((deflate_token)1 << 31)
enum { BLOCK_TOKENS = 1 << 14 };

struct bits {
	struct buf *out;
	uint64_t acc; /* not yet written, lowest bit first */
	unsigned n;   /* how many */
};

/* The block in whichever form is shortest; raw is the text it stands for, p
 * NULL when that is no longer at hand. */
void block_write(struct bits *w, const deflate_token *tokens, size_t n,
		 struct str raw);
void block_stored(struct bits *w, struct str raw, bool last);

#endif
