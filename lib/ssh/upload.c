/*
 * upload.c - files and directories, as scp of the other machine takes them
 *
 * "C0644 SIZE NAME" begins a file, "D0755 0 NAME" a directory, which "E" ends;
 * each is answered by a byte, 0 if it is taken, else a line says why not.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ssh/ssh_int.h"
#include "base/file_path.h"

enum { NOT_FOUND = 127, SOME = 1 << 16, DEEPEST = 256 };

struct upload {
	struct ssh_link *l;
	struct ssh_failure *f;
	struct child c;
	int errors;
	bool cut; /* the other side has ended */
};

/* --- words --- */

/* As programs there take their command line apart again. */
static void add_windows_word(struct buf *b, const char *word)
{
	size_t slashes = 0;

	buf_putc(b, '"');
	for (; *word; word++) {
		if (*word == '\\') {
			slashes++;
			continue;
		}
		for (size_t i = *word == '"' ? slashes * 2 + 1 : slashes; i;
		     i--)
			buf_putc(b, '\\');
		slashes = 0;
		buf_putc(b, *word);
	}
	for (size_t i = slashes * 2; i; i--)
		buf_putc(b, '\\');
	buf_putc(b, '"');
}

struct str ssh_words(struct arena *a, const struct ssh_request *r,
		     const char *const *words, size_t n)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_putc(&b, ' ');
		if (!i) /* the name of a program */
			buf_puts(&b, words[i]);
		else if (r->windows)
			add_windows_word(&b, words[i]);
		else
			buf_str(&b, ssh_quote(a, str_c(words[i])));
	}
	return buf_take(a, &b);
}

/* --- what is sent, and the answer --- */

static int failed(struct upload *u, const char *what, struct str detail)
{
	return ssh_fail(u->f, what, detail);
}

/* A byte of what the other side says; -1: there is no more, or all is to
 * end. */
static int next_byte(struct upload *u)
{
	for (;;) {
		struct pollfd p = { .fd = u->c.out, .events = POLLIN };
		enum ssh_waited w = ssh_wait(u->l, &p, 1, 0);
		unsigned char c;
		ssize_t n;

		if (w == SSH_ENDED)
			return -1;
		if (w != SSH_READY) /* a file is sent to its end */
			continue;
		n = read(u->c.out, &c, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 1)
			return c;
		u->cut = true;
		return -1;
	}
}

static int take_answer(struct upload *u)
{
	struct buf b = BUF_INIT;
	int c = next_byte(u);

	if (c == 0)
		return 0;
	if (c < 0)
		return failed(u,
			      u->cut ? "the other side has ended"
				     : "interrupted",
			      STR_NONE);
	if (c > 2) /* no word of scp: the shell there prints something */
		buf_putc(&b, (char)c);
	while ((c = next_byte(u)) >= 0 && c != '\n' && b.len < 4096)
		buf_putc(&b, (char)c);
	return failed(u, "the other side refuses it", buf_take(u->l->a, &b));
}

static int send_bytes(struct upload *u, const char *p, size_t n)
{
	while (n) {
		struct pollfd fds[] = {
			{ .fd = u->c.in, .events = POLLOUT },
			{ .fd = u->c.out, .events = POLLIN },
		};
		enum ssh_waited w = ssh_wait(u->l, fds, 2, 0);
		ssize_t done;

		if (w == SSH_ENDED)
			return failed(u, "interrupted", STR_NONE);
		if (w != SSH_READY)
			continue;
		if (fds[1].revents) /* too early: it says what is wrong */
			return take_answer(u)
				       ? -1
				       : failed(u,
						"its answers are none of scp",
						STR_NONE);
		done = write(u->c.in, p, n);
		if (done < 0 && errno != EAGAIN && errno != EINTR) {
			u->cut = true;
			return failed(u, "the other side has ended", STR_NONE);
		}
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

static int send_line(struct upload *u, const char *what, uint64_t size,
		     struct str name)
{
	struct str line = str_printf(u->l->a, "%s %llu %.*s\n", what,
				     (unsigned long long)size, STR_ARG(name));

	if (str_chr(name, '\n') >= 0)
		return failed(u, "a name holds a line break", name);
	return send_bytes(u, line.p, line.n) || take_answer(u) ? -1 : 0;
}

/* --- files and directories --- */

static int send_end(struct upload *u)
{
	return send_bytes(u, "", 1) || take_answer(u) ? -1 : 0;
}

static int send_text(struct upload *u, struct str text, struct str name)
{
	return send_line(u, "C0644", text.n, name) ||
			       send_bytes(u, text.p, text.n) || send_end(u)
		       ? -1
		       : 0;
}

/* As much as was promised. */
static int send_content(struct upload *u, int fd, uint64_t left)
{
	char some[SOME];

	while (left) {
		ssize_t n = read(fd, some, left < SOME ? (size_t)left : SOME);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return failed(u, "a file became shorter meanwhile",
				      STR_NONE);
		if (send_bytes(u, some, (size_t)n))
			return -1;
		left -= (uint64_t)n;
	}
	return send_end(u);
}

static int open_source(struct upload *u, const char *path, struct stat *st)
{
	int fd = io_open_file(path, O_RDONLY | O_CLOEXEC, 0);

	if (fd >= 0 && !fstat(fd, st) && S_ISREG(st->st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	failed(u, fd < 0 ? "a file cannot be read" : "this is no file",
	       str_printf(u->l->a, "%s: %s", path,
			  fd < 0 ? io_why() : "neither file nor directory"));
	return -1;
}

static int send_file(struct upload *u, const char *path, struct str name)
{
	struct stat st;
	int fd = open_source(u, path, &st), rc;

	if (fd < 0)
		return -1;
	rc = send_line(u, "C0644", (uint64_t)st.st_size, name) ||
	     send_content(u, fd, (uint64_t)st.st_size);
	close(fd);
	return rc ? -1 : 0;
}

static int send_entries(struct upload *u, const char *path, int depth);

static int send_directory(struct upload *u, const char *path, struct str name,
			  int depth)
{
	return send_line(u, "D0755", 0, name) ||
			       send_entries(u, path, depth + 1) ||
			       send_bytes(u, "E\n", 2) || take_answer(u)
		       ? -1
		       : 0;
}

static int send_entry(struct upload *u, const char *dir, const char *name,
		      int depth)
{
	const char *path = arena_printf(u->l->a, "%s/%s", dir, name);
	struct stat st;

	if (stat(path, &st))
		return failed(u, "a file cannot be read",
			      str_printf(u->l->a, "%s: %s", path, io_why()));
	if (depth > DEEPEST)
		return failed(u, "directories lie too deep", str_c(path));
	return S_ISDIR(st.st_mode) ? send_directory(u, path, str_c(name), depth)
				   : send_file(u, path, str_c(name));
}

/* In order of their names. */
static int send_entries(struct upload *u, const char *path, int depth)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort), rc = 0;

	if (n < 0)
		return failed(u, "a directory cannot be read",
			      str_printf(u->l->a, "%s: %s", path, io_why()));
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (!rc && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			rc = send_entry(u, path, name, depth);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

/* --- the session --- */

static int begin(struct upload *u, struct ssh_link *l, struct str command,
		 struct ssh_failure *f)
{
	*u = (struct upload){ .l = l, .f = f, .errors = -1 };
	if (ssh_pipe(l, command, &u->c, &u->errors, f))
		return -1;
	/* It says that it is there. */
	return take_answer(u);
}

/* Whether it went well is known when the session has ended. */
static int end(struct upload *u, int rc)
{
	struct str said;
	int status;

	if (u->errors < 0)
		return -1;
	if (!rc) {
		close(u->c.in);
		u->c.in = -1;
		while (next_byte(u) >= 0)
			;
	}
	status = ssh_end(&u->c, u->l->ends || (rc && !u->cut));
	said = str_trim(ssh_memory_text(u->l->a, u->errors));
	close(u->errors);
	if (u->l->ends)
		return ssh_fail(u->f, "interrupted", STR_NONE);
	u->l->doubtful = u->cut && rc;
	if (rc && !u->cut)
		return -1;
	if (!status && !rc)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		return ssh_fail(u->f,
				"scp cannot be started on the other machine, "
				"where it seems not to be installed",
				said);
	return ssh_fail(
		u->f,
		arena_printf(u->l->a, "scp of the other machine: %.*s",
			     STR_ARG(child_status_text(u->l->a, status))),
		said);
}

/* The directory that a path is in, and its name there. */
static void split(struct arena *a, struct str path, const char **dir,
		  struct str *name)
{
	struct str d;

	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	d = file_path_directory(path);
	*name = str_sub(path, d.n, path.n);
	while (d.n > 1 && d.p[d.n - 1] == '/')
		d.n--;
	if (!name->n)
		*name = STR("/");
	*dir = d.n ? arena_strndup(a, d.p, d.n) : ".";
}

int ssh_upload_file(struct ssh_link *l, struct str path, struct str text,
		    struct str destination, bool executable,
		    struct ssh_failure *f)
{
	const char *there = arena_strndup(l->a, destination.p, destination.n);
	const char *scp[] = { "scp", "-d", "-t", NULL };
	const char *chmod[] = { "chmod", "0777", there };
	struct str command, name;
	struct upload u;
	int rc;

	split(l->a, destination, &scp[3], &name);
	if (destination.n && destination.p[destination.n - 1] == '/')
		scp[3] = there; /* a directory that the file goes into */
	command = ssh_words(l->a, l->r, scp, 4);
	if (executable)
		command = STR_CAT(l->a, command, STR(" && "),
				  ssh_words(l->a, l->r, chmod, 3));
	rc = begin(&u, l, command, f);
	if (!rc && text.p)
		rc = send_text(&u, text, name);
	else if (!rc)
		rc = send_file(&u, arena_strndup(l->a, path.p, path.n), name);
	return end(&u, rc);
}

int ssh_upload_directory(struct ssh_link *l, struct str path,
			 struct str destination, struct ssh_failure *f)
{
	const char *there = arena_strndup(l->a, destination.p, destination.n);
	const char *here = arena_strndup(l->a, path.p, path.n);
	const char *scp[] = { "scp", "-rt", there };
	struct str name;
	struct upload u;
	const char *dir;
	int rc = begin(&u, l, ssh_words(l->a, l->r, scp, 3), f);

	split(l->a, path, &dir, &name);
	if (!rc && path.p[path.n - 1] == '/') /* what is in it */
		rc = send_entries(&u, here, 0);
	else if (!rc)
		rc = send_directory(&u, here, name, 0);
	return end(&u, rc);
}
