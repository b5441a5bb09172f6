/*
 * tf-ssh - takes files and scripts to another machine; see tf-ssh(1)
 *
 * ssh starts it again for a password (SSH_ASKPASS) and for a proxy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/opts.h"
#include "json/write.h"
#include "ssh/ssh.h"

enum { LARGEST = 1 << 30 };

/* The way to the text is in the environment, the text is not. */
static int answer_ssh(const char *path)
{
	struct buf b = BUF_INIT;
	int rc = io_read_file(path, &b, LARGEST);

	buf_putc(&b, '\n');
	if (!rc)
		rc = io_write_all(STDOUT_FILENO, b.p, b.len);
	buf_release(&b);
	return rc ? 1 : 0;
}

static int go_through(struct arena *a, struct str path)
{
	struct ssh_failure f = { STR_NONE, STR_NONE };
	struct buf b = BUF_INIT;
	struct str text;

	if (io_read_file(path.p, &b, LARGEST)) {
		fprintf(stderr, "tf-ssh: %s\n", io_why());
		buf_release(&b);
		return 1;
	}
	text = buf_take(a, &b);
	if (!ssh_proxy_connect(a, text, STDOUT_FILENO, &f))
		return 0;
	fprintf(stderr, "%.*s%s%.*s\n", STR_ARG(f.what), f.detail.n ? ": " : "",
		STR_ARG(f.detail));
	return 1;
}

static int run(struct arena *a)
{
	struct out out = OUT_INIT(STDOUT_FILENO);
	struct ssh_failure f = { STR_NONE, STR_NONE };
	struct jw w = JW_INIT(&out.buf);
	struct ssh_request r;
	struct buf b = BUF_INIT;
	struct str text;
	int rc = io_read_fd(STDIN_FILENO, &b, LARGEST);

	text = buf_take(a, &b);
	if (rc)
		f.what = STR("the request cannot be read");
	else
		rc = ssh_request_read(a, text, &r, &f) ||
		     ssh_carry_out(a, &r, &out, &f);
	if (rc) {
		jw_object(&w);
		jw_member_str(&w, "error", f.what);
		if (f.detail.n)
			jw_member_str(&w, "detail", f.detail);
		jw_object_end(&w);
		out_write(&out, "\n", 1);
	}
	(void)out_flush(&out);
	out_release(&out);
	return rc ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct str proxy = STR_NONE;
	const struct opt options[] = {
		{ "proxy", OPT_STRING, &proxy, "FILE",
		  "for ssh: go through the proxy that FILE describes",
		  OPT_HIDDEN },
		{ 0 },
	};
	const struct opts o = {
		"tf-ssh", "", options, NULL,
		"Reads a request from standard input, a JSON object, and takes "
		"files or scripts to another machine."
	};
	const char *password = getenv("TFPIPE_SSH_PASSWORD");
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str_vec rest = { 0 };
	int rc = 1;

	io_init();
	if (password && argc == 2 && !str_starts(str_c(argv[1]), "-proxy="))
		return answer_ssh(password);
	switch (opts_parse(&a, &o, argc, argv, &rest, NULL, &ds)) {
	case OPTS_DONE:
		rc = 0;
		break;
	case OPTS_BAD:
		fprintf(stderr, "tf-ssh: %.*s\n", STR_ARG(ds.items[0].detail));
		break;
	case OPTS_RUN:
		if (rest.len)
			fprintf(stderr, "tf-ssh: it takes no operands\n");
		else
			rc = proxy.n ? go_through(&a, proxy) : run(&a);
		break;
	}
	arena_release(&a);
	return rc;
}
