/* status_test.c - the line below the progress */
#include "test.h"
#include "json/tree.h"
#include "ui/live/live.h"
#include "ui/show/show.h"

static void tell(struct status *s, const char *type, const char *addr,
		 const char *action, const char *deposed)
{
	const struct shown_event e = { .type = str_c(type),
				       .action = str_c(action),
				       .address = str_c(addr),
				       .deposed = str_c(deposed) };

	status_event(s, &e);
}

/* The line ago_ms after the last operation began, those before it a minute
 * earlier each. */
static void check_line(struct status *s, unsigned ago_ms, size_t width,
		       const char *want, int line)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->nrunning; i++)
		s->running[i].since_ms =
			1000000 - 60000 * (s->nrunning - 1 - i);
	status_line(s, 1000000 + ago_ms, width, &b);
	check_str_(__FILE__, line, buf_view(&b), want);
	buf_release(&b);
}
#define CHECK_LINE(ago, width, want) \
	check_line(&s, (ago), (width), (want), __LINE__)

static void test_line(void)
{
	struct status s = { .fd = -1, .on = true };

	tell(&s, "refresh_start", "x.a", "", "");
	tell(&s, "refresh_start", "x.b", "", "");
	CHECK_LINE(1999, 80, "0 done  x.a refreshing 1m2s, x.b refreshing 2s");
	tell(&s, "refresh_complete", "x.a", "", "");
	CHECK_LINE(499, 80, "1 done  x.b refreshing 0s");
	tell(&s, "refresh_complete", "x.b", "", "");
	CHECK(s.nrunning == 0);
	/* data that planning reads is done, too */
	tell(&s, "apply_start", "data.x.d", "read", "");
	tell(&s, "apply_complete", "data.x.d", "read", "");
	tell(&s, "refresh_start", "x.e", "", "");
	CHECK_LINE(0, 80, "3 done  x.e refreshing 0s");
	s.total = 4;
	tell(&s, "apply_start", "data.x.d", "read", "");
	tell(&s, "apply_complete", "data.x.d", "read", "");
	CHECK_LINE(0, 80, "refreshing 3/4  x.e refreshing 0s");
	tell(&s, "refresh_complete", "x.e", "", "");
	status_applying(&s);
	s.total = 7;
	/* the deposed object and the current one are two */
	tell(&s, "apply_start", "x.a", "delete", "12ab");
	tell(&s, "apply_start", "x.a", "create", "");
	tell(&s, "apply_start", "x.c", "update", "");
	tell(&s, "provision_start", "x.c", "", "");
	tell(&s, "apply_progress", "x.c", "update", "");
	CHECK_LINE(3000, 80, "applying 0/7  x.a destroying 2m3s, x.a creating 1m3s, "
			     "x.c modifying 3s");
	CHECK_LINE(3000, 49, "applying 0/7  x.a destroying 2m3s, 2 more");
	CHECK_LINE(3000, 67, "applying 0/7  x.a destroying 2m3s, x.a creating 1m3s, "
			     "1 more");
	tell(&s, "apply_errored", "x.a", "delete", "12ab");
	CHECK_LINE(3600000, 80, "applying 1/7  x.a creating 1h1m0s, "
				"x.c modifying 1h0m0s");
	tell(&s, "apply_complete", "x.a", "create", "");
	tell(&s, "apply_complete", "x.c", "update", "");
	tell(&s, "apply_complete", "x.c", "update", ""); /* who lies */
	CHECK(s.nrunning == 0);
	status_release(&s);
}

/* An apply that goes on for some time has a rate. */
static void test_rate(void)
{
	struct status s = { .fd = -1, .on = true, .total = 10000 };

	status_applying(&s);
	s.total = 10000;
	s.done = 20;
	s.began_ms = 1000000;
	tell(&s, "apply_start", "x.a", "create", "");
	CHECK_LINE(4999, 80, "applying 20/10000  x.a creating 5s");
	CHECK_LINE(5000, 80, "applying 20/10000, 4.0/s, 41m35s left  x.a creating 5s");
	s.done = 19;
	CHECK_LINE(5000, 80, "applying 19/10000  x.a creating 5s");
	s.done = 5000;
	CHECK_LINE(40000, 80, "applying 5000/10000, 125/s, 40s left  x.a creating 40s");
	s.done = s.total;
	CHECK_LINE(40000, 80, "applying 10000/10000  x.a creating 40s");
	s.applying = false;
	s.done = 5000;
	CHECK_LINE(40000, 80, "refreshing 5000/10000  x.a creating 40s");
	status_release(&s);
}

/* However long a name is and however wide its letters, the line fits. */
static void test_width(void)
{
	struct status s = { .fd = -1, .on = true };

	tell(&s, "apply_start", "x.a[\"\xe6\x97\xa5\xe6\x9c\xac\"]", "read", "");
	CHECK_LINE(0, 25, "0 done  x.a[\"\xe6\x97\xa5\xe6\x9c\xac\"] rea\xe2\x80\xa6");
	CHECK_LINE(0, 16, "0 done  x.a[\"\xe2\x80\xa6");
	tell(&s, "apply_start", "x.b", "read", "");
	CHECK_LINE(0, 40, "0 done  x.a[\"\xe6\x97\xa5\xe6\x9c\xac\"] reading 1m0s, "
			  "1 more");
	CHECK_LINE(0, 39, "0 done  x.a[\"\xe6\x97\xa5\xe6\x9c\xac\"] reading 1m0s, "
			  "1 m\xe2\x80\xa6");
	status_release(&s);
}

static const struct json *parsed(struct arena *a, const char *text)
{
	return json_slice_tree(a, str_c(text), NULL);
}

/* What planning tells of itself. */
static void test_progress(void)
{
	struct arena a = ARENA_INIT;
	struct status s = { .fd = -1, .on = true, .total = 7 };
	const struct json *rec = parsed(
		&a, "{\"record\":\"progress\",\"phase\":\"plan\","
		    "\"refreshing\":{\"done\":2,\"known\":3},"
		    "\"planning\":{\"done\":4,\"known\":90}}");

	tell(&s, "refresh_start", "x.a", "", "");
	tell(&s, "refresh_complete", "x.a", "", "");
	tell(&s, "refresh_start", "x.b", "", "");
	CHECK_LINE(0, 80, "refreshing 1/7  x.b refreshing 0s");
	status_progress(&s, rec, false);
	CHECK_LINE(0, 80, "refreshing 1/7, planning 4/90  x.b refreshing 0s");
	status_progress(&s, rec, true);
	CHECK_LINE(0, 80, "refreshing 2/3, planning 4/90  x.b refreshing 0s");
	s.total = 0;
	CHECK_LINE(0, 80, "planning 4/90  x.b refreshing 0s");
	status_progress(&s, parsed(&a, "{\"planning\":{\"done\":-1}}"), false);
	CHECK_LINE(0, 80, "2 done  x.b refreshing 0s");
	tell(&s, "refresh_complete", "x.b", "", "");
	status_progress(&s, rec, false);
	status_applying(&s);
	s.total = 9;
	tell(&s, "apply_start", "x.a", "create", "");
	CHECK_LINE(0, 80, "applying 0/9  x.a creating 0s");
	status_release(&s);
	arena_release(&a);
}

static void test_slowest(void)
{
	struct buf b = BUF_INIT;
	struct status s = { .fd = -1, .on = true };

	slowest_text(&b, STR("{\"record\":\"slowest\",\"phase\":\"apply\"}"));
	CHECK_STR(buf_view(&b), "");
	slowest_text(&b,
		     STR("{\"record\":\"slowest\",\"phase\":\"apply\","
			 "\"operations\":[{\"address\":\"d\\u001b[\","
			 "\"action\":\"create\",\"milliseconds\":69500},"
			 "{\"address\":\"b\",\"action\":\"refresh\","
			 "\"milliseconds\":1499}]}"));
	CHECK_STR(buf_view(&b), "\nSlowest:\n"
				"     1m10s  d\xe2\x90\x9b[ (creating)\n"
				"        1s  b (refreshing)\n");
	buf_release(&b);
	status_applying(&s);
	CHECK(!status_took_long(&s));
	s.began_ms -= 3000;
	CHECK(status_took_long(&s));
	s.on = false;
	CHECK(!status_took_long(&s));
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_line());
	RUN(test_rate());
	RUN(test_width());
	RUN(test_progress());
	RUN(test_slowest());
	return test_done("status");
}
