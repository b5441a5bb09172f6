/* s3_lock.c - the locks of a state in S3; see s3_int.h
 *
 * Two places may hold one: an object beside the state, KEY.tflock, and an item
 * of a table of DynamoDB, BUCKET/KEY.  Both are the lock's info, and both are
 * made only where there is none.  Who has both takes the object first, and
 * gives it back where the item is another's: so people go over from the one to
 * the other.
 *
 * An answer may be lost.  So after an error, too, the place is read: what has
 * our ID is ours.  A removal is not sent twice without a look between, for the
 * second one may meet the lock of somebody else.
 */
#include "state/backend/s3/s3_int.h"
#include "state/backend/backend_int.h"

/* One of the two. */
struct place {
	const char *name;
	bool (*used)(const struct s3 *s);
	/* As s3_put_lock and s3_get. */
	int (*put)(struct backend *b, struct str text, bool *held,
		   struct str *why);
	int (*get)(struct backend *b, struct str *text, struct str *why);
	/* Sends it once; text: what was read. */
	int (*remove)(struct backend *b, struct str text, struct str *why);
};

/* --- the object --- */

static bool object_used(const struct s3 *s)
{
	return s->lockfile;
}

static struct str object_key(struct backend *b)
{
	const struct s3 *s = b->data;

	return STR_CAT(b->arena, s->key, STR(".tflock"));
}

static int object_put(struct backend *b, struct str text, bool *held,
		      struct str *why)
{
	return s3_put_lock(b, object_key(b), text, held, why);
}

static int object_get(struct backend *b, struct str *text, struct str *why)
{
	return s3_get(b, object_key(b), text, why);
}

static int object_remove(struct backend *b, struct str text, struct str *why)
{
	(void)text;
	return s3_delete(b, object_key(b), false, why);
}

/* --- the item --- */

static bool item_used(const struct s3 *s)
{
	return s->table.n > 0;
}

static struct str item_id(struct backend *b)
{
	const struct s3 *s = b->data;

	return STR_CAT(b->arena, s->bucket, STR("/"), s->key);
}

static int item_put(struct backend *b, struct str text, bool *held,
		    struct str *why)
{
	return s3_item_put(b, item_id(b), "Info", text, true, held, why);
}

static int item_get(struct backend *b, struct str *text, struct str *why)
{
	return s3_item_get(b, item_id(b), "Info", text, why);
}

static int item_remove(struct backend *b, struct str text, struct str *why)
{
	return s3_item_delete(b, item_id(b), text, why);
}

static const struct place places[] = {
	{ "S3", object_used, object_put, object_get, object_remove },
	{ "DynamoDB", item_used, item_put, item_get, item_remove },
};
enum { NPLACES = sizeof(places) / sizeof(*places) };

/* --- one place --- */

/* *holder has no ID: there is no lock, or one that is no info. */
static int look(struct backend *b, const struct place *p,
		struct lock_info *holder, struct str *text, struct str *why)
{
	*holder = (struct lock_info){ .id = STR_NONE };
	if (p->get(b, text, why))
		return -1;
	if (text->p && lock_info_read(b->arena, *text, holder))
		*holder = (struct lock_info){ .id = STR_NONE };
	return 0;
}

enum { TIMES = 5, PAUSE_MS = 300 };

/* Removes the lock with this ID, until it is seen to be gone, whatever refuses
 * that at first; gone: it is fine if there is none to begin with. */
static int give_back(struct backend *b, const struct place *p, struct str id,
		     bool gone, struct str *why)
{
	struct lock_info holder;
	struct str text;
	bool sent = false;

	for (int i = 0; i < TIMES; i++) {
		remote_pause(&b->remote, i ? PAUSE_MS : 0);
		if (look(b, p, &holder, &text, why))
			continue;
		if (!str_eq(holder.id, id)) {
			*why = str_printf(
				b->arena,
				text.p ? "the lock in %s has the ID \"%.*s\", not \"%.*s\""
				       : "there is no lock in %s",
				p->name, STR_ARG(holder.id), STR_ARG(id));
			return gone || sent ? 0 : -1;
		}
		sent = true;
		if (!p->remove(b, text, why))
			return 0;
	}
	return -1;
}

/* *left: nobody knows whether it was taken. */
static enum lock_result take(struct backend *b, const struct place *p,
			     const struct lock_info *mine, struct str info,
			     struct lock_info *holder, bool *left,
			     struct str *why)
{
	struct str text, other;
	bool held;

	int rc = -1;

	if (!p->put(b, info, &held, why))
		return LOCK_TAKEN;
	for (int i = 0; rc && i < TIMES; i++) {
		remote_pause(&b->remote, i ? PAUSE_MS : 0);
		rc = look(b, p, holder, &text, &other);
	}
	*left = rc != 0;
	if (rc)
		return LOCK_FAILED;
	if (str_eq(holder->id, mine->id))
		return LOCK_TAKEN; /* the answer was lost */
	return held ? LOCK_HELD : LOCK_FAILED;
}

/* --- all of them --- */

/* Gives back the locks before the one with this number; *left: one may be
 * left. */
static void give_back_before(struct backend *b, size_t n, struct str id,
			     bool *left)
{
	const struct s3 *s = b->data;
	struct str ignored;

	for (size_t i = 0; i < n; i++)
		if (places[i].used(s) &&
		    give_back(b, &places[i], id, true, &ignored))
			*left = true;
}

enum lock_result s3_lock(struct backend *b, struct lock_info *mine,
			 struct lock_info *holder, const char **why,
			 struct diags *ds)
{
	const struct s3 *s = b->data;
	enum lock_result result = LOCK_TAKEN;
	struct buf info = BUF_INIT;
	struct str error = STR_NONE;
	bool left = false;

	if (!s->lockfile && !s->table.n)
		return LOCK_TAKEN;
	if (s3_know(b, ds))
		return LOCK_FAILED;
	mine->path = item_id(b);
	lock_info_write(&info, mine);
	for (size_t i = 0; i < NPLACES && result == LOCK_TAKEN; i++) {
		if (!places[i].used(s))
			continue;
		result = take(b, &places[i], mine, buf_view(&info), holder,
			      &left, &error);
		if (result != LOCK_TAKEN)
			give_back_before(b, i, mine->id, &left);
	}
	buf_release(&info);
	*why = error.n ? arena_strndup(b->arena, error.p, error.n) : "";
	if (result == LOCK_FAILED && left)
		backend_lock_left(b, mine->id, error, ds);
	else if (result == LOCK_FAILED)
		backend_lock_error(b, error, ds);
	return result;
}

/* What went wrong, of both; a place that is free already is no reason to leave
 * the other one locked. */
static int unlock_all(struct backend *b, struct str id, struct str *why)
{
	const struct s3 *s = b->data;
	struct str one;
	int rc = 0;

	*why = STR_NONE;
	for (size_t i = 0; i < NPLACES; i++) {
		if (!places[i].used(s) ||
		    !give_back(b, &places[i], id, false, &one))
			continue;
		*why = why->n ? STR_CAT(b->arena, *why, STR("; "), one) : one;
		rc = -1;
	}
	return rc;
}

int s3_unlock(struct backend *b, struct diags *ds)
{
	struct str why;

	return unlock_all(b, b->lock.id, &why)
		       ? backend_unlock_error(b, why, ds)
		       : 0;
}

bool s3_is_locked(struct backend *b, struct lock_info *holder)
{
	const struct s3 *s = b->data;
	struct str text, why;

	for (size_t i = 0; i < NPLACES; i++)
		if (places[i].used(s) &&
		    !look(b, &places[i], holder, &text, &why) && holder->id.n)
			return true;
	return false;
}

int s3_force_unlock(struct backend *b, struct str id, bool forced,
		    struct diags *ds)
{
	const struct s3 *s = b->data;
	struct str why;

	(void)forced;
	if (s3_know(b, ds))
		return -1;
	if (!s->lockfile && !s->table.n)
		return 0;
	if (!unlock_all(b, id, &why))
		return 0;
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}
