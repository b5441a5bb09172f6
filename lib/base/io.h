/*
 * io.h - files and descriptors: reading whole, writing all, replacing safely
 *
 * Functions return 0, or -1 with errno set; naming the file in a diagnostic
 * is the caller's business.  All descriptors are opened close-on-exec, all
 * calls are restarted on EINTR.
 */
#ifndef TFPIPE_BASE_IO_H
#define TFPIPE_BASE_IO_H

#include <sys/types.h>

#include "base/str.h"

/* Reads to end of file into b (appending). limit: most bytes accepted, 0 for
 * no limit; more fails with EFBIG. */
int io_read_fd(int fd, struct buf *b, size_t limit);
int io_read_file(const char *path, struct buf *b, size_t limit);
/* The text of a regular file, NUL-terminated, in a.  Other kinds of files (a
 * pipe would never end) fail with EINVAL or EISDIR. */
int io_read_regular(struct arena *a, const char *path, size_t limit,
		    struct str *out);

/* open(2), which waits for nobody: a FIFO is refused with ESPIPE. */
int io_open_file(const char *path, int flags, mode_t mode);

/* Returns fd if it can be read again from the beginning, else a descriptor of
 * the rest of it, in memory. */
int io_seekable(int fd);

/* A descriptor of a file in memory that has the text, at its beginning; no
 * other user may open it.  name: for those who look at the process. */
int io_memory(const char *name, struct str text);

int io_write_all(int fd, const void *p, size_t n);
/* All that comes from one to the other. */
int io_copy(int from, int to);

/* Links.  What we make and remove may have a name at which somebody else's
 * repository has put a link.  So on a relative path these follow none: one on
 * the way is ELOOP, and so is one at the end, unless that is removed or
 * replaced.  An absolute path is a user's own, and followed. */

/* Finds the file to replace when path is written: *real (to be freed), the
 * target of links if path is absolute; NULL if the file must not be replaced,
 * but written to: a device, a FIFO, a dangling link.  A directory is EISDIR. */
int io_target(const char *path, char **real);

/* Writes that file by temporary name in the same directory, fsync, rename,
 * fsync of the directory: when the power fails after it, the new file is there.
 * Or writes to a file that must not be replaced.  The temporary file is removed
 * on failure and on SIGINT/SIGTERM/SIGHUP. */
int io_replace_file(const char *path, const void *p, size_t n, mode_t mode);

/* Two paths get each other's file or directory in one step.  -1 and errno;
 * EINVAL, ENOSYS: the file system or the kernel cannot. */
int io_exchange(const char *path, const char *other);

/* The directory that path is in has on the disk what it holds now: a file that
 * was made, renamed or removed there. */
int io_sync_names(const char *path);

/* open(2), close-on-exec; unlink(2); rmdir(2) */
int io_open(const char *path, int flags, mode_t mode);
int io_unlink(const char *path);
int io_rmdir(const char *path);

/* mkdir -p; the second follows links, for paths that a configuration names, and
 * what it makes survives a power failure. */
int io_make_dirs(const char *path, mode_t mode);
int io_make_dirs_synced(const char *path, mode_t mode);

/* Is it a directory, or a link to one? */
bool io_is_directory(const char *path);

/* Removes a file, a link, or a directory with its content; it may be missing.
 * 0, or -1 with errno. */
int io_remove_tree(const char *path);

/* What errno says, with a link that is not followed in words. */
const char *io_why(void);

/* Fills n bytes at to with random ones of the kernel. */
int io_random(void *to, size_t n);

/* A write beyond the file size limit becomes an error of that write (EFBIG),
 * not the end of the process.  Standard descriptors that are closed stay
 * unusable (EBADF), but no file gets their numbers: what is printed must never
 * end up in a state.  Every tool calls it first. */
void io_init(void);
/* From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, end the
 * program with exit status 1 and this text, which lives on.  Called again, the
 * text is another.  The time then is written to `stamp`, CLOCK_STAMP bytes in
 * the text; NULL: nowhere. */
void io_fail_on_signals(int fd, const char *said, char *stamp);

/* For whom an output is: programs get it as it is, people see what is in it
 * (visible.h). */
enum out_form {
	OUT_DATA = 0,
	OUT_TEXT,
	OUT_PAINTED, /* text with colours */
};

/* A buffered writer to a descriptor.  After EPIPE it swallows what follows and
 * remembers it (out.broken); any other error is kept in out.err. */
struct out {
	int fd;
	struct buf buf;
	bool broken;
	bool midline; /* the last byte written was no newline */
	int err;      /* first errno other than EPIPE, or 0 */
	enum out_form form;
	/* May be NULL.  Each flush calls it before it writes, so that what the
	 * bytes report can be made durable first.  Not 0: they stay in buf. */
	int (*before)(void *data);
	void *before_data;
};

#define OUT_INIT(fd_) OUT_INIT_AS(fd_, OUT_DATA)
#define OUT_INIT_AS(fd_, form_) \
	{ \
		(fd_), BUF_INIT, false, false, 0, (form_), NULL, NULL \
	}

void out_write(struct out *o, const void *p, size_t n);
void out_str(struct out *o, struct str s);
/* Flushes; returns 0, or -1 when anything failed other than by EPIPE.  Bytes
 * that are held back are no failure. */
int out_flush(struct out *o);
/* Gives up the lines that are held back, but for the rest of one that has
 * begun. */
void out_drop_held(struct out *o);
void out_release(struct out *o); /* frees; does not flush or close */

#endif
