/* kubernetes_lock.c - the locks of the backend kubernetes, see kubernetes.c */
#include "json/tree.h"
#include "state/backend/kubernetes/kubernetes_int.h"
#include "state/backend/backend_int.h"

static const char info_name[] = "app.terraform.io/lock-info";

static struct str path_of(struct backend *b)
{
	return kubernetes_leases(b,
				 ((struct kubernetes_backend *)b->data)->lease);
}

static struct str holder_of(const struct json *lease)
{
	return json_get_str(json_get(lease, "spec"), "holderIdentity");
}

static void read_holder(struct backend *b, const struct json *lease,
			struct lock_info *holder)
{
	struct str text = json_get_str(json_get(json_get(lease, "metadata"),
						"annotations"),
				       info_name);

	if (!text.n || lock_info_read(b->arena, text, holder))
		*holder = (struct lock_info){ .id = holder_of(lease) };
}

/* The lease as it is to be: old, or a new one, held by l; NULL: by nobody. */
static void write_lease(struct backend *b, const struct json *old,
			const struct lock_info *l, struct buf *out)
{
	static const char *const parts[] = { "metadata", "spec", NULL };
	static const char *const annotations[] = { "annotations", NULL };
	static const char *const info[] = { info_name, NULL };
	static const char *const identity[] = { "holderIdentity", NULL };
	const struct json *metadata = json_get(old, "metadata");
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(out);

	jw_object(&w);
	jw_key(&w, "metadata");
	jw_object(&w);
	if (old) {
		kubernetes_copy(&w, metadata, annotations);
	} else {
		jw_member_str(&w, "name",
			      ((struct kubernetes_backend *)b->data)->lease);
		kubernetes_labels(b, &w);
	}
	jw_key(&w, "annotations");
	jw_object(&w);
	kubernetes_copy(&w, json_get(metadata, "annotations"), info);
	if (l) {
		lock_info_write(&text, l);
		jw_member_str(&w, info_name, buf_view(&text));
	}
	jw_object_end(&w);
	jw_object_end(&w);
	jw_key(&w, "spec");
	jw_object(&w);
	kubernetes_copy(&w, json_get(old, "spec"), identity);
	if (l)
		jw_member_str(&w, "holderIdentity", l->id);
	jw_object_end(&w);
	if (old) {
		kubernetes_copy(&w, old, parts);
	} else {
		jw_member_str(&w, "apiVersion", STR("coordination.k8s.io/v1"));
		jw_member_str(&w, "kind", STR("Lease"));
	}
	jw_object_end(&w);
	buf_release(&text);
}

/* *done: it is written; else somebody has changed it since old. */
static int put_lease(struct backend *b, const struct json *old,
		     const struct lock_info *l, bool *done, struct str *why)
{
	struct fetch_answer answer = { 0 };
	struct buf body = BUF_INIT;
	int rc;

	write_lease(b, old, l, &body);
	rc = kubernetes_ask(b, old ? "PUT" : "POST",
			    old ? path_of(b) : kubernetes_leases(b, STR_NONE),
			    buf_view(&body), &answer, why);
	*done = answer.status == 200 || answer.status == 201;
	buf_release(&body);
	return rc;
}

/* Gives up the lock of that ID: 1 if somebody else has it, who is in *holder,
 * or nobody. */
static int release(struct backend *b, struct str id, struct lock_info *holder,
		   struct str *why)
{
	const struct json *lease;
	bool done = false;

	for (int tries = 0; tries < 3 && !done; tries++) {
		if (kubernetes_get(b, path_of(b), &lease, why))
			return -1;
		*holder = (struct lock_info){ .id = STR_NONE };
		if (!holder_of(lease).n)
			return 1;
		read_holder(b, lease, holder);
		if (!str_eq(holder_of(lease), id))
			return 1;
		if (put_lease(b, lease, NULL, &done, why))
			return -1;
	}
	*why = STR("the lease is changed by others all the time");
	return done ? 0 : -1;
}

enum lock_result kubernetes_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds)
{
	struct lock_info other;
	const struct json *lease;
	bool done = false;
	struct str error, ignored;

	for (int tries = 0; tries < 3; tries++) {
		if (kubernetes_get(b, path_of(b), &lease, &error)) {
			backend_lock_error(b, error, ds);
			return LOCK_FAILED;
		}
		/* it may be ours: an answer was lost */
		if (str_eq(holder_of(lease), mine->id))
			return LOCK_TAKEN;
		if (holder_of(lease).n) {
			read_holder(b, lease, holder);
			*why = "the state is already locked by another client";
			return LOCK_HELD;
		}
		if (put_lease(b, lease, mine, &done, &error)) {
			if (release(b, mine->id, &other, &ignored) < 0)
				backend_lock_left(b, mine->id, error, ds);
			else
				backend_lock_error(b, error, ds);
			return LOCK_FAILED;
		}
		if (done)
			return LOCK_TAKEN;
	}
	*why = "others take the lock all the time";
	return LOCK_HELD;
}

int kubernetes_unlock(struct backend *b, struct diags *ds)
{
	struct lock_info holder;
	struct str why;
	int rc = release(b, b->lock.id, &holder, &why);

	if (rc == 1 && holder.id.n)
		why = STR_CAT(b->arena, STR("it is locked as "), holder.id);
	/* nobody's: our first request was done, but its answer was lost */
	return rc < 0 || (rc == 1 && holder.id.n)
		       ? backend_unlock_error(b, why, ds)
		       : 0;
}

bool kubernetes_is_locked(struct backend *b, struct lock_info *holder)
{
	const struct json *lease;
	struct str why;

	if (kubernetes_get(b, path_of(b), &lease, &why) || !holder_of(lease).n)
		return false;
	read_holder(b, lease, holder);
	return true;
}

int kubernetes_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds)
{
	struct lock_info holder;
	struct str why;
	int rc = release(b, id, &holder, &why);

	(void)forced;
	if (!rc)
		return 0;
	if (rc == 1)
		why = holder.id.n
			      ? str_printf(
					b->arena,
					"lock id \"%.*s\" does not match existing lock \"%.*s\"",
					STR_ARG(id), STR_ARG(holder.id))
			      : STR("state is already unlocked");
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}
