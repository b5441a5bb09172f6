/*
 * fuzz_io.h - files for the targets whose subjects read and write descriptors
 */
#ifndef TFPIPE_TESTS_FUZZ_IO_H
#define TFPIPE_TESTS_FUZZ_IO_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "stream/stream.h"

/* A file in memory, at its beginning. */
static inline int fuzz_fd(struct str text)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	FUZZ_HOLDS(fd >= 0 && io_write_all(fd, text.p, text.n) == 0);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* A stream into memory: begin, write records, take the text. */
static inline void fuzz_out_begin(struct stream_out *o)
{
	struct str_vec none = { 0 };

	stream_out_init(o, fuzz_fd(STR("")), true);
	stream_begin(o, "fuzz", &none);
}

static inline struct str fuzz_out_end(struct arena *a, struct stream_out *o)
{
	struct buf b = BUF_INIT;
	int fd = o->out.fd;
	struct str text;

	FUZZ_HOLDS(stream_end(o, false) == 0);
	stream_out_release(o);
	lseek(fd, 0, SEEK_SET);
	FUZZ_HOLDS(io_read_fd(fd, &b, 0) == 0);
	close(fd);
	text = buf_dup(a, &b);
	buf_release(&b);
	return text;
}

/* text as the only file of the current directory, a new one: main.tf, or
 * main.tf.json if it begins with a brace. */
static char fuzz_dir[] = "/tmp/tfpipe-fuzz-XXXXXX";

static inline void fuzz_dir_leave(void)
{
	unlink("main.tf");
	unlink("main.tf.json");
	rmdir(fuzz_dir);
}

static inline void fuzz_main_tf(struct str text)
{
	static bool entered;
	bool json = text.n && text.p[0] == '{';
	int fd;

	if (!entered) {
		FUZZ_HOLDS(mkdtemp(fuzz_dir) && chdir(fuzz_dir) == 0);
		atexit(fuzz_dir_leave);
		entered = true;
	}
	unlink("main.tf");
	unlink("main.tf.json");
	fd = open(json ? "main.tf.json" : "main.tf",
		  O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	FUZZ_HOLDS(fd >= 0 && io_write_all(fd, text.p, text.n) == 0);
	close(fd);
}

#endif
