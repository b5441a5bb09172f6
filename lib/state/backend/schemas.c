/*
 * schemas.c - the arguments of each backend
 *
 * An argument is a line: its name, its type, what else is so of it (required,
 * deprecated, sensitive), the environment variables that it may have its value
 * from, in this order, and after `=` its default.  The members of an object or
 * a block follow its line, two spaces further in.  A block is one, unless a
 * collection is named; maxN says how many there may be.
 * Source: OpenTofu 1.12.6, the schema that each of its backends declares; but
 * granularity of pg is our own.
 */
#include <stdlib.h>

#include "state/backend/backend.h"
#include "base/workdir.h"

static const struct arguments {
	const char *type, *lines;
} tables[] = {
	{ "local", "path string =" WORKDIR_STATE "\n"
		   "workspace_dir string =" WORKDIR_STATES "\n" },
	{ "inmem", "lock_id string\n" },
	{ "s3",
	  "access_key string\n"
	  "acl string\n"
	  "allowed_account_ids set(string)\n"
	  "assume_role object\n"
	  "  duration string\n"
	  "  external_id string\n"
	  "  policy string\n"
	  "  policy_arns set(string)\n"
	  "  role_arn string required\n"
	  "  session_name string\n"
	  "  tags map(string)\n"
	  "  transitive_tag_keys set(string)\n"
	  "assume_role_duration_seconds number deprecated\n"
	  "assume_role_policy string deprecated\n"
	  "assume_role_policy_arns set(string) deprecated\n"
	  "assume_role_tags map(string) deprecated\n"
	  "assume_role_transitive_tag_keys set(string) deprecated\n"
	  "assume_role_with_web_identity object\n"
	  "  duration string\n"
	  "  policy string\n"
	  "  policy_arns set(string)\n"
	  "  role_arn string AWS_ROLE_ARN\n"
	  "  session_name string AWS_ROLE_SESSION_NAME\n"
	  "  web_identity_token string sensitive AWS_WEB_IDENTITY_TOKEN\n"
	  "  web_identity_token_file string AWS_WEB_IDENTITY_TOKEN_FILE\n"
	  "bucket string required\n"
	  "custom_ca_bundle string AWS_CA_BUNDLE\n"
	  "dynamodb_endpoint string deprecated\n"
	  "dynamodb_table string\n"
	  "ec2_metadata_service_endpoint string"
	  " AWS_EC2_METADATA_SERVICE_ENDPOINT\n"
	  "ec2_metadata_service_endpoint_mode string"
	  " AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE\n"
	  "encrypt bool\n"
	  "endpoint string deprecated\n"
	  "endpoints object\n"
	  "  dynamodb string AWS_ENDPOINT_URL_DYNAMODB AWS_DYNAMODB_ENDPOINT\n"
	  "  iam string AWS_ENDPOINT_URL_IAM AWS_IAM_ENDPOINT\n"
	  "  s3 string AWS_ENDPOINT_URL_S3 AWS_S3_ENDPOINT\n"
	  "  sts string AWS_ENDPOINT_URL_STS AWS_STS_ENDPOINT\n"
	  "external_id string deprecated\n"
	  "forbidden_account_ids set(string)\n"
	  "force_path_style bool deprecated\n"
	  "http_proxy string\n"
	  "https_proxy string\n"
	  "iam_endpoint string deprecated\n"
	  "insecure bool\n"
	  "key string required\n"
	  "kms_key_id string\n"
	  "lock_tags map(string)\n"
	  "max_retries number =5\n"
	  "no_proxy string\n"
	  "profile string\n"
	  "region string AWS_REGION AWS_DEFAULT_REGION\n"
	  "retry_mode string\n"
	  "role_arn string deprecated\n"
	  "secret_key string\n"
	  "session_name string deprecated\n"
	  "shared_config_files set(string) AWS_SHARED_CONFIG_FILE\n"
	  "shared_credentials_file string\n"
	  "shared_credentials_files set(string) AWS_SHARED_CREDENTIALS_FILE\n"
	  "skip_credentials_validation bool\n"
	  "skip_metadata_api_check bool\n"
	  "skip_region_validation bool\n"
	  "skip_requesting_account_id bool\n"
	  "skip_s3_checksum bool\n"
	  "sse_customer_key string sensitive AWS_SSE_CUSTOMER_KEY\n"
	  "state_tags map(string)\n"
	  "sts_endpoint string deprecated\n"
	  "sts_region string\n"
	  "token string\n"
	  "use_dualstack_endpoint bool\n"
	  "use_fips_endpoint bool\n"
	  "use_lockfile bool\n"
	  "use_path_style bool\n"
	  "workspace_key_prefix string =env:\n" },
	{ "azurerm",
	  "access_key string ARM_ACCESS_KEY\n"
	  "ado_service_connection_id string"
	  " ARM_ADO_PIPELINE_SERVICE_CONNECTION_ID"
	  " ARM_OIDC_AZURE_SERVICE_CONNECTION_ID"
	  " AZURESUBSCRIPTION_SERVICE_CONNECTION_ID\n"
	  "client_certificate string ARM_CLIENT_CERTIFICATE\n"
	  "client_certificate_password string ARM_CLIENT_CERTIFICATE_PASSWORD\n"
	  "client_certificate_path string ARM_CLIENT_CERTIFICATE_PATH\n"
	  "client_id string ARM_CLIENT_ID\n"
	  "client_id_file_path string ARM_CLIENT_ID_FILE_PATH\n"
	  "client_secret string ARM_CLIENT_SECRET\n"
	  "client_secret_file_path string ARM_CLIENT_SECRET_FILE_PATH\n"
	  "container_name string required\n"
	  "customer_provided_key string sensitive ARM_CUSTOMER_PROVIDED_KEY\n"
	  "encryption_scope string ARM_ENCYRPTION_SCOPE\n"
	  "endpoint string\n"
	  "environment string ARM_ENVIRONMENT\n"
	  "key string required\n"
	  "metadata_host string ARM_METADATA_HOST\n"
	  "msi_endpoint string ARM_MSI_ENDPOINT\n"
	  "oidc_request_token string ARM_OIDC_REQUEST_TOKEN"
	  " ACTIONS_ID_TOKEN_REQUEST_TOKEN SYSTEM_ACCESSTOKEN\n"
	  "oidc_request_url string ARM_OIDC_REQUEST_URL"
	  " ACTIONS_ID_TOKEN_REQUEST_URL SYSTEM_OIDCREQUESTURI\n"
	  "oidc_token string ARM_OIDC_TOKEN\n"
	  "oidc_token_file_path string ARM_OIDC_TOKEN_FILE_PATH"
	  " AZURE_FEDERATED_TOKEN_FILE\n"
	  "resource_group_name string\n"
	  "sas_token string ARM_SAS_TOKEN\n"
	  "snapshot bool ARM_SNAPSHOT =false\n"
	  "storage_account_name string required\n"
	  "subscription_id string ARM_SUBSCRIPTION_ID\n"
	  "tenant_id string ARM_TENANT_ID\n"
	  "timeout_seconds number ARM_TIMEOUT_SECONDS =300\n"
	  "use_aks_workload_identity bool"
	  " ARM_USE_AKS_WORKLOAD_IDENTITY =false\n"
	  "use_azuread_auth bool ARM_USE_AZUREAD =false\n"
	  "use_cli bool ARM_USE_CLI =true\n"
	  "use_msi bool ARM_USE_MSI =false\n"
	  "use_oidc bool ARM_USE_OIDC =false\n" },
	{ "gcs",
	  "access_token string GOOGLE_OAUTH_ACCESS_TOKEN\n"
	  "bucket string required\n"
	  "credentials string GOOGLE_BACKEND_CREDENTIALS GOOGLE_CREDENTIALS\n"
	  "encryption_key string GOOGLE_ENCRYPTION_KEY\n"
	  "impersonate_service_account string"
	  " GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT"
	  " GOOGLE_IMPERSONATE_SERVICE_ACCOUNT\n"
	  "impersonate_service_account_delegates list(string)\n"
	  "kms_encryption_key string GOOGLE_KMS_ENCRYPTION_KEY\n"
	  "prefix string\n"
	  "storage_custom_endpoint string"
	  " GOOGLE_BACKEND_STORAGE_CUSTOM_ENDPOINT"
	  " GOOGLE_STORAGE_CUSTOM_ENDPOINT\n"
	  "universe_domain string GOOGLE_BACKEND_UNIVERSE_DOMAIN\n" },
	{ "http",
	  "address string required TF_HTTP_ADDRESS\n"
	  "client_ca_certificate_pem string TF_HTTP_CLIENT_CA_CERTIFICATE_PEM\n"
	  "client_certificate_pem string TF_HTTP_CLIENT_CERTIFICATE_PEM\n"
	  "client_private_key_pem string TF_HTTP_CLIENT_PRIVATE_KEY_PEM\n"
	  "headers map(string)\n"
	  "lock_address string TF_HTTP_LOCK_ADDRESS\n"
	  "lock_method string TF_HTTP_LOCK_METHOD =LOCK\n"
	  "password string TF_HTTP_PASSWORD\n"
	  "retry_max number TF_HTTP_RETRY_MAX =2\n"
	  "retry_wait_max number TF_HTTP_RETRY_WAIT_MAX =30\n"
	  "retry_wait_min number TF_HTTP_RETRY_WAIT_MIN =1\n"
	  "skip_cert_verification bool =false\n"
	  "unlock_address string TF_HTTP_UNLOCK_ADDRESS\n"
	  "unlock_method string TF_HTTP_UNLOCK_METHOD =UNLOCK\n"
	  "update_method string TF_HTTP_UPDATE_METHOD =POST\n"
	  "username string TF_HTTP_USERNAME\n" },
	{ "pg", "conn_str string PG_CONN_STR\n"
		"granularity string =state\n"
		"index_name string PG_INDEX_NAME =states_by_name\n"
		"schema_name string PG_SCHEMA_NAME =terraform_remote_state\n"
		"skip_index_creation bool PG_SKIP_INDEX_CREATION =false\n"
		"skip_schema_creation bool PG_SKIP_SCHEMA_CREATION =false\n"
		"skip_table_creation bool PG_SKIP_TABLE_CREATION =false\n"
		"table_name string PG_TABLE_NAME =states\n" },
	{ "consul", "access_token string CONSUL_HTTP_TOKEN\n"
		    "address string CONSUL_HTTP_ADDR =127.0.0.1:8500\n"
		    "ca_file string CONSUL_CACERT\n"
		    "cert_file string CONSUL_CLIENT_CERT\n"
		    "datacenter string\n"
		    "gzip bool =false\n"
		    "http_auth string\n"
		    "key_file string CONSUL_CLIENT_KEY\n"
		    "lock bool =true\n"
		    "path string required\n"
		    "scheme string\n" },
	{ "kubernetes",
	  "client_certificate string KUBE_CLIENT_CERT_DATA\n"
	  "client_key string KUBE_CLIENT_KEY_DATA\n"
	  "cluster_ca_certificate string KUBE_CLUSTER_CA_CERT_DATA\n"
	  "config_context string KUBE_CTX\n"
	  "config_context_auth_info string KUBE_CTX_AUTH_INFO\n"
	  "config_context_cluster string KUBE_CTX_CLUSTER\n"
	  "config_path string KUBE_CONFIG_PATH\n"
	  "config_paths list(string)\n"
	  "exec block(list) max1\n"
	  "  api_version string required\n"
	  "  args list(string)\n"
	  "  command string required\n"
	  "  env map(string)\n"
	  "host string KUBE_HOST\n"
	  "in_cluster_config bool KUBE_IN_CLUSTER_CONFIG =false\n"
	  "insecure bool KUBE_INSECURE =false\n"
	  "labels map(string)\n"
	  "load_config_file bool KUBE_LOAD_CONFIG_FILE =true\n"
	  "namespace string KUBE_NAMESPACE =default\n"
	  "password string KUBE_PASSWORD\n"
	  "secret_suffix string required\n"
	  "token string KUBE_TOKEN\n"
	  "username string KUBE_USER\n" },
	{ "remote", "hostname string\n"
		    "organization string required\n"
		    "token string\n"
		    "workspaces block\n"
		    "  name string\n"
		    "  prefix string\n" },
	{ "cloud", "hostname string TF_CLOUD_HOSTNAME\n"
		   "organization string TF_CLOUD_ORGANIZATION\n"
		   "token string\n"
		   "workspaces block\n"
		   "  name string\n"
		   "  project string TF_CLOUD_PROJECT\n"
		   "  tags set(string)\n" },
	{ "cos",
	  "accelerate bool =false\n"
	  "acl string =private\n"
	  "assume_role block(set) max1\n"
	  "  policy string\n"
	  "  role_arn string required TENCENTCLOUD_ASSUME_ROLE_ARN\n"
	  "  session_duration number"
	  " TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION =7200\n"
	  "  session_name string required"
	  " TENCENTCLOUD_ASSUME_ROLE_SESSION_NAME\n"
	  "bucket string required\n"
	  "encrypt bool =true\n"
	  "key string =terraform.tfstate\n"
	  "prefix string\n"
	  "region string required TENCENTCLOUD_REGION\n"
	  "secret_id string TENCENTCLOUD_SECRET_ID\n"
	  "secret_key string sensitive TENCENTCLOUD_SECRET_KEY\n"
	  "security_token string sensitive TENCENTCLOUD_SECURITY_TOKEN\n" },
	{ "oss",
	  "access_key string ALICLOUD_ACCESS_KEY ALICLOUD_ACCESS_KEY_ID\n"
	  "acl string\n"
	  "assume_role block(set) max1\n"
	  "  policy string\n"
	  "  role_arn string ALICLOUD_ASSUME_ROLE_ARN\n"
	  "  session_expiration number\n"
	  "  session_name string ALICLOUD_ASSUME_ROLE_SESSION_NAME\n"
	  "assume_role_policy string\n"
	  "assume_role_role_arn string ALICLOUD_ASSUME_ROLE_ARN\n"
	  "assume_role_session_expiration number"
	  " ALICLOUD_ASSUME_ROLE_SESSION_EXPIRATION =3600\n"
	  "assume_role_session_name string ALICLOUD_ASSUME_ROLE_SESSION_NAME\n"
	  "bucket string required\n"
	  "ecs_role_name string ALICLOUD_ECS_ROLE_NAME\n"
	  "encrypt bool =false\n"
	  "endpoint string ALICLOUD_OSS_ENDPOINT OSS_ENDPOINT\n"
	  "key string =terraform.tfstate\n"
	  "prefix string =env:\n"
	  "profile string ALICLOUD_PROFILE\n"
	  "region string ALICLOUD_REGION ALICLOUD_DEFAULT_REGION\n"
	  "secret_key string ALICLOUD_SECRET_KEY ALICLOUD_ACCESS_KEY_SECRET\n"
	  "security_token string ALICLOUD_SECURITY_TOKEN\n"
	  "shared_credentials_file string ALICLOUD_SHARED_CREDENTIALS_FILE\n"
	  "sts_endpoint string ALICLOUD_STS_ENDPOINT\n"
	  "tablestore_endpoint string ALICLOUD_TABLESTORE_ENDPOINT\n"
	  "tablestore_table string\n" },
};

struct line {
	size_t depth;
	struct str name, type, words;
};

struct reader {
	struct arena *arena;
	struct str rest;
};

static struct str take_until(struct str *s, char c)
{
	ptrdiff_t at = str_chr(*s, c);
	size_t n = at < 0 ? s->n : (size_t)at;
	struct str out = str_sub(*s, 0, n);

	*s = str_sub(*s, at < 0 ? n : n + 1, s->n);
	return out;
}

/* The next line, which *rest still begins with if it is of another depth. */
static bool next_line(struct str *rest, size_t depth, struct line *l)
{
	struct str after = *rest;

	if (!rest->n)
		return false;
	l->words = take_until(&after, '\n');
	for (l->depth = 0; str_take(&l->words, STR("  ")); l->depth++)
		;
	if (l->depth < depth)
		return false;
	l->name = take_until(&l->words, ' ');
	l->type = take_until(&l->words, ' ');
	*rest = after;
	return true;
}

static struct str lines_of(struct str type)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (str_is(type, tables[i].type))
			return str_c(tables[i].lines);
	return STR_NONE;
}

static const struct type *type_of(struct str text)
{
	if (str_is(text, "string"))
		return &type_string;
	if (str_is(text, "bool"))
		return &type_bool;
	if (str_is(text, "number"))
		return &type_number;
	if (str_is(text, "list(string)"))
		return &type_list_string;
	if (str_is(text, "set(string)"))
		return &type_set_string;
	return type_map(&type_string);
}

static enum nesting nesting_of(struct str text)
{
	if (str_is(text, "block(list)"))
		return NESTING_LIST;
	return str_is(text, "block(set)") ? NESTING_SET : NESTING_SINGLE;
}

/* What the words after an argument's type say it has without being set. */
static struct str default_of(struct arena *a, struct str words)
{
	while (words.n) {
		struct str word = take_until(&words, ' ');
		const char *said;

		if (str_take(&word, STR("=")))
			return word;
		if (*word.p < 'A' || *word.p > 'Z')
			continue;
		said = getenv(arena_strndup(a, word.p, word.n));
		if (said && *said)
			return str_dup(a, str_c(said));
	}
	return STR_NONE;
}

static void read_words(struct arena *a, struct str words,
		       struct schema_attr *attr)
{
	struct str rest = words;

	attr->optional = true;
	while (rest.n) {
		struct str word = take_until(&rest, ' ');

		attr->required |= str_is(word, "required");
		attr->deprecated |= str_is(word, "deprecated");
		attr->sensitive |= str_is(word, "sensitive");
	}
	if (attr->required) {
		attr->optional = default_of(a, words).p != NULL;
		attr->required = !attr->optional;
	}
}

static struct schema_block *read_level(struct reader *r, size_t depth);

static const struct schema_nested *read_nested(struct reader *r,
					       const struct line *l)
{
	struct schema_nested *n = ARENA_NEW(r->arena, struct schema_nested);
	struct str words = l->words;

	n->nesting = nesting_of(l->type);
	n->block = read_level(r, l->depth + 1);
	while (words.n) {
		struct str word = take_until(&words, ' ');

		if (str_take(&word, STR("max")))
			n->max_items = strtoull(word.p, NULL, 10);
	}
	return n;
}

static struct schema_block *read_level(struct reader *r, size_t depth)
{
	struct schema_block *b = ARENA_NEW(r->arena, struct schema_block);
	VEC(struct schema_attr) attrs = { 0 };
	VEC(struct schema_nested) blocks = { 0 };
	struct line l;

	while (next_line(&r->rest, depth, &l)) {
		struct schema_attr attr = { .name = l.name };

		if (str_starts(l.type, "block")) {
			struct schema_nested n = *read_nested(r, &l);

			n.type_name = l.name;
			vec_push(r->arena, &blocks, n);
			continue;
		}
		if (str_is(l.type, "object"))
			attr.nested = read_nested(r, &l);
		else
			attr.type = type_of(l.type);
		read_words(r->arena, l.words, &attr);
		vec_push(r->arena, &attrs, attr);
	}
	b->attrs = attrs.items;
	b->nattrs = attrs.len;
	b->blocks = blocks.items;
	b->nblocks = blocks.len;
	return b;
}

const struct schema_block *backend_schema(struct arena *a, struct str type)
{
	struct reader r = { a, lines_of(type) };
	struct schema_block *b;

	if (!r.rest.p)
		return NULL;
	b = read_level(&r, 0);
	schema_block_finish(a, b);
	return b;
}

struct str backend_default(struct arena *a, struct str type, struct str path)
{
	struct str rest = lines_of(type);
	struct str want = take_until(&path, '.');
	size_t depth = 0;
	struct line l;

	while (next_line(&rest, depth, &l)) {
		if (l.depth > depth || !str_eq(l.name, want))
			continue;
		if (!path.n)
			return default_of(a, l.words);
		want = take_until(&path, '.');
		depth++;
	}
	return STR_NONE;
}

const struct schema_block *backend_schema_partial(struct arena *a,
						  struct str type)
{
	const struct schema_block *b = backend_schema(a, type);
	struct schema_block *out = b ? arena_dup(a, b, sizeof(*b)) : NULL;
	struct schema_attr *attrs;
	struct schema_nested *blocks;

	if (!b)
		return NULL;
	attrs = ARENA_ARRAY(a, struct schema_attr, b->nattrs);
	blocks = ARENA_ARRAY(a, struct schema_nested, b->nblocks);
	for (size_t i = 0; i < b->nattrs; i++) {
		attrs[i] = b->attrs[i];
		attrs[i].optional |= attrs[i].required;
		attrs[i].required = false;
	}
	for (size_t i = 0; i < b->nblocks; i++) {
		blocks[i] = b->blocks[i];
		blocks[i].min_items = 0;
	}
	out->attrs = attrs;
	out->blocks = blocks;
	out->plan = NULL; /* it is to be made anew */
	schema_block_finish(a, out);
	return out;
}

const struct value *backend_as_peer(struct arena *a, struct str type,
				    const struct value *v)
{
	const struct type *t = v->type;
	const struct value **values;
	struct str *names;
	size_t n = 0;

	if (!str_is(type, "pg"))
		return v;
	values = ARENA_ARRAY(a, const struct value *, t->len);
	names = ARENA_ARRAY(a, struct str, t->len);
	for (size_t i = 0; i < t->len; i++) {
		if (str_is(t->attrs[i].name, "granularity") &&
		    value_is_null(v->elems[i]))
			continue;
		names[n] = t->attrs[i].name;
		values[n++] = v->elems[i];
	}
	return value_object(a, names, values, n);
}
