/*
 * archive.h - reading archives, an entry after the other; wraps libarchive, and
 * for zip libzip and ISA-L
 *
 * libarchive loads a dozen other libraries, so they are linked to
 * archive.so, which the first archive loads (base/dso.h).
 */
#ifndef TFPIPE_ARCHIVE_ARCHIVE_H
#define TFPIPE_ARCHIVE_ARCHIVE_H

#include <sys/types.h>

#include "base/str.h"

/* Formats of a file, as bits: several may be allowed. */
enum packed_kind {
	PACKED_ZIP = 1,
	PACKED_TAR = 2, /* as it is, or compressed: */
	PACKED_GZIP = 4,
	PACKED_BZIP2 = 8,
	PACKED_XZ = 16,
	PACKED_ZSTD = 32,
};

enum packed_type { PACKED_FILE, PACKED_DIRECTORY, PACKED_LINK, PACKED_OTHER };

/* The strings are valid until the next entry. */
struct packed_entry {
	const char *name; /* in UTF-8 if it can be; NULL: there is none */
	enum packed_type
		type; /* PACKED_LINK: a symbolic or a hard one, whose data
				* is its target in a zip, else nothing */
	mode_t mode;  /* permissions alone */
	bool dated;   /* not in a zip */
	int64_t time; /* of the last change, seconds since 1970; if dated */
};

struct packed; /* an archive that is being read */

/* Loads the libraries now: processes forked from here on need not. */
void packed_load(void);
/* kinds: of enum packed_kind.  NULL: archives cannot be read on this
 * machine. */
struct packed *packed_new(unsigned kinds);
/* 0, or -1 (packed_why). */
int packed_open(struct packed *p, const char *path);
/* 1: an entry; 0: no more entries; -1: the archive is damaged. */
int packed_next(struct packed *p, struct packed_entry *out);
/* The next bytes of the entry, which belong at *at; the block is valid until
 * the next call.  1, 0 at the end of the entry, which is *at, -1 as above. */
int packed_data(struct packed *p, const void **block, size_t *n, int64_t *at);
/* The error, valid as long as p; NULL: unknown. */
const char *packed_why(struct packed *p);
void packed_close(struct packed *p);

#endif
