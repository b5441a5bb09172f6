/*
 * inputs_read.c - the values of variables that tf-eval wrote (see inputs.h)
 *
 * Apart from inputs.c, for tf-parse reads no stream.
 */
#include "engine/run/inputs.h"
#include "json/tree.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "value/codec_json.h"

/* The writer is eval_stage_write. */
int inputs_read(struct arena *a, struct str kind, struct str line,
		struct inputs *in, struct diags *ds)
{
	const struct json *j, *value, *given;
	const struct value *v, *converted = NULL;
	struct record_reader r = { .arena = a };
	struct verror err = { 0 };
	struct str address, name;
	struct input *input;

	if (!str_is(kind, "variable_value"))
		return 1;
	j = stream_parse(a, line, ds);
	if (!j)
		return -1;
	address = json_get_str(j, "address");
	value = json_get(j, "value");
	given = json_get(j, "given");
	if (!value || !str_starts(address, "var."))
		return 0;
	v = value_from_stream(a, value, &err);
	if (v && given) {
		converted = v;
		v = value_from_stream(a, given, &err);
	}
	if (!v)
		return diag_error(ds, NULL, "Invalid stream",
				  "The value of %.*s cannot be read: %.*s.",
				  STR_ARG(address),
				  STR_ARG(verror_text(ds->arena, &err)));
	name = str_sub(address, strlen("var."), address.n);
	inputs_set(a, in, name, v);
	input = map_get(&in->by_name, name);
	input->converted = converted;
	input->origin = input_source_find(json_get_str(j, "source"));
	if (input->origin == INPUT_DEFAULT)
		input->source = INPUT_DEFAULT;
	record_at_read(&r, json_get(j, "at"), &input->at);
	return 0;
}
