/*
 * inject.c - makes the N-th call of one kind fail, in any program
 *
 * A library to be preloaded:
 *	TFPIPE_FAULT=write:7 LD_PRELOAD=./inject.so tf-apply …
 * Kinds: alloc (malloc, calloc, realloc return NULL), write (write, pwrite:
 * ENOSPC), sync (fsync, fdatasync: EIO), trunc (ftruncate: EIO).  When the N-th
 * call was reached, the file named by TFPIPE_FAULT_HIT is made, so that a loop
 * over N knows when to stop.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind;
static long countdown = -1;

static void note_hit(void)
{
	const char *path = getenv("TFPIPE_FAULT_HIT");
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
				     O_CREAT | O_WRONLY, 0600)
		      : -1;

	if (fd >= 0)
		syscall(SYS_close, fd);
}

static void init(void)
{
	const char *spec = getenv("TFPIPE_FAULT"), *colon;

	countdown = 0;
	kind = "";
	if (!spec || !(colon = strchr(spec, ':')))
		return;
	kind = spec;
	countdown = atol(colon + 1);
}

static int fails(const char *what)
{
	if (countdown < 0)
		init();
	if (countdown == 0 || strncmp(kind, what, strlen(what)) != 0)
		return 0;
	if (--countdown > 0)
		return 0;
	note_hit();
	return 1;
}

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n)
{
	if (fails("alloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	if (fails("alloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	if (fails("alloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(p, n);
}

ssize_t write(int fd, const void *p, size_t n)
{
	if (fails("write")) {
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_write, fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	if (fails("write")) {
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_pwrite64, fd, p, n, at);
}

int fsync(int fd)
{
	if (fails("sync")) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	if (fails("sync")) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t n)
{
	if (fails("trunc")) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_ftruncate, fd, n);
}
