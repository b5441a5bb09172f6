/*
 * archive.c - archives of providers and of modules: read to their end, hashed, and
 * unpacked into nothing
 */
#include "fuzz_io.h"
#include "install/package/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	int fd = fuzz_fd((struct str){ (const char *)data, size });
	struct str path = str_printf(&a, "/proc/self/fd/%d", fd), hash;
	const int rc = unpack_zip(path, STR_NONE, &hash, &ds);

	FUZZ_HOLDS(rc ? diags_failed(&ds) : str_starts(hash, "h1:"));
	FUZZ_HOLDS(rc || str_eq(unpack_hash(&a, path), hash));
	fuzz_diags(&a, &ds, NULL);
	close(fd);
	arena_release(&a);
	return 0;
}
