/* module_hg.c - packages of modules in Mercurial repositories, by the hg
 * command
 *
 *	hg::https://HOST/PATH?rev=REV
 */
#include "install/modules/module_int.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/io.h"

extern char **environ;

/* Makes hg write English for programs, whatever the user has configured. */
static const char *const *environment(struct arena *a)
{
	const char **env;
	size_t n = 0;

	while (environ[n])
		n++;
	env = ARENA_ARRAY(a, const char *, n + 2);
	env[0] = "HGPLAIN=1";
	memcpy(env + 1, environ, n * sizeof(*env));
	return env;
}

static int wait_for(struct child *c, struct buf *said)
{
	int rc = io_read_fd(c->out, said, 0), status;

	close(c->out);
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (rc)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int run(struct module_store *s, const char *dir, const char *const *argv,
	       struct str *why)
{
	const struct child_options o = { .argv = argv,
					 .env = environment(s->a),
					 .dir = dir,
					 .in = CHILD_NULL,
					 .out = CHILD_PIPE,
					 .err = CHILD_MERGE };
	struct buf said = BUF_INIT;
	struct child c;
	int rc = child_start(&o, &c) ? -1 : wait_for(&c, &said);

	if (rc < 0)
		*why = errno == ENOENT
			       ? STR("hg must be available and on the PATH")
			       : str_printf(s->a, "hg cannot be run: %s",
					    strerror(errno));
	else if (rc)
		*why = str_printf(s->a, "hg %s exited with %d:\n%.*s", argv[2],
				  rc, STR_ARG(str_trim(buf_view(&said))));
	buf_release(&said);
	return rc ? -1 : 0;
}

static int check(const struct package_request *r, struct str rev,
		 struct str *why)
{
	if (r->kind.n)
		*why = STR("an archive in a Mercurial repository is not "
			   "fetched");
	else if (r->checksum.n)
		*why = STR("checksum cannot be specified for directory "
			   "download");
	else if (rev.n && rev.p[0] == '-')
		*why = STR("invalid rev: it begins with a dash");
	else if (r->parts.has_password)
		*why = STR("a password in the address would be an argument of "
			   "hg, which everybody can read: give it to hg in "
			   "its own [auth] settings");
	else
		return 0;
	return -1;
}

int module_hg_get(struct module_store *s, const struct package_request *r,
		  struct str *why)
{
	static const char *const ours[] = { "rev", NULL };
	const struct str rev = url_parameter(s->a, r->parts.query, "rev");
	struct url u = r->parts;
	const char *clone[] = { "hg", "--noninteractive", "clone", "-U", "--",
				NULL, r->dir.p,           NULL };
	const char *update[] = { "hg",     "--noninteractive",
				 "update", "--",
				 rev.p,    NULL };

	if (check(r, rev, why))
		return -1;
	u.query = url_query(s->a, u.query, ours, NULL);
	u.has_query = u.query.n > 0;
	clone[5] = url_text(s->a, &u).p;
	if (!rev.n)
		update[3] = NULL;
	if (!run(s, NULL, clone, why) && !run(s, r->dir.p, update, why))
		return 0;
	io_remove_tree(r->dir.p);
	return -1;
}
