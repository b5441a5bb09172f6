/*
 * azure.h - who asks Azure's services: tokens of Entra ID (OAuth 2.0) for an
 * application or a machine, and signatures with the key of a storage account
 */
#ifndef TFPIPE_REMOTE_AZURE_H
#define TFPIPE_REMOTE_AZURE_H

#include "remote/fetch.h"
#include "remote/oauth.h"

struct remote;

/* --- clouds --- */

struct azure_cloud {
	struct str login;    /* https://HOST/, who gives tokens */
	struct str manager;  /* https://HOST, who manages resources */
	struct str audience; /* whom tokens for the manager are for */
	struct str storage;  /* the domain of storage accounts */
};

/* By the name of an environment; empty: public.  -1: there is none such. */
int azure_cloud_named(struct str name, struct azure_cloud *out);
/* As a host of metadata says it is.  -1 with *why. */
int azure_cloud_asked(struct remote *rem, struct str host,
		      struct azure_cloud *out, struct str *why);

/* --- tokens --- */

/* Who asks.  Members left out are empty. */
struct azure_settings {
	struct str tenant, client, secret;
	struct str key, certificate; /* in PEM */
	/* What is wrong with these, which ways that need them are passed over
	 * for; NULL: nothing.  There is no secret in it. */
	const char *client_wrong, *secret_wrong, *certificate_wrong;
	struct str subscription;
	bool use_oidc;
	struct str oidc_token;
	struct str oidc_file; /* the path of one that others keep fresh */
	struct str oidc_url, oidc_url_token; /* who gives one, to whom */
	struct str connection;               /* a service's, of Azure DevOps */
	bool use_machine;
	struct str machine_url; /* or empty */
	bool use_workload;
	bool use_cli;
};

/* A setting that is written as a text, in a file that the argument `name` has,
 * or in both alike.  Returns NULL, or what is wrong. */
const char *azure_text(struct arena *a, const char *name, struct str *text,
		       struct str file);
/* Takes the certificate and its key from PKCS #12: a text in base64, or a file.
 * There may be neither. */
void azure_certificate(struct arena *a, struct azure_settings *s,
		       struct str text, struct str file, struct str password);

/* A token for a scope, by the first way whose settings are whole, in OpenTofu's
 * order.  Returns 0, or -1 with *why, a sentence without its full stop that has
 * no secret in it.  1: no way has them; *why says what each of them lacks. */
int azure_token(struct remote *rem, const struct azure_settings *s,
		const struct azure_cloud *cloud, struct str scope,
		struct oauth_token *token, struct str *why);
/* The subscription that az(1) has selected. */
int azure_cli_subscription(struct remote *rem, struct str *out,
			   struct str *why);

/* --- signatures --- */

struct azure_request {
	struct str method;
	struct str path;  /* of the URL, escaped */
	struct str query; /* NAME=VALUE&..., sorted, in small letters */
	/* The headers that are signed, sorted; Content-Type and Content-MD5 may
	 * be among them. */
	const struct fetch_header *headers;
	size_t nheaders;
	size_t length; /* of the body */
};

/* The value of Authorization, with a key of the account. */
struct str azure_sign(struct arena *a, const struct azure_request *r,
		      struct str account, struct str key);

#endif
