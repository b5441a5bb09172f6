/* write.h - JSON text out; see json.h */
#ifndef TFPIPE_JSON_WRITE_H
#define TFPIPE_JSON_WRITE_H

#include "json/json.h"

struct jw {
	struct buf *out;
	bool html;     /* escape < > & as \u003c ... */
	bool comma;    /* a value was written at this level */
	bool keyed;    /* a key was written, its value comes next */
	bool varied;   /* something was written that may have several forms */
	bool one_form; /* jw_json writes numbers as json_number_form does */
	int indent;    /* spaces a level; 0 writes compactly */
	int depth;
};

#define JW_INIT(buf_) \
	{ \
		.out = (buf_) \
	}

void jw_object(struct jw *w); /* { */
void jw_object_end(struct jw *w);
void jw_array(struct jw *w); /* [ */
void jw_array_end(struct jw *w);
void jw_key_str(struct jw *w, struct str name);
void jw_cstr(struct jw *w, const char *s);
/* One string: s, and a tail that needs no escapes. */
void jw_str_and(struct jw *w, struct str s, struct str tail);
void jw_null(struct jw *w);
/* Text that is JSON already (a number as written, an embedded value). */
void jw_raw(struct jw *w, struct str json);
/* A parsed tree again. */
void jw_json(struct jw *w, const struct json *j);
/* jw_key: a name that needs no escapes, one of the program's own. */
void jw_key_plain(struct jw *w, const char *name, size_t n);
static inline void jw_key(struct jw *w, const char *name)
{
	jw_key_plain(w, name, strlen(name));
}
void jw_str(struct jw *w, struct str s);
void jw_bool(struct jw *w, bool b);
void jw_int(struct jw *w, int64_t n);

/* "name": value in one call. */
static inline void jw_member_str(struct jw *w, const char *name, struct str s)
{
	jw_key(w, name);
	jw_str(w, s);
}

static inline void jw_member_bool(struct jw *w, const char *name, bool b)
{
	jw_key(w, name);
	jw_bool(w, b);
}

static inline void jw_member_int(struct jw *w, const char *name, int64_t n)
{
	jw_key(w, name);
	jw_int(w, n);
}

#endif
