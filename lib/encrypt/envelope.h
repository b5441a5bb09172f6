/* envelope.h - texts of a target opened and sealed; see encrypt.h */
#ifndef TFPIPE_ENCRYPT_ENVELOPE_H
#define TFPIPE_ENCRYPT_ENVELOPE_H

#include "base/diag.h"

struct envelope;

/* Begins to derive or fetch the key that seals, which may go on beside other
 * work.  env may be NULL.  -1: it cannot be had. */
int envelope_prepare(struct envelope *env, struct diags *ds);
/* Is the text an envelope? */
bool envelope_is(struct str text);

enum envelope_kind {
	ENVELOPE_STATE, /* serial and lineage are outside, too */
	ENVELOPE_PLAIN, /* a plan, or anything else */
};

/* Opens the text, in a; one that is plain is itself, where that is allowed, and
 * so is what cannot be a state.
 * env may be NULL.  *stale: sealing it again makes another form of it, by the
 * first method.  -1 after an error, whose summary is OpenTofu's error. */
int envelope_open(struct envelope *env, struct arena *a,
		  enum envelope_kind kind, struct str text, struct str *plain,
		  bool *stale, struct diags *ds);
/* Adds the sealed text to out; the text itself where nothing is encrypted. */
int envelope_seal(struct envelope *env, enum envelope_kind kind,
		  struct str plain, struct buf *out, struct diags *ds);
/* Of a saved plan: the text in b, opened.  name: of its file; or empty. */
int envelope_open_plan(struct envelope *env, struct buf *b, struct str name,
		       struct diags *ds);
/* Does it change texts? */
bool envelope_seals(struct envelope *env);

#endif
