/*
 * fields_int.h - the members of a configuration's records, by table
 *
 * Records are written and read by the same tables: fields.c has one for each
 * kind of record, as tf-stream(5) describes it, in the order in which members
 * are written.  A false flag, an empty list and an absent expression have no
 * member.
 */
#ifndef TFPIPE_CONFIG_FIELDS_INT_H
#define TFPIPE_CONFIG_FIELDS_INT_H

#include "config/config.h"
#include "json/json.h"
#include "json/write.h"

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

struct fields;

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

#endif
