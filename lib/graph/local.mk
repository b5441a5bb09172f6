noinst_LIBRARIES += lib/libgraph.a
lib_libgraph_a_SOURCES = \
	lib/graph/graph.h
