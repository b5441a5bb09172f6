/* fields.c - see record_int.h */
#include <stddef.h>

#include "config/record/record_int.h"
#include "config/test.h"

/* For structs that name themselves: S. */
#define F(name_, kind_, member_, ...) \
	{ \
		.name = name_, .kind = FIELD_##kind_, \
		.at = offsetof(S, member_), __VA_ARGS__ \
	}
#define NEEDED .needed = true
#define BESIDE(member_) .beside = offsetof(S, member_)
#define FIELDS(name_, what_) \
	const struct fields fields_##name_ = { \
		what_, sizeof(S), name_, sizeof(name_) / sizeof(*name_) \
	}; \
	_Static_assert(sizeof(name_) / sizeof(*name_) <= FIELDS_MOST, "")

/* --- objects inside --- */

#define S struct cfg_condition
static const struct cfg_field condition[] = {
	F("condition", EXPRESSION, condition, NEEDED),
	F("error_message", EXPRESSION, error_message, NEEDED),
	F("at", RANGE, at),
};
static FIELDS(condition, "a condition");
#undef S

#define S struct cfg_provider_ref
static const struct cfg_field ref[] = {
	F("name", TEXT, name),        F("alias", TEXT, alias),
	F("key", EXPRESSION, key),    F("at", RANGE, at),
	F("name_at", RANGE, name_at),
};
FIELDS(ref, "a provider");
#undef S

#define S struct cfg_provider_pass
static const struct cfg_field pass[] = {
	F("child", TEXT, child_name, NEEDED),
	F("child_alias", TEXT, child_alias),
	F("child_at", RANGE, child_at),
	F("parent", REF, parent, NEEDED),
};
static FIELDS(pass, "a passed provider");
#undef S

#define S struct cfg_override
static const struct cfg_field override[] = {
	F("kind", TEXT, kind, NEEDED),
	F("target", TEXT, target, NEEDED),
	F("values", EXPRESSION, values),
	F("at", RANGE, at),
};
static FIELDS(override, "an override");
#undef S

#define S struct cfg_lifecycle
static const struct cfg_field lifecycle[] = {
	F("create_before_destroy", EXPRESSION, create_before_destroy),
	F("prevent_destroy", EXPRESSION, prevent_destroy),
	F("destroy", EXPRESSION, destroy),
	F("enabled", EXPRESSION, enabled),
	F("ignore_changes", IGNORED, ignore_changes, BESIDE(ignore_all),
	  .word = "all"),
	F("replace_triggered_by", EXPRESSIONS, replace_triggered_by),
	F("preconditions", LIST, preconditions, .inner = &fields_condition),
	F("postconditions", LIST, postconditions, .inner = &fields_condition),
	F("at", RANGE, at),
};
FIELDS(lifecycle, "a lifecycle");
#undef S

#define S struct cfg_provisioner
static const struct cfg_field provisioner[] = {
	F("type", TEXT, type, NEEDED),
	F("when", WORD, when_destroy, .word = "destroy"),
	F("on_failure", WORD, on_failure_continue, .word = "continue"),
	F("connection", BODY, connection),
	F("body", BODY, body, NEEDED),
	F("at", RANGE, at),
};
static FIELDS(provisioner, "a provisioner");
#undef S

/* --- records --- */

#define S struct cfg_resource
static const struct cfg_field resource[] = {
	F("mode", MODE, addr.mode),
	F("type", LABEL, addr.type),
	F("name", LABEL, addr.name),
	F("provider", PROVIDER, provider_ref, BESIDE(provider), NEEDED),
	F("count", EXPRESSION, count),
	F("for_each", EXPRESSION, for_each),
	F("depends_on", TRAVERSALS, depends_on),
	F("lifecycle", LIFECYCLE, lifecycle),
	F("provisioners", LIST, provisioners, .inner = &fields_provisioner),
	F("connection", BODY, connection),
	F("check", CHECK, check),
	F("body", BODY, body, NEEDED),
	F("type_at", RANGE, type_at),
	F("at", RANGE, at),
};
FIELDS(resource, "a resource");
#undef S

#define S struct cfg_variable
static const struct cfg_field variable[] = {
	F("name", TEXT, name, NEEDED),
	F("type", EXPRESSION, type_expr),
	F("default", EXPRESSION, default_value),
	F("description", TEXT, description),
	F("sensitive", FLAG, sensitive),
	F("ephemeral", FLAG, ephemeral),
	F("nullable", TRUE, nullable),
	F("const", GIVEN, constant, BESIDE(constant_given)),
	F("deprecated", TEXT, deprecated),
	F("validations", LIST, validations, .inner = &fields_condition),
	F("at", RANGE, at),
};
FIELDS(variable, "a variable");
#undef S

#define S struct cfg_local
static const struct cfg_field local[] = {
	F("name", TEXT, name, NEEDED),
	F("value", EXPRESSION, value, NEEDED),
	F("at", RANGE, at),
};
FIELDS(local, "a local value");
#undef S

#define S struct cfg_output
static const struct cfg_field output[] = {
	F("name", TEXT, name, NEEDED),
	F("value", EXPRESSION, value, NEEDED),
	F("description", TEXT, description),
	F("sensitive", FLAG, sensitive),
	F("ephemeral", FLAG, ephemeral),
	F("deprecated", TEXT, deprecated),
	F("depends_on", TRAVERSALS, depends_on),
	F("preconditions", LIST, preconditions, .inner = &fields_condition),
	F("at", RANGE, at),
};
FIELDS(output, "an output");
#undef S

#define S struct cfg_call
static const struct cfg_field call[] = {
	F("name", TEXT, name, NEEDED),
	F("source", EXPRESSION, source_expr),
	F("source_address", TEXT, source),
	F("source_written", OTHER, source_written, BESIDE(source)),
	F("version", EXPRESSION, version_expr),
	F("version_constraint", TEXT, version),
	F("count", EXPRESSION, count),
	F("for_each", EXPRESSION, for_each),
	F("enabled", EXPRESSION, enabled),
	F("depends_on", TRAVERSALS, depends_on),
	F("providers", LIST, providers, BESIDE(providers_given),
	  .inner = &fields_pass),
	F("body", BODY, body, NEEDED),
	F("at", RANGE, at),
};
FIELDS(call, "a module call");
#undef S

#define S struct cfg_provider
static const struct cfg_field provider[] = {
	F("name", TEXT, name, NEEDED),
	F("alias", TEXT, alias),
	F("source", SOURCE, provider, NEEDED),
	F("version", TEXT, version),
	F("for_each", EXPRESSION, for_each),
	F("count", EXPRESSION, count),
	F("body", BODY, body, NEEDED),
	F("at", RANGE, at),
	F("mocked", FLAG, mocked),
	F("overrides", LIST, overrides, .inner = &fields_override),
};
FIELDS(provider, "a provider configuration");
#undef S

#define S struct cfg_test
static const struct cfg_field test[] = {
	F("name", TEXT, name, NEEDED),
	F("command", WORD, plan, .word = "plan"),
	F("asserts", LIST, asserts, .inner = &fields_condition),
	F("overrides", LIST, overrides, .inner = &fields_override),
	F("at", RANGE, at),
};
FIELDS(test, "a run of a test");
#undef S

#define S struct cfg_required_provider
static const struct cfg_field required[] = {
	F("name", TEXT, name, NEEDED),
	F("source", TEXT, source),
	F("provider", SOURCE, addr, NEEDED),
	F("version", TEXT, version),
	F("configuration_aliases", TEXTS, aliases),
	F("at", RANGE, at),
};
FIELDS(required, "a required provider");
#undef S

#define S struct cfg_provider_meta
static const struct cfg_field meta[] = {
	F("name", TEXT, name, NEEDED),
	F("provider", SOURCE, provider, NEEDED),
	F("body", BODY, body, NEEDED),
	F("at", RANGE, at),
};
FIELDS(meta, "a provider_meta block");
#undef S

#define S struct cfg_check
static const struct cfg_field check[] = {
	F("name", TEXT, name, NEEDED),
	F("data", DATA, data),
	F("asserts", LIST, asserts, .inner = &fields_condition),
	F("at", RANGE, at),
};
FIELDS(check, "a check");
#undef S

#define S struct cfg_moved
static const struct cfg_field moved[] = {
	F("from", TRAVERSAL, from),
	F("to", TRAVERSAL, to),
	F("at", RANGE, at),
};
FIELDS(moved, "a moved block");
#undef S

#define S struct cfg_removed
static const struct cfg_field removed[] = {
	F("from", TRAVERSAL, from),
	F("destroy", GIVEN, destroy, BESIDE(destroy_given)),
	F("provisioners", LIST, provisioners, .inner = &fields_provisioner),
	F("at", RANGE, at),
};
FIELDS(removed, "a removed block");
#undef S

#define S struct cfg_import
static const struct cfg_field import[] = {
	F("to", EXPRESSION, to, NEEDED),
	F("id", EXPRESSION, id),
	F("identity", EXPRESSION, identity),
	F("for_each", EXPRESSION, for_each),
	F("provider", PROVIDER, provider_ref, BESIDE(provider)),
	F("at", RANGE, at),
};
FIELDS(import, "an import");
#undef S

#define S struct cfg_backend
static const struct cfg_field backend[] = {
	F("type", TEXT, type, NEEDED),
	F("cloud", FLAG, cloud),
	F("body", BODY, body, NEEDED),
	F("at", RANGE, at),
};
FIELDS(backend, "a backend");
#undef S

#define S struct cfg_module
static const struct cfg_field encryption[] = {
	F("body", BODY, encryption, NEEDED),
	F("at", RANGE, encryption_at),
};
FIELDS(encryption, "an encryption block");
#undef S

static const struct cfg_field terraform[] = {
	{ .name = "required_version", .kind = FIELD_EXPRESSION },
};
const struct fields fields_terraform = { "a terraform block",
					 sizeof(struct expression), terraform,
					 1 };
