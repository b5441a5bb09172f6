/* write.c - writing a stream: header, stage, records, end (see stream.h) */
#include <unistd.h>

#include "stream/stream.h"
#include "json/write.h"
#include "stream/stream_int.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

void stream_out_init(struct stream_out *o, int fd, bool show_sensitive)
{
	*o = (struct stream_out){ .out = OUT_INIT(fd),
				  .redacted = BUF_INIT,
				  .seal = seal_new(),
				  .show_sensitive = show_sensitive };
	o->redact = !show_sensitive && isatty(fd);
}

void stream_without_seal(struct stream_out *o)
{
	o->unsealed = o->unedited = true;
}

struct jw stream_record(struct stream_out *o, const char *kind,
			struct str address)
{
	struct jw w = JW_INIT(&o->out.buf);

	o->kind = kind;
	o->from = o->out.buf.len;
	jw_object(&w);
	jw_member_str(&w, "record", str_c(kind));
	if (address.p)
		jw_member_str(&w, "address", address);
	return w;
}

void stream_record_end(struct stream_out *o, struct jw *w)
{
	jw_object_end(w);
	if (!o->redact && !o->unsealed)
		seal_add_own(o->seal, str_c(o->kind),
			     str_sub(buf_view(&o->out.buf), o->from,
				     o->out.buf.len),
			     !w->varied);
	out_str(&o->out, STR("\n"));
}

/* Output shown on a terminal needs no seal: no stage reads it. */
static void write_seal(struct stream_out *o)
{
	struct jw w;

	if (o->redact || o->unsealed || o->brief || !o->tool.n)
		return;
	w = stream_record(o, "seal", STR_NONE);
	jw_member_str(&w, "tool", o->tool);
	seal_write(o->seal, &w);
	stream_record_end(o, &w);
}

void stream_begin(struct stream_out *o, const char *tool,
		  const struct str_vec *options)
{
	struct jw w;

	if (!o->started) {
		w = stream_record(o, "header", STR_NONE);
		jw_member_str(&w, "format", STR("tfpipe-stream"));
		jw_member_int(&w, "version", STREAM_VERSION);
		stream_record_end(o, &w);
		o->started = true;
	}
	o->tool = str_c(tool);
	w = stream_record(o, "stage", STR_NONE);
	jw_member_str(&w, "tool", str_c(tool));
	jw_member_str(&w, "version", STR(PACKAGE_VERSION));
	jw_key(&w, "options");
	jw_array(&w);
	for (size_t i = 0; options && i < options->len; i++)
		jw_str(&w, options->items[i]);
	jw_array_end(&w);
	stream_record_end(o, &w);
}

int stream_end(struct stream_out *o, bool failed)
{
	struct jw w;

	write_seal(o);
	w = stream_record(o, "end", STR_NONE);
	jw_member_bool(&w, "failed", failed);
	stream_record_end(o, &w);
	return out_flush(&o->out);
}

void stream_out_release(struct stream_out *o)
{
	out_release(&o->out);
	buf_release(&o->redacted);
	seal_free(o->seal);
}

enum stream_source stream_choose(struct str dir_option)
{
	if (dir_option.p || isatty(STDIN_FILENO))
		return STREAM_FROM_DIR;
	return STREAM_FROM_STDIN;
}
