/*
 * floor.c - a bare client: how fast can these calls be made at all?
 *
 * usage: floor INFLIGHT N PROVIDER TYPE [PROVIDER TYPE...]
 *
 * For each pair starts the program, configures it, and sends what planning N
 * new resources of the type sends: a validation and a plan for each, at most
 * INFLIGHT resources at a time, the answers decoded as messages and otherwise
 * not looked at.  Attributes are null, computed ones unknown, a map of strings
 * has an unknown element: the messages are as long as a plan's.  Prints the
 * seconds that it took, all in all, and the number of calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "provider/plugin/plugin_int.h"
#include "provider/provider_int.h"
#include "provider/open.h"

struct client {
	struct loop *loop;
	struct plugin *plugin;
	struct buf validate, plan; /* the two messages */
	size_t n, started, ended, calls;
	bool done, failed;
};

static const struct plugin_method method_schema = {
	"/tfplugin5.Provider/GetSchema",
	"/tfplugin6.Provider/GetProviderSchema"
};
static const struct plugin_method method_configure = {
	"/tfplugin5.Provider/Configure",
	"/tfplugin6.Provider/ConfigureProvider"
};
static const struct plugin_method method_validate = {
	"/tfplugin5.Provider/ValidateResourceTypeConfig",
	"/tfplugin6.Provider/ValidateResourceConfig"
};
static const struct plugin_method method_plan = {
	"/tfplugin5.Provider/PlanResourceChange",
	"/tfplugin6.Provider/PlanResourceChange"
};

struct reply {
	struct arena *arena;
	struct str message;
	int status;
	bool done;
};

static void keep(void *data, int status, struct str text, struct str message)
{
	struct reply *r = data;

	(void)text;
	r->status = status;
	r->message = str_dup(r->arena, message);
	r->done = true;
}

static struct str call(struct client *c, struct arena *a,
		       const struct plugin_method *m, struct str message)
{
	struct reply r = { .arena = a };

	plugin_call_now(c->plugin, m, message, keep, &r);
	if (plugin_wait(c->plugin, &r.done) < 0 || r.status != GRPC_OK)
		c->failed = true;
	c->calls++;
	return r.message;
}

/* --- the messages --- */

static const struct value *map_of_unknown(struct arena *a)
{
	const struct str key = STR("id");
	const struct value *v = value_unknown(a, &type_string);

	return value_map(a, &type_string, &key, &v, 1);
}

static const struct value *object(struct arena *a,
				  const struct schema_block *b, bool computed)
{
	const struct type *t = b->implied;
	const struct value **e = ARENA_ARRAY(a, const struct value *, t->len);
	bool mapped = false;

	for (uint32_t i = 0; i < t->len; i++) {
		const struct type *at = t->attrs[i].type;
		const struct schema_attr *s =
			schema_attr_find(b, t->attrs[i].name);

		e[i] = value_null(a, at);
		if (s && s->computed && computed && !s->optional)
			e[i] = value_unknown(a, at);
		else if (at == type_map(&type_string) && !mapped &&
			 (mapped = true))
			e[i] = map_of_unknown(a);
	}
	return value_object_of(a, t, e);
}

static void make_messages(struct client *c, struct arena *a, const char *type,
			  const struct schema_block *b)
{
	Tfplugin__ValidateRequest v = TFPLUGIN__VALIDATE_REQUEST__INIT;
	Tfplugin__PlanRequest p = TFPLUGIN__PLAN_REQUEST__INIT;
	Tfplugin__DynamicValue config, prior, proposed;

	proto_put_value(a, &config, object(a, b, false), b->implied);
	proto_put_value(a, &prior, value_null(a, b->implied), b->implied);
	proto_put_value(a, &proposed, object(a, b, true), b->implied);
	v.type_name = p.type_name = (char *)type;
	v.config = p.config = &config;
	p.prior_state = &prior;
	p.proposed_new_state = &proposed;
	proto_pack(&c->validate, &v.base);
	proto_pack(&c->plan, &p.base);
}

/* --- the calls --- */

static void next(struct client *c);

static void decode(struct client *c, const ProtobufCMessageDescriptor *type,
		   int status, struct str message)
{
	struct arena a = ARENA_INIT;

	c->calls++;
	if (status != GRPC_OK || !proto_unpack(&a, type, message))
		c->failed = true;
	arena_release(&a);
}

static void planned(void *data, int status, struct str text,
		    struct str message)
{
	struct client *c = data;

	(void)text;
	decode(c, &tfplugin__plan_response__descriptor, status, message);
	if (++c->ended == c->n || c->failed)
		c->done = true;
	else
		next(c);
}

static void validated(void *data, int status, struct str text,
		      struct str message)
{
	struct client *c = data;

	(void)text;
	decode(c, &tfplugin__diagnostics_response__descriptor, status,
	       message);
	plugin_call(c->plugin, &method_plan, buf_view(&c->plan), planned, c);
}

static void next(struct client *c)
{
	if (c->started == c->n)
		return;
	c->started++;
	plugin_call(c->plugin, &method_validate, buf_view(&c->validate),
		    validated, c);
}

/* The number of calls; 0 when something failed. */
static size_t run(const char *exe, const char *type, size_t n,
		  size_t inflight)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct plugin_spec spec = { .exe = exe, .name = str_c(exe) };
	struct client c = { .loop = loop_new(), .n = n };
	struct provider_schema s = { .addr = provider_builtin };
	Tfplugin__ConfigureRequest conf = TFPLUGIN__CONFIGURE_REQUEST__INIT;
	Tfplugin__DynamicValue config;
	const struct resource_schema *r = NULL;
	struct buf m = BUF_INIT;
	struct str answer;

	c.plugin = plugin_start(c.loop, &spec, &ds);
	if (!c.plugin)
		return 0;
	answer = call(&c, &a, &method_schema, STR(""));
	if (!c.failed && !schema_read(&a, plugin_protocol(c.plugin), answer,
				      STR(""), &s, &ds))
		r = provider_resource_schema(&s, MODE_MANAGED, str_c(type),
					     &ds);
	if (r) {
		proto_put_value(&a, &config, object(&a, s.config, false),
				s.config->implied);
		conf.config = &config;
		proto_pack(&m, &conf.base);
		call(&c, &a, &method_configure, buf_view(&m));
		make_messages(&c, &a, type, r->block);
		for (size_t i = 0; i < inflight; i++)
			next(&c);
		if (n)
			loop_run(c.loop, &c.done);
	}
	plugin_close(c.plugin);
	loop_free(c.loop);
	buf_release(&m);
	buf_release(&c.validate);
	buf_release(&c.plan);
	arena_release(&a);
	return r && !c.failed ? c.calls : 0;
}

int main(int argc, char **argv)
{
	struct timespec start, end;
	size_t calls = 0;

	if (argc < 5) {
		fputs("usage: floor INFLIGHT N PROVIDER TYPE...\n", stderr);
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 3; i + 1 < argc; i += 2) {
		size_t got = run(argv[i], argv[i + 1],
				 strtoul(argv[2], NULL, 10),
				 strtoul(argv[1], NULL, 10));

		if (!got) {
			fprintf(stderr, "floor: %s failed\n", argv[i]);
			return 1;
		}
		calls += got;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.3f %zu\n", (double)(end.tv_sec - start.tv_sec) +
			     (double)(end.tv_nsec - start.tv_nsec) / 1e9,
	       calls);
	return 0;
}
