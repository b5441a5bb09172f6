/*
 * plan_resource.c - one resource of a plan as people read it: what happens to
 * it and why, and the difference
 *
 * Source of texts and layout: OpenTofu 1.12.6.
 */
#include "base/visible.h"
#include "base/product.h"
#include "json/read.h"
#include "ui/diff/diff.h"
#include "ui/show/show_int.h"

/* --- the comment above a resource --- */

struct note {
	const struct view *v;
	struct buf *b;
	const struct shown_change *c;
	struct str shown; /* address, with the deposed key */
	bool drift;
};

static void note_head(struct note *n, const char *text)
{
	bool color = n->v->style.color;

	if (color)
		buf_puts(n->b, PAINT_BOLD);
	buf_puts(n->b, "  # ");
	buf_str(n->b, n->shown);
	if (color)
		buf_puts(n->b, PAINT_PLAIN);
	buf_puts(n->b, text);
}

static void note_red(struct note *n, const char *text)
{
	bool color = n->v->style.color;

	buf_addf(n->b, "%s%s%s", color ? PAINT_BOLD PAINT_RED : "", text,
		 color ? PAINT_PLAIN : "");
}

static void note_replace(struct note *n, struct str reason)
{
	if (str_is(reason, "replace_because_tainted")) {
		note_head(n, " is tainted, so it must be ");
		note_red(n, "replaced");
	} else if (str_is(reason, "replace_by_request")) {
		note_head(n, " will be ");
		note_red(n, "replaced");
		buf_puts(n->b, ", as requested");
	} else if (str_is(reason, "replace_by_triggers")) {
		note_head(n, " will be ");
		note_red(n, "replaced");
		buf_puts(n->b, " due to changes in replace_triggered_by");
	} else {
		note_head(n, " must be ");
		note_red(n, "replaced");
	}
}

/* Why a data source is read, or an object deleted: by the reason that the plan
 * gives.  index: the key, as JSON. */
void plan_why_text(struct buf *b, const struct shown_change *c,
		   struct str index)
{
	static const struct {
		const char *reason, *text;
	} plain[] = {
		{ "read_because_config_unknown",
		  "config refers to values not yet known" },
		{ "read_because_dependency_pending",
		  "depends on a resource or a module with changes pending" },
		{ "read_because_check_nested",
		  "config will be reloaded to verify a check block" },
		{ "delete_because_enabled_false", "because enabled is false" },
	};

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (str_is(c->reason, plain[i].reason))
			buf_puts(b, plain[i].text);
	if (str_is(c->reason, "delete_because_no_resource_config"))
		buf_addf(b, "because %.*s.%.*s is not in configuration",
			 STR_ARG(c->type), STR_ARG(c->name));
	else if (str_is(c->reason, "delete_because_no_move_target"))
		buf_addf(
			b,
			"because %.*s was moved to %.*s, which is not in configuration",
			STR_ARG(c->previous_address), STR_ARG(c->address));
	else if (str_is(c->reason, "delete_because_no_module"))
		buf_addf(b, "because %.*s is not in configuration",
			 STR_ARG(c->module));
	else if (str_is(c->reason, "delete_because_wrong_repetition"))
		buf_puts(b, !index.n ? "because resource uses count or for_each"
			    : index.p[0] != '"'
				    ? "because resource does not use count"
				    : "because resource does not use for_each");
	else if (str_is(c->reason, "delete_because_count_index"))
		buf_addf(b, "because index [%.*s] is out of range for count",
			 STR_ARG(index));
	else if (str_is(c->reason, "delete_because_each_key"))
		buf_addf(b, "because key [%.*s] is not in for_each map",
			 STR_ARG(index));
}

/* Writes why the object is destroyed, in a line of its own. */
static void note_why(struct note *n)
{
	const size_t begin = n->b->len;
	size_t said;

	buf_puts(n->b, "\n  # (");
	said = n->b->len;
	plan_why_text(n->b, n->c, n->c->json.index);
	if (n->b->len == said)
		buf_set_len(n->b, begin);
	else
		buf_putc(n->b, ')');
}

static void note_left_over(struct note *n)
{
	if (n->c->deposed.n)
		buf_puts(n->b, "\n  # (left over from a partially-failed "
			       "replacement of this instance)");
}

static void note_delete(struct note *n)
{
	if (n->drift) {
		note_head(n, " has been deleted");
	} else {
		note_head(n, " will be ");
		note_red(n, "destroyed");
	}
	note_why(n);
	note_left_over(n);
}

static void note_forget(struct note *n, struct str reason)
{
	note_head(n, product_is_terraform()
			     ? " will no longer be managed by Terraform, "
			     : " will be removed from the OpenTofu state ");
	note_red(n, "but will not be destroyed");
	if (str_is(reason, "forgot_because_lifecycle_destroy_in_state"))
		buf_puts(n->b, " \n (because lifecycle.destroy = false was "
			       "configured before this resource was removed "
			       "from the configuration)");
	else if (str_is(reason, "forgot_because_lifecycle_destroy_in_config"))
		buf_puts(n->b, " \n (because lifecycle.destroy = false is set "
			       "in the configuration)");
	note_left_over(n);
}

static void note_unchanged(struct note *n)
{
	if (n->c->moved) {
		struct str now = n->shown;

		n->shown = n->c->previous_address;
		note_head(n, " has moved to ");
		n->shown = now;
		buf_str(n->b, now);
	} else if (n->c->importing) {
		note_head(n, " will be imported");
		if (n->c->generated_config.n)
			buf_puts(n->b, "\n  # (config will be generated)");
	}
}

static void note_import(struct note *n)
{
	const enum diff_action action = n->c->action;
	struct arena a = ARENA_INIT;
	struct str id =
		json_slice_str(&a, json_slice_get(n->c->json.importing, "id"));

	if (id.n)
		buf_addf(n->b, "  # (imported from \"%.*s\")\n",
			 STR_ARG(visible_word(&a, id)));
	else
		buf_puts(n->b, "  # (will be imported first)\n");
	if (action == DIFF_REPLACE_CREATE_FIRST ||
	    action == DIFF_REPLACE_DESTROY_FIRST)
		buf_puts(
			n->b,
			"  # Warning: this will destroy the imported resource\n");
	arena_release(&a);
}

static void put_note(struct note *n)
{
	struct str reason = n->c->reason;

	switch (n->c->action) {
	case DIFF_CREATE:
		note_head(n, " will be created");
		break;
	case DIFF_READ:
		note_head(n, " will be read during apply");
		note_why(n);
		break;
	case DIFF_UPDATE:
		note_head(n, n->drift ? " has changed"
				      : " will be updated in-place");
		break;
	case DIFF_DELETE:
		note_delete(n);
		break;
	case DIFF_FORGET:
		note_forget(n, reason);
		break;
	case DIFF_NOOP:
		note_unchanged(n);
		break;
	case DIFF_FORGET_CREATE:
		note_replace(n, reason);
		buf_puts(
			n->b,
			" - older instance will not be destroyed (lifecycle.destroy = false)");
		break;
	default:
		note_replace(n, reason);
	}
	buf_putc(n->b, '\n');
	if (n->c->action != DIFF_NOOP && n->c->moved)
		buf_addf(n->b, "  # (moved from %.*s)\n",
			 STR_ARG(n->c->previous_address));
	if (n->c->importing)
		note_import(n);
}

/* What stands within a line, without what would end it. */
static struct shown_change in_words(struct arena *a,
				    const struct shown_change *c)
{
	struct shown_change words = *c;
	struct str *const all[] = {
		&words.address, &words.previous_address,
		&words.module,  &words.type,
		&words.name,    &words.deposed,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		*all[i] = visible_word(a, *all[i]);
	return words;
}

struct str plan_resource_note(struct arena *a, const struct shown_change *c)
{
	const struct view plain = { .arena = a };
	const struct shown_change words = in_words(a, c);
	struct buf b = BUF_INIT;
	struct note n = { &plain, &b, &words, words.address, false };

	if (c->deposed.n)
		n.shown = str_printf(a, "%.*s (deposed object %.*s)",
				     STR_ARG(n.shown), STR_ARG(words.deposed));
	put_note(&n);
	return buf_take(a, &b);
}

const struct diff *plan_resource_diff(struct arena *a, const struct shown *s,
				      const struct shown_change *c,
				      const struct diff_input *in)
{
	const struct resource_schema *schema =
		map_get(&s->schemas, STR_CAT(a, c->mode, STR("."), c->type,
					     STR("@"), c->provider));

	return schema && schema->block ? diff_block(a, in, schema->block)
				       : diff_json(a, in);
}

void plan_resource_text(struct buf *b, const struct view *v,
			const struct shown_change *c, struct arena *a,
			const struct diff *d, bool drift)
{
	struct diff_style st = { .color = v->style.color,
				 .show_sensitive = v->show_sensitive };
	const struct shown_change words = in_words(a, c);
	struct note n = { v, b, &words, words.address, drift };

	c = &words;
	if (c->deposed.n)
		n.shown = str_printf(a, "%.*s (deposed object %.*s)",
				     STR_ARG(n.shown), STR_ARG(c->deposed));
	buf_putc(b, '\n');
	put_note(&n);
	if (c->action == DIFF_FORGET)
		st.no_symbols = st.no_null_suffix = true;
	st.show_unchanged = c->importing;
	diff_symbol(b, c->action, v->style.color);
	buf_puts(b, str_is(c->mode, "managed") ? " resource \"" : " data \"");
	buf_str(b, c->type);
	buf_puts(b, "\" \"");
	buf_str(b, c->name);
	buf_puts(b, "\" ");
	diff_render(b, d, 0, st);
	buf_putc(b, '\n');
}
