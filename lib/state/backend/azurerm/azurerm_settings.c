/* azurerm_settings.c - the arguments of the backend "azurerm"; see azurerm.c */
#include "base/base64.h"
#include "crypto/crypto.h"
#include "state/backend/backend_int.h"
#include "state/backend/azurerm/azurerm_int.h"

enum { KEY_SIZE = 32 };

static bool made_of(struct str s, const char *chars, size_t least, size_t most)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr(chars, s.p[i]))
			return false;
	return s.n >= least && s.n <= most;
}

static int read_names(struct backend *b, struct diags *ds)
{
	static const char chars[] = "-abcdefghijklmnopqrstuvwxyz0123456789";
	struct azurerm *z = b->data;
	const struct str c = argument_text(b, "container_name");

	z->account = argument_text(b, "storage_account_name");
	z->container = c;
	z->key = argument_text(b, "key");
	z->resources = argument_text(b, "resource_group_name");
	if (!made_of(z->account, chars + 1, 3, 24))
		return argument_error(
			b, ds, "storage_account_name",
			"must be of 3 to 24 small letters and digits");
	if (!made_of(c, chars, 3, 63) || c.p[0] == '-' || c.p[c.n - 1] == '-' ||
	    str_find(c, STR("--")) >= 0)
		return argument_error(b, ds, "container_name",
				      "must be of 3 to 63 small letters, "
				      "digits, and hyphens, none of them at an "
				      "end or beside another");
	z->blob = str_is(b->workspace, "default")
			  ? z->key
			  : STR_CAT(b->arena, z->key, STR(AZURERM_INFIX),
				    b->workspace);
	b->name = STR_CAT(b->arena, z->account, STR("/"), c, STR("/"), z->blob);
	return 0;
}

static int read_customer_key(struct backend *b, struct diags *ds)
{
	static const char name[] = "customer_provided_key";
	const struct str text = argument_text(b, name);
	struct azurerm *z = b->data;
	unsigned char sum[DIGEST_MAX];
	struct str key;
	size_t n;

	z->encryption_scope = argument_text(b, "encryption_scope");
	if (!text.n)
		return 0;
	if (z->encryption_scope.n)
		return argument_error(b, ds, name,
				      "conflicts with encryption_scope");
	if (!base64_decode(b->arena, text, &key))
		return argument_error(b, ds, name, "is not base64");
	if (key.n != KEY_SIZE)
		return argument_error(b, ds, name,
				      "is a key of %zu bytes, not of %d", key.n,
				      KEY_SIZE);
	n = digest_of("sha256", key, sum);
	z->customer[0] =
		(struct fetch_header){ STR("x-ms-encryption-algorithm"),
				       STR("AES256") };
	z->customer[1] =
		(struct fetch_header){ STR("x-ms-encryption-key"), text };
	z->customer[2] = (struct fetch_header){
		STR("x-ms-encryption-key-sha256"),
		base64_encode(b->arena, (struct str){ (const char *)sum, n })
	};
	z->ncustomer = 3;
	return 0;
}

/* Returns what is wrong with them, or NULL. */
static const char *text_or_file(struct backend *b, const char *name,
				const char *file, struct str *out)
{
	*out = argument_text(b, name);
	return azure_text(b->arena, file, out, argument_text(b, file));
}

static int read_who(struct backend *b, struct diags *ds)
{
	struct azurerm *z = b->data;
	struct azure_settings *s = &z->who;

	s->tenant = argument_text(b, "tenant_id");
	s->subscription = argument_text(b, "subscription_id");
	s->oidc_token = argument_text(b, "oidc_token");
	s->oidc_file = argument_text(b, "oidc_token_file_path");
	s->oidc_url = argument_text(b, "oidc_request_url");
	s->oidc_url_token = argument_text(b, "oidc_request_token");
	s->connection = argument_text(b, "ado_service_connection_id");
	s->machine_url = argument_text(b, "msi_endpoint");
	s->client_wrong =
		text_or_file(b, "client_id", "client_id_file_path", &s->client);
	s->secret_wrong = text_or_file(b, "client_secret",
				       "client_secret_file_path", &s->secret);
	return argument_flag(b, "use_oidc", &s->use_oidc, ds) ||
			       argument_flag(b, "use_msi", &s->use_machine,
					     ds) ||
			       argument_flag(b, "use_aks_workload_identity",
					     &s->use_workload, ds) ||
			       argument_flag(b, "use_cli", &s->use_cli, ds) ||
			       argument_flag(b, "use_azuread_auth",
					     &z->by_token, ds)
		       ? -1
		       : 0;
}

static int read_access(struct backend *b, struct diags *ds)
{
	const struct str key = argument_text(b, "access_key");
	struct azurerm *z = b->data;

	if (key.n) {
		z->by_token = false;
		return base64_decode(b->arena, key, &z->account_key)
			       ? 0
			       : argument_error(b, ds, "access_key",
						"is not base64");
	}
	z->sas = argument_text(b, "sas_token");
	while (str_starts(z->sas, "?"))
		z->sas = str_sub(z->sas, 1, z->sas.n);
	if (!z->sas.n)
		azure_certificate(b->arena, &z->who,
				  argument_text(b, "client_certificate"),
				  argument_text(b, "client_certificate_path"),
				  argument_text(b,
						"client_certificate_password"));
	return 0;
}

static int read_cloud(struct backend *b, struct diags *ds)
{
	const struct str name = argument_text(b, "environment");
	struct azurerm *z = b->data;

	z->metadata = argument_text(b, "metadata_host");
	z->cloud_known = !z->metadata.n;
	if (!z->cloud_known && name.n)
		return argument_error(b, ds, "metadata_host",
				      "conflicts with environment");
	if (z->cloud_known && azure_cloud_named(name, &z->cloud))
		return argument_error(
			b, ds, "environment",
			"is an unknown environment identifier: %.*s",
			STR_ARG(name));
	return 0;
}

int azurerm_open(struct backend *b, struct diags *ds)
{
	struct azurerm *z = ARENA_NEW(b->arena, struct azurerm);

	b->data = z;
	if (arguments_required(b, ds) ||
	    argument_flag(b, "snapshot", &z->snapshot, ds) ||
	    argument_number(b, "timeout_seconds", &z->seconds, ds))
		return -1;
	if (z->seconds < 0 || z->seconds > INT32_MAX)
		return argument_error(b, ds, "timeout_seconds",
				      "is no number of seconds");
	return read_names(b, ds) || read_customer_key(b, ds) ||
			       read_cloud(b, ds) || read_who(b, ds) ||
			       read_access(b, ds)
		       ? -1
		       : 0;
}
