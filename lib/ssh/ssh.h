/*
 * ssh.h - files and scripts taken to other machines, for tf-ssh alone
 *
 * The program ssh does what is to be done with hosts: it has the keys, the
 * agents and the ways to them that its users know.  What it is to do stands in
 * a configuration of ours, which is in memory (/proc/PID/fd/N), as are keys,
 * certificates, the keys of hosts and passwords: nothing of it is in a file or
 * in a list of arguments.
 *
 *	struct ssh_request r;
 *	struct ssh_failure f = { 0 };
 *
 *	if (ssh_request_read(a, text, &r, &f) ||
 *	    ssh_carry_out(a, &r, &out, &f))
 *		... f
 */
#ifndef TFPIPE_SSH_SSH_H
#define TFPIPE_SSH_SSH_H

#include "base/io.h"
#include "base/str.h"

/* A machine on the way.  Nothing in it but the host is needed. */
struct ssh_hop {
	struct str host; /* no brackets around it */
	struct str user; /* empty: root */
	int64_t port;    /* 0: 22 */
	struct str password, private_key, certificate;
	struct str host_key; /* empty: any is taken */
};

enum ssh_proxy_kind { SSH_PROXY_HTTP, SSH_PROXY_SOCKS5 };

struct ssh_proxy {
	enum ssh_proxy_kind kind;
	struct str host; /* empty: there is none */
	int64_t port;
	struct str user, password;
};

struct ssh_script {
	struct str path; /* of a file here; empty: */
	struct str text;
};
struct ssh_scripts VEC_OF(struct ssh_script);

struct ssh_request {
	struct ssh_hop target;
	struct ssh_hop bastion; /* the host empty: there is none */
	struct ssh_proxy proxy;
	bool agent;
	struct str agent_identity;
	struct str script_path; /* with %RAND% */
	bool windows;
	bool discreet;   /* hosts and users are not to be shown */
	int64_t timeout; /* milliseconds to be connected in */
	/* A file or a directory to take there: its path here, or its text. */
	struct str source, content, destination;
	bool has_content;
	/* Or scripts to take there and run. */
	bool runs;
	struct ssh_scripts scripts;
};

/* Why it failed: in words of ours, and in those of others, which may tell what
 * is not to be shown; these may be empty. */
struct ssh_failure {
	struct str what, detail;
};

/*
 * request.c: what tf-ssh(1) is asked
 *
 * -1: the request cannot be carried out by anybody.
 */
int ssh_request_read(struct arena *a, struct str text, struct ssh_request *out,
		     struct ssh_failure *f);

/*
 * carry_out.c: a request, from the first try to connect to its end
 *
 * What people are to see goes to out, a JSON object a line, as it comes.
 * SIGINT, SIGTERM and SIGHUP are handled meanwhile: with the first, nothing new
 * is begun and what runs is asked to end; the others end the connection.
 */
int ssh_carry_out(struct arena *a, const struct ssh_request *r, struct out *out,
		  struct ssh_failure *f);

/*
 * proxy.c: the way through a proxy, which ssh starts another tf-ssh for
 *
 * text is what ssh_proxy_text has made.  Connects, and hands the descriptor on
 * through the socket `to`.
 */
int ssh_proxy_connect(struct arena *a, struct str text, int to,
		      struct ssh_failure *f);

#endif
