/* ssh_int.h - what the files of this room share */
#ifndef TFPIPE_SSH_SSH_INT_H
#define TFPIPE_SSH_SSH_INT_H

#include <poll.h>

#include "base/child.h"
#include "ssh/ssh.h"

/* Returns -1, so that callers can write return ssh_fail(...). */
int ssh_fail(struct ssh_failure *f, const char *what, struct str detail);

/*
 * keys.c: keys as people write them
 */

/* A public key as a file has it that ends with .pub: its type, and its bytes in
 * base64.  -1: it is none. */
int ssh_key_public(struct arena *a, struct str line, struct str *type,
		   struct str *base64);
/* The private key alone, in lines as ssh wants them; empty: there is none. */
struct str ssh_key_private(struct arena *a, struct str text);
/* Is the certificate (base64) of the public key (base64)? */
bool ssh_key_certifies(struct arena *a, struct str certificate, struct str key);

/*
 * link.c: processes, what is handed to them, and waiting for them
 */

struct ssh_link {
	struct arena *a;
	const struct ssh_request *r;
	struct out *out;
	int signals; /* a descriptor */
	bool stops;  /* nothing new is begun */
	bool ends;   /* what is there is given up */
	/* What failed may have done so because the connection is lost. */
	bool doubtful;
	/* Of the user's ssh_config that counts, too; empty: none does. */
	struct str config;
	struct str askpass; /* the environment of hops: see config.c */
	/* The connection. */
	struct child master;
	int errors;      /* what the master says, in memory */
	const char *dir; /* of its socket, until that is held */
	int control;     /* its socket, or -1 */
};

enum ssh_waited {
	SSH_READY,   /* some descriptor is */
	SSH_LATE,    /* the time is over */
	SSH_STOPPED, /* a request to stop came just now */
	SSH_ENDED,   /* everything is to end */
};

/* deadline: as clock_ms has it; 0: there is none. */
enum ssh_waited ssh_wait(struct ssh_link *l, struct pollfd *fds, size_t n,
			 uint64_t deadline);

/* A file in memory, which other programs find by *path.  -1: there is none. */
int ssh_memory(struct arena *a, struct str text, const char **path);
/* What is in it. */
struct str ssh_memory_text(struct arena *a, int fd);

/* Starts ssh, or a program of its family, in a process group of its own. */
int ssh_start(struct ssh_link *l, const char *const *argv,
	      const struct child_options *streams,
	      const char *const *more_environment, struct child *c);
/* Ends the child if it has not ended: wait(2)'s status. */
int ssh_end(struct child *c, bool kill);
/* What a program of ssh's family prints, its errors as well; -1: it failed.  f
 * says why if it could not even be started. */
int ssh_ask(struct ssh_link *l, const char *const *argv, struct str *out,
	    struct ssh_failure *f);

/*
 * config.c: what ssh goes by
 */

/* The configuration for the target, with all that stands before it.  *path: of
 * the file that has it; *env: what else is in ssh's environment, NULL at the
 * end. */
int ssh_config(struct ssh_link *l, const char **path, const char *const **env,
	       struct ssh_failure *f);
/* Writes the configuration of a session of a connection that is there, as
 * *path; returns its descriptor. */
int ssh_config_session(struct ssh_link *l, struct str command, bool tty,
		       const char **path);
/* In single quotes, for a shell. */
struct str ssh_quote(struct arena *a, struct str s);

/*
 * connect.c: the connection
 */

/* Tries until there is one, or the time is over.  tells: what is tried goes
 * to out. */
int ssh_connect(struct ssh_link *l, bool tells, struct ssh_failure *f);
void ssh_disconnect(struct ssh_link *l);
/* A line for people. */
void ssh_tell(struct ssh_link *l, struct str line);

/*
 * session.c: commands that run there
 */

/* Runs it to its end, with a terminal unless the machine has Windows; what it
 * prints is told.  *status is wait(2)'s. */
int ssh_run(struct ssh_link *l, struct str command, int *status,
	    struct ssh_failure *f);
/* Starts it: its input and output are pipes in c, and errors are in the file in
 * memory *errors. */
int ssh_pipe(struct ssh_link *l, struct str command, struct child *c,
	     int *errors, struct ssh_failure *f);

/*
 * upload.c: files and directories, as scp of the other machine takes them
 */

/* The words of a command, for the shell that is there. */
struct str ssh_words(struct arena *a, const struct ssh_request *r,
		     const char *const *words, size_t n);
/* text: NULL in p: the file. */
int ssh_upload_file(struct ssh_link *l, struct str path, struct str text,
		    struct str destination, bool executable,
		    struct ssh_failure *f);
int ssh_upload_directory(struct ssh_link *l, struct str path,
			 struct str destination, struct ssh_failure *f);

/* proxy.c */
struct str ssh_proxy_text(struct arena *a, const struct ssh_proxy *p,
			  const struct ssh_hop *to);

#endif
