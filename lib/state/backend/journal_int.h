/* journal_int.h - reading a journal's lines; see journal.c for the format */
#ifndef TFPIPE_STATE_JOURNAL_INT_H
#define TFPIPE_STATE_JOURNAL_INT_H

#include "state/backend/backend_int.h"

enum { JOURNAL_VERSION = 1 };

enum journal_kind {
	JOURNAL_HEADER,
	JOURNAL_INTENT,
	JOURNAL_OUTCOME,
	JOURNAL_OUTPUT,
	JOURNAL_SNAPSHOT,
	JOURNAL_GROUP,
	JOURNAL_KINDS
};

struct journal_item {
	enum journal_kind kind;
	struct str line; /* without its newline */
	struct str address, deposed, action;
	struct str lineage, new_lineage;
	uint64_t serial;
	struct str snapshot; /* the state file's text, checked */
};

struct journal_reader {
	struct str text;
	size_t pos;         /* behind the last whole item */
	struct arena arena; /* the items' strings that hold escapes */
};

/* Returns the path where a journal that no longer fits is kept. */
struct str journal_stale_path(struct backend *b);

uint64_t journal_sum(struct str text);
/* The new text, durable before the old one is overwritten. */
int journal_snapshot(struct backend *b, struct str text, uint64_t serial);
/* After the store: forgets everything but intents still open. */
int journal_clear(struct backend *b);
void journal_close(struct backend *b);
/* Is it being written, by us or by another process? */
bool journal_alive(struct backend *b);

#endif
