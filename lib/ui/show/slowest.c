/*
 * slowest.c - the record `slowest`, as text (show.h)
 *
 * Its writer is lib/engine/change/slowest.c.
 */
#include "base/visible.h"
#include "json/tree.h"
#include "ui/show/show.h"

const char *shown_verb(struct str action)
{
	static const struct {
		const char *action, *verb;
	} verbs[] = {
		{ "create", "creating" },    { "update", "modifying" },
		{ "delete", "destroying" },  { "read", "reading" },
		{ "refresh", "refreshing" },
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (str_is(action, verbs[i].action))
			return verbs[i].verb;
	return "applying";
}

void slowest_text(struct buf *out, struct str line)
{
	struct arena scratch = ARENA_INIT;
	const struct json *ops =
		json_get(json_slice_tree(&scratch, line, NULL), "operations");
	struct buf took = BUF_INIT;

	if (!ops || ops->kind != JSON_ARRAY)
		ops = NULL;
	if (ops && ops->len)
		buf_puts(out, "\nSlowest:\n");
	for (uint32_t i = 0; ops && i < ops->len; i++) {
		const struct json *op = &ops->items[i];
		const int64_t ms = json_get_int(op, "milliseconds", 0);

		buf_set_len(&took, 0);
		buf_seconds(&took, (ms + 500) / 1000);
		buf_addf(out, "  %8.*s  ", STR_ARG(buf_view(&took)));
		visible_line(out, json_get_str(op, "address"));
		buf_addf(out, " (%s)\n",
			 shown_verb(json_get_str(op, "action")));
	}
	buf_release(&took);
	arena_release(&scratch);
}
