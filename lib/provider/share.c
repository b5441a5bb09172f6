/* share.c - see open.h */
#include <stdlib.h>

#include "json/write.h"
#include "provider/open.h"
#include "provider/provider_int.h"

struct shared_provider {
	struct arena *arena;
	struct known *known;
	struct plugin *plugin;
};

struct shared_provider *shared_provider_start(struct arena *a,
					      struct loop *loop,
					      struct provider_source *src,
					      struct provider_addr addr)
{
	struct shared_provider *p = ARENA_NEW(a, struct shared_provider);
	struct diags quiet = DIAGS_INIT(a);

	p->arena = a;
	/* What is encrypted for one of them the others cannot read. */
	if (remote_wants_tls())
		return NULL;
	p->known = provider_find(src, addr, &quiet);
	if (!p->known || p->known->reattached)
		return NULL;
	p->plugin = remote_process(p->known, loop, &quiet);
	return p->plugin ? p : NULL;
}

struct str shared_provider_entry(struct shared_provider *p)
{
	const struct handshake *h;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct str entry;

	if (plugin_wait(p->plugin, NULL) || !(h = plugin_address(p->plugin)))
		return STR_NONE;
	jw_str(&w, p->known->name);
	buf_putc(&b, ':');
	w = (struct jw)JW_INIT(&b);
	jw_object(&w);
	jw_member_int(&w, "ProtocolVersion", h->protocol);
	jw_member_bool(&w, "Test", true);
	jw_key(&w, "Addr");
	jw_object(&w);
	jw_member_str(&w, "Network", h->tcp ? STR("tcp") : STR("unix"));
	jw_member_str(&w, "String", h->address);
	jw_object_end(&w);
	jw_object_end(&w);
	entry = buf_dup(p->arena, &b);
	buf_release(&b);
	return entry;
}

void shared_provider_end(struct shared_provider *p)
{
	if (p)
		limit_close(p->known, p->plugin);
}
