/* stage.c - see stage.h */
#include <sys/stat.h>
#include <unistd.h>

#include "engine/stage/stage.h"
#include "base/product.h"
#include "config/record/records.h"
#include "config/check/refs.h"
#include "config/module.h"
#include "encrypt/encrypt.h"
#include "engine/run/inputs.h"
#include "engine/stage/edits.h"
#include "engine/stage/eval_steps.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "value/value.h"

/* --- reading --- */

/* The selectors are the first thing that tf-graph adds, and by then it has read
 * the configuration to its end. */
static void complete(struct stage *s)
{
	s->complete = true;
	s->finished = (struct diags)DIAGS_INIT(s->arena);
	s->finish = config_finish(s->config, &s->finished);
	if (!s->finish && s->configured)
		s->configured(s->data);
}

static int finish(struct stage *s, struct diags *ds)
{
	if (!s->complete)
		return config_finish(s->config, ds);
	diags_append(ds, &s->finished);
	return s->finish;
}

static int take_record(void *data, struct str kind, struct str line,
		       struct diags *ds)
{
	struct stage *s = data;
	int rc;

	/* By far the most frequent kind first. */
	if (str_is(kind, "previous_run_state") || str_is(kind, "state")) {
		if (!s->state)
			s->state = state_new(s->arena);
		return state_read_record(s->state, NULL, kind, line, ds) < 0
			       ? -1
			       : 0;
	}
	rc = config_read_record(s->config, kind, line, ds);
	if (!rc && s->complete)
		return diag_error(
			ds, NULL, "Invalid stream",
			"A record of the configuration, %.*s, comes after those of tf-graph.",
			STR_ARG(kind));
	if (rc <= 0)
		return rc;
	rc = inputs_read(s->arena, kind, line, &s->inputs, ds);
	if (rc <= 0)
		return rc;
	if (str_is(kind, "local_value") || str_is(kind, "expansion")) {
		vec_push(s->arena, &s->worked_out, str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "options")) {
		if (selectors_read(s->arena, line, &s->selectors, ds))
			return -1;
		s->have_selectors = true;
		if (!s->complete)
			complete(s);
		return 0;
	}
	if (s->state)
		return state_read_record(s->state, NULL, kind, line, ds) < 0
			       ? -1
			       : 0;
	return 0;
}

/* Only edited results of tf-eval count: the rest would be worked out again,
 * with the same result. */
static int take_overrides(struct stage *s, struct diags *ds)
{
	const struct map *only =
		s->edits.unsealed ? NULL : &s->edits.worked_out;

	for (size_t i = 0; i < s->worked_out.len; i++)
		if (overrides_read(s->arena, &s->overrides,
				   s->worked_out.items[i], only, ds))
			return -1;
	return 0;
}

static int check_edits(struct stage *s, struct stream_out *out,
		       struct diags *ds)
{
	if (str_is(s->tool, "tf-graph"))
		return edits_check_graph(s->arena, out, &s->info, ds);
	if (edits_check_plan(s->arena, out, &s->info, &s->edits, ds))
		return -1;
	return s->edits.unsealed || s->edits.worked_out.len
		       ? take_overrides(s, ds)
		       : 0;
}

/* 1: an earlier stage has failed. */
static int read_records(struct stage *s, struct stream_out *out,
			struct diags *ds)
{
	if (stream_read(s->arena, STDIN_FILENO, &s->info, out, take_record, s,
			ds))
		return -1;
	if (stream_has_stage(&s->info,
			     arena_strndup(s->arena, s->tool.p, s->tool.n)))
		return diag_error(ds, NULL, "Stage has run already",
				  "The input went through %.*s once. Start "
				  "from an earlier stage to run it with other "
				  "options.",
				  STR_ARG(s->tool));
	if (s->info.failed)
		return 1;
	return check_edits(s, out, ds);
}

static int read_stream(struct stage *s, struct stream_out *out,
		       struct diags *ds)
{
	int rc;

	s->config = config_new(s->arena);
	s->config->frame = s->frame;
	s->config->frame_early = encryption_asked(NULL);
	rc = read_records(s, out, ds);
	if (!rc)
		return finish(s, ds);
	arena_release(&s->config->scratch); /* it is not used any more */
	return rc;
}

static int load_dir(struct stage *s, struct stream_out *out, struct diags *ds)
{
	static const struct str_vec none = { NULL, 0, 0 };
	struct config_options o = { .dir = STR("."), .workdir = s->workdir };

	s->config = load_configuration(s->arena, s->args, s->nargs, &o, ds);
	/* Validation does that, too. */
	if (!diags_failed(ds) && !str_is(s->tool, "tf-plan"))
		config_check_references(s->config, ds);
	stream_begin(out, "tf-parse", &none);
	if (diags_failed(ds)) {
		config_write_sources(out, s->config);
		return -1;
	}
	config_write(out, s->config);
	return 0;
}

int stage_read(struct stage *s, bool from_dir, struct stream_out *out,
	       struct diags *ds)
{
	return from_dir ? load_dir(s, out, ds) : read_stream(s, out, ds);
}

int stage_check_options(const struct stage *s, const char *ran,
			const char *const *names, const struct str_vec *given,
			struct diags *ds)
{
	if (!stream_has_stage(&s->info, ran))
		return 0;
	for (; *names; names++)
		for (size_t i = 0; i < given->len; i++)
			if (str_is(given->items[i], *names))
				return diag_error(
					ds, NULL, "Conflicting options",
					"-%s belongs to %s, which has run already.",
					*names, ran);
	return 0;
}

/* The value that counts: converted, where it can be. */
static const struct value *settled(struct stage *s,
				   const struct cfg_variable *v,
				   const struct input *in)
{
	struct diags quiet = DIAGS_INIT(s->arena);
	const struct value *c;

	if (!in || !in->value)
		return NULL;
	c = input_value(s->arena, v, in, &quiet);
	return diags_failed(&quiet) ? in->value : c;
}

/* Given again here: is it the value that tf-eval used? */
static int compare_input(struct stage *s, const struct cfg_variable *v,
			 const struct input *in, struct diags *ds)
{
	const struct input *before = map_get(&s->inputs.by_name, v->name);
	const struct value *x, *y;

	if (in->source != INPUT_CLI && in->source != INPUT_FILE &&
	    in->source != INPUT_PROMPT)
		return 0;
	x = settled(s, v, in);
	y = settled(s, v, before);
	if (x && y && value_equal_unmarked(x, y))
		return 0;
	return diag_error(ds, NULL, "Conflicting options",
			  "tf-eval has run already, and went by another value "
			  "of the variable \"%.*s\".",
			  STR_ARG(v->name));
}

static int take_ephemeral(struct stage *s, struct inputs *given,
			  struct diags *ds)
{
	const struct cfg_module *root = s->config->root;

	for (size_t i = 0; i < given->by_name.len; i++) {
		const struct map_entry *e = &given->by_name.entries[i];
		const struct cfg_variable *v =
			map_get(&root->variables, e->key);

		if (!v)
			continue;
		if (v->ephemeral)
			map_put(s->arena, &s->inputs.by_name, v->name,
				e->value);
		else if (compare_input(s, v, e->value, ds))
			return -1;
	}
	return 0;
}

/* `given` and `value` must agree: an edit of one must not be ignored. */
static int check_given(struct stage *s, struct diags *ds)
{
	const struct map *all = &s->inputs.by_name;

	for (size_t i = 0; i < all->len; i++) {
		const struct input *in = all->entries[i].value;
		struct input given = *in;
		const struct cfg_variable *v =
			map_get(&s->config->root->variables,
				all->entries[i].key);
		const struct value *c;

		given.converted = NULL;
		c = v ? settled(s, v, &given) : NULL;
		if (!in->converted || !c ||
		    value_equal_unmarked(c, in->converted))
			continue;
		return diag_error(
			ds, NULL, "Edited record cannot be used",
			"In the record variable_value of var.%.*s "
			"\"value\" is not what \"given\" makes of "
			"it. Leave \"given\" out, and \"value\" counts.",
			STR_ARG(v->name));
	}
	return 0;
}

static bool any_ephemeral(const struct cfg_module *root)
{
	for (size_t i = 0; i < root->variables.len; i++) {
		const struct cfg_variable *v = root->variables.entries[i].value;

		if (v->ephemeral)
			return true;
	}
	return false;
}

static int parse_all(struct stage *s, struct diags *ds)
{
	if (inputs_parse(s->arena, &s->inputs, s->config->root, ds))
		return -1;
	return load_check_sources(s->arena, s->workdir, s->config, &s->inputs,
				  ds);
}

int stage_inputs(struct stage *s, const struct inputs_options *o,
		 struct diags *ds)
{
	const struct cfg_module *root = s->config->root;
	struct diags again = DIAGS_INIT(s->arena);
	struct inputs given = { .by_name = { 0 } };
	struct str_vec missing = { 0 };

	if (s->config->test) /* it has said all values */
		return parse_all(s, ds);
	if (!stream_has_stage(&s->info, "tf-eval")) {
		inputs_collect(s->arena, o, &s->inputs, ds);
		missing_inputs(root, &s->inputs, s->arena, &missing);
		if (missing.len && stage_check(s, ds))
			return -1; /* checked before, as in OpenTofu */
		return parse_all(s, ds);
	}
	/* Nobody gave tf-eval others in the same pipe, and nobody edits. */
	if (s->lean && !any_ephemeral(root))
		return inputs_parse(s->arena, &s->inputs, root, ds);
	/* tf-eval has reported their errors. */
	inputs_collect(s->arena, o, &given, &again);
	inputs_parse(s->arena, &given, root, &again);
	if (take_ephemeral(s, &given, ds))
		return -1;
	return inputs_parse(s->arena, &s->inputs, root, ds) ||
			       check_given(s, ds)
		       ? -1
		       : 0;
}

void stage_state_ahead(struct stage *s, struct str state_path)
{
	s->ahead = current_state_ahead(s->arena, s->workdir, state_path);
}

int stage_check(struct stage *s, struct diags *ds)
{
	if (environment_refuse(ds))
		return -1;
	if (s->state) /* the stage that read it has checked the backend */
		return current_encryption(s->arena, s->workdir, s->config,
					  &s->inputs, false, &s->encryption,
					  ds);
	return current_check(s->arena, s->workdir, s->config, &s->inputs,
			     &s->encryption, ds);
}

void stage_warn_plain(const struct stage *s, const struct stream_out *out,
		      struct diags *ds)
{
	struct stat st;

	if (envelope_seals(encryption_state(s->encryption)) &&
	    (isatty(out->out.fd) ||
	     (fstat(out->out.fd, &st) == 0 && S_ISREG(st.st_mode))))
		diag_warning(
			ds, NULL, "Stream holds the state as plain text",
			"The state is encrypted, but a stream is not: whoever can read it "
			"can read the state. \"%s plan -out=FILE\" saves a plan as the "
			"configuration has it encrypted.",
			product_command());
}

int stage_load_state(struct stage *s, struct str state_path, struct diags *ds)
{
	const struct config *whole = s->config->frame ? NULL : s->config;

	if (s->encryption)
		s->ahead = NULL; /* it was read as if nothing was encrypted */
	s->state = s->ahead;
	if (s->ahead)
		current_translate(s->arena, s->workdir, s->ahead, whole);
	else
		s->state = current_state_part(
			s->arena, s->workdir, state_path, whole, s->encryption,
			s->plans ? "OperationTypePlan" : NULL, s->part, ds);
	return s->state ? 0 : -1;
}
