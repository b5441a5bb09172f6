/* edit_commands.c - see edit.h */
#include <errno.h>
#include <unistd.h>

#include "state/edit/edit.h"
#include "encrypt/encrypt.h"
#include "addr/provider.h"
#include "addr/walk.h"
#include "base/io.h"
#include "base/product.h"
#include "state/file/file.h"

int state_find(struct state_access *a, const struct str_vec *addresses,
	       bool missing_ok, struct state_ref_vec *out)
{
	int rc = 0;

	for (size_t i = 0; i < addresses->len; i++)
		rc |= state_lookup(a->arena, a->s, addresses->items[i],
				   missing_ok, out, a->ds);
	return rc ? -1 : 0;
}

int state_instance_parse(struct arena *a, struct str text,
			 struct instance_addr *out, struct diags *ds)
{
	struct diags why = DIAGS_INIT(a);

	if (!instance_addr_parse(a, text, out, &why))
		return 0;
	return diag_error(
		ds, NULL,
		arena_printf(a, "Error parsing instance address \"%.*s\"",
			     STR_ARG(text)),
		"%.*s One instance must be named; \"%s state list\" shows them.",
		STR_ARG(why.items[0].detail), product_command());
}

struct state_instance *state_find_one(struct state_access *a,
				      const struct instance_addr *addr,
				      struct str text,
				      struct state_resource **r)
{
	struct state_instance *i;

	*r = state_resource(a->s, addr->module, &addr->resource);
	i = *r ? state_instance(*r, addr->key) : NULL;
	if (!i)
		diag_error(
			a->ds, NULL, "No instance found for the given address",
			"The state has no instance %.*s; \"%s state list\" shows those that it has.%.*s",
			STR_ARG(text), product_command(),
			STR_ARG(state_hint(a->arena, a->s, text)));
	return i;
}

int state_store_moved(struct state_access *from, struct state_access *to)
{
	if (backend_write(to->b, to->s, to->ds))
		return -1;
	return to == from ? 0 : backend_write(from->b, from->s, from->ds);
}

int state_remove_all(struct state_access *a, const struct state_ref_vec *refs)
{
	for (size_t i = 0; i < refs->len; i++)
		state_forget(a->s, &refs->items[i]);
	return backend_write(a->b, a->s, a->ds);
}

int state_replace_provider(struct state_access *a,
			   const struct state_resource_vec *rs,
			   struct provider_addr to)
{
	for (size_t i = 0; i < rs->len; i++)
		rs->items[i]->provider.provider = to;
	return backend_write(a->b, a->s, a->ds);
}

int state_provider_parse(struct arena *a, struct str text, const char *which,
			 struct provider_addr *out, struct diags *ds)
{
	struct str why = STR_NONE;

	if (!provider_addr_parse(a, text, provider_default_host(), out, &why))
		return 0;
	return diag_error(ds, NULL,
			  arena_printf(a, "Invalid \"%s\" provider \"%.*s\"",
				       which, STR_ARG(text)),
			  "%.*s", STR_ARG(why));
}

int state_mark(struct state_access *a, struct str address, bool tainted,
	       bool missing_ok)
{
	int rc;

	if (state_access_read(a, tainted ? "taint" : "untaint"))
		return -1;
	rc = state_taint(a->s, address, tainted, missing_ok, a->ds);
	return rc ? rc : backend_write(a->b, a->s, a->ds);
}

/* One that is encrypted, as errored.tfstate is, becomes what it is. */
static int open_pushed(struct arena *a, struct envelope *env, struct buf *text,
		       struct diags *ds)
{
	struct buf opened = BUF_INIT;
	struct str plain;
	bool stale;

	if (!env || !envelope_is(buf_view(text)))
		return 0;
	if (envelope_open(env, a, ENVELOPE_STATE, buf_view(text), &plain,
			  &stale, ds))
		return -1;
	buf_str(&opened, plain);
	buf_release(text);
	*text = opened;
	return 0;
}

struct state *state_pushed(struct arena *a, struct str file,
			   struct envelope *env, struct buf *text,
			   struct diags *ds)
{
	struct diags found = DIAGS_INIT(a);
	struct state *s = NULL;
	int rc = str_is(file, "-") ? io_read_fd(STDIN_FILENO, text, 0)
				   : io_read_file(file.p, text, 0);

	if (rc) {
		diag_error(ds, NULL, "Failed to open the given state file",
			   "Cannot read %.*s: %s.", STR_ARG(file),
			   strerror(errno));
		return NULL;
	}
	if (text->len && open_pushed(a, env, text, &found))
		s = NULL;
	else if (text->len)
		s = state_parse(a, buf_view(text), file.p, &found);
	else
		diag_error(&found, NULL, "There is no state in it",
			   "Nothing at all was read.");
	if (!s) {
		diag_error(ds, NULL,
			   arena_printf(a,
					"Failed to read source state \"%.*s\"",
					STR_ARG(file)),
			   "%.*s: %.*s", STR_ARG(found.items[0].summary),
			   STR_ARG(found.items[0].detail));
		return NULL;
	}
	diags_append(ds, &found);
	return s;
}
