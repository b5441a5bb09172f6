/*
 * record_int.h - what the files that write and read records share
 *
 * Input lines are in a scratch arena: every text that is kept is copied.
 */
#ifndef TFPIPE_CONFIG_RECORD_RECORD_INT_H
#define TFPIPE_CONFIG_RECORD_RECORD_INT_H

#include "config/config.h"
#include "json/json.h"
#include "json/write.h"

/* Reads the records of the frame that were kept, if they are needed. */
int config_read_early(struct config *c, struct diags *ds);

struct fields;

/*
 * fields.c: the members of a configuration's records, by table
 *
 * Records are written and read by the same tables: fields.c has one for each
 * kind of record, as tf-stream(5) describes it, in the order in which members
 * are written.  A false flag, an empty list and an absent expression have no
 * member.
 */

enum cfg_field_kind {
	/* An absent member of these kinds has a meaning; of the others it
	 * leaves the field empty. */
	FIELD_MODE,      /* enum resource_mode, its name */
	FIELD_TRUE,      /* bool, written always; true where absent */
	FIELD_OTHER,     /* struct str; the text beside it where absent */
	FIELD_TRAVERSAL, /* struct traversal_ref */
	FIELD_PROVIDER,  /* const struct cfg_provider_ref *, in one object
			      with the struct provider_addr beside it */
	FIELD_ABSENT_COUNTS = FIELD_PROVIDER,
	FIELD_TEXT,        /* struct str */
	FIELD_LABEL,       /* struct str, part of an address: not read here */
	FIELD_FLAG,        /* bool */
	FIELD_GIVEN,       /* bool, written where the one beside it is true */
	FIELD_WORD,        /* bool: the word */
	FIELD_RANGE,       /* struct range */
	FIELD_TEXTS,       /* struct str_vec */
	FIELD_EXPRESSION,  /* struct expression */
	FIELD_EXPRESSIONS, /* struct expression_vec */
	FIELD_TRAVERSALS,  /* struct traversal_vec */
	FIELD_IGNORED,     /* the same, relative; or the word, and the bool
			      beside it */
	FIELD_BODY,        /* struct body * */
	FIELD_SOURCE,      /* struct provider_addr */
	FIELD_REF,         /* struct cfg_provider_ref, an object */
	FIELD_LIFECYCLE,   /* const struct cfg_lifecycle *, an object */
	FIELD_CHECK,       /* struct cfg_check *: its name, and read as a check
			      that has no more */
	FIELD_DATA,        /* struct cfg_resource *: its address; not read */
	FIELD_LIST,        /* a vec of structs, a list of objects */
};

enum { FIELDS_MOST = 16 }; /* of a table */

struct cfg_field {
	const char *name;
	enum cfg_field_kind kind;
	bool needed;
	size_t at; /* in the struct */
	/* The offset of the neighbour that the kind speaks of; of a list a
	 * bool: is there one?  0: no neighbour. */
	size_t beside;
	const struct fields *inner; /* of FIELD_LIST */
	const char *word;           /* of FIELD_WORD, FIELD_IGNORED */
};

/* An object, or the members of a record. */
struct fields {
	const char *what; /* "an output", for diagnostics */
	size_t size;      /* of the struct */
	const struct cfg_field *items;
	size_t n;
};

/* Any vec, for FIELD_LIST. */
struct any_vec VEC_OF(char);

extern const struct fields fields_resource, fields_variable, fields_local,
	fields_output, fields_call, fields_provider, fields_required,
	fields_meta, fields_check, fields_moved, fields_removed, fields_import,
	fields_backend, fields_test;
/* Of struct cfg_module. */
extern const struct fields fields_encryption;
/* Of struct expression: a required_version. */
extern const struct fields fields_terraform;
/* Of objects inside. */
extern const struct fields fields_ref, fields_lifecycle;

/* Addresses and other texts that are needed for one record. */
struct cfg_writer {
	struct stream_out *o;
	struct buf text, address;
};

struct cfg_reader {
	struct config *c;
	struct arena *a;
	const struct json *j;
	struct record_reader in; /* what the parts are read with */
	struct cfg_module *m;    /* of the "module" member */
	const char *list;        /* of whose elements one is read; NULL: none */
	bool outline;            /* bodies and provisioners were left out */
	struct diags *ds;
};

/* fields_read.c: members by table, read (see fields.c) */

/* Reads the members of an object into the struct, which is empty but for what
 * other members mean.  -1: diagnosed. */
int fields_read(struct cfg_reader *r, const struct fields *f,
		const struct json *j, void *into);

/* fields_write.c: members by table, written (see fields.c) */

/* The members of an object, or a record, that is begun. */
void fields_write(struct cfg_writer *wr, struct jw *w, const struct fields *f,
		  const void *from);

/* records_read.c: a configuration as records, and from them */

/* The module of a path, made if need be (records.c). */
struct cfg_module *config_module_at(struct config *c, struct str path);

#endif
