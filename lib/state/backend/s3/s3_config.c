/* s3_config.c - the arguments of the backend "s3"; see s3_int.h */
#include "state/backend/s3/s3_int.h"
#include "base/base64.h"
#include "config/source/url.h"
#include "remote/aws.h"
#include "state/backend/backend_int.h"
#include "state/backend/backend.h"

/* --- values --- */

/* The member of an object, or what the environment has for it; an empty text
 * that was written counts. */
static struct str member_text(struct backend *b, const char *object,
			      const char *name)
{
	const struct value *v =
		argument_member(argument_value(b, object), name);

	return v ? argument_string(v)
		 : backend_default(b->arena, STR("s3"),
				   str_c(arena_printf(b->arena, "%s.%s", object,
						      name)));
}

static void read_list(struct arena *a, const struct value *v,
		      struct str_vec *out)
{
	for (size_t i = 0; v && i < v->len; i++)
		if (value_usable(v->elems[i]))
			vec_push(a, out, v->elems[i]->string);
}

static void read_pairs(struct arena *a, const struct value *v,
		       struct aws_pairs *out)
{
	for (size_t i = 0; v && i < v->len; i++)
		if (value_usable(v->elems[i]))
			vec_push(a, out,
				 (struct aws_pair){ v->keys[i],
						    v->elems[i]->string });
}

/* Tags as the header of an object has them. */
static struct str read_tags(struct backend *b, const char *name)
{
	struct aws_pairs pairs = { 0 };

	read_pairs(b->arena, argument_value(b, name), &pairs);
	return aws_query(b->arena, &pairs);
}

static bool flag(const struct backend *b, const char *name)
{
	const struct value *v = argument_value(b, name);

	return v && v->boolean;
}

/* --- roles --- */

static struct str seconds_of(struct arena *a, struct str duration)
{
	int64_t seconds;

	return !duration.n || s3_duration(duration, &seconds)
		       ? STR_NONE
		       : str_int(a, seconds);
}

static const struct aws_role *nested_role(struct backend *b,
					  const struct value *v)
{
	struct arena *a = b->arena;
	struct aws_role *r = ARENA_NEW(a, struct aws_role);

	r->arn = argument_string(argument_member(v, "role_arn"));
	r->session = argument_string(argument_member(v, "session_name"));
	r->external = argument_string(argument_member(v, "external_id"));
	r->seconds =
		seconds_of(a, argument_string(argument_member(v, "duration")));
	r->policy = str_trim(argument_string(argument_member(v, "policy")));
	read_list(a, argument_member(v, "policy_arns"), &r->policies);
	read_pairs(a, argument_member(v, "tags"), &r->tags);
	read_list(a, argument_member(v, "transitive_tag_keys"), &r->transitive);
	return r;
}

/* By the arguments that the object "assume_role" has taken the place of. */
static int old_role(struct backend *b, const struct aws_role **out,
		    struct diags *ds)
{
	struct arena *a = b->arena;
	struct aws_role *r = ARENA_NEW(a, struct aws_role);
	int64_t seconds;

	if (argument_number(b, "assume_role_duration_seconds", &seconds, ds))
		return -1;
	r->arn = argument_text(b, "role_arn");
	r->session = argument_text(b, "session_name");
	r->external = argument_text(b, "external_id");
	if (seconds)
		r->seconds = str_int(a, seconds);
	r->policy = argument_text(b, "assume_role_policy");
	read_list(a, argument_value(b, "assume_role_policy_arns"),
		  &r->policies);
	read_pairs(a, argument_value(b, "assume_role_tags"), &r->tags);
	read_list(a, argument_value(b, "assume_role_transitive_tag_keys"),
		  &r->transitive);
	*out = r;
	return 0;
}

static int read_role(struct backend *b, struct diags *ds)
{
	struct s3 *s = b->data;
	const struct value *v = argument_value(b, "assume_role");

	if (v)
		s->settings.role = nested_role(b, v);
	else if (argument_value(b, "role_arn") &&
		 old_role(b, &s->settings.role, ds))
		return -1;
	if (!s->settings.role || s->settings.role->arn.n)
		return 0;
	return diag_error(ds, NULL, "Cannot assume IAM Role",
			  "The argument \"role_arn\" is empty.");
}

static int read_web_role(struct backend *b, struct diags *ds)
{
	static const char object[] = "assume_role_with_web_identity";
	struct s3 *s = b->data;
	const struct value *v = argument_value(b, object);
	struct aws_role *r;

	if (!v || s->settings.keys.id.n) /* keys go before it */
		return 0;
	r = ARENA_NEW(b->arena, struct aws_role);
	r->arn = member_text(b, object, "role_arn");
	r->session = member_text(b, object, "session_name");
	r->seconds =
		seconds_of(b->arena,
			   argument_string(argument_member(v, "duration")));
	r->policy = argument_string(argument_member(v, "policy"));
	read_list(b->arena, argument_member(v, "policy_arns"), &r->policies);
	r->token = member_text(b, object, "web_identity_token");
	r->token_file = member_text(b, object, "web_identity_token_file");
	s->settings.web = r;
	if (!r->arn.n)
		return diag_error(
			ds, NULL, "Assume Role With Web Identity",
			"There is no role, neither in \"role_arn\" nor in AWS_ROLE_ARN.");
	if (!r->token.n && !r->token_file.n)
		return diag_error(ds, NULL, "Assume Role With Web Identity",
				  "There is no token: "
				  "\"web_identity_token\" or "
				  "\"web_identity_token_file\" must be set, or "
				  "their variables.");
	return 0;
}

/* --- encryption --- */

static int bad_key(const char *summary, const char *what, struct diags *ds)
{
	return diag_error(
		ds, NULL, summary,
		"%s must be a key of 256 bits in base64, which has 44 characters.",
		what);
}

static int read_customer_key(struct backend *b, struct diags *ds)
{
	struct s3 *s = b->data;
	struct str key;

	s->customer_key = argument_text(b, "sse_customer_key");
	if (!argument_value(b, "sse_customer_key") && !s->customer_key.n)
		return 0;
	if (s->customer_key.n == 44 &&
	    base64_decode(b->arena, s->customer_key, &key))
		return 0;
	if (argument_value(b, "sse_customer_key"))
		return bad_key("Invalid sse_customer_key value",
			       "The argument \"sse_customer_key\"", ds);
	return bad_key("Invalid AWS_SSE_CUSTOMER_KEY value",
		       "The variable AWS_SSE_CUSTOMER_KEY", ds);
}

/* --- where and how --- */

static struct str endpoint(struct backend *b, const char *member,
			   const char *old)
{
	const struct value *v =
		argument_member(argument_value(b, "endpoints"), member);

	if (!v)
		v = argument_value(b, old);
	return v ? argument_string(v) : member_text(b, "endpoints", member);
}

static void read_files(struct backend *b, const char *name, struct str_vec *out)
{
	const struct str other = argument_text(b, name);

	read_list(b->arena, argument_value(b, name), out);
	if (!argument_value(b, name) && other.n)
		vec_push(b->arena, out, other);
}

static void read_proxies(struct backend *b, struct fetch_proxies *out)
{
	out->http = argument_string(argument_value(b, "http_proxy"));
	out->https = argument_string(argument_value(b, "https_proxy"));
	out->none = argument_string(argument_value(b, "no_proxy"));
	if (!out->none.n)
		out->none = STR_NONE;
}

static int read_who(struct backend *b, struct aws_settings *s, struct diags *ds)
{
	const struct value *machine =
		argument_value(b, "skip_metadata_api_check");
	const struct str file = argument_text(b, "shared_credentials_file");

	s->keys = (struct aws_keys){ argument_text(b, "access_key"),
				     argument_text(b, "secret_key"),
				     argument_text(b, "token"), 0 };
	s->profile = argument_text(b, "profile");
	read_files(b, "shared_config_files", &s->config_files);
	read_files(b, "shared_credentials_files", &s->credentials_files);
	if (file.p && !s->credentials_files.len)
		vec_push(b->arena, &s->credentials_files, file);
	if (machine)
		s->machine = machine->boolean ? AWS_OFF : AWS_ON;
	s->machine_endpoint = argument_text(b, "ec2_metadata_service_endpoint");
	s->machine_mode =
		argument_text(b, "ec2_metadata_service_endpoint_mode");
	if (!s->keys.id.n == !s->keys.secret.n &&
	    (s->keys.id.n || !s->keys.token.n))
		return 0;
	return diag_error(
		ds, NULL,
		"retrieving credentials: static credentials are empty",
		"\"access_key\" and \"secret_key\" must both be set, or neither of them.");
}

static int read_where(struct backend *b, struct aws_settings *s,
		      struct diags *ds)
{
	int64_t tries;

	s->region = argument_text(b, "region");
	s->sts_region = argument_text(b, "sts_region");
	s->endpoints[AWS_S3] = endpoint(b, "s3", "endpoint");
	s->endpoints[AWS_DYNAMODB] =
		endpoint(b, "dynamodb", "dynamodb_endpoint");
	s->endpoints[AWS_STS] = endpoint(b, "sts", "sts_endpoint");
	s->endpoints[AWS_IAM] = endpoint(b, "iam", "iam_endpoint");
	s->path_style =
		flag(b, "use_path_style") || flag(b, "force_path_style");
	s->dualstack = flag(b, "use_dualstack_endpoint");
	s->fips = flag(b, "use_fips_endpoint");
	s->retry_mode = argument_text(b, "retry_mode");
	s->ca_bundle = argument_text(b, "custom_ca_bundle");
	s->tls.insecure = flag(b, "insecure");
	read_proxies(b, &s->proxies);
	if (argument_number(b, "max_retries", &tries, ds))
		return -1;
	s->tries = tries > 1000 ? 1000 : tries < 0 ? 0 : (int)tries;
	if (!argument_value(b, "region") || flag(b, "skip_region_validation") ||
	    aws_region_known(s->region))
		return 0;
	return diag_error(
		ds, NULL, "Invalid region value",
		"There is no AWS region \"%.*s\". \"skip_region_validation\" lets it be.",
		STR_ARG(s->region));
}

/* --- the whole --- */

/* As a path of names is joined: a key may have dots between slashes. */
static struct str joined(struct arena *a, struct str path)
{
	struct str_vec parts = { 0 };
	struct buf b = BUF_INIT;

	while (path.n) {
		const ptrdiff_t end = str_chr(path, '/');
		const struct str one =
			str_sub(path, 0, end < 0 ? path.n : (size_t)end);

		path = str_sub(path, one.n + (end >= 0), path.n);
		if (str_is(one, "..") && parts.len)
			parts.len--;
		else if (one.n && !str_is(one, "."))
			vec_push(a, &parts, one);
	}
	for (size_t i = 0; i < parts.len; i++) {
		if (i)
			buf_putc(&b, '/');
		buf_str(&b, parts.items[i]);
	}
	return buf_take(a, &b);
}

struct str s3_key(struct arena *a, const struct s3 *s, struct str workspace)
{
	if (str_is(workspace, "default"))
		return s->name;
	return joined(a, STR_CAT(a, s->prefix, STR("/"), workspace, STR("/"),
				 s->name));
}

static void read_objects(struct backend *b, struct s3 *s)
{
	s->bucket = argument_text(b, "bucket");
	s->name = argument_text(b, "key");
	s->prefix = argument_text(b, "workspace_key_prefix");
	s->key = s3_key(b->arena, s, b->workspace);
	s->encrypt = flag(b, "encrypt");
	s->kms_key = argument_text(b, "kms_key_id");
	s->acl = argument_text(b, "acl");
	s->state_tags = read_tags(b, "state_tags");
	s->lock_tags = read_tags(b, "lock_tags");
	s->no_checksum = flag(b, "skip_s3_checksum");
	s->lockfile = flag(b, "use_lockfile");
	s->table = argument_text(b, "dynamodb_table");
	s->skip_validation = flag(b, "skip_credentials_validation");
	s->skip_account = flag(b, "skip_requesting_account_id");
	read_list(b->arena, argument_value(b, "allowed_account_ids"),
		  &s->allowed);
	read_list(b->arena, argument_value(b, "forbidden_account_ids"),
		  &s->forbidden);
}

int s3_configure(struct backend *b, struct diags *ds)
{
	struct s3 *s = b->data;
	const struct str *own = &s->settings.endpoints[AWS_S3];
	struct str why;

	read_objects(b, s);
	if (s3_check(b, ds) || read_where(b, &s->settings, ds) ||
	    read_who(b, &s->settings, ds) || read_role(b, ds) ||
	    read_web_role(b, ds) || read_customer_key(b, ds))
		return -1;
	b->name = STR_CAT(b->arena, STR("s3://"), s->bucket, STR("/"), s->key);
	if (own->n)
		b->name = STR_CAT(b->arena, b->name, STR(" at "),
				  url_redacted(b->arena, *own));
	s->aws = aws_open(&b->remote, &s->settings, &why);
	if (s->aws)
		return 0;
	return diag_error(ds, NULL, str_dup(b->arena, why).p, (char *)NULL);
}
