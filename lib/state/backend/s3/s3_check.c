/* s3_check.c - what the arguments of the backend "s3" may be, as OpenTofu has
 * it; see s3_int.h
 *
 * It has warnings of deprecated arguments as well, but shows them nowhere. */
#include <ctype.h>

#include "state/backend/s3/s3_int.h"
#include "base/clock.h"
#include "state/backend/backend_int.h"
#include "state/backend/lock.h"

static bool is_set(const struct backend *b, const char *name)
{
	return argument_value(b, name) != NULL;
}

static struct str text(const struct backend *b, const char *name)
{
	return argument_string(argument_value(b, name));
}

/* --- required --- */

static void check_names(struct backend *b, struct diags *ds)
{
	const struct str key = text(b, "key");
	const struct str prefix = text(b, "workspace_key_prefix");

	if (!text(b, "bucket").n)
		diag_error(ds, NULL, "Invalid bucket value",
			   "The argument \"bucket\" must not be empty.");
	if (!key.n)
		diag_error(ds, NULL, "Invalid key value",
			   "The argument \"key\" must not be empty.");
	else if (str_starts(key, "/") || str_ends(key, "/"))
		diag_error(
			ds, NULL, "Invalid key value",
			"The argument \"key\" must neither start nor end with a slash.");
	if (!argument_text(b, "region").n)
		diag_error(ds, NULL, "Missing region value",
			   "The argument \"region\" must be set, or one of the "
			   "variables AWS_REGION and AWS_DEFAULT_REGION.");
	if (str_starts(prefix, "/") || str_ends(prefix, "/"))
		diag_error(ds, NULL, "Invalid workspace_key_prefix value",
			   "The argument \"workspace_key_prefix\" must neither "
			   "start nor end with a slash.");
}

/* --- KMS keys --- */

/* A pattern: x is a hexadecimal digit in small letters, v one of 1 to 5, w one
 * of 8, 9, a and b.  How much of s it takes; 0: it does not fit. */
static size_t fits(struct str s, const char *pattern)
{
	const size_t n = strlen(pattern);

	if (s.n < n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *all = pattern[i] == 'x'   ? "0123456789abcdef"
				  : pattern[i] == 'v' ? "12345"
				  : pattern[i] == 'w' ? "89ab"
						      : NULL;

		if (all ? !s.p[i] || !strchr(all, s.p[i])
			: s.p[i] != pattern[i])
			return 0;
	}
	return n;
}

static const char uuid[] = "xxxxxxxx-xxxx-vxxx-wxxx-xxxxxxxxxxxx";
static const char multi[] = "mrk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

static bool is_alias(struct str s)
{
	if (!str_starts(s, "alias/") || s.n == 6)
		return false;
	for (size_t i = 6; i < s.n; i++)
		if (!isalnum((unsigned char)s.p[i]) &&
		    (!s.p[i] || !strchr("/_-", s.p[i])))
			return false;
	return true;
}

static bool is_id(struct str s)
{
	return (s.n == strlen(uuid) && fits(s, uuid)) ||
	       (s.n == strlen(multi) && fits(s, multi));
}

/* As OpenTofu's expression has it, which is anchored only at its two ends: an
 * ID at the beginning, one of several regions anywhere, or an alias at the end.
 */
static bool is_key_id(struct str s)
{
	if (fits(s, uuid))
		return true;
	for (size_t i = 0; i < s.n; i++) {
		const struct str rest = str_sub(s, i, s.n);

		if (fits(rest, multi) || is_alias(rest))
			return true;
	}
	return false;
}

static bool looks_like_arn(struct str s)
{
	size_t colons = 0;

	for (size_t i = 0; i < s.n; i++)
		colons += s.p[i] == ':';
	return str_starts(s, "arn:") && colons >= 5;
}

static void check_kms_key(struct backend *b, struct diags *ds)
{
	const struct str key = text(b, "kms_key_id");
	struct str resource = STR_NONE;

	if (!key.n)
		return;
	if (text(b, "sse_customer_key").n)
		diag_error(ds, NULL, "Invalid encryption configuration",
			   "Only one of \"kms_key_id\" and "
			   "\"sse_customer_key\" can be set: a key is KMS's or "
			   "the customer's.");
	else if (argument_text(b, "sse_customer_key").n &&
		 !is_set(b, "sse_customer_key"))
		diag_error(ds, NULL, "Invalid encryption configuration",
			   "Only one of \"kms_key_id\" and the variable "
			   "AWS_SSE_CUSTOMER_KEY can be set: a key is KMS's or "
			   "the customer's.");
	if (!looks_like_arn(key)) {
		if (!is_key_id(key))
			diag_error(
				ds, NULL, "Invalid KMS Key ID",
				"\"%.*s\" is neither the ID of a KMS key nor an alias.",
				STR_ARG(key));
		return;
	}
	if (!aws_arn_resource(key, &resource) ||
	    !(is_alias(resource) || (str_starts(resource, "key/") &&
				     is_id(str_sub(resource, 4, resource.n)))))
		diag_error(ds, NULL, "Invalid KMS Key ARN",
			   "\"%.*s\" is no ARN of a KMS key or of an alias.",
			   STR_ARG(key));
}

/* --- what excludes each other --- */

static void conflict(struct diags *ds, const char *one, const char *other)
{
	diag_error(ds, NULL, "Invalid Attribute Combination",
		   "Only one of %s, %s can be set.", one, other);
}

static void check_pairs(struct backend *b, struct diags *ds)
{
	static const char *const pairs[][2] = {
		{ "shared_credentials_file", "shared_credentials_files" },
		{ "force_path_style", "use_path_style" },
		{ "allowed_account_ids", "forbidden_account_ids" },
	};
	static const char *const endpoints[][2] = {
		{ "s3", "endpoint" },
		{ "iam", "iam_endpoint" },
		{ "sts", "sts_endpoint" },
		{ "dynamodb", "dynamodb_endpoint" },
	};
	const struct value *all = argument_value(b, "endpoints");

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (is_set(b, pairs[i][0]) && is_set(b, pairs[i][1]))
			conflict(ds, pairs[i][0], pairs[i][1]);
	for (size_t i = 0; i < sizeof(endpoints) / sizeof(*endpoints); i++)
		if (argument_member(all, endpoints[i][0]) &&
		    is_set(b, endpoints[i][1]))
			conflict(ds,
				 arena_printf(b->arena, "endpoints.%s",
					      endpoints[i][0]),
				 endpoints[i][1]);
}

/* --- roles --- */

/* Refuses arguments that "assume_role" has replaced beside it. */
static void check_old_role(struct backend *b, struct diags *ds)
{
	static const char *const names[][2] = {
		{ "assume_role_duration_seconds", "duration" },
		{ "assume_role_policy", "policy" },
		{ "assume_role_policy_arns", "policy_arns" },
		{ "assume_role_tags", "tags" },
		{ "assume_role_transitive_tag_keys", "transitive_tag_keys" },
		{ "external_id", "external_id" },
		{ "role_arn", "role_arn" },
		{ "session_name", "session_name" },
	};
	struct buf list = BUF_INIT;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_set(b, names[i][0]))
			buf_addf(&list, "\n  * %s -> assume_role.%s",
				 names[i][0], names[i][1]);
	if (list.len && is_set(b, "assume_role"))
		diag_error(ds, NULL, "Conflicting Parameters",
			   "These arguments are deprecated, and cannot be "
			   "beside \"assume_role\", which has taken their "
			   "place:%s",
			   list.p);
	buf_release(&list);
}

int s3_duration(struct str text, int64_t *seconds)
{
	uint64_t ms;

	if (lock_timeout_parse(text, &ms))
		return -1;
	*seconds = (int64_t)(ms / 1000);
	return 0;
}

static void check_duration(const char *object, const struct value *v,
			   struct diags *ds)
{
	int64_t seconds;

	if (!v)
		return;
	if (s3_duration(v->string, &seconds))
		diag_error(ds, NULL, "Invalid Duration",
			   "The argument \"%s.duration\" is no duration such "
			   "as 1h30m, but \"%.*s\".",
			   object, STR_ARG(v->string));
	else if (seconds < 15 * 60 || seconds > 12 * 60 * 60)
		diag_error(
			ds, NULL, "Invalid Duration",
			"The argument \"%s.duration\" must be between 15m and 12h, but is %.*s.",
			object, STR_ARG(v->string));
}

static void check_blank(const char *object, const struct value *role,
			const char *name, struct diags *ds)
{
	const struct value *v = argument_member(role, name);

	if (v && !str_trim(v->string).n)
		diag_error(ds, NULL, "Invalid Value",
			   "The argument \"%s.%s\" must not be blank.", object,
			   name);
}

static void check_policies(const char *object, const struct value *all,
			   struct diags *ds)
{
	struct str resource;

	for (size_t i = 0; all && i < all->len; i++) {
		const struct str arn = all->elems[i]->string;

		if (!aws_arn_resource(arn, &resource)) {
			diag_error(
				ds, NULL, "Invalid ARN",
				"\"%s.policy_arns\" has \"%.*s\", which is no ARN.",
				object, STR_ARG(arn));
			return;
		}
		if (!str_starts(resource, "policy/"))
			diag_error(
				ds, NULL, "Invalid IAM Policy ARN",
				"\"%s.policy_arns\" has \"%.*s\", which names no policy.",
				object, STR_ARG(arn));
	}
}

static void check_roles(struct backend *b, struct diags *ds)
{
	static const char object[] = "assume_role";
	static const char web[] = "assume_role_with_web_identity";
	const struct value *r = argument_value(b, object), *arn;
	const struct value *w = argument_value(b, web);

	arn = argument_member(r, "role_arn");
	if (r && (!arn || !arn->string.n))
		diag_error(
			ds, NULL, "Missing Required Value",
			"The argument \"assume_role.role_arn\" is required.");
	check_duration(object, argument_member(r, "duration"), ds);
	check_blank(object, r, "external_id", ds);
	check_blank(object, r, "policy", ds);
	check_blank(object, r, "session_name", ds);
	check_policies(object, argument_member(r, "policy_arns"), ds);
	check_old_role(b, ds);
	if (argument_member(w, "web_identity_token") &&
	    argument_member(w, "web_identity_token_file"))
		conflict(ds, "web_identity_token", "web_identity_token_file");
	check_blank(web, w, "session_name", ds);
	check_blank(web, w, "policy", ds);
	check_policies(web, argument_member(w, "policy_arns"), ds);
	check_duration(web, argument_member(w, "duration"), ds);
}

int s3_check(struct backend *b, struct diags *ds)
{
	const struct str mode = text(b, "retry_mode");
	const struct value *v6 =
		argument_value(b, "ec2_metadata_service_endpoint_mode");
	const size_t errors = ds->errors;

	check_names(b, ds);
	check_kms_key(b, ds);
	check_pairs(b, ds);
	check_roles(b, ds);
	if (is_set(b, "retry_mode") && !str_is(mode, "standard") &&
	    !str_is(mode, "adaptive"))
		diag_error(
			ds, NULL, "Invalid retry mode",
			"The argument \"retry_mode\" is \"standard\" or \"adaptive\".");
	if (v6 && v6->string.n &&
	    !str_is(str_lower(b->arena, v6->string), "ipv4") &&
	    !str_is(str_lower(b->arena, v6->string), "ipv6"))
		argument_error(b, ds, "ec2_metadata_service_endpoint_mode",
			       "is \"IPv4\" or \"IPv6\"");
	return ds->errors > errors ? -1 : 0;
}
