/* shown_change.c - see show.h */
#include "ui/show/show.h"
#include "json/read.h"
#include "json/tree.h"
#include "stream/record.h"

static enum diff_action shown_action(struct str actions)
{
	static const enum diff_action shown[] = {
		[ACTION_NOOP] = DIFF_NOOP,
		[ACTION_CREATE] = DIFF_CREATE,
		[ACTION_READ] = DIFF_READ,
		[ACTION_UPDATE] = DIFF_UPDATE,
		[ACTION_DELETE_CREATE] = DIFF_REPLACE_DESTROY_FIRST,
		[ACTION_CREATE_DELETE] = DIFF_REPLACE_CREATE_FIRST,
		[ACTION_FORGET_CREATE] = DIFF_FORGET_CREATE,
		[ACTION_DELETE] = DIFF_DELETE,
		[ACTION_FORGET] = DIFF_FORGET,
		[ACTION_OPEN] = DIFF_NOOP,
	};
	const int action = published_action(actions);

	return action < 0 ? DIFF_NOOP : shown[action];
}

void shown_change_from(struct arena *a, const struct published *p,
		       struct shown_change *out)
{
	*out = (struct shown_change){
		.json = *p,
		.address = json_slice_str(a, p->address),
		.previous_address = json_slice_str(a, p->previous_address),
		.module = json_slice_str(a, p->module_address),
		.mode = json_slice_str(a, p->mode),
		.type = json_slice_str(a, p->type),
		.name = json_slice_str(a, p->name),
		.provider = json_slice_str(a, p->provider_name),
		.deposed = json_slice_str(a, p->deposed),
		.reason = json_slice_str(a, p->action_reason),
		.generated_config = json_slice_str(a, p->generated_config),
		.action = shown_action(p->actions),
		.importing = p->importing.n && p->importing.p[0] == '{',
	};
	out->moved = out->previous_address.n &&
		     !str_eq(out->previous_address, out->address);
}

int shown_change_read(struct arena *a, struct str line,
		      struct shown_change *out, struct diags *ds)
{
	struct published p;

	if (published_read(line, &p))
		return record_invalid(ds, "it is not valid JSON");
	shown_change_from(a, &p, out);
	return 0;
}

struct diff_input shown_change_values(struct arena *a,
				      const struct shown_change *c)
{
	return diff_input_from(a, json_slice_tree(a, c->json.change, NULL));
}

struct str shown_change_output(const struct shown_change *c)
{
	const struct str prefix = STR("output.");

	return str_starts(c->address, prefix.p)
		       ? str_sub(c->address, prefix.n, c->address.n)
		       : c->address;
}
