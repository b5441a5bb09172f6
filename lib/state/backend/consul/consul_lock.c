/*
 * consul_lock.c - the locks of the backend consul, see consul.c
 *
 * A session that is not renewed for 15 s ends, and its lock with it: so nobody
 * who was killed leaves one.  The process that holds the lock waits for others
 * meanwhile; a child of its own renews the session, and ends with it.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json/tree.h"
#include "state/backend/consul/consul_int.h"
#include "state/backend/backend_int.h"

enum { RENEW_SECONDS = 5 };

/* Consul's own mark of a key that is a lock. */
#define LOCK_FLAGS "3304740253564472344"

static struct str lock_key(struct backend *b, const char *suffix)
{
	struct str key = ((struct consul_backend *)b->data)->key;

	while (str_ends(key, "/"))
		key.n--;
	return STR_CAT(b->arena, key, str_c(suffix));
}

/* --- the session --- */

/* Goes on until the session or our parent is gone. */
static void keep_session(struct backend *b, struct str session)
{
	struct backend own = *b;
	struct fetch_answer answer = { 0 };
	struct str why;

	/* the requests of our parent are its own */
	own.remote = (struct remote){ .a = b->arena };
	while (answer.status != 404) {
		sleep(RENEW_SECONDS);
		consul_ask(&own, "PUT",
			   STR_CAT(b->arena, STR("session/renew/"), session),
			   STR_NONE, &answer, &why);
	}
}

static void start_keeper(struct backend *b)
{
	struct consul_backend *c = b->data;
	const pid_t parent = getpid();
	sigset_t none;
	int null;

	c->keeper = fork();
	if (c->keeper)
		return;
	/* nothing of the parent's stays open, so that its pipes end with it */
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	syscall(SYS_close_range, 3, ~0U, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		keep_session(b, c->session);
	_exit(0);
}

void consul_end_session(struct backend *b)
{
	struct consul_backend *c = b->data;

	if (!c || c->keeper <= 0)
		return;
	kill(c->keeper, SIGKILL);
	waitpid(c->keeper, NULL, 0);
	c->keeper = 0;
}

static int make_session(struct backend *b, struct str *why)
{
	struct consul_backend *c = b->data;
	struct fetch_answer answer = { 0 };
	struct json_error err;

	if (consul_ask(
		    b, "PUT", STR("session/create"),
		    STR("{\"LockDelay\":\"5000ms\",\"Name\":\"Consul API Lock\",\"TTL\":\"15s\"}"),
		    &answer, why))
		return -1;
	c->session =
		json_get_str(json_parse(b->arena, answer.body, &err), "ID");
	*why = STR("the answer is not Consul's");
	return c->session.n ? 0 : -1;
}

/* The lock of a session is released with it. */
static int destroy_session(struct backend *b, struct str session,
			   struct str *why)
{
	struct fetch_answer answer = { 0 };

	return consul_ask(b, "PUT",
			  STR_CAT(b->arena, STR("session/destroy/"), session),
			  STR_NONE, &answer, why);
}

/* --- the lock --- */

/* A request about the lock whose answer is true or false. */
static int ask_lock(struct backend *b, const char *what, bool *yes,
		    struct str *why)
{
	struct consul_backend *c = b->data;
	struct fetch_answer answer = { 0 };

	if (consul_ask(b, "PUT",
		       STR_CAT(b->arena,
			       consul_key(b, lock_key(b, "/.lock"), ""),
			       STR("?"), str_c(what), STR("="), c->session,
			       STR("&flags=" LOCK_FLAGS)),
		       STR_NONE, &answer, why))
		return -1;
	*yes = str_is(str_trim(answer.body), "true");
	return 0;
}

static int write_info(struct backend *b, const struct lock_info *l,
		      struct str *why)
{
	struct fetch_answer answer = { 0 };
	struct buf text = BUF_INIT;
	int rc;

	lock_info_write(&text, l);
	rc = consul_ask(b, "PUT", consul_key(b, lock_key(b, "/.lockinfo"), ""),
			buf_view(&text), &answer, why);
	buf_release(&text);
	return rc;
}

static int read_info(struct backend *b, struct lock_info *l, struct str *why)
{
	struct consul_pair pair;

	if (consul_get(b, lock_key(b, "/.lockinfo"), &pair, why))
		return -1;
	if (!pair.found || lock_info_read(b->arena, pair.value, l))
		*l = (struct lock_info){ .id = STR_NONE };
	return 0;
}

static enum lock_result held(struct backend *b, struct lock_info *holder,
			     const char **why)
{
	struct consul_backend *c = b->data;
	struct str ignored;

	read_info(b, holder, &ignored);
	*why = holder->id.n ? "the state is locked"
			    : "the lock has just been given up, and is not "
			      "given to others for some seconds";
	destroy_session(b, c->session, &ignored);
	c->session = STR_NONE;
	return LOCK_HELD;
}

enum lock_result consul_lock(struct backend *b, struct lock_info *mine,
			     struct lock_info *holder, const char **why,
			     struct diags *ds)
{
	struct consul_backend *c = b->data;
	struct str error, ignored;
	bool taken = false;

	if (!c->lock)
		return LOCK_TAKEN;
	if (make_session(b, &error)) {
		backend_lock_error(b, error, ds);
		return LOCK_FAILED;
	}
	if (!ask_lock(b, "acquire", &taken, &error)) {
		if (!taken)
			return held(b, holder, why);
		mine->id = c->session;
		mine->info =
			STR_CAT(b->arena, STR("consul session: "), c->session);
		mine->path = c->key;
		if (!write_info(b, mine, &error)) {
			start_keeper(b);
			return LOCK_TAKEN;
		}
	}
	if (destroy_session(b, c->session, &ignored))
		backend_lock_left(b, c->session, error, ds);
	else
		backend_lock_error(b, error, ds);
	c->session = STR_NONE;
	return LOCK_FAILED;
}

/* The key goes, too, unless somebody has it by now. */
static void remove_lock(struct backend *b)
{
	struct fetch_answer answer = { 0 };
	struct consul_pair pair;
	struct str ignored;

	if (consul_get(b, lock_key(b, "/.lock"), &pair, &ignored) ||
	    !pair.found || pair.session.n)
		return;
	consul_ask(b, "DELETE",
		   STR_CAT(b->arena, consul_key(b, lock_key(b, "/.lock"), ""),
			   STR("?cas="), pair.index),
		   STR_NONE, &answer, &ignored);
}

static void remove_info(struct backend *b)
{
	struct fetch_answer answer = { 0 };
	struct str ignored;

	consul_ask(b, "DELETE", consul_key(b, lock_key(b, "/.lockinfo"), ""),
		   STR_NONE, &answer, &ignored);
}

int consul_unlock(struct backend *b, struct diags *ds)
{
	struct consul_backend *c = b->data;
	struct str why, ignored;
	bool released = false;
	int rc;

	if (!c->session.n)
		return 0;
	consul_end_session(b);
	remove_info(b);
	rc = ask_lock(b, "release", &released, &why);
	if (!rc)
		remove_lock(b);
	/* this alone releases it, too */
	if (destroy_session(b, c->session, rc ? &ignored : &why) && !rc &&
	    !released)
		rc = -1;
	c->session = STR_NONE;
	return rc ? backend_unlock_error(b, why, ds) : 0;
}

bool consul_is_locked(struct backend *b, struct lock_info *holder)
{
	struct consul_pair pair;
	struct str why;

	return !consul_get(b, lock_key(b, "/.lock"), &pair, &why) &&
	       pair.session.n && !read_info(b, holder, &why) && holder->id.n;
}

int consul_force_unlock(struct backend *b, struct str id, bool forced,
			struct diags *ds)
{
	struct lock_info info = { .id = STR_NONE };
	struct consul_pair pair;
	struct str why = STR_NONE;

	(void)forced;
	if (!consul_get(b, lock_key(b, "/.lock"), &pair, &why) &&
	    !read_info(b, &info, &why)) {
		struct str holder = pair.session.n ? pair.session : info.id;

		if (!holder.n)
			why = STR("the state is not locked");
		else if (!str_eq(holder, id))
			why = str_printf(
				b->arena,
				"the lock's ID is \"%.*s\", not \"%.*s\"",
				STR_ARG(holder), STR_ARG(id));
		else if (!destroy_session(b, id, &why)) {
			remove_info(b);
			remove_lock(b);
			return 0;
		}
	}
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}
