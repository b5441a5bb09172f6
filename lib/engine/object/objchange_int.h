/* objchange_int.h - what the files of objchange share */
#ifndef TFPIPE_ENGINE_OBJECT_OBJCHANGE_INT_H
#define TFPIPE_ENGINE_OBJECT_OBJCHANGE_INT_H

#include "engine/object/objchange.h"
#include "schema/walk.h"

static inline bool is_keyed(const struct value *v)
{
	return v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;
}

#endif
