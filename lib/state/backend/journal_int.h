/* journal_int.h - reading a journal's lines; see journal.c for the format */
#ifndef TFPIPE_STATE_JOURNAL_INT_H
#define TFPIPE_STATE_JOURNAL_INT_H

#include "state/backend/backend_int.h"

enum { JOURNAL_VERSION = 1 };

enum journal_kind {
	JOURNAL_HEADER, JOURNAL_INTENT, JOURNAL_OUTCOME, JOURNAL_OUTPUT,
	JOURNAL_SNAPSHOT, JOURNAL_KINDS
};

struct journal_item {
	enum journal_kind kind;
	struct str line;              /* without its newline */
	struct str address, deposed, action;
	struct str lineage, new_lineage;
	uint64_t serial;
	struct str snapshot;          /* the state file's text, checked */
};

struct journal_reader {
	struct str text;
	size_t pos;         /* behind the last whole item */
	struct arena arena; /* the items' strings that hold escapes */
};

void journal_reader_init(struct journal_reader *r, struct str text);
void journal_reader_release(struct journal_reader *r);
/* False at the end, or at the first thing that is not whole. */
bool journal_next(struct journal_reader *r, struct journal_item *out);

/* Where a journal that fits no more is kept. */
struct str journal_stale_path(struct backend *b);

uint64_t journal_sum(struct str text);

#endif
