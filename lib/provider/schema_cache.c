/*
 * schema_cache.c - the answers about schemas, kept from run to run
 *
 * By the hash of the provider's package, and only for providers that let the
 * call for the schema be left out.  The file is a line, "schema 1 PROTOCOL
 * LENGTH LENGTH", and the two answers as they came.  A file that makes no sense
 * is as none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "provider/cache.h"
#include "provider/remote_int.h"
#include "provider/schema_proto.h"

static struct str path_of(const struct known *k, struct arena *a)
{
	return k->package.hash.n ? cache_path(a, "schemas", k->package.hash)
				 : STR_NONE;
}

void schema_cache_write(const struct known *k, int protocol, struct str answer,
			struct str identities)
{
	struct arena scratch = ARENA_INIT;
	struct str pieces[3] = {
		str_printf(&scratch, "schema 1 %d %zu %zu\n", protocol,
			   answer.n, identities.n),
		answer, identities
	};

	cache_write(&scratch, path_of(k, &scratch), pieces, 3);
	arena_release(&scratch);
}

static bool split(struct str all, int *protocol, struct str *answer,
		  struct str *identities)
{
	ptrdiff_t nl = str_chr(all, '\n');
	char line[80];
	size_t n, m;

	if (nl < 0 || (size_t)nl >= sizeof(line))
		return false;
	memcpy(line, all.p, (size_t)nl);
	line[nl] = '\0';
	if (sscanf(line, "schema 1 %d %zu %zu", protocol, &n, &m) != 3 ||
	    (*protocol != 5 && *protocol != 6))
		return false;
	all = str_sub(all, (size_t)nl + 1, all.n);
	if (n > all.n || m != all.n - n)
		return false;
	*answer = str_sub(all, 0, n);
	*identities = str_sub(all, n, all.n);
	return true;
}

struct provider_schema *schema_cache_read(const struct known *k)
{
	struct provider_schema *s;
	struct diags quiet = DIAGS_INIT(k->arena);
	struct str all = cache_read(path_of(k, k->arena));
	struct str answer, identities;
	int protocol;

	if (!all.n || !split(all, &protocol, &answer, &identities))
		return NULL;
	s = ARENA_NEW(k->arena, struct provider_schema);
	s->addr = k->addr;
	if (schema_read(k->arena, protocol, answer, identities, s, &quiet) ||
	    !s->schema_optional)
		return NULL;
	return s;
}
