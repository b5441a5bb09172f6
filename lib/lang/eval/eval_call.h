/* eval_call.h - names of functions in calls */
#ifndef TFPIPE_LANG_EVAL_CALL_H
#define TFPIPE_LANG_EVAL_CALL_H

#include "lang/eval/func.h"

/* provider::LOCAL::FUNCTION or provider::LOCAL::ALIAS::FUNCTION, taken apart;
 * false when the name is neither.  alias may be empty. */
bool func_of_provider(struct str name, struct func_of_provider *out);

#endif
