/* remote.c - requests to a provider that is a process */
#include "provider/provider_int.h"
#include "provider/open.h"
#include "provider/request.h"
#include "trace/trace.h"

/* --- failures --- */

static struct str method_name(const struct plugin_method *m)
{
	return str_c(strrchr(m->v6, '/') + 1);
}

/* " for random_pet.a", or nothing. */
static struct str for_whom(struct arena *a, const struct provider_request *r)
{
	if (!r || (!r->address.n && !r->type.n))
		return STR("");
	return str_printf(a, " for %.*s",
			  STR_ARG(r->address.n ? r->address : r->type));
}

static struct str crash_text(struct arena *a, struct remote_provider *p,
			     struct str method, struct str whom)
{
	struct str panic = plugin_panic(p->plugin);

	if (!panic.n)
		return str_printf(a,
				  "The provider %.*s did not answer the "
				  "call %.*s%.*s: %.*s. Its log may tell "
				  "more.",
				  STR_ARG(p->known->name), STR_ARG(method),
				  STR_ARG(whom),
				  STR_ARG(plugin_death(p->plugin)));
	return str_printf(a,
			  "The provider %.*s crashed in the call "
			  "%.*s%.*s. This is a bug in the provider; its "
			  "last words:\n\n%.*s",
			  STR_ARG(p->known->name), STR_ARG(method),
			  STR_ARG(whom), STR_ARG(panic));
}

void remote_failure(struct remote_provider *p, const struct provider_request *r,
		    const struct plugin_method *m, int status, struct str text,
		    struct diag *out, struct arena *a)
{
	struct str method = method_name(m), whom = for_whom(a, r);

	*out = (struct diag){ .severity = SEV_ERROR,
			      .subject = RANGE_NONE,
			      .context = RANGE_NONE };
	switch (status) {
	case GRPC_UNAVAILABLE:
		out->summary = STR("Plugin did not respond");
		out->detail = crash_text(a, p, method, whom);
		break;
	case GRPC_CANCELLED:
		out->summary = STR("Request cancelled");
		out->detail = str_printf(
			a,
			"The call %.*s to the provider %.*s%.*s was cancelled.",
			STR_ARG(method), STR_ARG(p->known->name),
			STR_ARG(whom));
		break;
	case GRPC_UNIMPLEMENTED:
		out->summary = STR("Unsupported plugin method");
		out->detail = str_printf(
			a, "The provider %.*s does not have the call %.*s%.*s.",
			STR_ARG(p->known->name), STR_ARG(method),
			STR_ARG(whom));
		break;
	default:
		out->summary = STR("Plugin error");
		out->detail = str_printf(
			a,
			"The call %.*s to the provider %.*s%.*s failed with status %d: %.*s.",
			STR_ARG(method), STR_ARG(p->known->name), STR_ARG(whom),
			status,
			STR_ARG(proto_text(a,
					   arena_strndup(a, text.p, text.n))));
	}
}

/* --- starting --- */

struct plugin *remote_process(const struct known *k, struct loop *loop,
			      struct diags *ds)
{
	struct plugin_spec s = {
		.exe = k->reattached ? NULL : k->exe,
		.name = k->name,
		.reattach = k->reattached || k->shared ? &k->reattach : NULL,
		.tls = remote_wants_tls(),
	};

	struct plugin *p = plugin_start(loop, &s, ds);

	if (p)
		limit_started(k);
	return p;
}

int remote_start(struct remote_provider *p, struct diags *ds)
{
	if (p->plugin)
		return 0;
	if (p->known->idle && plugin_loop(p->known->idle) == p->base.loop) {
		p->plugin = p->known->idle;
		p->known->idle = NULL;
		limit_awake(p);
		return 0;
	}
	limit_make_room(p->known);
	p->plugin = remote_process(p->known, p->base.loop, ds);
	if (!p->plugin)
		return -1;
	limit_awake(p);
	if (p->known->schema && !p->known->schema->schema_optional)
		remote_ask_schema(p);
	return 0;
}

/* --- requests --- */

static void finish(struct rpc *c)
{
	trace_span_end(c->span, c->failed || diags_failed(&c->r->diags));
	c->r->done(c->r); /* c may be gone */
}

static void finish_late(void *data)
{
	finish(data);
}

void remote_finish_late(struct rpc *c, bool failed)
{
	c->failed |= failed;
	loop_defer(c->p->base.loop, finish_late, c);
}

void remote_not_sent(struct rpc *c)
{
	struct diag d;

	c->r->not_sent = true;
	if (c->spec) {
		remote_failure(c->p, c->r, &c->spec->method, GRPC_CANCELLED,
			       STR_NONE, &d, c->r->arena);
		diags_push(&c->r->diags, d);
	}
	remote_finish_late(c, true);
}

/* Uncounts an ephemeral resource that is closed or failed to open: a process
 * with open ones must stay. */
static void note_ephemeral(struct rpc *c)
{
	const bool failed = c->failed || diags_failed(&c->r->diags);

	if (c->r->call == CALL_CLOSE_EPHEMERAL ||
	    (c->r->call == CALL_OPEN_EPHEMERAL && failed))
		c->p->opened--;
}

void remote_deliver(struct rpc *c, int status, struct str text,
		    struct str message)
{
	struct provider_request *r = c->r;
	const ProtobufCMessage *m = NULL;

	if (status == GRPC_OK) {
		m = proto_unpack(r->arena, c->spec->answer, message);
		if (!m) {
			status = GRPC_INTERNAL;
			text = STR("the answer cannot be decoded");
		}
	}
	if (m) {
		c->spec->got(c, m);
	} else {
		struct diag d;

		remote_failure(c->p, r, &c->spec->method, status, text, &d,
			       r->arena);
		diags_push(&r->diags, d);
		c->failed = true;
	}
	note_ephemeral(c);
	finish(c);
}

static void answered(void *data, int status, struct str text,
		     struct str message)
{
	struct rpc *c = data;

	limit_answered(c->p);
	if (!remote_hold(c, status, text, message))
		remote_deliver(c, status, text, message);
}

static int other_schema(struct rpc *c)
{
	request_error(c->r, (struct path){ NULL, 0 }, "Provider schema changed",
		      "The provider %.*s has another schema here than the one "
		      "that was known of it. It is known now: do the same "
		      "again, beginning with the plan.",
		      STR_ARG(c->p->known->name));
	return -1;
}

void remote_fail_changed(struct rpc *c)
{
	other_schema(c);
	c->failed = true;
	finish(c);
}

/* Does the call concern a resource type, of this mode? */
static bool of_type(enum provider_call call)
{
	return (call >= CALL_VALIDATE_RESOURCE &&
		call <= CALL_CLOSE_EPHEMERAL) ||
	       call == CALL_UPGRADE_IDENTITY;
}

static int find_type(struct rpc *c)
{
	struct provider_request *r = c->r;

	if (!of_type(r->call))
		return 0;
	c->schema = provider_resource_schema(c->p->base.schema, r->mode,
					     r->type, &r->diags);
	if (c->schema)
		return 0;
	if (!diags_failed(&r->diags))
		request_error(r, (struct path){ NULL, 0 },
			      "Unsupported resource type",
			      "The provider %.*s has no type \"%.*s\".",
			      STR_ARG(c->p->known->name), STR_ARG(r->type));
	return -1;
}

static void call(struct rpc *c, struct str message)
{
	remote_confirm(c->p);
	c->p->running++;
	plugin_call(c->p->plugin, &c->spec->method, message, answered, c);
}

int remote_send(struct rpc *c)
{
	struct remote_provider *p = c->p;
	const ProtobufCMessage *m;

	if (p->base.schema != p->known->schema)
		return other_schema(c);
	if (find_type(c) < 0 || remote_start(p, &c->r->diags) < 0)
		return -1;
	m = c->spec->build(c);
	if (c->failed)
		return -1;
	proto_pack(&p->message, m);
	if (c->r->call == CALL_CONFIGURE) {
		p->configured = true;
		limit_configured(p);
	}
	if (c->r->call == CALL_OPEN_EPHEMERAL)
		p->opened++;
	call(c, buf_view(&p->message));
	return 0;
}

void remote_configure_again(struct remote_provider *p)
{
	struct rpc *c = ARENA_NEW(p->again.arena, struct rpc);

	c->p = p;
	c->r = &p->again;
	c->spec = rpc_spec(c->r);
	call(c, buf_view(&p->configuration));
}

static void begin_span(struct rpc *c)
{
	const struct plugin_method *m = &c->spec->method;

	c->span = trace_span_begin(c->r->within,
				   strrchr(m->v6 ? m->v6 : m->v5, '/') + 1);
	trace_span_client(c->span);
	trace_span_text(c->span, "opentofu.provider.address",
			c->p->known->name);
}

static void start(struct provider *base, struct provider_request *r)
{
	struct remote_provider *p = (struct remote_provider *)base;
	struct rpc *c = ARENA_NEW(r->arena, struct rpc);

	c->p = p;
	c->r = r;
	c->spec = rpc_spec(r);
	if (!r->diags.arena)
		r->diags.arena = r->arena;
	if (c->spec)
		begin_span(c);
	if (!c->spec && r->call != CALL_WAKE)
		remote_finish_late(c, true);
	else if (limit_waits(c))
		return;
	else if (!c->spec)
		remote_finish_late(c, false);
	else if (remote_send(c) < 0)
		remote_finish_late(c, true);
}

/* --- stopping --- */

static void ignore_answer(void *data, int status, struct str text,
			  struct str message)
{
	(void)data, (void)status, (void)text, (void)message;
}

static void stop(struct provider *base)
{
	static const struct plugin_method method = {
		"/tfplugin5.Provider/Stop", "/tfplugin6.Provider/StopProvider"
	};
	struct remote_provider *p = (struct remote_provider *)base;
	struct str none = { "", 0 };

	p->configured = true;
	limit_stop(p);
	if (p->plugin)
		plugin_call(p->plugin, &method, none, ignore_answer, NULL);
}

static void end(struct provider *base)
{
	struct remote_provider *p = (struct remote_provider *)base;

	if (p->configured) /* nobody else can use it */
		plugin_end(p->plugin);
}

static void close_remote(struct provider *base)
{
	struct remote_provider *p = (struct remote_provider *)base;

	limit_forget(p);
	/* what it is still asked is for nobody else either */
	if (p->plugin && p->known->source->keep_idle && !p->configured &&
	    !p->running && !p->known->idle && !plugin_death(p->plugin).n)
		p->known->idle = p->plugin;
	else if (p->buried)
		plugin_close(p->plugin);
	else
		limit_close(p->known, p->plugin);
	p->plugin = NULL;
	buf_release(&p->message);
	buf_release(&p->configuration);
	arena_release(&p->arena);
}

const struct provider_ops remote_ops = { start, stop, end, close_remote };
