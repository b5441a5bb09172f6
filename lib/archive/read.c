/* read.c - archive.so: libarchive behind the functions of archive.h */
#include <archive.h>
#include <archive_entry.h>

#include "archive/dso_int.h"

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

/* struct packed is the library's own. */
static struct archive *own(struct packed *p)
{
	return (struct archive *)p;
}

static struct packed *new(unsigned kinds)
{
	struct archive *in = archive_read_new();

	for (size_t i = 0; in && i < sizeof(known) / sizeof(*known); i++)
		if (kinds & known[i].kind)
			known[i].support(in);
	return (struct packed *)in;
}

static int open_file(struct packed *p, const char *path)
{
	return archive_read_open_filename(own(p), path, READ_BLOCK) ==
			       ARCHIVE_OK ? 0 : -1;
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
	int rc = archive_read_next_header(own(p), &e);
	const char *name;

	if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
		return rc == ARCHIVE_EOF ? 0 : -1;
	name = archive_entry_pathname_utf8(e);
	*out = (struct packed_entry){
		.name = name ? name : archive_entry_pathname(e),
		.utf8 = name != NULL,
		.type = type_of(e),
		.target = archive_entry_symlink(e),
		.mode = archive_entry_perm(e) & 0777,
		.dated = archive_entry_mtime_is_set(e),
		.time = archive_entry_mtime(e),
	};
	return 1;
}

static int data(struct packed *p, const void **block, size_t *n, int64_t *at)
{
	la_int64_t offset = 0;
	int rc = archive_read_data_block(own(p), block, n, &offset);

	*at = offset;
	return rc == ARCHIVE_OK ? 1 : rc == ARCHIVE_EOF ? 0 : -1;
}

static bool is_zip(struct packed *p)
{
	return (archive_format(own(p)) & ARCHIVE_FORMAT_BASE_MASK) ==
	       ARCHIVE_FORMAT_ZIP;
}

static const char *why(struct packed *p)
{
	return archive_error_string(own(p));
}

static void release(struct packed *p)
{
	archive_read_free(own(p));
}

__attribute__((visibility("default")))
const struct archive_dso archive_dso = {
	.version = PACKAGE_VERSION,
	.new = new,
	.open = open_file,
	.next = next,
	.data = data,
	.is_zip = is_zip,
	.why = why,
	.close = release,
};
