/* s3_table.c - items of DynamoDB: locks of states, and digests of them; see
 * s3_int.h
 *
 * As OpenTofu has them: {"LockID": {"S": ID}, "Info" or "Digest": {"S": TEXT}}
 * ("Amazon DynamoDB API Reference", version 20120810).
 */
#include "state/backend/s3/s3_int.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/aws.h"

/* 0: there is an answer, with what it has for people in *why if it is an error.
 */
static int ask(struct backend *b, const char *action, struct str body,
	       struct fetch_answer *answer, struct str *why)
{
	const struct s3 *s = b->data;
	const struct fetch_header headers[] = {
		{ STR("Content-Type"), STR("application/x-amz-json-1.0") },
		{ STR("X-Amz-Target"),
		  STR_CAT(b->arena, STR("DynamoDB_20120810."), str_c(action)) },
	};
	const struct aws_call call = { .service = AWS_DYNAMODB,
				       .headers = headers,
				       .nheaders = 2,
				       .body = body };

	if (aws_ask(s->aws, &call, answer, why)) {
		*why = STR_CAT(b->arena, STR("DynamoDB: "), *why);
		return -1;
	}
	if (answer->status != 200)
		*why = str_printf(b->arena, "DynamoDB, table \"%.*s\": %.*s",
				  STR_ARG(s->table),
				  STR_ARG(aws_error_text(b->arena, answer)));
	return 0;
}

static void write_string(struct jw *w, const char *name, struct str text)
{
	jw_key(w, name);
	jw_object(w);
	jw_member_str(w, "S", text);
	jw_object_end(w);
}

static void begin(struct backend *b, struct jw *w)
{
	const struct s3 *s = b->data;

	jw_object(w);
	jw_member_str(w, "TableName", s->table);
}

static void write_key(struct jw *w, struct str id)
{
	jw_key(w, "Key");
	jw_object(w);
	write_string(w, "LockID", id);
	jw_object_end(w);
}

static struct str end(struct backend *b, struct jw *w)
{
	jw_object_end(w);
	return buf_take(b->arena, w->out);
}

int s3_item_get(struct backend *b, struct str id, const char *member,
		struct str *out, struct str *why)
{
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	struct fetch_answer answer;
	struct json_error wrong;
	const struct json *item, *value;

	*out = STR_NONE;
	begin(b, &w);
	write_key(&w, id);
	jw_member_str(&w, "ProjectionExpression",
		      str_c(arena_printf(b->arena, "LockID, %s", member)));
	jw_member_bool(&w, "ConsistentRead", true);
	if (ask(b, "GetItem", end(b, &w), &answer, why))
		return -1;
	if (answer.status != 200)
		return -1;
	item = json_get(json_parse(b->arena, answer.body, &wrong), "Item");
	value = json_get(item, member);
	if (item && item->len)
		*out = value ? json_get_str(value, "S") : STR("");
	return 0;
}

static bool failed_condition(struct backend *b,
			     const struct fetch_answer *answer)
{
	return str_is(aws_error_code(b->arena, answer),
		      "ConditionalCheckFailedException");
}

int s3_item_put(struct backend *b, struct str id, const char *member,
		struct str text, bool fresh, bool *held, struct str *why)
{
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	struct fetch_answer answer;

	if (held)
		*held = false;
	begin(b, &w);
	jw_key(&w, "Item");
	jw_object(&w);
	write_string(&w, "LockID", id);
	write_string(&w, member, text);
	jw_object_end(&w);
	if (fresh)
		jw_member_str(&w, "ConditionExpression",
			      STR("attribute_not_exists(LockID)"));
	if (ask(b, "PutItem", end(b, &w), &answer, why))
		return -1;
	if (held)
		*held = failed_condition(b, &answer);
	return answer.status == 200 ? 0 : -1;
}

int s3_item_delete(struct backend *b, struct str id, struct str info,
		   struct str *why)
{
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	struct fetch_answer answer;

	begin(b, &w);
	write_key(&w, id);
	if (info.p) {
		jw_member_str(&w, "ConditionExpression", STR("Info = :info"));
		jw_key(&w, "ExpressionAttributeValues");
		jw_object(&w);
		write_string(&w, ":info", info);
		jw_object_end(&w);
	}
	if (ask(b, "DeleteItem", end(b, &w), &answer, why))
		return -1;
	return answer.status == 200 ? 0 : -1;
}
