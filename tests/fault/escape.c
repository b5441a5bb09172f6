/*
 * escape.c - does what a program that was taken over would do
 *
 * A library to be preloaded: when the program first writes, each of these is
 * tried, and a line says what became of it, "TRY ERRNO" (0: it was done), in
 * the file that TFPIPE_ESCAPE_LOG names, which is opened when the program
 * starts.  TFPIPE_ESCAPE is a directory of the tests' own, with a file "file".
 *
 * TFPIPE_ESCAPE_LACKS, "landlock seccomp" or one of them, makes a kernel that
 * does not have it.
 *
 *	TFPIPE_ESCAPE=/tmp/x TFPIPE_ESCAPE_LOG=/tmp/log LD_PRELOAD=./escape.so tf-parse
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int report = -1;
static const char *dir;

__attribute__((constructor)) static void begin(void)
{
	const char *log = getenv("TFPIPE_ESCAPE_LOG");

	dir = getenv("TFPIPE_ESCAPE");
	if (log && dir)
		report = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			      0600);
}

static int lacks(const char *what)
{
	const char *list = getenv("TFPIPE_ESCAPE_LACKS");

	return list && strstr(list, what) != NULL;
}

long syscall(long n, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list ap;

	va_start(ap, n);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	if ((n >= SYS_landlock_create_ruleset &&
	     n <= SYS_landlock_restrict_self && lacks("landlock")) ||
	    (n == SYS_seccomp && lacks("seccomp"))) {
		errno = ENOSYS;
		return -1;
	}
	return real(n, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void tell(const char *what, long rc)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%s %d\n", what,
			 rc < 0 ? errno : 0);

	syscall(SYS_write, report, line, n);
}

static const char *at(const char *name)
{
	static char path[2][512];
	static int i;

	i = !i;
	snprintf(path[i], sizeof(path[i]), "%s/%s", dir, name);
	return path[i];
}

static long start(void)
{
	char *argv[] = { "true", NULL };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execv("/bin/true", argv);
		_exit(errno);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	errno = WEXITSTATUS(status);
	return errno ? -1 : 0;
}

static void try_all(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd;

	tell("start", start());
	tell("socket", socket(AF_INET, SOCK_STREAM, 0));
	tell("unix", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("connect", connect(0, (struct sockaddr *)&to, sizeof(to)));
	fd = open(at("file"), O_WRONLY);
	tell("write", fd);
	fd = open(at("made"), O_WRONLY | O_CREAT, 0600);
	tell("make", fd);
	tell("truncate", truncate(at("file"), 0));
	tell("mkdir", mkdir(at("dir"), 0700));
	tell("symlink", symlink("x", at("link")));
	tell("link", link(at("file"), at("hard")));
	tell("rename", rename(at("more"), at("other")));
	tell("unlink", unlink(at("made")));
	tell("chmod", chmod(at("file"), 0777));
	tell("signal", kill(getppid(), 0));
	tell("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	fd = open(at("file"), O_RDONLY);
	tell("read", fd);
}

ssize_t write(int fd, const void *p, size_t n)
{
	static int tried;

	if (report >= 0 && !tried) {
		tried = 1;
		try_all();
	}
	return syscall(SYS_write, fd, p, n);
}
