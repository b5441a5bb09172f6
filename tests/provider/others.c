/* others.c - the calls about data sources, ephemeral resources, functions and
 * the provider itself */
#include "provider.h"
#include "value/number.h"

void handle_nothing(struct request *r)
{
	(void)r;
}

void handle_stop(struct request *r)
{
	provider_stop(r->p);
}

static const struct value *provider_config(struct request *r,
					   const Tfplugin__DynamicValue *v)
{
	const struct type *t = r->p->catalogue.config->implied;

	r->answer.type = t;
	r->config = take_value(r->a, v, t);
	r->name = text_at(r->config, "name");
	return r->config;
}

void handle_validate_provider(struct request *r)
{
	const Tfplugin__ValidateProviderRequest *q = r->in;

	r->answer.object = provider_config(r, q->config);
}

void handle_configure(struct request *r)
{
	const Tfplugin__ConfigureRequest *q = r->in;
	struct provider *p = r->p;
	const struct value *v = provider_config(r, q->config);
	const char *err;

	p->prefix = str_dup(&p->arena, text_at(v, "prefix"));
	p->own.len = 0;
	err = orders_parse(&p->arena,
			   str_dup(&p->arena, text_at(v, "do")), &p->own);
	if (err)
		vec_push(r->a, &r->answer.complaints,
			 (struct complaint){ .summary = str_c(err) });
	if (v && !value_wholly_known(v))
		r->note = STR("unknown");
}

static void start(struct request *r, enum resource_mode mode,
		  const char *type, const Tfplugin__DynamicValue *config)
{
	r->type = catalogue_find(&r->p->catalogue, mode, str_c(type));
	if (!r->type)
		return;
	r->answer.type = r->type->block->implied;
	if (config)
		r->config = take_value(r->a, config, r->answer.type);
	r->name = text_at(r->config, "name");
}

void handle_validate_data(struct request *r)
{
	const Tfplugin__ValidateRequest *q = r->in;

	start(r, MODE_DATA, q->type_name, q->config);
}

/* A data source has its arguments, and values that the provider makes. */
void handle_read_data(struct request *r)
{
	const Tfplugin__ReadDataRequest *q = r->in;
	struct str id;

	start(r, MODE_DATA, q->type_name, q->config);
	if (!r->type || !r->config)
		return;
	r->note = meta_text(r, q->provider_meta);
	id = str_printf(r->a, "data-%.*s", STR_ARG(r->name));
	r->answer.object = life_apply(
		r, life_plan(r->a, r->type->block, NULL, r->config,
			     r->config), id);
}

void handle_validate_ephemeral(struct request *r)
{
	const Tfplugin__ValidateRequest *q = r->in;

	start(r, MODE_EPHEMERAL, q->type_name, q->config);
}

void handle_open(struct request *r)
{
	const Tfplugin__OpenEphemeralRequest *q = r->in;
	const struct value **elems;
	const struct type *t;
	int i;

	start(r, MODE_EPHEMERAL, q->type_name, q->config);
	if (!r->type || !r->config || value_is_null(r->config))
		return;
	t = r->answer.type;
	elems = ARENA_ARRAY(r->a, const struct value *, t->len);
	memcpy(elems, r->config->elems, t->len * sizeof(*elems));
	i = type_attr_index(t, STR("token"));
	elems[i] = value_string(r->a, str_printf(r->a, "token of %.*s",
						 STR_ARG(r->name)));
	r->answer.object = value_object_of(r->a, t, elems);
	r->answer.private_data = r->name;
}

void handle_renew(struct request *r)
{
	const Tfplugin__EphemeralRequest *q = r->in;

	start(r, MODE_EPHEMERAL, q->type_name, NULL);
	r->name = bytes_of(q->private_);
	r->answer.private_data = r->name;
}

void handle_close(struct request *r)
{
	const Tfplugin__EphemeralRequest *q = r->in;

	start(r, MODE_EPHEMERAL, q->type_name, NULL);
	r->name = bytes_of(q->private_);
}

/* --- functions --- */

static const struct value *argument(struct request *r, size_t i,
				    const struct type *t)
{
	const Tfplugin__CallFunctionRequest *q = r->in;
	const struct value *v =
		i < q->n_arguments ? take_value(r->a, q->arguments[i], t)
				   : NULL;

	return v ? v : value_null(r->a, t);
}

static const struct value *join(struct request *r)
{
	const Tfplugin__CallFunctionRequest *q = r->in;
	struct str with = argument(r, 0, &type_string)->string;
	struct buf b = BUF_INIT;
	const struct value *v;

	for (size_t i = 1; i < q->n_arguments; i++) {
		if (i > 1)
			buf_str(&b, with);
		buf_str(&b, argument(r, i, &type_string)->string);
	}
	v = value_string(r->a, buf_dup(r->a, &b));
	buf_release(&b);
	return v;
}

void handle_call(struct request *r)
{
	const Tfplugin__CallFunctionRequest *q = r->in;
	struct str name = str_c(q->name);
	struct answer *w = &r->answer;
	int64_t x = 0, y = 0;

	r->name = name;
	w->argument = -1;
	w->type = &type_string;
	if (str_is(name, "echo")) {
		w->type = &type_dynamic;
		w->object = argument(r, 0, &type_dynamic);
	} else if (str_is(name, "join")) {
		w->object = join(r);
	} else if (str_is(name, "prefixed")) {
		w->object = value_string(
			r->a, str_printf(r->a, "%.*s%.*s",
					 STR_ARG(r->p->prefix),
					 STR_ARG(argument(r, 0, &type_string)
							 ->string)));
	} else if (str_is(name, "add")) {
		w->type = &type_number;
		value_get_int(argument(r, 0, &type_number), &x);
		value_get_int(argument(r, 1, &type_number), &y);
		w->object = value_int(r->a, x + y);
	} else {
		value_get_int(argument(r, 1, &type_number), &x);
		w->error = argument(r, 0, &type_string)->string;
		w->argument = (int)x;
	}
}
