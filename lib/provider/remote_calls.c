/*
 * remote_calls.c - the calls of the protocol: how each request is sent and how
 * its answer is read
 *
 * A build function makes the message, a got function reads the answer; the
 * table at the end says which belong together, by the names that the two
 * versions of the protocol have for the call.
 */
#include "provider/provider_int.h"
#include "base/product.h"
#include "provider/request.h"

/* A message on its way out lives in the request's arena. */
#define MESSAGE(c, type, lower) \
	type *m = ARENA_NEW((c)->r->arena, type); \
	tfplugin__##lower##__init(m)

/* --- the provider's own configuration --- */

static Tfplugin__DynamicValue *put_config(struct rpc *c)
{
	return rpc_put_as(c, c->r->check.in.config,
			  c->p->base.schema->config->implied);
}

static const ProtobufCMessage *build_validate_provider(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ValidateProviderRequest,
		validate_provider_request);
	m->config = put_config(c);
	return &m->base;
}

/* The prepared configuration of version 5 is not used, as in OpenTofu: it could
 * add what was not configured. */
static void got_validate_provider(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__ValidateProviderResponse *m =
		(const Tfplugin__ValidateProviderResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
}

static const ProtobufCMessage *build_configure(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ConfigureRequest, configure_request);
	m->terraform_version = rpc_cstr(c, STR(COMPATIBLE_VERSION));
	m->config = put_config(c);
	m->client_capabilities = rpc_capabilities(c);
	return &m->base;
}

static void got_diagnostics(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__DiagnosticsResponse *m =
		(const Tfplugin__DiagnosticsResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
}

/* --- validation --- */

static const ProtobufCMessage *build_validate(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ValidateRequest, validate_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->config = rpc_put(c, c->r->check.in.config);
	if (c->r->mode == MODE_MANAGED)
		m->client_capabilities = rpc_capabilities(c);
	return &m->base;
}

/* --- the life of a managed resource --- */

/* With an identity that cannot be read there is no object. */
static void got_object(struct rpc *c, struct provider_object *out,
		       const Tfplugin__DynamicValue *value,
		       const ProtobufCBinaryData *private_data,
		       const Tfplugin__IdentityData *identity)
{
	out->private_data = proto_bytes(private_data);
	out->value = rpc_get(c, value);
	out->identity = rpc_get_identity(c, identity);
	if (c->failed)
		out->value = NULL;
	rpc_check_write_only(c, out->value);
}

static const ProtobufCMessage *build_upgrade(struct rpc *c)
{
	MESSAGE(c, Tfplugin__UpgradeStateRequest, upgrade_state_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->version = (int64_t)c->r->upgrade.in.version;
	m->raw_state = c->r->upgrade.in.is_flat
			       ? rpc_put_flat(c, c->r->upgrade.in.state)
			       : rpc_put_raw(c, c->r->upgrade.in.state);
	return &m->base;
}

static void got_upgrade(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__UpgradeStateResponse *m =
		(const Tfplugin__UpgradeStateResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	c->r->upgrade.out.value = rpc_get(c, m->upgraded_state);
	rpc_check_write_only(c, c->r->upgrade.out.value);
}

static const ProtobufCMessage *build_upgrade_identity(struct rpc *c)
{
	MESSAGE(c, Tfplugin__UpgradeIdentityRequest, upgrade_identity_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->version = (int64_t)c->r->upgrade_identity.in.version;
	m->raw_identity = rpc_put_raw(c, c->r->upgrade_identity.in.identity);
	return &m->base;
}

static void got_upgrade_identity(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__UpgradeIdentityResponse *m =
		(const Tfplugin__UpgradeIdentityResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	c->r->upgrade_identity.out.identity =
		rpc_get_identity(c, m->upgraded_identity);
	if (!c->r->upgrade_identity.out.identity && !diags_failed(&c->r->diags))
		request_error(c->r, (struct path){ NULL, 0 },
			      "Provider returned no identity after upgrade",
			      "The provider %.*s answered without an error and "
			      "without an identity for %.*s. This is a bug in "
			      "the provider.",
			      STR_ARG(c->p->known->name), STR_ARG(c->r->type));
}

static const ProtobufCMessage *build_read(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ReadResourceRequest, read_resource_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->current_state = rpc_put(c, c->r->read.in.value);
	m->private_ = rpc_bytes(c->r->read.in.private_data);
	m->provider_meta = rpc_put_meta(c);
	m->client_capabilities = rpc_capabilities(c);
	m->current_identity = rpc_put_identity(c, c->r->read.in.identity);
	return &m->base;
}

static void got_read(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__ReadResourceResponse *m =
		(const Tfplugin__ReadResourceResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	rpc_check_deferred(c, m->deferred);
	got_object(c, &c->r->read.out, m->new_state, &m->private_,
		   m->new_identity);
}

static const ProtobufCMessage *build_plan(struct rpc *c)
{
	MESSAGE(c, Tfplugin__PlanRequest, plan_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->prior_state = rpc_put(c, c->r->plan.in.prior.value);
	m->proposed_new_state = rpc_put(c, c->r->plan.in.proposed);
	m->config = rpc_put(c, c->r->plan.in.config);
	m->prior_private = rpc_bytes(c->r->plan.in.prior.private_data);
	m->provider_meta = rpc_put_meta(c);
	m->client_capabilities = rpc_capabilities(c);
	m->prior_identity = rpc_put_identity(c, c->r->plan.in.prior.identity);
	return &m->base;
}

static void got_plan(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__PlanResponse *m = (const Tfplugin__PlanResponse *)msg;
	struct arena *a = c->r->arena;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	rpc_check_deferred(c, m->deferred);
	for (size_t i = 0; i < m->n_requires_replace; i++)
		vec_push(a, &c->r->plan.out.requires_replace,
			 proto_path(a, m->requires_replace[i]));
	c->r->plan.out.legacy_type_system = m->legacy_type_system;
	got_object(c, &c->r->plan.out.planned, m->planned_state,
		   &m->planned_private, m->planned_identity);
}

static const ProtobufCMessage *build_apply(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ApplyRequest, apply_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->prior_state = rpc_put(c, c->r->apply.in.prior);
	m->planned_state = rpc_put(c, c->r->apply.in.planned.value);
	m->config = rpc_put(c, c->r->apply.in.config);
	m->planned_private = rpc_bytes(c->r->apply.in.planned.private_data);
	m->provider_meta = rpc_put_meta(c);
	m->planned_identity =
		rpc_put_identity(c, c->r->apply.in.planned.identity);
	return &m->base;
}

static void got_apply(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__ApplyResponse *m = (const Tfplugin__ApplyResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	c->r->apply.out.legacy_type_system = m->legacy_type_system;
	got_object(c, &c->r->apply.out.object, m->new_state, &m->private_,
		   m->new_identity);
}

/* --- coming from elsewhere --- */

static const ProtobufCMessage *build_import(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ImportRequest, import_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->client_capabilities = rpc_capabilities(c);
	if (!c->r->import.in.identity) {
		m->id = rpc_cstr(c, c->r->import.in.id);
	} else if (c->schema->identity) {
		m->identity = rpc_put_identity(c, c->r->import.in.identity);
	} else {
		request_error(c->r, (struct path){ NULL, 0 },
			      "No identity schema found",
			      "The provider %.*s has no identities for "
			      "resources of type %.*s: import it by its ID.",
			      STR_ARG(c->p->known->name), STR_ARG(c->r->type));
		c->failed = true;
	}
	return &m->base;
}

static void got_import(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__ImportResponse *m =
		(const Tfplugin__ImportResponse *)msg;
	struct provider_request *r = c->r;

	proto_diags(r, m->n_diagnostics, m->diagnostics);
	rpc_check_deferred(c, m->deferred);
	r->import.out.imported = ARENA_ARRAY(r->arena, struct provider_imported,
					     m->n_imported_resources);
	for (size_t i = 0; i < m->n_imported_resources; i++) {
		const Tfplugin__ImportResponse__Imported *in =
			m->imported_resources[i];
		struct provider_imported *out =
			&r->import.out.imported[r->import.out.n];

		out->type = proto_text(r->arena, in->type_name);
		out->object.private_data = proto_bytes(&in->private_);
		out->object.identity = rpc_get_identity(c, in->identity);
		out->object.value = rpc_get(c, in->state);
		if (c->failed)
			return;
		r->import.out.n++;
	}
}

static const ProtobufCMessage *build_move(struct rpc *c)
{
	MESSAGE(c, Tfplugin__MoveRequest, move_request);
	m->source_provider_address = rpc_cstr(c, c->r->move.in.provider);
	m->source_type_name = rpc_cstr(c, c->r->move.in.type);
	m->source_schema_version = (int64_t)c->r->move.in.version;
	m->source_state = rpc_put_raw(c, c->r->move.in.state);
	m->target_type_name = rpc_cstr(c, c->r->type);
	m->source_private = rpc_bytes(c->r->move.in.private_data);
	if (c->r->move.in.identity.n) {
		m->source_identity = rpc_put_raw(c, c->r->move.in.identity);
		m->source_identity_schema_version =
			c->r->move.in.identity_version;
	}
	return &m->base;
}

static void got_move(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__MoveResponse *m = (const Tfplugin__MoveResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	got_object(c, &c->r->move.out, m->target_state, &m->target_private,
		   m->target_identity);
}

/* --- data sources --- */

static const ProtobufCMessage *build_read_data(struct rpc *c)
{
	MESSAGE(c, Tfplugin__ReadDataRequest, read_data_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->config = rpc_put(c, c->r->read_data.in.config);
	m->provider_meta = rpc_put_meta(c);
	m->client_capabilities = rpc_capabilities(c);
	return &m->base;
}

static void got_read_data(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__ReadDataResponse *m =
		(const Tfplugin__ReadDataResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	rpc_check_deferred(c, m->deferred);
	c->r->read_data.out.value = rpc_get(c, m->state);
}

/* --- ephemeral resources --- */

static uint64_t milliseconds(const Tfplugin__Timestamp *t)
{
	if (!t || t->seconds <= 0 || t->seconds > INT64_MAX / 2000)
		return 0;
	return (uint64_t)t->seconds * 1000 +
	       (t->nanos > 0 ? (uint64_t)t->nanos / 1000000 : 0);
}

static const ProtobufCMessage *build_open(struct rpc *c)
{
	MESSAGE(c, Tfplugin__OpenEphemeralRequest, open_ephemeral_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->config = rpc_put(c, c->r->open.in.config);
	m->client_capabilities = rpc_capabilities(c);
	return &m->base;
}

static void got_open(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__OpenEphemeralResponse *m =
		(const Tfplugin__OpenEphemeralResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	rpc_check_deferred(c, m->deferred);
	c->r->open.out.value = rpc_get(c, m->result);
	c->r->open.out.private_data = proto_bytes(&m->private_);
	c->r->open.out.renew_at_ms = milliseconds(m->renew_at);
}

static const ProtobufCMessage *build_ephemeral(struct rpc *c)
{
	MESSAGE(c, Tfplugin__EphemeralRequest, ephemeral_request);
	m->type_name = rpc_cstr(c, c->r->type);
	m->private_ = rpc_bytes(c->r->renew.in.private_data);
	return &m->base;
}

static void got_renew(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__RenewEphemeralResponse *m =
		(const Tfplugin__RenewEphemeralResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	c->r->renew.out.private_data = proto_bytes(&m->private_);
	c->r->renew.out.renew_at_ms = milliseconds(m->renew_at);
}

/* --- functions --- */

static const ProtobufCMessage *build_function(struct rpc *c)
{
	const struct func *f = c->r->function.in.func;
	const struct value *const *args = c->r->function.in.args;
	MESSAGE(c, Tfplugin__CallFunctionRequest, call_function_request);
	m->name = arena_strdup(c->r->arena, f->name);
	m->n_arguments = c->r->function.in.nargs;
	m->arguments = ARENA_ARRAY(c->r->arena, Tfplugin__DynamicValue *,
				   m->n_arguments);
	for (size_t i = 0; i < m->n_arguments; i++) {
		const struct func_param *p = func_param_at(f, i);

		m->arguments[i] =
			rpc_put_as(c, args[i], p ? p->type : args[i]->type);
	}
	return &m->base;
}

static void got_function(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__CallFunctionResponse *m =
		(const Tfplugin__CallFunctionResponse *)msg;
	const Tfplugin__FunctionError *e = m->error;

	if (!e) {
		c->r->function.out.value =
			rpc_get_as(c, m->result,
				   c->r->function.in.func->result);
		return;
	}
	c->r->function.out.arg = -1;
	if (e->opt_function_argument_case ==
		    TFPLUGIN__FUNCTION_ERROR__OPT_FUNCTION_ARGUMENT_FUNCTION_ARGUMENT &&
	    e->function_argument >= 0 &&
	    (uint64_t)e->function_argument < c->r->function.in.nargs)
		c->r->function.out.arg = (int)e->function_argument;
	request_diag(c->r, SEV_ERROR, (struct path){ NULL, 0 },
		     "Error in function call",
		     proto_text(c->r->arena, e->text));
}

static const ProtobufCMessage *build_empty(struct rpc *c)
{
	MESSAGE(c, Tfplugin__EmptyRequest, empty_request);
	return &m->base;
}

static void got_functions(struct rpc *c, const ProtobufCMessage *msg)
{
	const Tfplugin__GetFunctionsResponse *m =
		(const Tfplugin__GetFunctionsResponse *)msg;

	proto_diags(c->r, m->n_diagnostics, m->diagnostics);
	for (size_t i = 0; i < m->n_functions; i++) {
		struct arena *a = c->r->arena;
		struct str name = proto_text(a, m->functions[i]->key);
		struct func *f =
			schema_function(a, name,
					proto_bytes(&m->functions[i]->value));

		if (f)
			map_put(a, &c->r->list.out.functions, name, f);
	}
}

/* clang-format off */
#define CALL(v5, v6, build, answer, got) \
	{ { "/tfplugin5.Provider/" v5, "/tfplugin6.Provider/" v6 }, \
	  build, &tfplugin__##answer##__descriptor, got }
/* clang-format on */

static const struct rpc_spec specs[] = {
	[CALL_VALIDATE_PROVIDER] =
		CALL("PrepareProviderConfig", "ValidateProviderConfig",
		     build_validate_provider, validate_provider_response,
		     got_validate_provider),
	[CALL_CONFIGURE] =
		CALL("Configure", "ConfigureProvider", build_configure,
		     diagnostics_response, got_diagnostics),
	[CALL_VALIDATE_RESOURCE] =
		CALL("ValidateResourceTypeConfig", "ValidateResourceConfig",
		     build_validate, diagnostics_response, got_diagnostics),
	[CALL_UPGRADE] =
		CALL("UpgradeResourceState", "UpgradeResourceState",
		     build_upgrade, upgrade_state_response, got_upgrade),
	[CALL_UPGRADE_IDENTITY] =
		CALL("UpgradeResourceIdentity", "UpgradeResourceIdentity",
		     build_upgrade_identity, upgrade_identity_response,
		     got_upgrade_identity),
	[CALL_READ_RESOURCE] = CALL("ReadResource", "ReadResource", build_read,
				    read_resource_response, got_read),
	[CALL_PLAN] = CALL("PlanResourceChange", "PlanResourceChange",
			   build_plan, plan_response, got_plan),
	[CALL_APPLY] = CALL("ApplyResourceChange", "ApplyResourceChange",
			    build_apply, apply_response, got_apply),
	[CALL_IMPORT] = CALL("ImportResourceState", "ImportResourceState",
			     build_import, import_response, got_import),
	[CALL_MOVE] = CALL("MoveResourceState", "MoveResourceState", build_move,
			   move_response, got_move),
	[CALL_READ_DATA] =
		CALL("ReadDataSource", "ReadDataSource", build_read_data,
		     read_data_response, got_read_data),
	[CALL_OPEN_EPHEMERAL] =
		CALL("OpenEphemeralResource", "OpenEphemeralResource",
		     build_open, open_ephemeral_response, got_open),
	[CALL_RENEW_EPHEMERAL] =
		CALL("RenewEphemeralResource", "RenewEphemeralResource",
		     build_ephemeral, renew_ephemeral_response, got_renew),
	[CALL_CLOSE_EPHEMERAL] =
		CALL("CloseEphemeralResource", "CloseEphemeralResource",
		     build_ephemeral, diagnostics_response, got_diagnostics),
	[CALL_LIST_FUNCTIONS] =
		CALL("GetFunctions", "GetFunctions", build_empty,
		     get_functions_response, got_functions),
	[CALL_FUNCTION] = CALL("CallFunction", "CallFunction", build_function,
			       call_function_response, got_function),
};

static const struct rpc_spec validate_data =
	CALL("ValidateDataSourceConfig", "ValidateDataResourceConfig",
	     build_validate, diagnostics_response, got_diagnostics);
static const struct rpc_spec validate_ephemeral =
	CALL("ValidateEphemeralResourceConfig",
	     "ValidateEphemeralResourceConfig", build_validate,
	     diagnostics_response, got_diagnostics);

const struct rpc_spec *rpc_spec(const struct provider_request *r)
{
	if (r->call == CALL_VALIDATE_RESOURCE && r->mode == MODE_DATA)
		return &validate_data;
	if (r->call == CALL_VALIDATE_RESOURCE && r->mode == MODE_EPHEMERAL)
		return &validate_ephemeral;
	if ((size_t)r->call >= sizeof(specs) / sizeof(*specs))
		return NULL;
	return specs[r->call].build ? &specs[r->call] : NULL;
}
