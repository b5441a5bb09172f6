/* archive_read.c - archive.so: libarchive, or zip.c; see archive.h */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <archive.h>
#include <archive_entry.h>

#include "archive/archive_int.h"

enum { READ_BLOCK = 1 << 16 };

typedef int support_fn(struct archive *);

static const struct {
	enum packed_kind kind;
	support_fn *support;
} known[] = {
	{ PACKED_ZIP, archive_read_support_format_zip },
	{ PACKED_TAR, archive_read_support_format_tar },
	{ PACKED_GZIP, archive_read_support_filter_gzip },
	{ PACKED_BZIP2, archive_read_support_filter_bzip2 },
	{ PACKED_XZ, archive_read_support_filter_xz },
	{ PACKED_ZSTD, archive_read_support_filter_zstd },
};

struct packed {
	unsigned kinds;
	struct zip_reader *zip; /* it is one: */
	struct archive *in;     /* or it is not */
	/* of that: the entry is a link, which has no data but, in a zip, what
	 * it points to */
	bool link;
	const char *target;
	int64_t told; /* bytes of it */
};

static struct packed *new (unsigned kinds)
{
	struct packed *p = calloc(1, sizeof(*p));

	if (p)
		p->kinds = kinds;
	return p;
}

/* If other kinds are allowed, too, decides by the first two bytes. */
static bool opens_as_zip(const struct packed *p, const char *path)
{
	char first[2];
	bool zip;
	int fd;

	if (!zip_reader_there)
		return false;
	if (p->kinds == PACKED_ZIP || !(p->kinds & PACKED_ZIP))
		return p->kinds == PACKED_ZIP;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	zip = fd >= 0 && read(fd, first, 2) == 2 && first[0] == 'P' &&
	      first[1] == 'K';
	if (fd >= 0)
		close(fd);
	return zip;
}

static int open_file(struct packed *p, const char *path)
{
	if (opens_as_zip(p, path))
		return zip_reader_open(&p->zip, path);
	p->in = archive_read_new();
	for (size_t i = 0; p->in && i < sizeof(known) / sizeof(*known); i++)
		if (p->kinds & known[i].kind)
			known[i].support(p->in);
	return p->in && archive_read_open_filename(p->in, path, READ_BLOCK) ==
				       ARCHIVE_OK
		       ? 0
		       : -1;
}

static enum packed_type type_of(struct archive_entry *e)
{
	if (archive_entry_hardlink(e))
		return PACKED_LINK;
	switch (archive_entry_filetype(e)) {
	case AE_IFLNK:
		return PACKED_LINK;
	case AE_IFDIR:
		return PACKED_DIRECTORY;
	case AE_IFREG:
		return PACKED_FILE;
	default:
		return PACKED_OTHER;
	}
}

static int next(struct packed *p, struct packed_entry *out)
{
	struct archive_entry *e;
	const char *name;
	int rc;

	if (p->zip)
		return zip_reader_next(p->zip, out);
	rc = archive_read_next_header(p->in, &e);
	if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
		return rc == ARCHIVE_EOF ? 0 : -1;
	name = archive_entry_pathname_utf8(e);
	*out = (struct packed_entry){
		.name = name ? name : archive_entry_pathname(e),
		.type = type_of(e),
		.mode = archive_entry_perm(e) & 0777,
		.dated = archive_entry_mtime_is_set(e),
		.time = archive_entry_mtime(e),
	};
	p->link = out->type == PACKED_LINK;
	p->target = NULL;
	p->told = 0;
	if (p->link && (archive_format(p->in) & ARCHIVE_FORMAT_BASE_MASK) ==
			       ARCHIVE_FORMAT_ZIP)
		p->target = archive_entry_symlink(e);
	return 1;
}

static int link_data(struct packed *p, const void **block, size_t *n,
		     int64_t *at)
{
	if (!p->target || p->told) {
		*at = p->told;
		return 0;
	}
	*block = p->target;
	*n = strlen(p->target);
	p->told = (int64_t)*n;
	return *n > 0;
}

static int data(struct packed *p, const void **block, size_t *n, int64_t *at)
{
	la_int64_t offset = 0;
	int rc;

	if (p->zip)
		return zip_reader_data(p->zip, block, n, at);
	*at = 0;
	if (p->link)
		return link_data(p, block, n, at);
	rc = archive_read_data_block(p->in, block, n, &offset);
	*at = offset;
	return rc == ARCHIVE_OK ? 1 : rc == ARCHIVE_EOF ? 0 : -1;
}

static const char *why(struct packed *p)
{
	return p->in ? archive_error_string(p->in) : zip_reader_why(p->zip);
}

static void release(struct packed *p)
{
	zip_reader_close(p->zip);
	archive_read_free(p->in);
	free(p);
}

__attribute__((visibility("default"))) const struct archive_dso archive_dso = {
	.version = PACKAGE_VERSION,
	.new = new,
	.open = open_file,
	.next = next,
	.data = data,
	.why = why,
	.close = release,
};
