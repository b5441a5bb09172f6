noinst_LIBRARIES += lib/libnet.a
lib_libnet_a_SOURCES = \
	lib/net/hop.c lib/net/http.c lib/net/http.h lib/net/lines.c \
	lib/net/lines.h lib/net/multi.c lib/net/request_url.c \
	lib/net/net_int.h
