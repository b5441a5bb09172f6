/*
 * reach.c - notes which code a test comes to; see reach.py
 *
 * The compiler calls __sanitizer_cov_trace_pc at the beginning of each basic block.  A
 * byte for each byte of code is in a file that is mapped before main, so that nothing
 * is lost when the program is killed, nor where it may not open files any more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE (32 << 20)

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
void __sanitizer_cov_trace_pc(void) __attribute__((visibility("hidden")));

static unsigned char *map;

static void __attribute__((constructor)) reach_open(void)
{
	const char *dir = getenv("REACH_DIR"), *test = getenv("BATS_TEST_NUMBER");
	char path[4096], self[2048];
	const char *name = self;
	Dl_info info;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	void *at;
	int fd;

	if (dir == NULL || n < 0)
		return;
	self[n] = '\0';
	if (dladdr(__ehdr_start, &info) && strstr(info.dli_fname, ".so"))
		name = info.dli_fname;
	name = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	snprintf(path, sizeof path, "%s/%s:%s", dir, test ? test : "0", name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	if (ftruncate(fd, SIZE) == 0) {
		at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		map = at == MAP_FAILED ? NULL : at;
	}
	close(fd);
}

void __sanitizer_cov_trace_pc(void)
{
	uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;

	if (map != NULL && at < SIZE)
		map[at] = 1;
}
