/* archive_int.h - what the files of this room share */
#ifndef TFPIPE_ARCHIVE_ARCHIVE_INT_H
#define TFPIPE_ARCHIVE_ARCHIVE_INT_H

#include "archive/archive.h"

struct zip_reader;

/*
 * What archive.so offers to the program that loads it
 *
 * A member does what the function of its name does, see archive.h; it
 * calls nothing of the program's.
 */

struct archive_dso {
	const char *version;
	struct packed *(*new)(unsigned kinds);
	int (*open)(struct packed *p, const char *path);
	int (*next)(struct packed *p, struct packed_entry *out);
	int (*data)(struct packed *p, const void **block, size_t *n,
		    int64_t *at);
	const char *(*why)(struct packed *p);
	void (*close)(struct packed *p);
};

extern const struct archive_dso archive_dso;

/*
 * zip.c: archives of kind zip, inside of archive.so
 *
 * The functions return what those of archive.h return.
 */

/* Built with libzip and ISA-L; otherwise libarchive reads zip archives as well,
 * in twice the time, and the other functions are not called. */
extern const bool zip_reader_there;
/* *out is made whether it can be opened or not; NULL: there is no memory. */
int zip_reader_open(struct zip_reader **out, const char *path);
int zip_reader_next(struct zip_reader *z, struct packed_entry *out);
int zip_reader_data(struct zip_reader *z, const void **block, size_t *n,
		    int64_t *at);
const char *zip_reader_why(struct zip_reader *z); /* z may be NULL */
void zip_reader_close(struct zip_reader *z);      /* the same */

#endif
