noinst_LIBRARIES += lib/libnet.a
lib_libnet_a_SOURCES = \
	lib/net/hop.c lib/net/hop_int.h \
	lib/net/http.c lib/net/http.h lib/net/http_int.h \
	lib/net/lines.c lib/net/lines.h \
	lib/net/multi.c lib/net/multi_int.h \
	lib/net/url.c lib/net/url_int.h
