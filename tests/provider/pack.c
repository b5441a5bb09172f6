/* pack.c - answers as the messages of each call */
#include "provider.h"

/* The members that many answers share; the macros keep their names in one
 * place. */
static Tfplugin__Diagnostic **diagnostics(struct request *r, size_t *n)
{
	struct answer *w = &r->answer;
	Tfplugin__Diagnostic **out = ARENA_ARRAY(
		r->a, Tfplugin__Diagnostic *, w->complaints.len);

	*n = w->complaints.len;
	for (size_t i = 0; i < *n; i++) {
		const struct complaint *c = &w->complaints.items[i];

		out[i] = ARENA_NEW(r->a, Tfplugin__Diagnostic);
		tfplugin__diagnostic__init(out[i]);
		out[i]->severity =
			c->warning ? TFPLUGIN__DIAGNOSTIC__SEVERITY__WARNING
				   : TFPLUGIN__DIAGNOSTIC__SEVERITY__ERROR;
		out[i]->summary = give_text(r->a, c->summary);
		out[i]->detail = (char *)"Ordered by the test.";
		if (c->path.len)
			out[i]->attribute = give_path(r->a, c->path);
	}
	return out;
}

static Tfplugin__DynamicValue *object(struct request *r)
{
	struct answer *w = &r->answer;
	Tfplugin__DynamicValue *d;

	if (w->garbage) {
		d = ARENA_NEW(r->a, Tfplugin__DynamicValue);
		tfplugin__dynamic_value__init(d);
		d->msgpack = give_bytes(STR("\xc1 is no msgpack"));
		return d;
	}
	return w->object ? give_value(r->a, w->object, w->type) : NULL;
}

static Tfplugin__IdentityData *identity(struct request *r)
{
	Tfplugin__IdentityData *d;

	if (!r->answer.identity)
		return NULL;
	d = ARENA_NEW(r->a, Tfplugin__IdentityData);
	tfplugin__identity_data__init(d);
	d->identity_data = give_value(r->a, r->answer.identity,
				      r->type->identity->implied);
	return d;
}

static Tfplugin__Deferred *deferred(struct request *r)
{
	Tfplugin__Deferred *d;

	if (!r->answer.deferred)
		return NULL;
	d = ARENA_NEW(r->a, Tfplugin__Deferred);
	tfplugin__deferred__init(d);
	d->reason = TFPLUGIN__DEFERRED__REASON__RESOURCE_CONFIG_UNKNOWN;
	return d;
}

static Tfplugin__Timestamp *renew_at(struct request *r)
{
	Tfplugin__Timestamp *t;

	if (!r->answer.renew_at)
		return NULL;
	t = ARENA_NEW(r->a, Tfplugin__Timestamp);
	tfplugin__timestamp__init(t);
	t->seconds = r->answer.renew_at;
	return t;
}

void pack_nothing(struct request *r, struct buf *out)
{
	(void)r;
	(void)out; /* a message without members has no bytes */
}

void pack_diagnostics(struct request *r, struct buf *out)
{
	Tfplugin__DiagnosticsResponse m =
		TFPLUGIN__DIAGNOSTICS_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	pack_message(out, &m.base);
}

void pack_validate_provider(struct request *r, struct buf *out)
{
	Tfplugin__ValidateProviderResponse m =
		TFPLUGIN__VALIDATE_PROVIDER_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	if (r->p->protocol == 5)
		m.prepared_config = object(r);
	pack_message(out, &m.base);
}

void pack_upgrade(struct request *r, struct buf *out)
{
	Tfplugin__UpgradeStateResponse m =
		TFPLUGIN__UPGRADE_STATE_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.upgraded_state = object(r);
	pack_message(out, &m.base);
}

void pack_upgrade_identity(struct request *r, struct buf *out)
{
	Tfplugin__UpgradeIdentityResponse m =
		TFPLUGIN__UPGRADE_IDENTITY_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.upgraded_identity = identity(r);
	pack_message(out, &m.base);
}

void pack_read(struct request *r, struct buf *out)
{
	Tfplugin__ReadResourceResponse m =
		TFPLUGIN__READ_RESOURCE_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.new_state = object(r);
	m.private_ = give_bytes(r->answer.private_data);
	m.new_identity = identity(r);
	m.deferred = deferred(r);
	pack_message(out, &m.base);
}

void pack_plan(struct request *r, struct buf *out)
{
	Tfplugin__PlanResponse m = TFPLUGIN__PLAN_RESPONSE__INIT;
	const struct path_vec *replace = &r->answer.replace;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.planned_state = object(r);
	m.planned_private = give_bytes(r->answer.private_data);
	m.planned_identity = identity(r);
	m.deferred = deferred(r);
	m.legacy_type_system = r->answer.legacy;
	m.n_requires_replace = replace->len;
	m.requires_replace = ARENA_ARRAY(r->a, Tfplugin__AttributePath *,
					 replace->len);
	for (size_t i = 0; i < replace->len; i++)
		m.requires_replace[i] = give_path(r->a, replace->items[i]);
	pack_message(out, &m.base);
}

void pack_apply(struct request *r, struct buf *out)
{
	Tfplugin__ApplyResponse m = TFPLUGIN__APPLY_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.new_state = object(r);
	m.private_ = give_bytes(r->answer.private_data);
	m.new_identity = identity(r);
	m.legacy_type_system = r->answer.legacy;
	pack_message(out, &m.base);
}

void pack_import(struct request *r, struct buf *out)
{
	Tfplugin__ImportResponse m = TFPLUGIN__IMPORT_RESPONSE__INIT;
	Tfplugin__ImportResponse__Imported one =
		TFPLUGIN__IMPORT_RESPONSE__IMPORTED__INIT;
	Tfplugin__ImportResponse__Imported *all[2] = { &one, &one };

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.deferred = deferred(r);
	one.type_name = give_text(r->a, r->answer.type_name);
	one.state = object(r);
	one.private_ = give_bytes(r->answer.private_data);
	one.identity = identity(r);
	m.imported_resources = all;
	m.n_imported_resources = r->answer.copies;
	pack_message(out, &m.base);
}

void pack_move(struct request *r, struct buf *out)
{
	Tfplugin__MoveResponse m = TFPLUGIN__MOVE_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.target_state = object(r);
	m.target_private = give_bytes(r->answer.private_data);
	m.target_identity = identity(r);
	pack_message(out, &m.base);
}

void pack_read_data(struct request *r, struct buf *out)
{
	Tfplugin__ReadDataResponse m = TFPLUGIN__READ_DATA_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.state = object(r);
	m.deferred = deferred(r);
	pack_message(out, &m.base);
}

void pack_open(struct request *r, struct buf *out)
{
	Tfplugin__OpenEphemeralResponse m =
		TFPLUGIN__OPEN_EPHEMERAL_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.result = object(r);
	m.private_ = give_bytes(r->answer.private_data);
	m.renew_at = renew_at(r);
	m.deferred = deferred(r);
	pack_message(out, &m.base);
}

void pack_renew(struct request *r, struct buf *out)
{
	Tfplugin__RenewEphemeralResponse m =
		TFPLUGIN__RENEW_EPHEMERAL_RESPONSE__INIT;

	m.diagnostics = diagnostics(r, &m.n_diagnostics);
	m.private_ = give_bytes(r->answer.private_data);
	m.renew_at = renew_at(r);
	pack_message(out, &m.base);
}

void pack_call(struct request *r, struct buf *out)
{
	Tfplugin__CallFunctionResponse m =
		TFPLUGIN__CALL_FUNCTION_RESPONSE__INIT;
	Tfplugin__FunctionError e = TFPLUGIN__FUNCTION_ERROR__INIT;

	m.result = object(r);
	if (r->answer.error.n) {
		e.text = give_text(r->a, r->answer.error);
		if (r->answer.argument >= 0) {
			e.opt_function_argument_case =
				TFPLUGIN__FUNCTION_ERROR__OPT_FUNCTION_ARGUMENT_FUNCTION_ARGUMENT;
			e.function_argument = r->answer.argument;
		}
		m.error = &e;
		m.result = NULL;
	}
	pack_message(out, &m.base);
}
