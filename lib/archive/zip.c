/*
 * zip.c - archives of kind zip; part of archive.so
 *
 * libzip finds the entries, ISA-L inflates them, in half the time that zlib
 * takes: packages of providers are large.  As in OpenTofu an entry is stored or
 * deflated, and the directory at the end of the archive counts.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <zip.h>

#include "archive/archive_int.h"

enum {
	IN_SIZE = 1 << 16,
	OUT_SIZE = 1 << 16,
	DOS_READONLY = 1,
	DOS_DIRECTORY = 16
};

static const char damaged[] = "it is damaged";

const bool zip_reader_there = true;

struct zip_reader {
	zip_t *zip;
	zip_int64_t entry, n; /* the current one, of so many */
	zip_file_t *data;     /* its raw bytes in the archive; or NULL */
	zip_stat_t st;
	uint64_t size;     /* how much of it was read, inflated */
	uint32_t crc;      /* of that */
	zip_error_t error; /* of opening */
	const char *why;   /* NULL: libzip knows */
	struct inflate_state state;
	unsigned char in[IN_SIZE], out[OUT_SIZE];
};

static int is(struct zip_reader *z, const char *why)
{
	z->why = why;
	return -1;
}

int zip_reader_open(struct zip_reader **out, const char *path)
{
	struct zip_reader *z = calloc(1, sizeof(*z));
	int code = ZIP_ER_MEMORY;

	*out = z;
	if (!z)
		return -1;
	z->zip = zip_open(path, ZIP_RDONLY, &code);
	z->entry = -1;
	z->n = z->zip ? zip_get_num_entries(z->zip, 0) : 0;
	zip_error_init_with_code(&z->error, code);
	return z->zip ? 0 : -1;
}

/* --- entries --- */

/* As Go reads it, whose word on archives of other systems counts: they come
 * without modes. */
static mode_t mode_of(zip_uint8_t system, zip_uint32_t attributes)
{
	mode_t mode = attributes & DOS_DIRECTORY ? S_IFDIR | 0777 : 0666;

	if (system == ZIP_OPSYS_UNIX || system == ZIP_OPSYS_OS_X)
		return attributes >> 16;
	return attributes & DOS_READONLY ? mode & ~0222U : mode;
}

static enum packed_type type_of(const char *name, mode_t mode)
{
	const size_t n = strlen(name);

	if (S_ISDIR(mode) || (n && name[n - 1] == '/'))
		return PACKED_DIRECTORY;
	if (S_ISLNK(mode))
		return PACKED_LINK;
	return S_ISREG(mode) || !(mode & S_IFMT) ? PACKED_FILE : PACKED_OTHER;
}

static void end_data(struct zip_reader *z)
{
	if (z->data)
		zip_fclose(z->data);
	z->data = NULL;
}

int zip_reader_next(struct zip_reader *z, struct packed_entry *out)
{
	const zip_uint64_t want = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_CRC |
				  ZIP_STAT_COMP_METHOD |
				  ZIP_STAT_ENCRYPTION_METHOD;
	zip_uint8_t system = 0;
	zip_uint32_t attributes = 0;
	mode_t mode;

	end_data(z);
	if (++z->entry >= z->n)
		return 0;
	if (zip_stat_index(z->zip, (zip_uint64_t)z->entry, ZIP_FL_ENC_RAW,
			   &z->st))
		return -1;
	if ((z->st.valid & want) != want)
		return is(z, damaged);
	zip_file_get_external_attributes(z->zip, (zip_uint64_t)z->entry, 0,
					 &system, &attributes);
	mode = mode_of(system, attributes);
	*out = (struct packed_entry){ .name = z->st.name,
				      .type = type_of(z->st.name, mode),
				      .mode = mode & 0777 };
	return 1;
}

/* --- their data --- */

static int begin_data(struct zip_reader *z)
{
	if (z->st.encryption_method != ZIP_EM_NONE)
		return is(z, "it is encrypted");
	if (z->st.comp_method != ZIP_CM_STORE &&
	    z->st.comp_method != ZIP_CM_DEFLATE)
		return is(
			z,
			"its compression is none that zip archives of packages have");
	z->data = zip_fopen_index(z->zip, (zip_uint64_t)z->entry,
				  ZIP_FL_COMPRESSED);
	z->size = 0;
	z->crc = 0;
	isal_inflate_init(&z->state);
	return z->data ? 0 : -1;
}

/* How many bytes are in z->out now; -1: it is damaged. */
static int64_t inflate_some(struct zip_reader *z)
{
	struct inflate_state *s = &z->state;

	s->next_out = z->out;
	s->avail_out = OUT_SIZE;
	while (s->avail_out && s->block_state != ISAL_BLOCK_FINISH) {
		if (!s->avail_in) {
			const zip_int64_t n =
				zip_fread(z->data, z->in, IN_SIZE);

			if (n <= 0)
				return -1;
			s->next_in = z->in;
			s->avail_in = (uint32_t)n;
		}
		if (isal_inflate(s) < 0)
			return -1;
	}
	return OUT_SIZE - (int64_t)s->avail_out;
}

int zip_reader_data(struct zip_reader *z, const void **block, size_t *n,
		    int64_t *at)
{
	int64_t got;

	if (!z->data && begin_data(z))
		return -1;
	got = z->st.comp_method == ZIP_CM_DEFLATE
		      ? inflate_some(z)
		      : zip_fread(z->data, z->out, OUT_SIZE);
	if (got < 0 || (uint64_t)got > z->st.size - z->size)
		return is(z, damaged);
	z->crc = crc32_gzip_refl(z->crc, z->out, (uint64_t)got);
	*block = z->out;
	*n = (size_t)got;
	*at = (int64_t)z->size;
	z->size += (uint64_t)got;
	if (got)
		return 1;
	return z->size == z->st.size && z->crc == z->st.crc ? 0
							    : is(z, damaged);
}

const char *zip_reader_why(struct zip_reader *z)
{
	if (!z)
		return NULL;
	return z->why   ? z->why
	       : z->zip ? zip_strerror(z->zip)
			: zip_error_strerror(&z->error);
}

void zip_reader_close(struct zip_reader *z)
{
	if (!z)
		return;
	end_data(z);
	if (z->zip)
		zip_discard(z->zip);
	zip_error_fini(&z->error);
	free(z);
}
