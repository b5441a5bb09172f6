/*
 * record_common_int.h - what several records of a configuration share, written
 * and read back
 */
#ifndef TFPIPE_CONFIG_RECORD_COMMON_INT_H
#define TFPIPE_CONFIG_RECORD_COMMON_INT_H

#include "config/record/record_int.h"
#include "json/write.h"

struct str read_str(struct reader *r, const struct json *j, const char *name);
struct str read_name(struct reader *r);
struct range read_at(struct reader *r, const struct json *j, const char *name);
int read_expr(struct reader *r, const struct json *j, const char *name,
	      struct expression *out);
int read_body(struct reader *r, const struct json *j, const char *name,
	      struct body **out);
const struct json *read_list(const struct json *j, const char *name, size_t *n);
int read_traversals(struct reader *r, const struct json *j, const char *name,
		    bool relative, struct traversal_vec *out);
int read_conditions(struct reader *r, const struct json *j, const char *name,
		    struct cfg_condition_vec *out);
int read_provider_addr(struct reader *r, const struct json *j, const char *name,
		       struct provider_addr *out);
int read_provider_ref(struct reader *r, const struct json *j,
		      struct cfg_provider_ref *out);
int read_provider_use(struct reader *r, struct cfg_provider_ref *ref,
		      struct provider_addr *addr);
void write_str(struct jw *w, const char *name, struct str s);
void write_flag(struct jw *w, const char *name, bool flag);
struct jw write_begin(struct writer *wr, const char *kind,
		      const struct cfg_module *m, const char *prefix,
		      struct str name);
struct jw write_begin_plain(struct writer *wr, const char *kind,
			    const struct cfg_module *m);
void write_end(struct writer *wr, struct jw *w, const struct range *at);
void write_body(struct jw *w, const char *name, const struct body *b);
void write_conditions(struct jw *w, const char *name,
		      const struct cfg_condition_vec *v);
void write_traversals(struct jw *w, const char *name,
		      const struct traversal_vec *v);
void write_provider_addr(struct writer *wr, struct jw *w, const char *name,
			 struct provider_addr p);
void write_ref_members(struct jw *w, const struct cfg_provider_ref *r);
void write_provider_use(struct writer *wr, struct jw *w,
			const struct cfg_provider_ref *r,
			struct provider_addr p);

#endif
