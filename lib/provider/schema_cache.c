/*
 * schema_cache.c - the answers about schemas, kept from run to run
 *
 * By the hash of the provider's package, and only for providers that let the
 * call for the schema be skipped.  Some providers make their schema from the
 * working directory: if it differs from the kept one, it is kept for that
 * directory.  The file is a line, "schema 1 PROTOCOL LENGTH LENGTH", and the
 * two answers as they came.  An invalid file counts as none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "provider/schema_cache.h"
#include "provider/provider_int.h"

/* here: as it is in this directory. */
static struct cache_file file_of(const struct known *k, struct arena *a,
				 bool here)
{
	struct str hash = k->package.hash;
	char *dir = here && hash.n ? getcwd(NULL, 0) : NULL;
	struct cache_file f = { 0 };

	if (hash.n && (dir || !here))
		f = cache_file(a, "schemas",
			       dir ? STR_CAT(a, hash, STR("\n"), str_c(dir))
				   : hash);
	free(dir);
	return f;
}

void schema_cache_write(struct known *k, const struct schema_answers *x)
{
	struct arena scratch = ARENA_INIT;
	bool here = k->from != SCHEMA_NOWHERE; /* the other is in its place */
	struct str pieces[3] = { str_printf(&scratch, "schema 1 %d %zu %zu\n",
					    x->protocol, x->schema.n,
					    x->identities.n),
				 x->schema, x->identities };

	cache_write(&scratch, file_of(k, &scratch, here), pieces, 3);
	arena_release(&scratch);
}

static bool split(struct str all, struct schema_answers *out)
{
	ptrdiff_t nl = str_chr(all, '\n');
	char line[80];
	size_t n, m;

	if (nl < 0 || (size_t)nl >= sizeof(line))
		return false;
	memcpy(line, all.p, (size_t)nl);
	line[nl] = '\0';
	if (sscanf(line, "schema 1 %d %zu %zu", &out->protocol, &n, &m) != 3 ||
	    (out->protocol != 5 && out->protocol != 6))
		return false;
	all = str_sub(all, (size_t)nl + 1, all.n);
	if (n > all.n || m != all.n - n)
		return false;
	out->schema = str_sub(all, 0, n);
	out->identities = str_sub(all, n, all.n);
	return true;
}

static bool read_file(struct known *k, bool here)
{
	struct diags quiet = DIAGS_INIT(k->arena);
	struct str all = cache_read(file_of(k, k->arena, here));
	struct schema_answers *x = &k->kept;
	struct provider_schema *s;

	if (!all.n || !split(all, x))
		return false;
	s = ARENA_NEW(k->arena, struct provider_schema);
	s->addr = k->addr;
	if (schema_read(k->arena, x->protocol, x->schema, x->identities, s,
			&quiet) ||
	    !s->schema_optional)
		return false;
	k->schema = s;
	k->from = SCHEMA_KEPT;
	return true;
}

void schema_cache_read(struct known *k)
{
	if (!read_file(k, true))
		read_file(k, false);
}
