/* events_provision.c - the events of provisioners and of ephemeral resources */
#include "engine/change/events.h"
#include "engine/change/change_int.h"
#include "json/write.h"

void event_provision_start(struct events *e, const struct instance_addr *addr,
			   struct str provisioner)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": Provisioning with '%.*s'...", STR_ARG(provisioner));
	w = event_hook(e, addr, buf_view(&b));
	jw_member_str(&w, "provisioner", provisioner);
	jw_object_end(&w);
	event_end(e, &w, "provision_start");
	buf_release(&b);
}

static void output_line(struct events *e, const struct instance_addr *addr,
			struct str provisioner, struct str line)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": (%.*s): %.*s", STR_ARG(provisioner), STR_ARG(line));
	w = event_hook(e, addr, buf_view(&b));
	jw_member_str(&w, "provisioner", provisioner);
	jw_member_str(&w, "output", line);
	jw_object_end(&w);
	event_end(e, &w, "provision_progress");
	buf_release(&b);
}

void event_provision_output(struct events *e, const struct instance_addr *addr,
			    struct str provisioner, struct str text)
{
	while (text.n) {
		struct str line = text;
		size_t n = 0;

		while (n < text.n && text.p[n] != '\n' && text.p[n] != '\r')
			n++;
		line.n = n;
		while (line.n && strchr(" \t\v\f", line.p[line.n - 1]))
			line.n--;
		if (line.n)
			output_line(e, addr, provisioner, line);
		text = str_sub(text, n + (n < text.n), text.n);
	}
}

void event_provision_end(struct events *e, const struct instance_addr *addr,
			 struct str provisioner, bool failed)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": (%.*s) Provisioning %s", STR_ARG(provisioner),
		 failed ? "errored" : "complete");
	w = event_hook(e, addr, buf_view(&b));
	jw_member_str(&w, "provisioner", provisioner);
	jw_object_end(&w);
	event_end(e, &w, failed ? "provision_errored" : "provision_complete");
	buf_release(&b);
}

void event_ephemeral(struct events *e, const struct instance_addr *addr,
		     const char *message, bool complete)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": %s", message);
	w = event_hook(e, addr, buf_view(&b));
	jw_key(&w, "Msg");
	jw_cstr(&w, message);
	jw_object_end(&w);
	event_end(e, &w,
		  complete ? "ephemeral_action_complete"
			   : "ephemeral_action_started");
	buf_release(&b);
}
