/* confine.c - see confine.h */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/str.h"

/* A sanitizer writes its reports to files, attaches to threads when it looks
 * for leaks, and starts a program for names: with one only who asks for it is
 * confined. */
#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
enum { SANITIZED = __has_feature(address_sanitizer) };
#else
enum { SANITIZED = 0 };
#endif

static bool is_off(void)
{
	const char *text = getenv("TFPIPE_CONFINE");

	return text && *text ? !strcmp(text, "0") : SANITIZED;
}

/* --- files and ports: Landlock --- */

/* As of version 4; headers may be older than kernels. */
struct ruleset {
	uint64_t files, ports;
};

/* The versions from which on they are known. */
enum { LANDLOCK_TRUNCATE = 3, LANDLOCK_PORTS = 4 };

#define WRITE LANDLOCK_ACCESS_FS_WRITE_FILE
#define TRUNCATE (1ULL << 14)
#define PORTS 3ULL /* bind, connect */
static const uint64_t changes =
	WRITE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
	LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
	LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
	LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
	LANDLOCK_ACCESS_FS_MAKE_SYM;

static const uint64_t reads =
	LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t names =
	LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG;

static int landlock_version(void)
{
	const long v = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);

	return v < 0 ? 0 : (int)v;
}

/* What cannot be opened cannot be written to either. */
static void allow(int rules, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr r = { .allowed_access = rights };
	struct stat st;

	r.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (r.parent_fd < 0)
		return;
	if (!fstat(r.parent_fd, &st) && !S_ISDIR(st.st_mode))
		r.allowed_access &=
			WRITE | TRUNCATE | LANDLOCK_ACCESS_FS_READ_FILE;
	syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &r,
		0);
	close(r.parent_fd);
}

/* In the directory of a file. */
static void allow_beside(int rules, const char *path, uint64_t rights)
{
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');

	if (slash)
		slash[slash == dir] = '\0';
	allow(rules, slash ? dir : ".", rights);
	free(dir);
}

/* A file is replaced by another in its directory, or in that of a link's
 * target; a device or a FIFO is written to. */
static void allow_replacing(int rules, const char *path, uint64_t rights)
{
	struct stat st;
	char *real;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		allow(rules, path, rights);
		return;
	}
	allow_beside(rules, path, rights);
	real = realpath(path, NULL);
	if (real)
		allow_beside(rules, real, rights);
	free(real);
}

/* What is written, or read, according to c. */
static void allow_all(int rules, const struct confine *c, uint64_t rights)
{
	allow(rules, "/dev/null", rights);
	allow(rules, "/dev/tty", rights);
	for (size_t i = 0; c->below && c->below[i]; i++)
		allow(rules, c->below[i], rights);
	for (size_t i = 0; c->replace && c->replace[i]; i++)
		allow_replacing(rules, c->replace[i], rights);
	for (size_t i = 0; c->rename && c->rename[i]; i++)
		allow_beside(rules, c->rename[i], rights & names);
	for (size_t i = 0; c->read && c->read[i]; i++)
		allow(rules, c->read[i], rights & reads);
}

static void refuse_files(const struct confine *c, int version)
{
	struct ruleset set = { 0 };
	int rules;

	if (!c->any_file)
		set.files =
			changes | (version >= LANDLOCK_TRUNCATE ? TRUNCATE : 0);
	if (c->read)
		set.files |= reads;
	if (!c->network && version >= LANDLOCK_PORTS)
		set.ports = PORTS;
	if (!set.files && !set.ports)
		return;
	rules = (int)syscall(SYS_landlock_create_ruleset, &set,
			     set.ports ? sizeof(set) : sizeof(set.files), 0);
	if (rules < 0)
		return;
	if (set.files)
		allow_all(rules, c, set.files);
	syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
}

/* --- calls: seccomp --- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0 /* none that is known here */
#endif

/* x86-64 has a second set of numbers from here on. */
enum { OTHER_NUMBERS = 0x40000000, MOST_CALLS = 64 };

struct filter {
	struct sock_filter code[8 + 2 * MOST_CALLS];
	unsigned short n;
};

static void put(struct filter *f, unsigned code, uint32_t k, int yes, int no)
{
	f->code[f->n++] =
		(struct sock_filter){ (unsigned short)code, (unsigned char)yes,
				      (unsigned char)no, k };
}

static void load(struct filter *f, size_t offset)
{
	put(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void refuse(struct filter *f)
{
	put(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

static void refuse_each(struct filter *f, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
		refuse(f);
	}
}

/* What nobody here calls, and what leads around the rules. */
static const int never[] = {
	SYS_add_key,
	SYS_bpf,
	SYS_io_uring_setup,
	SYS_keyctl,
	SYS_mount,
	SYS_open_by_handle_at,
	SYS_perf_event_open,
	SYS_pidfd_getfd,
	SYS_pidfd_send_signal,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_ptrace,
	SYS_setns,
	SYS_unshare,
	SYS_userfaultfd,
};
static const int network[] = { SYS_bind, SYS_connect, SYS_listen, SYS_socket };
static const int programs[] = { SYS_execve, SYS_execveat };
/* What Landlock does not know: changes to a file that is not opened. */
static const int attributes[] = {
	SYS_fchmod,    SYS_fchmodat,     SYS_fchown,    SYS_fchownat,
	SYS_fsetxattr, SYS_fremovexattr, SYS_lsetxattr, SYS_lremovexattr,
	SYS_setxattr,  SYS_removexattr,  SYS_utimensat, 452 /* fchmodat2 */,
#if defined(__x86_64__)
	SYS_chmod,     SYS_chown,        SYS_lchown,
#endif
};

#define EACH(calls) (calls), sizeof(calls) / sizeof(*(calls))

/* Signals to others, for a process that fails sends one to itself. */
static void refuse_signals(struct filter *f)
{
	static const int signals[] = { SYS_kill, SYS_tgkill };
	const uint32_t own = (uint32_t)getpid();

	for (int i = 0; i < 2; i++) {
		put(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)signals[i], 0, 4);
		load(f, offsetof(struct seccomp_data, args[0]));
		put(f, BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0);
		refuse(f);
		put(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	}
}

static void refuse_calls(const struct confine *c)
{
	struct filter f = { .n = 0 };
	struct sock_fprog p = { 0, f.code };

	if (!ARCHITECTURE)
		return;
	load(&f, offsetof(struct seccomp_data, arch));
	put(&f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	refuse(&f);
	load(&f, offsetof(struct seccomp_data, nr));
	put(&f, BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 0, 1);
	refuse(&f);
	refuse_each(&f, EACH(never));
	if (!c->network)
		refuse_each(&f, EACH(network));
	if (!c->programs)
		refuse_each(&f, EACH(programs));
	if (!c->programs)
		refuse_signals(&f);
	if (!c->any_file && !c->modes)
		refuse_each(&f, EACH(attributes));
	put(&f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	p.len = f.n;
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_SPEC_ALLOW, &p);
}

static bool has_seccomp(void)
{
	static const unsigned action = SECCOMP_RET_ERRNO;

	return ARCHITECTURE &&
	       !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

/* --- both --- */

void confine(const struct confine *c)
{
	int version;

	if (is_off() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	version = landlock_version();
	if (version)
		refuse_files(c, version);
	refuse_calls(c);
}

struct confinement confine_known(void)
{
	return (struct confinement){ .landlock = landlock_version(),
				     .seccomp = has_seccomp(),
				     .off = is_off() };
}
