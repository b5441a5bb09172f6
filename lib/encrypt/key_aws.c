/*
 * key_aws.c - the key provider aws_kms: keys that Amazon's Key Management
 * Service makes and decrypts
 *
 * Stored is what the service has made of a key: {"ciphertext_blob":"base64"}.
 * Who asks is settled as for states in S3 (remote/aws.h).
 */
#include <limits.h>
#include <stdlib.h>

#include "encrypt/encrypt_int.h"
#include "base/io.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/aws.h"

static const struct key_argument endpoints[] = {
	{ "iam", &type_string, false, NULL, NULL },
	{ "sts", &type_string, false, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

static const struct key_argument role[] = {
	{ "role_arn", &type_string, true, NULL, NULL },
	{ "duration", &type_string, false, NULL, NULL },
	{ "external_id", &type_string, false, NULL, NULL },
	{ "policy", &type_string, false, NULL, NULL },
	{ "policy_arns", &type_list_string, false, NULL, NULL },
	{ "session_name", &type_string, false, NULL, NULL },
	{ "tags", &type_map_string, false, NULL, NULL },
	{ "transitive_tag_keys", &type_list_string, false, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};
static const struct key_argument web_role[] = {
	{ "role_arn", &type_string, false, NULL, NULL },
	{ "duration", &type_string, false, NULL, NULL },
	{ "policy", &type_string, false, NULL, NULL },
	{ "policy_arns", &type_list_string, false, NULL, NULL },
	{ "session_name", &type_string, false, NULL, NULL },
	{ "web_identity_token", &type_string, false, NULL, NULL },
	{ "web_identity_token_file", &type_string, false, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};
static const struct key_argument arguments[] = {
	{ "kms_key_id", &type_string, true, NULL, NULL },
	{ "key_spec", &type_string, true, NULL, NULL },
	{ "access_key", &type_string, false, NULL, NULL },
	{ "secret_key", &type_string, false, NULL, NULL },
	{ "token", &type_string, false, NULL, NULL },
	{ "profile", &type_string, false, NULL, NULL },
	{ "region", &type_string, false, NULL, NULL },
	{ "sts_region", &type_string, false, NULL, NULL },
	{ "endpoints", &type_dynamic, false, endpoints, NULL },
	{ "max_retries", &type_number, false, NULL, NULL },
	{ "retry_mode", &type_string, false, NULL, NULL },
	{ "http_proxy", &type_string, false, NULL, NULL },
	{ "https_proxy", &type_string, false, NULL, NULL },
	{ "no_proxy", &type_string, false, NULL, NULL },
	{ "insecure", &type_bool, false, NULL, NULL },
	{ "custom_ca_bundle", &type_string, false, NULL, NULL },
	{ "use_dualstack_endpoint", &type_bool, false, NULL, NULL },
	{ "use_fips_endpoint", &type_bool, false, NULL, NULL },
	{ "ec2_metadata_service_endpoint", &type_string, false, NULL, NULL },
	{ "ec2_metadata_service_endpoint_mode", &type_string, false, NULL,
	  NULL },
	{ "skip_metadata_api_check", &type_bool, false, NULL, NULL },
	{ "skip_credentials_validation", &type_bool, false, NULL, NULL },
	{ "skip_requesting_account_id", &type_bool, false, NULL, NULL },
	{ "shared_credentials_files", &type_list_string, false, NULL, NULL },
	{ "shared_config_files", &type_list_string, false, NULL, NULL },
	{ "allowed_account_ids", &type_list_string, false, NULL, NULL },
	{ "forbidden_account_ids", &type_list_string, false, NULL, NULL },
	{ "assume_role", &type_dynamic, false, NULL, role },
	{ "assume_role_with_web_identity", &type_dynamic, false, NULL,
	  web_role },
	{ NULL, NULL, false, NULL, NULL },
};

/* --- who asks --- */

static struct str member(const struct value *object, const char *name)
{
	const struct value *v = value_get(object, str_c(name));

	return v && value_usable(v) && v->type == &type_string ? v->string
							       : STR_NONE;
}

static void take_list(struct arena *a, const struct value *v,
		      struct str_vec *out)
{
	for (size_t i = 0; v && value_usable(v) && i < v->len; i++)
		if (value_usable(v->elems[i]) &&
		    v->elems[i]->type == &type_string)
			vec_push(a, out, v->elems[i]->string);
}

static void take_tags(struct arena *a, const struct value *v,
		      struct aws_pairs *out)
{
	for (size_t i = 0; v && value_usable(v) && i < v->len; i++)
		vec_push(a, out,
			 (struct aws_pair){ v->keys[i], v->elems[i]->string });
}

/* 15m to 12h, as the service takes it. */
static const char *take_duration(struct arena *a, struct str text,
				 struct str *out)
{
	int64_t all = 0, n = 0;

	if (!text.n)
		return NULL;
	for (size_t i = 0; i < text.n; i++) {
		const char c = text.p[i];

		if (c >= '0' && c <= '9' && n < 1000000) {
			n = n * 10 + c - '0';
			continue;
		}
		if (c != 'h' && c != 'm' && c != 's')
			return "the duration of a role is like \"1h30m\"";
		all += n * (c == 'h' ? 3600 : c == 'm' ? 60 : 1);
		n = 0;
	}
	if (n || all < 15 * 60 || all > 12 * 3600)
		return "assume_role duration must be between 15m and 12h";
	*out = str_int(a, all);
	return NULL;
}

static const char *check_policies(const struct str_vec *arns)
{
	struct str resource;

	for (size_t i = 0; i < arns->len; i++) {
		if (!aws_arn_resource(arns->items[i], &resource))
			return "policy_arns has what is no ARN";
		if (!str_starts(resource, "policy/"))
			return "policy_arns has an ARN that names no policy";
	}
	return NULL;
}

static struct str given_or(const struct value *v, const char *name,
			   const char *variable)
{
	const struct str given = member(v, name);

	return given.n ? given : str_env(variable);
}

/* What both kinds of roles have. */
static const char *take_role(struct arena *a, const struct value *v,
			     struct aws_role *r)
{
	const char *why;

	r->policy = member(v, "policy");
	take_list(a, value_get(v, STR("policy_arns")), &r->policies);
	why = take_duration(a, member(v, "duration"), &r->seconds);
	return why ? why : check_policies(&r->policies);
}

static const char *take_plain_role(struct arena *a, const struct value *v,
				   struct aws_settings *s)
{
	struct aws_role *r;

	if (!v || !value_usable(v))
		return NULL;
	r = ARENA_NEW(a, struct aws_role);
	r->arn = member(v, "role_arn");
	r->session = member(v, "session_name");
	r->external = member(v, "external_id");
	take_list(a, value_get(v, STR("transitive_tag_keys")), &r->transitive);
	take_tags(a, value_get(v, STR("tags")), &r->tags);
	s->role = r;
	return r->arn.n ? take_role(a, v, r)
			: "Cannot assume IAM Role: role_arn is empty";
}

static const char *take_web_role(struct arena *a, const struct value *v,
				 struct aws_settings *s)
{
	struct aws_role *r;
	const char *why;

	if (!v || !value_usable(v))
		return NULL;
	if (member(v, "web_identity_token").n &&
	    member(v, "web_identity_token_file").n)
		return "only one of web_identity_token and web_identity_token_file can be there";
	r = ARENA_NEW(a, struct aws_role);
	why = take_role(a, v, r);
	if (why || s->keys.id.n) /* keys go before it */
		return why;
	r->arn = given_or(v, "role_arn", "AWS_ROLE_ARN");
	r->session = given_or(v, "session_name", "AWS_ROLE_SESSION_NAME");
	r->token = given_or(v, "web_identity_token", "AWS_WEB_IDENTITY_TOKEN");
	r->token_file = given_or(v, "web_identity_token_file",
				 "AWS_WEB_IDENTITY_TOKEN_FILE");
	s->web = r;
	if (!r->arn.n)
		return "there is no role, neither in role_arn nor in AWS_ROLE_ARN";
	return r->token.n || r->token_file.n
		       ? NULL
		       : "there is no web identity: web_identity_token or "
			 "web_identity_token_file must be set, or their "
			 "variables";
}

static bool is_true(const struct key_job *j, const char *name)
{
	const struct value *v = value_get(j->args, str_c(name));

	return v && value_usable(v) && v->boolean;
}

static const char *settings(const struct key_job *j, struct aws_settings *s)
{
	struct arena *a = j->e->a;
	const struct value *ends = value_get(j->args, STR("endpoints"));
	const struct value *skip =
		value_get(j->args, STR("skip_metadata_api_check"));
	const int64_t tries = key_int(j, "max_retries", 0);
	const char *why;

	if (tries < 0)
		return "max_retries must not be negative";
	*s = (struct aws_settings){
		.region = key_string(j, "region"),
		.sts_region = key_string(j, "sts_region"),
		.keys = { .id = key_string(j, "access_key"),
			  .secret = key_string(j, "secret_key"),
			  .token = key_string(j, "token") },
		.profile = key_string(j, "profile"),
		.dualstack = is_true(j, "use_dualstack_endpoint"),
		.fips = is_true(j, "use_fips_endpoint"),
		.machine_endpoint =
			key_string(j, "ec2_metadata_service_endpoint"),
		.machine_mode =
			key_string(j, "ec2_metadata_service_endpoint_mode"),
		.tries = tries > 0 && tries < INT_MAX ? (int)tries : 5,
		.retry_mode = key_string(j, "retry_mode"),
		.ca_bundle = key_string(j, "custom_ca_bundle"),
		.tls = { .insecure = is_true(j, "insecure") },
		.proxies = { .http = key_string(j, "http_proxy"),
			     .https = key_string(j, "https_proxy"),
			     .none = key_string(j, "no_proxy") },
	};
	if (s->retry_mode.n && !str_is(s->retry_mode, "standard") &&
	    !str_is(s->retry_mode, "adaptive"))
		return "retry_mode must be \"standard\" or \"adaptive\"";
	if (ends && value_usable(ends)) {
		s->endpoints[AWS_IAM] = member(ends, "iam");
		s->endpoints[AWS_STS] = member(ends, "sts");
	}
	if (skip && value_usable(skip)) /* as OpenTofu takes it */
		s->machine = skip->boolean ? AWS_ON : AWS_OFF;
	take_list(a, value_get(j->args, STR("shared_config_files")),
		  &s->config_files);
	take_list(a, value_get(j->args, STR("shared_credentials_files")),
		  &s->credentials_files);
	why = take_plain_role(a, value_get(j->args, STR("assume_role")), s);
	return why ? why
		   : take_web_role(
			     a,
			     value_get(j->args,
				       STR("assume_role_with_web_identity")),
			     s);
}

/* --- requests --- */

/* The answer; NULL with *why. */
static const struct json *ask(const struct key_job *j, struct aws *c,
			      const char *operation, struct str body,
			      struct str *why)
{
	struct arena *a = j->e->a;
	const struct fetch_header headers[] = {
		{ STR("Content-Type"), STR("application/x-amz-json-1.1") },
		{ STR("X-Amz-Target"),
		  str_printf(a, "TrentService.%s", operation) },
	};
	const struct aws_call call = { .service = AWS_KMS,
				       .headers = headers,
				       .nheaders = 2,
				       .body = body };
	struct fetch_answer answer;
	struct json_error err;
	const struct json *got;

	if (aws_ask(c, &call, &answer, why))
		return NULL;
	if (answer.status != 200) {
		*why = aws_error_text(a, &answer);
		return NULL;
	}
	got = json_parse(a, answer.body, &err);
	if (!got)
		*why = STR("the answer of the service is not JSON");
	return got;
}

static int take_key(const struct key_job *j, const struct json *answer,
		    struct str *out, struct str *why)
{
	bool bad = false;

	if (!answer)
		return -1;
	*out = key_json_bytes(j->e->a, answer, "Plaintext", &bad);
	if (out->n && !bad)
		return 0;
	*why = STR("the answer of the service has no key");
	return -1;
}

static int encrypting(struct key_job *j, struct aws *c, struct str *why)
{
	struct buf body = BUF_INIT, stored = BUF_INIT;
	struct jw w = JW_INIT(&body), out = JW_INIT(&stored);
	const struct json *answer;

	jw_object(&w);
	jw_member_str(&w, "KeyId", key_string(j, "kms_key_id"));
	jw_member_str(&w, "KeySpec", key_string(j, "key_spec"));
	jw_object_end(&w);
	answer = ask(j, c, "GenerateDataKey", buf_take(j->e->a, &body), why);
	if (take_key(j, answer, &j->keys.encrypt, why))
		return -1;
	jw_object(&out);
	jw_member_str(&out, "ciphertext_blob",
		      json_get_str(answer, "CiphertextBlob"));
	jw_object_end(&out);
	j->out = buf_take(j->e->a, &stored);
	return 0;
}

static int decrypting(struct key_job *j, struct aws *c, struct str *why)
{
	struct str blob = json_get_str(j->in, "ciphertext_blob");
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);

	if (!blob.n)
		return 0;
	jw_object(&w);
	jw_member_str(&w, "CiphertextBlob", blob);
	jw_member_str(&w, "KeyId", key_string(j, "kms_key_id"));
	jw_object_end(&w);
	return take_key(j, ask(j, c, "Decrypt", buf_take(j->e->a, &body), why),
			&j->keys.decrypt, why);
}

/* By the lists of accounts; skip_requesting_account_id leaves it out. */
static int check_account(const struct key_job *j, struct aws *c,
			 struct str *why)
{
	struct arena *a = j->e->a;
	struct str_vec allowed = { 0 }, forbidden = { 0 };
	struct str account;

	take_list(a, value_get(j->args, STR("allowed_account_ids")), &allowed);
	take_list(a, value_get(j->args, STR("forbidden_account_ids")),
		  &forbidden);
	if (allowed.len && forbidden.len) {
		*why = STR(
			"only one of allowed_account_ids and forbidden_account_ids can be given");
		return -1;
	}
	if ((!allowed.len && !forbidden.len) ||
	    is_true(j, "skip_requesting_account_id"))
		return 0;
	if (aws_account(c, is_true(j, "skip_credentials_validation"), &account,
			why)) {
		*why = STR_CAT(a, STR("the account of who asks is not known: "),
			       *why);
		return -1;
	}
	if (aws_account_allowed(account, &allowed, &forbidden))
		return 0;
	*why = str_printf(a, "the account %.*s is not allowed",
			  STR_ARG(account));
	return -1;
}

static int provide(struct key_job *j, struct str *why, bool *build)
{
	struct str spec = key_string(j, "key_spec");
	struct aws_settings s;
	const char *wrong = NULL;
	struct aws *c = NULL;

	*build = true;
	if (!key_string(j, "kms_key_id").n)
		wrong = "no kms_key_id provided";
	else if (!str_is(spec, "AES_256") && !str_is(spec, "AES_128"))
		wrong = "key_spec must be AES_256 or AES_128";
	else
		wrong = settings(j, &s);
	if (wrong)
		*why = str_c(wrong);
	else
		c = aws_open(j->e->remote, &s, why);
	if (!c)
		return -1;
	if (!aws_settings_of(c)->region.n) {
		*why = STR("the \"region\" attribute or the \"AWS_REGION\" or "
			   "\"AWS_DEFAULT_REGION\" environment variables must "
			   "be set");
		return -1;
	}
	if (check_account(j, c, why))
		return -1;
	*build = false;
	return j->use == KEY_ENCRYPT ? encrypting(j, c, why)
				     : decrypting(j, c, why);
}

const struct key_maker key_aws_kms = { "aws_kms", arguments, provide, NULL };
