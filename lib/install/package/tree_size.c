/* tree_size.c - see kept.h */
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "install/package/kept.h"

int64_t tree_size(const char *dir)
{
	char *const paths[] = { (char *)dir, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const FTSENT *e;
	int64_t sum = 0;

	while (walk && (e = fts_read(walk)))
		if (e->fts_info == FTS_F)
			sum += e->fts_statp->st_size;
	if (walk)
		fts_close(walk);
	return sum;
}
