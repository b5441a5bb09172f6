/* azurerm_int.h - requests to Azure's blob storage; see azurerm.c */
#ifndef TFPIPE_STATE_BACKEND_AZURERM_AZURERM_INT_H
#define TFPIPE_STATE_BACKEND_AZURERM_AZURERM_INT_H

#include "remote/azure.h"
#include "state/backend/backend_int.h"

#define AZURERM_INFIX "env:" /* between a key and a workspace */

struct azurerm {
	struct str account, container, key;
	struct str blob;      /* of the workspace */
	struct str resources; /* the group of the account; or empty */
	struct str metadata;  /* the host that knows the cloud; or empty */
	struct azure_cloud cloud;
	bool cloud_known;
	/* How requests show who they are of: by a key of the account, by what
	 * their query has, or by a token. */
	struct str account_key; /* its bytes; or empty */
	struct str sas;         /* or empty */
	bool by_token;          /* else a token gets the key */
	struct azure_settings who;
	struct oauth_token token;
	struct fetch_header customer[3]; /* the customer's key */
	size_t ncustomer;
	struct str encryption_scope; /* or empty */
	bool snapshot;
	int64_t seconds; /* that a request may take */
};

enum { AZURERM_HEADERS = 24 };

/* Of a request; what is left out is empty. */
struct azurerm_request {
	const char *method;
	struct str blob;   /* empty: the container itself */
	const char *query; /* the names sorted, in small letters */
	struct fetch_header headers[AZURERM_HEADERS]; /* in small letters */
	size_t nheaders;
	struct str body;
	bool keyed;  /* the customer's key is for it */
	bool scoped; /* and so is the scope of encryption */
};

void azurerm_header(struct azurerm_request *r, const char *name,
		    struct str value);
/* Only under the lease, where there is one. */
void azurerm_lease(struct azurerm_request *r, struct str lease);
/* Metadata of a blob that users, and locks, have put there. */
void azurerm_metadata(struct azurerm_request *r, const struct fetch_answer *of,
		      const char *without);

/* Returns 0 if the answer is a success; -1 with *why, a sentence without its
 * full stop that has no secret in it; answer->status is 0 where there is no
 * answer. */
int azurerm_ask(struct backend *b, struct azurerm_request *r,
		struct fetch_answer *answer, struct str *why);
/* Is it an answer with this code of an error? */
bool azurerm_is(const struct fetch_answer *answer, const char *code);
/* The properties of a blob. */
int azurerm_look(struct backend *b, struct str blob,
		 struct fetch_answer *answer, struct str *why);
/* https://ACCOUNT.blob.DOMAIN/CONTAINER/BLOB; the cloud is known. */
struct str azurerm_url(const struct backend *b, struct str blob);

/* --- azurerm_settings.c --- */

int azurerm_open(struct backend *b, struct diags *ds);

/* --- azurerm_lock.c --- */

enum lock_result azurerm_lock(struct backend *b, struct lock_info *mine,
			      struct lock_info *holder, const char **why,
			      struct diags *ds);
int azurerm_unlock(struct backend *b, struct diags *ds);
bool azurerm_is_locked(struct backend *b, struct lock_info *holder);
int azurerm_force_unlock(struct backend *b, struct str id, bool forced,
			 struct diags *ds);

#endif
