/*
 * rows.c - a state of rows: read, written, and its outcomes; see rows.h
 *
 * A row's value is a record as streams and journals have it (record.h).
 */
#include <errno.h>
#include <inttypes.h>

#include "addr/addr.h"
#include "addr/walk.h"
#include "json/read.h"
#include "json/write.h"
#include "state/backend/lock.h"
#include "state/backend/backend_int.h"
#include "state/file/file.h"
#include "state/file/file_int.h"

bool backend_by_row(const struct backend *b)
{
	return b->rows != NULL;
}

void backend_narrow(struct backend *b, const struct state_part *part)
{
	if (b->rows)
		b->rows->part = part;
}

void rows_release(struct backend *b)
{
	if (b->rows)
		arena_release(&b->rows->arena);
}

/* --- from rows to a state --- */

static const char *record_of(enum row_kind kind)
{
	return kind == ROW_INSTANCE ? "prior_state"
	       : kind == ROW_OUTPUT ? "prior_output"
				    : "previous_check";
}

static int take_kept(struct state *s, struct str address, struct diags *ds)
{
	struct instance_addr addr;

	if (instance_addr_parse(s->arena, str_dup(s->arena, address), &addr,
				ds))
		return -1;
	state_resource_make(s, addr.module, &addr.resource)->kept = true;
	return 0;
}

static int take_rows(struct backend *b, struct state *s,
		     const struct row_vec *rows, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	int rc = 0;

	for (size_t i = 0; !rc && i < rows->len; i++) {
		struct state_row r = rows->items[i];

		if (r.kind == ROW_KEPT)
			rc = take_kept(s, r.address, ds);
		else if (rows_open(b, &scratch, &r))
			rc = diag_error(
				ds, NULL, "Unsupported state file format",
				"The value of %.*s in the state %.*s cannot be decrypted.",
				STR_ARG(r.address), STR_ARG(b->name));
		else if (r.kind == ROW_CHECK)
			rc = state_read_record(s, NULL,
					       str_c(record_of(r.kind)),
					       r.value, ds);
		else
			rc = state_read_record(NULL, s,
					       str_c(record_of(r.kind)),
					       r.value, ds);
		if (r.kind == ROW_CHECK)
			s->checks_known = true;
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	return rc;
}

/* A state that is stored has text: what it is does not matter.  The first claim
 * leaves a head alone, which is no state yet. */
static void take_head(struct backend *b, const struct row_head *head,
		      size_t nrows)
{
	b->known = true;
	b->text = head->serial || nrows ? STR("rows") : STR_NONE;
	b->serial = head->serial;
	b->lineage = str_dup(b->arena, head->lineage);
}

static void take_open(struct backend *b, const struct unsettled_vec *open)
{
	b->journal.unsettled.len = 0;
	for (size_t i = 0; i < open->len; i++)
		journal_unsettled_add(b, &open->items[i]);
}

static struct state *state_of(struct backend *b, struct arena *a,
			      const struct row_head *head,
			      const struct row_vec *rows, struct diags *ds)
{
	struct state *s = state_new(a);

	s->serial = head->serial;
	s->lineage = str_dup(a, head->lineage);
	s->backend = str_c(b->ops->type);
	s->workspace = b->workspace;
	return take_rows(b, s, rows, ds) ? NULL : s;
}

struct state *rows_read(struct backend *b, struct arena *a, struct diags *ds)
{
	const struct state_part *part = b->rows->part;
	struct row_filter f = { .resources = NULL };
	struct row_vec rows = { NULL, 0, 0 };
	struct unsettled_vec open = { NULL, 0, 0 };
	struct row_head head;
	struct state *s;
	struct str why;

	if (part) {
		f.resources = &part->resources;
		f.all_but = part->all_but;
		f.follow = !part->all_but;
	}
	if (b->rows->ops->read(b, &f, &head, &rows, &open, &why)) {
		backend_load_error(b, why, ds);
		return NULL;
	}
	if (rows_read_key(b, &head, ds))
		return NULL;
	s = state_of(b, a, &head, &rows, ds);
	take_head(b, &head, rows.len);
	take_open(b, &open);
	if (s && !b->opts.unsettled_told)
		journal_warn_unsettled(b, ds);
	return s;
}

/* --- from a state to rows --- */

struct str claim_resource(struct arena *a, struct module_addr m,
			  struct resource_addr r)
{
	struct buf out = BUF_INIT;

	module_addr_print_path(&out, m);
	if (out.len)
		buf_putc(&out, '.');
	resource_addr_print(&out, r);
	return buf_take(a, &out);
}

static void add_quoted(struct buf *out, struct str text)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"' || text.p[i] == '\\')
			buf_putc(out, '\\');
		buf_putc(out, text.p[i]);
	}
	buf_putc(out, '"');
}

static struct str list_of(struct arena *a, const struct str *items, size_t n)
{
	struct buf out = BUF_INIT;

	buf_putc(&out, '{');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_putc(&out, ',');
		add_quoted(&out, items[i]);
	}
	buf_putc(&out, '}');
	return buf_take(a, &out);
}

static struct state_row instance_row(struct arena *a,
				     const struct state_resource *r,
				     const struct state_instance *i,
				     struct str address)
{
	struct state_row row = { .kind = ROW_INSTANCE };
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);

	row.address = str_dup(a, address);
	row.deposed = str_dup(a, i->deposed);
	row.resource = claim_resource(a, r->module, r->addr);
	row.depends = list_of(a, i->dependencies, i->ndependencies);
	jw_object(&w);
	jw_member_str(&w, "address", address);
	state_instance_members(&w, r, i, false);
	jw_object_end(&w);
	row.value = buf_take(a, &line);
	return row;
}

static struct state_row output_row(struct arena *a,
				   const struct state_output *o)
{
	struct state_row row = { .kind = ROW_OUTPUT, .gone = !o->value };
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);

	row.address = state_output_address(a, o->name);
	jw_object(&w);
	jw_member_str(&w, "address", row.address);
	state_output_members(&w, o, false);
	jw_object_end(&w);
	row.value = buf_take(a, &line);
	return row;
}

static struct state_row check_row(struct arena *a, const struct state_check *c)
{
	struct state_row row = { .kind = ROW_CHECK };
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);

	row.address = str_dup(a, c->config_addr);
	jw_object(&w);
	jw_member_str(&w, "address", c->config_addr);
	jw_member_str(&w, "object_kind", c->object_kind);
	jw_member_str(&w, "status", c->status);
	if (c->objects.n) {
		jw_key(&w, "objects");
		jw_raw(&w, c->objects);
	}
	jw_object_end(&w);
	row.value = buf_take(a, &line);
	return row;
}

static void put_instances(struct arena *a, const struct state *s,
			  struct row_vec *out)
{
	struct buf text = BUF_INIT;

	for (size_t n = 0; n < s->resources.len; n++) {
		const struct state_resource *r = s->resources.items[n];

		for (size_t k = 0; k < r->instances.len; k++) {
			const struct state_instance *i = r->instances.items[k];

			if (r->addr.mode == MODE_EPHEMERAL)
				continue;
			buf_set_len(&text, 0);
			state_resource_text(&text, r->module, &r->addr);
			inst_key_print(&text, i->key);
			vec_push(a, out,
				 instance_row(a, r, i, buf_view(&text)));
		}
	}
	buf_release(&text);
}

static void put_outputs(struct arena *a, const struct state *s,
			struct row_vec *out)
{
	const struct state_output_list outs = state_outputs_sorted(s);

	for (size_t n = 0; n < outs.len; n++)
		vec_push(a, out, output_row(a, &outs.items[n]));
}

/* What no outcome tells: checks, and resources without instances. */
static void put_rest(struct arena *a, const struct state *s,
		     struct row_vec *out)
{
	struct buf text = BUF_INIT;

	for (size_t n = 0; n < s->checks.len; n++)
		vec_push(a, out, check_row(a, &s->checks.items[n]));
	for (size_t n = 0; n < s->resources.len; n++) {
		const struct state_resource *r = s->resources.items[n];

		if (!r->kept || r->instances.len)
			continue;
		buf_set_len(&text, 0);
		state_resource_text(&text, r->module, &r->addr);
		vec_push(a, out,
			 (struct state_row){ .kind = ROW_KEPT,
					     .address = buf_dup(a, &text) });
	}
	buf_release(&text);
}

/* Replaces what is in `rows`, all that should be there, by what has to be done
 * for it where `there` is. */
static int changes(struct backend *b, struct arena *a,
		   const struct row_vec *there, struct row_vec *rows, bool all,
		   struct str *why)
{
	struct map left = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < there->len; i++) {
		struct state_row *r =
			arena_dup(a, &there->items[i], sizeof(*r));

		if (rows_open(b, a, r)) {
			*why = STR_CAT(b->arena, STR("the value of "),
				       r->address, STR(" cannot be decrypted"));
			return -1;
		}
		map_put(a, &left, rows_place(a, r), r);
	}
	for (size_t i = 0; i < rows->len; i++) {
		struct str key = rows_place(a, &rows->items[i]);
		struct state_row *old = map_get(&left, key);

		if (old && !all && str_eq(old->value, rows->items[i].value)) {
			old->gone = true; /* it is not left */
			continue;
		}
		if (old)
			old->gone = true;
		rows->items[n++] = rows->items[i];
	}
	rows->len = n;
	for (size_t i = 0; i < left.len; i++) {
		struct state_row old =
			*(struct state_row *)left.entries[i].value;

		if (old.gone)
			continue;
		old.gone = true;
		vec_push(a, rows, old);
	}
	return 0;
}

static int seal_rows(struct backend *b, struct arena *a, struct row_vec *rows)
{
	for (size_t i = 0; i < rows->len; i++)
		if (rows_seal(b, a, &rows->items[i]))
			return -1;
	return 0;
}

/* Writers begin a run of their own where nobody took a lock. */
static int begin(struct backend *b, struct diags *ds)
{
	if (b->rows->begun || b->locked)
		return 0;
	b->lock = lock_info_new(b->arena,
				b->opts.operation.n ? b->opts.operation.p : "");
	b->rows->partly = true;
	b->rows->claims.len = 0;
	switch (rows_lock(b, &(struct lock_info){ .id = STR_NONE },
			  &(const char *){ "" }, ds)) {
	case LOCK_TAKEN:
		return 0;
	default:
		return -1;
	}
}

int rows_replace(struct backend *b, struct state *s, bool store, bool *differs,
		 struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct row_vec there = { NULL, 0, 0 }, rows = { NULL, 0, 0 };
	struct unsettled_vec open = { NULL, 0, 0 };
	struct row_filter all = { .resources = NULL };
	struct row_head head;
	struct str why;
	bool renewed = false;
	int rc = -1;

	if ((store && begin(b, ds)) ||
	    (b->rows->ops->read(b, &all, &head, &there, &open, &why) &&
	     backend_load_error(b, why, ds)) ||
	    rows_read_key(b, &head, ds))
		goto out;
	take_head(b, &head, there.len);
	put_instances(&scratch, s, &rows);
	put_outputs(&scratch, s, &rows);
	put_rest(&scratch, s, &rows);
	if (changes(b, &scratch, &there, &rows, store && b->stale, &why)) {
		backend_load_error(b, why, ds);
		goto out;
	}
	*differs = rows.len != 0 || !b->text.n;
	rc = 0;
	if (!store)
		goto out;
	rc = -1;
	if (rows_prepare_sealing(b, &renewed, ds))
		goto out;
	head.key = b->rows->seals ? b->rows->sealed_key : STR_NONE;
	head.lineage = s->lineage;
	head.serial = s->serial;
	if (seal_rows(b, &scratch, &rows)) {
		backend_store_error(b, STR("it cannot be encrypted"), ds);
	} else if (b->rows->ops->replace(b, &rows, &head, &why)) {
		backend_store_error(b, why, ds);
	} else {
		take_head(b, &head, rows.len);
		b->stale = false;
		rc = 0;
	}
out:
	arena_release(&scratch);
	return rc;
}

static int write_error(struct backend *b, struct diags *ds)
{
	return backend_store_error(b, b->rows->why, ds);
}

/* The rest of a state of which the outcomes are there. */
static int write_rest(struct backend *b, struct state *s, struct diags *ds)
{
	const struct row_filter rest = { .settled = true };
	struct arena scratch = ARENA_INIT;
	struct row_vec there = { NULL, 0, 0 }, rows = { NULL, 0, 0 };
	struct unsettled_vec open = { NULL, 0, 0 };
	struct rows *rw = b->rows;
	struct row_head head;
	int rc = -1;

	put_rest(&scratch, s, &rows);
	if (rows_flush(b) ||
	    rw->ops->read(b, &rest, &head, &there, &open, &rw->why) ||
	    changes(b, &scratch, &there, &rows, false, &rw->why) ||
	    seal_rows(b, &scratch, &rows) ||
	    (rows.len && rw->ops->commit(b, &rows, &rw->why)) ||
	    rw->ops->count(b, &s->serial, &rw->why)) {
		write_error(b, ds);
	} else {
		b->serial = s->serial;
		b->text = STR("rows");
		rc = 0;
	}
	arena_release(&scratch);
	return rc;
}

int rows_write(struct backend *b, struct state *s, struct diags *ds)
{
	bool differs;

	if (b->rows->begun)
		return write_rest(b, s, ds);
	s->serial = b->serial;
	if (rows_replace(b, s, false, &differs, ds))
		return -1;
	if (!differs && !b->stale)
		return 0;
	s->serial = b->serial + differs;
	if (!s->lineage.n)
		s->lineage = b->lineage;
	return rows_replace(b, s, true, &differs, ds);
}

/* --- claims --- */

bool rows_claim_later(const struct backend *b, const char *operation)
{
	return b->rows && !b->rows->partly &&
	       str_starts(str_c(operation), "OperationType");
}

/* Under the lock the key is made with which outcomes will be sealed. */
static int prepare_key(struct backend *b, struct diags *ds)
{
	struct rows *rw = b->rows;
	bool renewed;
	struct str why;

	if (rows_prepare_sealing(b, &renewed, ds))
		return -1;
	if (!renewed)
		return 0;
	return rw->ops->set_key(b, rw->sealed_key, &why)
		       ? backend_store_error(b, why, ds)
		       : 0;
}

enum lock_result rows_lock(struct backend *b, struct lock_info *holder,
			   const char **what, struct diags *ds)
{
	const struct claim whole = { .writes = true };
	struct claim_vec all = { (struct claim *)&whole, 1, 1 };
	struct rows *rw = b->rows;
	struct row_head head;
	struct str why;
	enum lock_result r;

	r = rw->ops->claim(b, rw->partly ? &rw->claims : &all, &head, holder,
			   what, &why);
	if (r == LOCK_FAILED)
		backend_lock_error(b, why, ds);
	if (r != LOCK_TAKEN)
		return r;
	if (rows_read_key(b, &head, ds))
		return LOCK_FAILED;
	return LOCK_TAKEN;
}

static int read_claimed(struct backend *b, const struct claim_vec *claims,
			struct state **now, struct diags *ds)
{
	struct str_vec resources = { NULL, 0, 0 }, outputs = { NULL, 0, 0 };
	const struct row_filter f = { .resources = &resources,
				      .outputs = &outputs };
	struct row_vec rows = { NULL, 0, 0 };
	struct unsettled_vec open = { NULL, 0, 0 };
	struct row_head head;
	struct map seen = { 0 };
	struct str why;

	for (size_t i = 0; i < claims->len; i++) {
		const struct claim *c = &claims->items[i];

		if (!c->resource.n)
			vec_push(b->arena, &outputs, c->address);
		else if (!map_has(&seen, c->resource)) {
			map_put(b->arena, &seen, c->resource, b);
			vec_push(b->arena, &resources, c->resource);
		}
	}
	if (b->rows->ops->read(b, &f, &head, &rows, &open, &why))
		return backend_load_error(b, why, ds);
	if (rows_read_key(b, &head, ds))
		return -1;
	take_head(b, &head, rows.len);
	take_open(b, &open);
	*now = state_of(b, b->arena, &head, &rows, ds);
	if (*now && !b->opts.unsettled_told)
		journal_warn_unsettled(b, ds);
	return *now ? prepare_key(b, ds) : -1;
}

int backend_claim(struct backend *b, const struct claim_vec *claims, bool lock,
		  uint64_t timeout_ms, struct state **now, struct diags *ds)
{
	struct rows *rw = b->rows;

	if (!b->locked) {
		rw->partly = true;
		if (lock)
			rw->claims = *claims;
		if (backend_lock(b, b->opts.operation.p, timeout_ms, ds))
			return -1;
	}
	rw->begun = true;
	return read_claimed(b, claims, now, ds);
}

/* --- outcomes --- */

int rows_flush(struct backend *b)
{
	struct rows *rw = b->rows;

	if (!rw->pending.len)
		return 0;
	if (rw->ops->commit(b, &rw->pending, &rw->why)) {
		errno = EIO;
		return -1;
	}
	arena_reset(&rw->arena);
	rw->pending = (struct row_vec){ NULL, 0, 0 };
	return 0;
}

static int add_pending(struct backend *b, struct state_row r)
{
	struct rows *rw = b->rows;

	if (rows_seal(b, &rw->arena, &r)) {
		rw->why = STR("it cannot be encrypted");
		errno = EIO;
		return -1;
	}
	vec_push(&rw->arena, &rw->pending, r);
	return 0;
}

int rows_outcome(struct backend *b, const struct state_resource *r,
		 const struct state_instance *i, struct str address,
		 struct str deposed)
{
	struct rows *rw = b->rows;
	struct state_row row = { .kind = ROW_INSTANCE, .gone = true };

	journal_unsettled_drop(b, &address, &deposed, false);
	if (i)
		row = instance_row(&rw->arena, r, i, address);
	row.address = str_dup(&rw->arena, address);
	row.deposed = str_dup(&rw->arena, deposed);
	return add_pending(b, row);
}

int rows_record(struct backend *b, struct str line)
{
	struct state *s = state_new(&b->rows->arena);
	struct diags unused = DIAGS_INIT(&b->rows->arena);
	struct arena *a = &b->rows->arena;
	struct str address = json_slice_str(a, json_slice_get(line, "address"));
	struct str deposed = json_slice_str(a, json_slice_get(line, "deposed"));

	if (state_read_record(NULL, s, STR("prior_state"), line, &unused)) {
		errno = EINVAL;
		return -1;
	}
	for (size_t i = 0; i < s->resources.len; i++)
		if (s->resources.items[i]->instances.len)
			return rows_outcome(
				b, s->resources.items[i],
				s->resources.items[i]->instances.items[0],
				address, deposed);
	return rows_outcome(b, NULL, NULL, address, deposed);
}

int rows_output(struct backend *b, const struct state_output *out)
{
	return add_pending(b, output_row(&b->rows->arena, out));
}

int rows_intent(struct backend *b, struct str address, struct str deposed,
		const char *action)
{
	const struct unsettled u = { address, deposed, str_c(action) };
	struct rows *rw = b->rows;

	if (rows_flush(b))
		return -1;
	if (!rw->ops->intent(b, &u, &rw->why))
		return 0;
	errno = EIO;
	return -1;
}

int rows_settle(struct backend *b, const struct str *address, bool creations)
{
	const struct unsettled u = { address ? *address : STR_NONE, STR_NONE,
				     creations ? STR("create") : STR_NONE };
	struct rows *rw = b->rows;

	if (!rw->ops->settle(b, &u, &rw->why))
		return 0;
	errno = EIO;
	return -1;
}

struct str rows_unwritten(const struct backend *b)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < b->rows->pending.len; i++) {
		const struct state_row *r = &b->rows->pending.items[i];
		struct jw w = JW_INIT(&out);

		jw_object(&w);
		jw_member_str(&w, "record",
			      r->kind == ROW_OUTPUT ? STR("output")
						    : STR("outcome"));
		jw_member_str(&w, "address", r->address);
		if (r->deposed.n)
			jw_member_str(&w, "deposed", r->deposed);
		if (r->gone)
			jw_member_bool(&w, "gone", true);
		jw_object_end(&w);
		buf_putc(&out, '\n');
	}
	return buf_take(b->arena, &out);
}
