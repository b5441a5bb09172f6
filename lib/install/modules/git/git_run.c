/* git_run.c - running the git command, with our settings; see git_int.h */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "install/modules/git/git_int.h"
#include "base/child.h"

/* Name and password are neither arguments, which every process can read, nor
 * written into the clone: git asks this helper for them, for the one host
 * only. */
static const char helper[] =
	"!f() { test \"$1\" = get || return 0; "
	"printf 'username=%s\\n' \"$TFPIPE_GIT_USER\"; "
	"test -z \"${TFPIPE_GIT_PASSWORD+x}\" || "
	"printf 'password=%s\\n' \"$TFPIPE_GIT_PASSWORD\"; }; f";

enum { SETTINGS = 13 }; /* variables of ours, at most */

bool git_is_web(const struct url *u)
{
	return str_is(u->scheme, "https") || str_is(u->scheme, "http");
}

/* Settings of ours, after those that the user has in the environment. */
struct settings {
	struct arena *a;
	const char **env;
	size_t nenv;
	int count;
};

static void set(struct settings *s, const char *name, const char *value)
{
	s->env[s->nenv++] =
		arena_printf(s->a, "GIT_CONFIG_KEY_%d=%s", s->count, name);
	s->env[s->nenv++] =
		arena_printf(s->a, "GIT_CONFIG_VALUE_%d=%s", s->count++, value);
}

/* Disables the user's helpers: the address has the credentials. */
static void give_credentials(struct git *g, const struct want *w,
			     struct settings *s)
{
	const struct url *u = &w->url;
	const char *name = arena_printf(g->a, "credential.%.*s://%.*s.helper",
					STR_ARG(u->scheme), STR_ARG(u->host));

	set(s, name, ""); /* an empty one forgets the others */
	set(s, name, helper);
	s->env[s->nenv++] =
		arena_printf(g->a, "TFPIPE_GIT_USER=%.*s", STR_ARG(u->user));
	if (u->has_password)
		s->env[s->nenv++] =
			arena_printf(g->a, "TFPIPE_GIT_PASSWORD=%.*s",
				     STR_ARG(u->password));
}

/* Git need not wait for the disk: modules can be fetched again.  Many files are
 * written by a process for each processor. */
static size_t give_settings(struct git *g, const struct want *w,
			    const char **env)
{
	const char *had = getenv("GIT_CONFIG_COUNT");
	struct settings s = { .a = g->a,
			      .env = env,
			      .count = had ? atoi(had) : 0 };

	set(&s, "core.fsync", "none");
	set(&s, "checkout.workers", "0");
	if (w->url.has_user && git_is_web(&w->url))
		give_credentials(g, w, &s);
	env[s.nenv++] = arena_printf(g->a, "GIT_CONFIG_COUNT=%d", s.count);
	return s.nenv;
}

static bool is_variable(const char *entry, const char *name)
{
	const size_t n = strlen(name);

	return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* Keeps git from taking the user's repository around the directory for the one
 * in it. */
static const char *ceiling(struct git *g, const char *dir)
{
	char *real = realpath(dir, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;
	const char *text = NULL;

	if (slash) {
		*slash = '\0';
		text = arena_printf(g->a, "GIT_CEILING_DIRECTORIES=%s", real);
	}
	free(real);
	return text;
}

static const char *const *environment(struct git *g, const struct want *w,
				      const char *dir)
{
	const char *top = dir ? ceiling(g, dir) : NULL;
	const char *ssh = getenv("GIT_SSH_COMMAND");
	const char **env;
	size_t n = 0, k = 0;

	while (environ[n])
		n++;
	env = ARENA_ARRAY(g->a, const char *, n + SETTINGS + 2);
	for (size_t i = 0; i < n; i++)
		if (!(top &&
		      is_variable(environ[i], "GIT_CEILING_DIRECTORIES")) &&
		    !(w->key_file.n &&
		      is_variable(environ[i], "GIT_SSH_COMMAND")) &&
		    !is_variable(environ[i], "GIT_CONFIG_COUNT"))
			env[k++] = environ[i];
	if (w->key_file.n)
		env[k++] =
			arena_printf(g->a, "GIT_SSH_COMMAND=%s -i %s",
				     ssh && *ssh ? ssh : "ssh", w->key_file.p);
	k += give_settings(g, w, env + k);
	if (top)
		env[k++] = top;
	if (!g->input)
		env[k++] = "GIT_TERMINAL_PROMPT=0";
	env[k] = NULL;
	return env;
}

int git_run(struct git *g, const struct want *w, const char *dir,
	    const char *const *argv, enum child_stream err, struct buf *said)
{
	const struct child_options o = { .argv = argv,
					 .env = environment(g, w, dir),
					 .dir = dir,
					 .in = CHILD_NULL,
					 .out = CHILD_PIPE,
					 .err = err };
	struct child c;
	int status, rc;

	if (child_start(&o, &c))
		return -1;
	rc = git_read(g, c.out, said);
	close(c.out);
	while (waitpid(c.pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (rc)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static struct str replace(struct arena *a, struct str s, struct str what,
			  struct str with)
{
	ptrdiff_t at;
	struct str done = STR_NONE;

	while (what.n && (at = str_find(s, what)) >= 0) {
		done = STR_CAT(a, done, str_sub(s, 0, (size_t)at), with);
		s = str_sub(s, (size_t)at + what.n, s.n);
	}
	return STR_CAT(a, done, s);
}

/* Git's messages repeat the URL, with its secrets. */
static struct str without_secrets(struct git *g, const struct want *w,
				  struct str said)
{
	const struct str hidden = STR("redacted");
	struct str url = url_redacted(g->a, w->c.url);

	said = replace(g->a, said, w->c.url, url);
	if (w->url.has_password)
		said = replace(g->a, said, w->url.password, hidden);
	else if (w->url.has_user && !str_eq(url, w->c.url))
		said = replace(g->a, said, w->url.user, hidden);
	return said;
}

/* Removes the full stop: the sentence around has one. */
static struct str words(struct str said)
{
	said = str_trim(said);
	return str_ends(said, ".") ? str_sub(said, 0, said.n - 1) : said;
}

int git_effect(struct git *g, const struct want *w, const char *dir,
	       const char *const *argv, struct str *why)
{
	struct buf said = BUF_INIT;
	int rc = git_run(g, w, dir, argv, CHILD_MERGE, &said);

	if (rc < 0)
		*why = errno == ENOENT
			       ? STR("git must be available and on the PATH")
			       : str_printf(g->a, "git cannot be run: %s",
					    strerror(errno));
	else if (rc)
		*why = str_printf(
			g->a, "git %s exited with %d:\n%.*s", argv[1], rc,
			STR_ARG(without_secrets(g, w, words(buf_view(&said)))));
	buf_release(&said);
	return rc ? -1 : 0;
}
