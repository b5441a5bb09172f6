/*
 * read.c - a plan stream taken in
 *
 * The state is not: it is read again under the lock, and only what the plan
 * found otherwise (prior_state) is kept as lines until then.
 */
#include "engine/apply/apply.h"

#include "json/slice.h"
#include "provider/source.h"
#include "stream/record.h"
#include "value/codec.h"

static const char invalid[] = "Invalid plan";

void apply_input_init(struct apply_input *in, struct arena *a)
{
	*in = (struct apply_input){ .arena = a };
	in->config = config_new(a);
	in->header = state_new(a);
	in->changes.arena = a;
	in->workspace = STR("default");
}

void apply_input_release(struct apply_input *in)
{
	if (in->config)
		arena_release(&in->config->scratch);
}

static const struct value *stream_value(struct arena *a, const struct json *j)
{
	struct verror err;

	return j ? value_from_stream(a, j, &err) : NULL;
}

static int read_variables(struct apply_input *in, const struct json *j,
			  struct diags *ds)
{
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++) {
		const struct json_member *m = &j->members[i];
		const struct value *v = stream_value(in->arena, &m->value);

		if (!v)
			return diag_error(ds, NULL, "Invalid variable value in "
					  "plan", "The value of the variable "
					  "\"%.*s\" in the plan cannot be "
					  "read.", STR_ARG(m->name));
		inputs_set(in->arena, &in->variables, m->name, v);
	}
	return 0;
}

/* A member that is a list of texts; absent is as good as empty. */
static int check_texts(const struct json *j, const char *what,
		       struct diags *ds)
{
	bool wrong = j && j->kind != JSON_ARRAY;

	for (uint32_t i = 0; j && !wrong && i < j->len; i++)
		wrong = j->items[i].kind != JSON_STRING;
	if (!wrong)
		return 0;
	return diag_error(ds, NULL, invalid,
			  "\"%s\" in the plan is not a list of texts.", what);
}

static void read_providers(struct apply_input *in, const struct json *j)
{
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++) {
		const struct json_member *m = &j->members[i];
		struct provider_package *p;

		if (m->value.kind != JSON_OBJECT)
			continue;
		p = ARENA_NEW(in->arena, struct provider_package);
		p->version = json_get_str(&m->value, "version");
		p->hash = json_get_str(&m->value, "hash");
		map_put(in->arena, &in->providers, m->name, p);
	}
}

static int read_plan(struct apply_input *in, struct str line, struct diags *ds)
{
	const struct json *j = stream_parse(in->arena, line, ds), *names;
	struct str text;

	if (!j)
		return -1;
	in->have_plan = true;
	in->errored = json_get_bool(j, "errored", false);
	in->timestamp = json_get_str(j, "timestamp");
	text = json_get_str(j, "workspace");
	if (text.n)
		in->workspace = text;
	read_providers(in, json_get(j, "providers"));
	names = json_get(j, "ephemeral_variables");
	if (check_texts(names, "ephemeral_variables", ds))
		return -1;
	for (uint32_t i = 0; names && i < names->len; i++)
		vec_push(in->arena, &in->ephemeral_variables,
			 names->items[i].text);
	return selectors_take(in->arena, j, &in->selectors, ds) ||
			       read_variables(in, json_get(j, "variables"), ds)
		       ? -1 : 0;
}

static int read_output(struct apply_input *in, struct str line,
		       struct diags *ds)
{
	const struct json *j = stream_parse(in->arena, line, ds);
	const struct json *planned = json_get(j, "planned");
	struct str address = json_get_str(j, "address");
	const struct value *v;

	if (!j)
		return -1;
	if (!planned || !str_starts(address, "output."))
		return 0;
	v = stream_value(in->arena, planned);
	if (!v)
		return diag_error(ds, NULL, invalid,
				  "The planned value of %.*s cannot be read.",
				  STR_ARG(address));
	map_put(in->arena, &in->outputs, str_sub(address, 7, address.n),
		(void *)v);
	return 0;
}

int apply_read(void *data, struct str kind, struct str line, struct diags *ds)
{
	struct apply_input *in = data;
	int rc;

	/* By far the most frequent kinds first. */
	if (str_is(kind, "previous_run_state"))
		return 0;
	rc = change_read_record(&in->changes, kind, line, ds);
	if (rc <= 0)
		return rc;
	if (str_is(kind, "prior_state")) {
		vec_push(in->arena, &in->prior, str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "prior_output")) {
		vec_push(in->arena, &in->prior_outputs,
			 str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "check_result")) {
		vec_push(in->arena, &in->checked, str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "plan"))
		return read_plan(in, line, ds);
	if (str_is(kind, "edited"))
		return overrides_read(in->arena, &in->overrides,
				      str_dup(in->arena, line), NULL, ds);
	if (str_is(kind, "output_change"))
		return read_output(in, line, ds);
	/* Of tf-graph's, until the plan says what they were. */
	if (str_is(kind, "options") && !in->have_plan)
		return selectors_read(in->arena, line, &in->selectors, ds);
	if (str_is(kind, "state"))
		return state_read_record(in->header, NULL, kind, line, ds) < 0
			       ? -1 : 0;
	rc = config_read_record(in->config, kind, line, ds);
	return rc < 0 ? -1 : 0;
}

int apply_read_finish(struct apply_input *in, struct diags *ds)
{
	if (!in->have_plan)
		return diag_error(ds, NULL, "Not a plan",
				  "The input holds no plan: run tf-plan before "
				  "tf-apply.");
	if (in->errored)
		return diag_error(ds, NULL, "Cannot apply incomplete plan",
				  "There were errors when the plan was made, so "
				  "it cannot be applied.");
	if (config_finish(in->config, ds) ||
	    change_read_finish(&in->changes, ds))
		return -1;
	return 0;
}
