/*
 * check_work.c - the checks of an archive, and its unpacking; see
 * providers_int.h
 *
 * They take as long as the download does, so they are done in workers.  The
 * answer is a JSON object: why the archive is refused; else what vouches for it
 * (struct authentication), and what was unpacked or the errors of that.
 */
#include "install/providers/providers_int.h"
#include "base/io.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

struct check {
	struct install_job *j;
	job_checked_fn *fn;
};

/* --- in the worker --- */

static void write_list(struct jw *w, const char *name,
		       const struct str_vec *list)
{
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < list->len; i++)
		jw_str(w, list->items[i]);
	jw_array_end(w);
}

static void write_authentication(struct jw *w, const struct authentication *x)
{
	jw_member_str(w, "how", x->how);
	jw_member_str(w, "key", x->key_id);
	jw_member_bool(w, "expired", x->expired);
	jw_member_bool(w, "skipped", x->skipped);
	jw_member_str(w, "zip_hash", x->zip_hash);
	write_list(w, "local", &x->local);
	write_list(w, "vouched", &x->vouched);
}

static void write_unpacked(struct jw *w, const struct install_job *j)
{
	struct str_vec errors = { 0 };

	for (size_t i = 0; i < j->ds.len; i++)
		if (j->ds.items[i].severity == SEV_ERROR)
			vec_push(j->in->a, &errors, j->ds.items[i].detail);
	write_list(w, "errors", &errors);
	jw_member_str(w, "hash", j->found.hash);
	jw_member_bool(w, "same", j->found.same);
}

static void work(void *data, struct buf *answer)
{
	struct install_job *j = ((struct check *)data)->j;
	struct installer *in = j->in;
	int (*unpack)(struct install_job *) = in->put ? in->unpack : job_unpack;
	const bool local = j->chosen->archive.n > 0; /* nobody vouches for it */
	struct str why = STR_NONE;
	struct jw w = JW_INIT(answer);

	if ((local || !verify_archive(in->a, j->r->provider, &j->offer,
				      j->platform, j->archive,
				      job_allowed_hashes(j), &j->auth, &why)) &&
	    unpack)
		unpack(j);
	jw_object(&w);
	if (why.n)
		jw_member_str(&w, "why", why);
	else
		write_authentication(&w, &j->auth);
	write_unpacked(&w, j);
	jw_object_end(&w);
}

static void undo(void *data)
{
	struct install_job *j = ((struct check *)data)->j;

	job_drop(j);
	io_remove_tree(
		j->in->scratch.p); /* other workers will soon be gone, too */
}

/* --- its answer --- */

static void read_list(struct arena *a, const struct json *j, const char *name,
		      struct str_vec *out)
{
	const struct json *list = json_get(j, name);

	*out = (struct str_vec){ 0 };
	for (uint32_t i = 0; list && i < list->len; i++)
		vec_push(a, out, list->items[i].text);
}

static void read_answer(struct install_job *j, const struct json *said)
{
	struct arena *a = j->in->a;
	struct authentication *x = &j->auth;
	struct str_vec errors;

	x->how = json_get_str(said, "how");
	x->key_id = json_get_str(said, "key");
	x->expired = json_get_bool(said, "expired", false);
	x->skipped = json_get_bool(said, "skipped", false);
	x->zip_hash = json_get_str(said, "zip_hash");
	read_list(a, said, "local", &x->local);
	read_list(a, said, "vouched", &x->vouched);
	j->found.hash = json_get_str(said, "hash");
	j->found.same = json_get_bool(said, "same", false);
	read_list(a, said, "errors", &errors);
	for (size_t i = 0; i < errors.len; i++)
		diag_error(&j->ds, NULL, "Failed to install provider", "%.*s",
			   STR_ARG(errors.items[i]));
}

static void done(void *data, struct str answer)
{
	const struct check *c = data;
	struct install_job *j = c->j;
	struct json_error wrong;
	const struct json *said = json_parse(j->in->a, answer, &wrong);
	struct str why = json_get_str(said, "why");

	if (!said)
		why = STR("the process that checks and unpacks it has ended");
	else if (!why.n)
		read_answer(j, said);
	c->fn(j, why);
}

void job_check(struct install_job *j, job_checked_fn *fn)
{
	struct installer *in = j->in;
	struct check *c = ARENA_NEW(in->a, struct check);
	const struct work w = { work, undo, done, c };

	*c = (struct check){ j, fn };
	j->tmp = in->put ? str_printf(in->a, "%.*s.dir", STR_ARG(j->archive))
			 : job_temporary(j);
	workers_start(in->workers, &w);
}
