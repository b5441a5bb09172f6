/*
 * s3_int.h - states in S3: the settings of the backend, and its requests
 *
 * s3_config.c reads the block's arguments, s3_check.c holds them to OpenTofu's
 * rules, s3_object.c asks S3 for objects, s3_table.c asks DynamoDB for items,
 * s3_lock.c locks by either or both, s3.c is the backend.
 */
#ifndef TFPIPE_STATE_BACKEND_S3_S3_INT_H
#define TFPIPE_STATE_BACKEND_S3_S3_INT_H

#include "remote/aws.h"
#include "state/backend/backend_int.h"

struct s3 {
	struct aws *aws; /* NULL until the block has been read */
	struct aws_settings settings;
	struct str bucket;
	struct str name;   /* the argument "key" */
	struct str prefix; /* of the keys of other workspaces */
	struct str key;    /* of this workspace */
	bool encrypt;
	struct str kms_key, customer_key; /* the latter in base64 */
	struct str acl;
	struct str state_tags, lock_tags; /* as a query */
	bool no_checksum;
	bool lockfile;
	struct str table; /* of locks and digests; or empty */

	/* Who asks is looked up before the first request. */
	bool known;
	bool skip_validation, skip_account;
	struct str_vec allowed, forbidden; /* accounts */
};

/* --- s3_config.c --- */

int s3_configure(struct backend *b, struct diags *ds);
/* The key of a workspace. */
struct str s3_key(struct arena *a, const struct s3 *s, struct str workspace);

/* --- s3_check.c --- */

/* Reports what is wrong with the arguments. */
int s3_check(struct backend *b, struct diags *ds);
/* In seconds; 0 or -1. */
int s3_duration(struct str text, int64_t *seconds);

/* --- s3_object.c --- */

/* All return 0, or -1 with *why.  An object that is not there is one without a
 * text (NULL in p). */
int s3_get(struct backend *b, struct str key, struct str *out, struct str *why);
int s3_put(struct backend *b, struct str text, struct str *why);
/* Once: *held says that there is one already, and nothing was written. */
int s3_put_lock(struct backend *b, struct str key, struct str text, bool *held,
		struct str *why);
/* many: after a failed connection it is asked for again. */
int s3_delete(struct backend *b, struct str key, bool many, struct str *why);
int s3_list(struct backend *b, struct str_vec *workspaces, struct str *why);
/* Finds who asks, unless the settings skip it, and refuses accounts that they
 * do not allow.  Once. */
int s3_know(struct backend *b, struct diags *ds);

/* --- s3_table.c --- */

/* An item's member "Info" or "Digest"; NULL in p: there is no such item. */
int s3_item_get(struct backend *b, struct str id, const char *member,
		struct str *out, struct str *why);
/* fresh: only if there is none; *held as above. */
int s3_item_put(struct backend *b, struct str id, const char *member,
		struct str text, bool fresh, bool *held, struct str *why);
/* info: only if it is what the member "Info" has; NULL in p: in any case. */
int s3_item_delete(struct backend *b, struct str id, struct str info,
		   struct str *why);

/* --- s3_lock.c --- */

enum lock_result s3_lock(struct backend *b, struct lock_info *mine,
			 struct lock_info *holder, const char **why,
			 struct diags *ds);
int s3_unlock(struct backend *b, struct diags *ds);
bool s3_is_locked(struct backend *b, struct lock_info *holder);
int s3_force_unlock(struct backend *b, struct str id, bool forced,
		    struct diags *ds);

#endif
