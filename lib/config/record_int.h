/*
 * record_int.h - what the files that write and read records share
 *
 * Each record's writer and reader stand in one file, by topic.  Members that
 * say nothing are left out: a false flag, an empty list, an absent expression.
 * What is read lives in a scratch arena: every text that is kept is copied.
 */
#ifndef TFPIPE_CONFIG_RECORD_INT_H
#define TFPIPE_CONFIG_RECORD_INT_H

#include "config/config_int.h"

/* Addresses and other texts that are needed for one record. */
struct writer {
	struct stream_out *o;
	struct buf text;
};

struct reader {
	struct config *c;
	struct arena *a;
	const struct json *j;
	struct record_reader in; /* what the parts are read with */
	struct cfg_module *m; /* of the "module" member */
	struct diags *ds;
};

/* record_common.c: what several records share */

struct str read_str(struct reader *r, const struct json *j,
		    const char *name);
struct str read_name(struct reader *r);
struct range read_at(struct reader *r, const struct json *j,
		     const char *name);
int read_expr(struct reader *r, const struct json *j, const char *name,
	      struct expression *out);
int read_body(struct reader *r, const struct json *j, const char *name,
	      struct body **out);
const struct json *read_list(const struct json *j, const char *name,
			     size_t *n);
int read_traversals(struct reader *r, const struct json *j, const char *name,
		    bool relative, struct traversal_vec *out);
int read_conditions(struct reader *r, const struct json *j, const char *name,
		    struct cfg_condition_vec *out);
int read_provider_addr(struct reader *r, const struct json *j,
		       const char *name, struct provider_addr *out);
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
void write_provider_addr(struct writer *wr, struct jw *w,
			 const char *name, struct provider_addr p);
void write_ref_members(struct jw *w, const struct cfg_provider_ref *r);
void write_provider_use(struct writer *wr, struct jw *w,
			const struct cfg_provider_ref *r,
			struct provider_addr p);

/* record_value.c */

void config_write_variable(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_variable *v);
void config_write_local(struct writer *wr, const struct cfg_module *m,
			const struct cfg_local *l);
void config_write_output(struct writer *wr, const struct cfg_module *m,
			 const struct cfg_output *o);
int config_read_variable(struct reader *r);
int config_read_local(struct reader *r);
int config_read_output(struct reader *r);

/* record_resource.c */

void config_write_resource(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_resource *r);
void config_write_provisioners(struct jw *w,
			       const struct cfg_provisioner_vec *v);
int config_read_resource(struct reader *r);
int config_read_provisioners(struct reader *r, struct cfg_provisioner_vec *out);

/* record_call.c */

void config_write_call(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_call *c);
void config_write_provider(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_provider *p);
void config_write_required(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_required_provider *rp);
void config_write_meta(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_provider_meta *pm);
void config_write_backend(struct writer *wr, const struct cfg_module *m,
			  const struct cfg_backend *b);
int config_read_call(struct reader *r);
int config_read_provider(struct reader *r);
int config_read_required(struct reader *r);
int config_read_meta(struct reader *r);
int config_read_backend(struct reader *r);
int config_read_encryption(struct reader *r);
int config_read_terraform(struct reader *r);

/* record_refactor.c */

void config_write_check(struct writer *wr, const struct cfg_module *m,
			const struct cfg_check *c);
void config_write_moved(struct writer *wr, const struct cfg_moved *mv);
void config_write_removed(struct writer *wr, const struct cfg_removed *rm);
void config_write_import(struct writer *wr, const struct cfg_import *im);
int config_read_check(struct reader *r);
int config_read_moved(struct reader *r);
int config_read_removed(struct reader *r);
int config_read_import(struct reader *r);

#endif
