/* state_words.c - see view.h */
#include "ui/view.h"
#include "addr/provider.h"
#include "base/product.h"
#include "base/visible.h"
#include "json/write.h"

void state_say(struct view *v, const char *fmt, ...)
{
	char *text;
	size_t n;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(v->arena, fmt, ap);
	va_end(ap);
	n = strlen(text);
	if (v->json && n && (text[n - 1] == '.' || text[n - 1] == '!'))
		text[n - 1] = '\0';
	ui_say(v, text);
}

/* --- addresses --- */

void state_say_address(struct view *v, struct str address)
{
	struct buf line = BUF_INIT;
	struct jw w;

	if (!v->json) {
		out_str(v->out, visible_word(v->arena, address));
		out_write(v->out, "\n", 1);
		return;
	}
	w = ui_message(&line, "info", address);
	jw_member_str(&w, "type", STR("resource_address"));
	ui_message_end(v, &line, &w);
}

void state_say_moved(struct view *v, const struct state_moved_vec *moved,
		     bool dry_run)
{
	for (size_t i = 0; i < moved->len; i++) {
		struct buf from = BUF_INIT, to = BUF_INIT;

		addr_print_quoted(&from, moved->items[i].from);
		addr_print_quoted(&to, moved->items[i].to);
		state_say(v, "%s %s to %s", dry_run ? "Would move" : "Move",
			  from.p, to.p);
		buf_release(&from);
		buf_release(&to);
	}
}

/* --- providers --- */

static void provider_message(struct view *v, struct str from, struct str to,
			     const struct state_resource_vec *rs)
{
	struct buf line = BUF_INIT, text = BUF_INIT;
	struct jw w = ui_message(
		&line, "info",
		str_printf(
			v->arena,
			"%s will replace provider from %.*s to %.*s for %zu resources",
			product_name(), STR_ARG(from), STR_ARG(to), rs->len));

	jw_member_str(&w, "from", from);
	jw_key(&w, "resources");
	jw_array(&w);
	for (size_t i = 0; i < rs->len; i++) {
		buf_set_len(&text, 0);
		state_resource_text(&text, rs->items[i]->module,
				    &rs->items[i]->addr);
		jw_str(&w, buf_view(&text));
	}
	jw_array_end(&w);
	jw_member_str(&w, "to", to);
	jw_member_str(&w, "type", STR("replace_provider"));
	ui_message_end(v, &line, &w);
	buf_release(&text);
}

void state_say_provider(struct view *v, struct provider_addr before,
			struct provider_addr after,
			const struct state_resource_vec *rs)
{
	struct str from = provider_addr_text(v->arena, before);
	struct str to = provider_addr_text(v->arena, after);
	struct buf b = BUF_INIT;

	if (v->json) {
		provider_message(v, from, to, rs);
		return;
	}
	buf_addf(&b,
		 "%s will perform the following actions:\n\n"
		 "  ~ Updating provider:\n"
		 "    - %.*s\n"
		 "    + %.*s\n\n"
		 "Changing %zu resources:\n\n",
		 product_name(), STR_ARG(from), STR_ARG(to), rs->len);
	for (size_t i = 0; i < rs->len; i++) {
		buf_puts(&b, "  ");
		state_resource_text(&b, rs->items[i]->module,
				    &rs->items[i]->addr);
		buf_putc(&b, '\n');
	}
	out_str(v->out, buf_view(&b));
	out_flush(v->out);
	buf_release(&b);
}

/* --- workspaces --- */

static void workspaces_message(struct view *v, const struct str_vec *names,
			       struct str current)
{
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, "info", STR("list of workspaces"));

	jw_member_str(&w, "current_workspace", current);
	jw_member_str(&w, "type", STR("workspace_list"));
	jw_key(&w, "workspaces");
	jw_array(&w);
	for (size_t i = 0; i < names->len; i++)
		jw_str(&w, names->items[i]);
	jw_array_end(&w);
	ui_message_end(v, &line, &w);
}

void state_say_workspaces(struct view *v, const struct str_vec *names,
			  struct str current)
{
	if (v->json) {
		workspaces_message(v, names, current);
		return;
	}
	for (size_t i = 0; i < names->len; i++)
		state_say(v, "%s %.*s",
			  str_eq(names->items[i], current) ? "*" : " ",
			  STR_ARG(visible_word(v->arena, names->items[i])));
	ui_say(v, "");
}

void state_say_made(struct view *v, struct str workspace)
{
	state_say(
		v,
		"Created and switched to workspace \"%.*s\"%sYou're now on a new, "
		"empty workspace. Workspaces isolate their state,\n"
		"so if you run \"%s plan\" %s will not see any existing state\n"
		"for this configuration.",
		STR_ARG(workspace), v->json ? ". " : "!\n\n", product_command(),
		product_name());
}
