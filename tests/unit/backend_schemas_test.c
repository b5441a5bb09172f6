/* backend_schemas_test.c - what OpenTofu's backends are known to take */
#include "state/backend/backend.h"
#include "test.h"

static bool is_required(const struct schema_attr *attr)
{
	return attr->required;
}

static void count(const struct schema_block *b, schema_attr_test *is,
		  size_t *n)
{
	for (size_t i = 0; i < b->nattrs; i++) {
		if (b->attrs[i].nested)
			count(b->attrs[i].nested->block, is, n);
		*n += is(&b->attrs[i]);
	}
	for (size_t i = 0; i < b->nblocks; i++)
		count(b->blocks[i].block, is, n);
}

/* How many arguments and nested blocks a backend has, and how many arguments
 * at any depth are required, deprecated and sensitive. */
static void check(const char *type, size_t nattrs, size_t nblocks,
		  size_t required, size_t deprecated, size_t sensitive)
{
	struct arena a = ARENA_INIT;
	const struct schema_block *b = backend_schema(&a, str_c(type));
	size_t n[3] = { 0 };

	CHECK(b && b->nattrs == nattrs && b->nblocks == nblocks);
	count(b, is_required, &n[0]);
	count(b, schema_attr_is_deprecated, &n[1]);
	count(b, schema_attr_is_sensitive, &n[2]);
	CHECK(n[0] == required);
	CHECK(n[1] == deprecated);
	CHECK(n[2] == sensitive);
	arena_release(&a);
}

static void test_counts(void)
{
	check("local", 2, 0, 0, 0, 0);
	check("inmem", 1, 0, 0, 0, 0);
	check("s3", 55, 0, 3, 13, 2);
	check("azurerm", 33, 0, 3, 0, 1);
	check("gcs", 10, 0, 1, 0, 0);
	check("http", 16, 0, 1, 0, 0);
	check("pg", 8, 0, 0, 0, 0);
	check("consul", 11, 0, 1, 0, 0);
	check("kubernetes", 18, 1, 3, 0, 0);
	check("remote", 3, 1, 1, 0, 0);
	check("cloud", 3, 1, 0, 0, 0);
	check("cos", 10, 1, 4, 0, 2);
	check("oss", 20, 1, 1, 0, 0);
}

static void test_nested(void)
{
	struct arena a = ARENA_INIT;
	const struct schema_attr *attr;
	const struct schema_nested *n;

	attr = schema_attr_find(backend_schema(&a, STR("s3")),
				STR("endpoints"));
	CHECK(attr && attr->nested && attr->nested->nesting == NESTING_SINGLE);
	CHECK(attr->type->kind == TYPE_OBJECT && attr->type->len == 4);
	attr = schema_attr_find(backend_schema(&a, STR("s3")),
				STR("allowed_account_ids"));
	CHECK(attr->type == &type_set_string);
	n = schema_nested_find(backend_schema(&a, STR("kubernetes")),
			       STR("exec"));
	CHECK(n && n->nesting == NESTING_LIST && n->max_items == 1);
	CHECK(schema_attr_find(n->block, STR("env"))->type ==
	      type_map(&type_string));
	n = schema_nested_find(backend_schema(&a, STR("cos")),
			       STR("assume_role"));
	CHECK(n && n->nesting == NESTING_SET && n->max_items == 1);
	n = schema_nested_find(backend_schema(&a, STR("cloud")),
			       STR("workspaces"));
	CHECK(n && n->nesting == NESTING_SINGLE && n->block->nattrs == 3);
	CHECK(backend_schema(&a, STR("etcd")) == NULL);
	arena_release(&a);
}

static bool address_required(struct arena *a)
{
	return schema_attr_find(backend_schema(a, STR("http")), STR("address"))
		->required;
}

static void test_environment(void)
{
	struct arena a = ARENA_INIT;

	unsetenv("TF_HTTP_ADDRESS");
	CHECK(address_required(&a));
	setenv("TF_HTTP_ADDRESS", "", 1);
	CHECK(address_required(&a));
	setenv("TF_HTTP_ADDRESS", "http://h/", 1);
	CHECK(!address_required(&a));
	CHECK_STR(backend_default(&a, STR("http"), STR("address")),
		  "http://h/");
	CHECK_STR(backend_default(&a, STR("http"), STR("lock_method")), "LOCK");
	CHECK(!backend_default(&a, STR("http"), STR("headers")).p);
	CHECK(!backend_default(&a, STR("http"), STR("none")).p);
	setenv("AWS_S3_ENDPOINT", "http://second/", 1);
	CHECK_STR(backend_default(&a, STR("s3"), STR("endpoints.s3")),
		  "http://second/");
	setenv("AWS_ENDPOINT_URL_S3", "http://first/", 1);
	CHECK_STR(backend_default(&a, STR("s3"), STR("endpoints.s3")),
		  "http://first/");
	/* the member of one object is not that of another */
	setenv("AWS_ROLE_ARN", "arn", 1);
	CHECK(!backend_default(&a, STR("s3"), STR("assume_role.role_arn")).p);
	CHECK(!backend_default(&a, STR("s3"), STR("role_arn")).p);
	CHECK_STR(backend_default(
			  &a, STR("s3"),
			  STR("assume_role_with_web_identity.role_arn")),
		  "arn");
	CHECK_STR(backend_default(&a, STR("cos"),
				  STR("assume_role.session_duration")),
		  "7200");
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_counts());
	RUN(test_nested());
	RUN(test_environment());
	return test_done("backend_schemas");
}
