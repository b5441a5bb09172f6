/* calls.c - the table of methods; what happens to every call */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "provider.h"

#define IN(name) &tfplugin__##name##__descriptor
#define EMPTY IN(empty_request)

const struct method methods[] = {
	{ "GetMetadata", "GetMetadata", "metadata", EMPTY, handle_nothing,
	  pack_metadata },
	{ "GetSchema", "GetProviderSchema", "schema", EMPTY, handle_nothing,
	  pack_schema },
	{ "GetResourceIdentitySchemas", "GetResourceIdentitySchemas",
	  "identity-schemas", EMPTY, handle_nothing, pack_identity_schemas },
	{ "GetFunctions", "GetFunctions", "functions", EMPTY, handle_nothing,
	  pack_functions },
	{ "PrepareProviderConfig", "ValidateProviderConfig",
	  "validate-provider", IN(validate_provider_request),
	  handle_validate_provider, pack_validate_provider },
	{ "Configure", "ConfigureProvider", "configure", IN(configure_request),
	  handle_configure, pack_diagnostics },
	{ "Stop", "StopProvider", "stop", EMPTY, handle_stop, pack_nothing },
	{ "ValidateResourceTypeConfig", "ValidateResourceConfig", "validate",
	  IN(validate_request), handle_validate, pack_diagnostics },
	{ "ValidateDataSourceConfig", "ValidateDataResourceConfig",
	  "validate-data", IN(validate_request), handle_validate_data,
	  pack_diagnostics },
	{ "ValidateEphemeralResourceConfig", "ValidateEphemeralResourceConfig",
	  "validate-ephemeral", IN(validate_request),
	  handle_validate_ephemeral, pack_diagnostics },
	{ "UpgradeResourceState", "UpgradeResourceState", "upgrade",
	  IN(upgrade_state_request), handle_upgrade, pack_upgrade },
	{ "UpgradeResourceIdentity", "UpgradeResourceIdentity",
	  "upgrade-identity", IN(upgrade_identity_request),
	  handle_upgrade_identity, pack_upgrade_identity },
	{ "ReadResource", "ReadResource", "read", IN(read_resource_request),
	  handle_read, pack_read },
	{ "PlanResourceChange", "PlanResourceChange", "plan", IN(plan_request),
	  handle_plan, pack_plan },
	{ "ApplyResourceChange", "ApplyResourceChange", "apply",
	  IN(apply_request), handle_apply, pack_apply },
	{ "ImportResourceState", "ImportResourceState", "import",
	  IN(import_request), handle_import, pack_import },
	{ "MoveResourceState", "MoveResourceState", "move", IN(move_request),
	  handle_move, pack_move },
	{ "ReadDataSource", "ReadDataSource", "read-data",
	  IN(read_data_request), handle_read_data, pack_read_data },
	{ "OpenEphemeralResource", "OpenEphemeralResource", "open",
	  IN(open_ephemeral_request), handle_open, pack_open },
	{ "RenewEphemeralResource", "RenewEphemeralResource", "renew",
	  IN(ephemeral_request), handle_renew, pack_renew },
	{ "CloseEphemeralResource", "CloseEphemeralResource", "close",
	  IN(ephemeral_request), handle_close, pack_diagnostics },
	{ "CallFunction", "CallFunction", "function",
	  IN(call_function_request), handle_call, pack_call },
	{ NULL, NULL, NULL, NULL, NULL, NULL },
};

static const struct method *find_method(const struct provider *p,
					struct str path)
{
	const char *service = p->protocol == 5 ? "tfplugin5.Provider/"
					       : "tfplugin6.Provider/";
	struct str name;

	if (!str_starts(path, service))
		return NULL;
	name = str_sub(path, strlen(service), path.n);
	for (const struct method *m = methods; m->call; m++)
		if (str_is(name, p->protocol == 5 ? m->name5 : m->name6))
			return m;
	return NULL;
}

/* One line, written at once: several processes append to the file. */
static void log_call(const struct request *r)
{
	struct buf b = BUF_INIT;
	int fd;

	if (!r->p->log)
		return;
	buf_puts(&b, r->what);
	if (r->type)
		buf_addf(&b, " %s", r->type->name);
	if (r->name.n)
		buf_addf(&b, " %.*s", STR_ARG(r->name));
	if (r->note.n)
		buf_addf(&b, " %.*s", STR_ARG(r->note));
	buf_putc(&b, '\n');
	fd = open(r->p->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0) {
		io_write_all(fd, b.p, b.len);
		close(fd);
	}
	buf_release(&b);
}

void request_send(struct request *r)
{
	struct buf out = BUF_INIT;

	r->method->pack(r, &out);
	call_reply(r->call, out.p, out.len); /* r is gone */
	buf_release(&out);
}

void provider_stop(struct provider *p)
{
	p->stopped = true;
	while (p->hung) {
		struct request *r = p->hung;
		struct complaint c = { .summary = STR("stopped") };

		p->hung = r->next;
		if (!r->finishes) {
			r->answer.object = r->prior;
			vec_push(r->a, &r->answer.complaints, c);
		}
		request_send(r);
	}
}

static void handle(struct provider *p, const struct method *m, struct call *c)
{
	struct request *r = ARENA_NEW(&c->arena, struct request);
	ProtobufCAllocator alloc = arena_allocator(&c->arena);

	r->p = p;
	r->call = c;
	r->a = &c->arena;
	r->method = m;
	r->what = m->call;
	r->in = protobuf_c_message_unpack(m->in, &alloc, c->message.n,
					  (const uint8_t *)c->message.p);
	if (!r->in) {
		call_fail(c, GRPC_INTERNAL, "the message does not parse");
		return;
	}
	m->handle(r);
	log_call(r);
	request_finish(r);
}

/* Ends the program once the answer is out. */
static void leave(void *data)
{
	struct provider *p = data;

	p->done = true;
}

void provider_call(void *provider, struct call *c)
{
	struct provider *p = provider;
	const struct method *m = find_method(p, c->method);

	if (m) {
		handle(p, m, c);
	} else if (str_is(c->method, "plugin.GRPCController/Shutdown")) {
		loop_after(p->loop, 1, leave, p);
		call_reply(c, "", 0);
	} else if (str_is(c->method, "plugin.GRPCStdio/StreamStdio")) {
		call_leave(c);
	} else {
		call_fail(c, GRPC_UNIMPLEMENTED, "unknown method");
	}
}
