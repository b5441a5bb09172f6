/* zip_none.c - in the place of zip.c, where libzip or ISA-L is not there */
#include "archive/archive_int.h"

const bool zip_reader_there = false;

int zip_reader_open(struct zip_reader **out, const char *path)
{
	(void)out, (void)path;
	return -1;
}

int zip_reader_next(struct zip_reader *z, struct packed_entry *out)
{
	(void)z, (void)out;
	return -1;
}

int zip_reader_data(struct zip_reader *z, const void **block, size_t *n,
		    int64_t *at)
{
	(void)z, (void)block, (void)n, (void)at;
	return -1;
}

const char *zip_reader_why(struct zip_reader *z)
{
	(void)z;
	return NULL;
}

void zip_reader_close(struct zip_reader *z)
{
	(void)z;
}
