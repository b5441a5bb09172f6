/* config_json_int.h - what the files of config_json share */
#ifndef TFPIPE_UI_CONFIG_JSON_INT_H
#define TFPIPE_UI_CONFIG_JSON_INT_H

#include "ui/show/show.h"

/* --- config_expr.c --- */

/* The value where it takes neither references nor functions to know it, and
 * what is referred to, be it in an arm that is not taken. */
void config_expression_json(struct jw *w, struct expression e);
/* A member that is left out where there is nothing in it. */
void config_member_unless_empty(struct jw *w, const char *name,
				const struct buf *object);
void config_member_expression(struct jw *w, const char *name,
			      struct expression e);
/* `expressions`: one for each argument of the body, nested as its blocks are;
 * an attribute that is given as blocks is one expression. */
void config_expressions_json(struct jw *w, const struct body *body,
			     const struct schema_block *schema);
/* The attributes of a body whose schema is not known, as `expressions`. */
void config_attributes_json(struct jw *w, const struct body *body);

/* --- config_providers.c --- */

struct config_providers {
	struct map entries; /* key -> struct provider_entry * */
};

/* The provider configurations of all modules, written or implied. */
void config_providers_collect(struct config_providers *ps, struct arena *a,
			      const struct config *c);
/* `provider_config`: those that no parent has. */
void config_providers_json(struct jw *w, struct arena *a,
			   const struct config_providers *ps,
			   const struct map *schemas);
/* The key of the one that a resource uses. */
struct str config_provider_key(const struct config_providers *ps,
			       struct arena *a, const struct cfg_resource *r);

#endif
