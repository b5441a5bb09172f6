/* live_op.c - the operations and what is shown of each (live.h) */
#include "ui/live/live.h"

const struct live_op live_ops[LIVE_OPS] = {
	[LIVE_STREAM] = { "stream", .plan = true, .failed_plan = true,
			  .applies = true, .counts = true, .outputs = true },
	[LIVE_PLAN] = { "plan", .plan = true, .failed_plan = true,
			.next_step = true },
	[LIVE_CONFIRM] = { "confirm", .plan = true },
	[LIVE_APPROVED] = { "approved", .plan = true, .defers = true },
	[LIVE_APPLY] = { "apply", .apply_only = true, .applies = true,
			 .tells_planned = true, .counts = true,
			 .outputs = true },
	[LIVE_REFRESH] = { "refresh", .defers = true },
	[LIVE_REFRESHED] = { "refreshed", .apply_only = true, .outputs = true },
	[LIVE_IMPORT] = { "import", .imported = true },
	[LIVE_VALIDATE] = { "validate", .validates = true },
};

int live_op_find(struct str name, enum live_op_id *op)
{
	for (int i = 0; i < LIVE_OPS; i++)
		if (str_is(name, live_ops[i].name)) {
			*op = (enum live_op_id)i;
			return 0;
		}
	return -1;
}
