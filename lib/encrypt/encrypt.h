/*
 * encrypt.h - states and plans encrypted, as OpenTofu 1.12.6 does it
 *
 * What is encrypted is a text in an envelope, a JSON object:
 *
 * 	{"serial":1,"lineage":"...",                of a state alone
 * 	 "meta":{"key_provider.TYPE.NAME":"..."},   base64 of JSON
 * 	 "encrypted_data":"...",                    base64
 * 	 "encryption_version":"v0"}
 *
 * `meta` has what each key provider needs to find the key again (a salt, a key
 * that a service has encrypted).  A method encrypts with the keys; a target
 * (the state, plans, states that data sources read) names a method, and others
 * to try when that cannot decrypt.  The first alone encrypts.
 *
 * All of it is said by the encryption block of the root module and by the
 * environment variable TF_ENCRYPTION, which counts where both do.
 *
 * A key is asked for or derived when it is first needed, and once a run:
 * envelope_prepare does so beforehand, for those who must not find out at the
 * end that it cannot be had.  No diagnostic shows a key or an argument that
 * makes one; nothing of TF_ENCRYPTION is shown.
 *
 * Facts: the wire form and the arguments were seen in files and requests of
 * OpenTofu 1.12.6; man/tf-encryption.7 says where this differs.
 */
#ifndef TFPIPE_ENCRYPT_ENCRYPT_H
#define TFPIPE_ENCRYPT_ENCRYPT_H

#include "base/diag.h"
#include "base/io.h"
#include "config/load/load.h"

struct encryption;
struct envelope;
struct remote;

struct envelope; /* how texts of one target are opened and sealed: envelope.c */

/* Reads what asks for encryption.  c may be NULL: there is no configuration; o:
 * for early evaluation; rem asks key services, and lives as long.  NULL after
 * an error, or when an argument depends on a variable without a value. */
struct encryption *encryption_new(struct arena *a, struct config *c,
				  const struct config_options *o,
				  struct remote *rem, struct diags *ds);
/* Waits for what envelope_prepare has begun.  NULL is fine. */
void encryption_end(struct encryption *e);

/*
 * Keys handed on (key_ring.c): the stages of a run inherit a file in memory, in
 * which each key is that one of them has made, so that none makes it again.
 * Nobody else gets its descriptor: children of stages inherit none (child.h).
 */

/* Makes the file, and sets TFPIPE_KEYS to its descriptor's number.  applies:
 * one of the stages will store the state.  Returns the descriptor,
 * close-on-exec; or -1: then each stage makes its own keys. */
int key_ring_make(bool applies);
/* Begins to make the key that seals, if a later stage needs it; e may be NULL.
 * Then, before this process ends: waits for that key, and hands it on. */
void encryption_hand_on(struct encryption *e);
void encryption_handed_on(struct encryption *e);

/* Can anything ask for it: TF_ENCRYPTION, or the configuration, unless that is
 * NULL? */
bool encryption_asked(const struct config *c);
/* May TF_ENCRYPTION, or the files of the root module, which is in the current
 * directory, ask for it? */
bool encryption_mentioned(void);

/* NULL: these are not encrypted, and whatever is there is read as it is. */
struct envelope *encryption_state(struct encryption *e);
struct envelope *encryption_plan(struct encryption *e);
/* Of the state that a data source reads, by its address. */
struct envelope *encryption_remote(struct encryption *e, struct str address);

/* envelope.c: texts of a target opened and sealed */

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

/* saved.c: a saved plan or a state, in an envelope or not */

struct saved {
	bool stream;     /* it is a stream, */
	int fd;          /* to be read from here */
	struct buf text; /* else all of it */
};

/* fd is a regular file: what comes through a pipe is plain. */
bool saved_is_file(int fd);
/* Opens what fd has; e may be NULL.  Of a pipe all is read first.  name: for
 * messages.  -1 after a diagnostic; saved_release in any case.  fd stays the
 * caller's, and is at its beginning where a stream is read from it. */
int saved_open(struct encryption *e, int fd, struct str name, struct saved *out,
	       struct diags *ds);
/* Opens a stream, which may still be being written.  Anything else comes out as
 * it is: whoever reads it says what is wrong. */
int saved_stream(struct encryption *e, int fd, struct str name,
		 struct saved *out, struct diags *ds);
void saved_release(struct saved *s, int fd);

#endif
