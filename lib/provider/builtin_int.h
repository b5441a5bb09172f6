/* builtin_int.h - the parts of the built-in provider */
#ifndef TFPIPE_PROVIDER_BUILTIN_INT_H
#define TFPIPE_PROVIDER_BUILTIN_INT_H

#include "provider/provider.h"
#include "lang/eval/eval.h"
#include "base/workdir.h"

struct provider;

/* builtin.c: the built-in provider: terraform.io/builtin/terraform */

/* The built-in provider: terraform_data, terraform_remote_state.  delay_ms and
 * shuffle are for tests: completions are delayed and reordered. */
struct provider *provider_builtin_new(struct arena *a, struct loop *loop,
				      unsigned delay_ms, bool shuffle);
/* The provider for a working directory (NULL: any) with the delay that the
 * environment asks for: TFPIPE_TEST_BUILTIN_DELAY=MS[,shuffle], a hook for
 * tests. */
struct provider *provider_builtin_open(struct arena *a, struct loop *loop,
				       const struct workdir *w);

/* builtin_data.c: the resource type terraform_data */

const struct resource_schema *data_resource_schema(struct arena *a);
void data_validate(struct provider_request *r);
void data_upgrade(struct provider_request *r);
void data_plan(struct provider_request *r);
void data_apply(struct provider_request *r);
void data_import(struct provider_request *r);
void data_move(struct provider_request *r);

/*
 * builtin_funcs.c: provider::terraform::…: decode_tfvars, encode_tfvars,
 * encode_expr
 */

void builtin_functions(struct arena *a, struct map *out);

/* builtin_state.c: the data source terraform_remote_state */

const struct resource_schema *remote_state_schema(struct arena *a);

struct remote_states {          /* those that this run has read */
	struct arena *arena;    /* of what they have */
	struct loop *loop;      /* goes on while a host is asked */
	struct workdir workdir; /* whoever asks is in */
	struct map known;
};

void remote_state_validate(struct remote_states *all,
			   struct provider_request *r);
/* Calls r->done, at once or when somebody else's reading ends. */
void remote_state_read(struct remote_states *all, struct provider_request *r);

#endif
