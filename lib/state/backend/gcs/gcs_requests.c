/* gcs_requests.c - see gcs_int.h
 *
 * Objects are read by the XML API, and by the JSON API all else, as OpenTofu's
 * library does it: so an endpoint that serves it serves us, too.
 */
#include "base/base64.h"
#include "base/file_path.h"
#include "base/uuid.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote.h"
#include "remote/xml.h"
#include "state/backend/gcs/gcs_int.h"

enum { RETRIES = 3, PAGES = 1000 };

/* --- names --- */

struct str gcs_object(const struct backend *b, struct str workspace,
		      const char *ending)
{
	const struct gcs *g = b->data;

	return STR_CAT(b->arena, g->prefix, workspace, str_c(ending));
}

struct str gcs_url(const struct backend *b, struct str object)
{
	const struct gcs *g = b->data;

	return STR_CAT(b->arena, STR("gs://"), g->bucket, STR("/"), object);
}

static struct str escaped(const struct backend *b, struct str s)
{
	return remote_escape(b->arena, s, false);
}

/* --- asking --- */

static struct str failure(struct arena *a, const struct fetch_answer *answer)
{
	struct json_error wrong;
	const struct json *error;
	struct str said;

	if (answer->error.n)
		return answer->error;
	if (!str_starts(str_trim(answer->body), "{"))
		return xml_failure(a, answer);
	error = json_get(json_parse(a, answer->body, &wrong), "error");
	said = json_get_str(error, "message");
	return str_printf(a, "%.*s%s%.*s",
			  STR_ARG(fetch_status_text(a, answer->status)),
			  said.n ? ": " : "", STR_ARG(host_text(a, said)));
}

static int take_token(struct backend *b, struct fetch_request *r,
		      struct str *why)
{
	struct gcs *g = b->data;

	if (g->anonymous)
		return 0;
	if (google_token(&b->remote, &g->who, &g->token, why))
		return -1;
	r->token = g->token.text;
	if (r->token.n)
		return 0;
	*why = STR("there are no credentials: neither an access_token, nor "
		   "credentials, nor Google's application default "
		   "credentials");
	return -1;
}

/* One whose time is up sooner than was said is renewed. */
static int ask(struct backend *b, struct fetch_request *r,
	       struct fetch_answer *answer, struct str *why)
{
	struct gcs *g = b->data;
	bool again;

	*answer = (struct fetch_answer){ .status = 0 };
	r->retries = RETRIES;
	r->redirects = FETCH_NO_REDIRECTS;
	for (int i = 0; i < 2; i++) {
		if (take_token(b, r, why))
			return -1;
		fetch_wait(remote_fetch(&b->remote), r, answer);
		again = answer->status == 401 && g->token.until;
		if (!again)
			break;
		g->token.text = STR_NONE;
	}
	if (answer->status >= 200 && answer->status < 300)
		return 0;
	*why = failure(b->arena, answer);
	return -1;
}

int gcs_read(struct backend *b, struct str object, bool keyed, struct str *text,
	     struct str *version, struct str *why)
{
	const struct gcs *g = b->data;
	struct fetch_request r = { .headers = g->key,
				   .nheaders = keyed ? g->nkey : 0,
				   .most = INT64_MAX };
	struct fetch_answer answer;

	*text = STR_NONE;
	*version = STR("0");
	r.url = STR_CAT(b->arena, g->origin, STR("/"), escaped(b, g->bucket),
			STR("/"), escaped(b, object));
	if (ask(b, &r, &answer, why))
		return answer.status == 404 ? 0 : -1;
	*text = answer.body;
	*version = fetch_answer_header(&answer, "x-goog-generation");
	return 0;
}

/* --- writing --- */

static struct str metadata(struct backend *b, struct str object,
			   struct str text)
{
	unsigned char sum[DIGEST_MAX];
	const size_t n = digest_of("md5", text, sum);
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	struct str done;

	jw_object(&w);
	jw_member_str(&w, "name", object);
	jw_member_str(&w, "contentType", STR("text/plain; charset=utf-8"));
	if (n)
		jw_member_str(&w, "md5Hash",
			      base64_encode(b->arena,
					    (struct str){ (const char *)sum,
							  n }));
	jw_object_end(&w);
	done = buf_dup(b->arena, &out);
	buf_release(&out);
	return done;
}

/* What is known of it, and the text itself. */
static void write_parts(struct backend *b, struct buf *out, struct str boundary,
			struct str object, struct str text)
{
	buf_grow(out, text.n + 1024);
	buf_addf(out,
		 "--%.*s\r\nContent-Type: application/json\r\n\r\n%.*s\r\n"
		 "--%.*s\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n",
		 STR_ARG(boundary), STR_ARG(metadata(b, object, text)),
		 STR_ARG(boundary));
	buf_str(out, text);
	buf_addf(out, "\r\n--%.*s--\r\n", STR_ARG(boundary));
}

int gcs_write(struct backend *b, struct str object, struct str text,
	      struct str version, struct str *made, int *status,
	      struct str *why)
{
	const struct gcs *g = b->data;
	const bool keyed = str_eq(object, g->state);
	struct fetch_header headers[4];
	struct fetch_request r = { .method = STR("POST"), .headers = headers };
	struct fetch_answer answer;
	char boundary[UUID_SIZE] = "";
	struct buf body = BUF_INIT;
	struct json_error wrong;
	int rc;

	while (uuid_random(boundary))
		;
	for (size_t i = 0; keyed && i < g->nkey; i++)
		headers[r.nheaders++] = g->key[i];
	headers[r.nheaders++] = (struct fetch_header){
		STR("Content-Type"),
		str_printf(b->arena, "multipart/related; boundary=%s", boundary)
	};
	r.url = STR_CAT(b->arena, g->origin, STR("/upload/storage/v1/b/"),
			escaped(b, g->bucket), STR("/o?alt=json"),
			version.n ? STR("&ifGenerationMatch=") : STR_NONE,
			version,
			keyed && g->kms_key.n ? STR("&kmsKeyName=") : STR_NONE,
			keyed ? escaped(b, g->kms_key) : STR_NONE,
			STR("&name="), escaped(b, object),
			STR("&uploadType=multipart"));
	write_parts(b, &body, str_c(boundary), object, text);
	r.body = buf_view(&body);
	rc = ask(b, &r, &answer, why);
	buf_release(&body);
	*status = answer.status;
	if (!rc)
		*made = json_get_str(json_parse(b->arena, answer.body, &wrong),
				     "generation");
	return rc;
}

int gcs_delete(struct backend *b, struct str object, struct str version,
	       int *status, int *tries, struct str *why)
{
	const struct gcs *g = b->data;
	struct fetch_request r = { .method = STR("DELETE") };
	struct fetch_answer answer;
	int rc;

	r.url = STR_CAT(b->arena, g->endpoint, STR("b/"), escaped(b, g->bucket),
			STR("/o/"), escaped(b, object),
			version.n ? STR("?ifGenerationMatch=") : STR_NONE,
			version);
	rc = ask(b, &r, &answer, why);
	*status = answer.status;
	*tries = answer.tries;
	return rc;
}

/* --- lists --- */

/* The name behind the last slash, without the ending. */
static void add_name(struct backend *b, struct str name, struct str_vec *out)
{
	const struct str dir = file_path_directory(name);

	if (!str_ends(name, GCS_STATE))
		return;
	name = str_sub(name, dir.n, name.n - strlen(GCS_STATE));
	if (!str_is(name, "default"))
		vec_push(b->arena, out, name);
}

static int read_page(struct backend *b, struct str body, struct str_vec *out,
		     struct str *more, struct str *why)
{
	struct json_error wrong;
	const struct json *j = json_parse(b->arena, body, &wrong);
	const struct json *items = json_get(j, "items");

	*more = json_get_str(j, "nextPageToken");
	if (!j || j->kind != JSON_OBJECT ||
	    (items && items->kind != JSON_ARRAY)) {
		*why = STR("the answer is no list of objects");
		return -1;
	}
	for (uint32_t i = 0; items && i < items->len; i++)
		add_name(b, json_get_str(&items->items[i], "name"), out);
	return 0;
}

int gcs_list(struct backend *b, struct str_vec *out, struct str *why)
{
	const struct gcs *g = b->data;
	const size_t first = out->len;
	struct str more = STR_NONE;
	int pages = 0;

	do {
		struct fetch_request r = { .most = INT64_MAX };
		struct fetch_answer answer;

		r.url = STR_CAT(
			b->arena, g->endpoint, STR("b/"), escaped(b, g->bucket),
			STR("/o?delimiter=%2F&fields=nextPageToken%2Citems%28name%29"),
			more.n ? STR("&pageToken=") : STR_NONE,
			escaped(b, more), STR("&prefix="),
			escaped(b, g->prefix));
		if (ask(b, &r, &answer, why) ||
		    read_page(b, answer.body, out, &more, why))
			return -1;
	} while (more.n && ++pages < PAGES);
	str_vec_sort(out, first);
	if (more.n)
		*why = STR("the list of objects has no end");
	return more.n ? -1 : 0;
}
