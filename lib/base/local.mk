noinst_LIBRARIES += lib/libbase.a
lib_libbase_a_SOURCES = \
	lib/base/arena.c lib/base/arena.h lib/base/base64.c \
	lib/base/base64.h lib/base/child.c lib/base/child.h \
	lib/base/confine.c lib/base/confine.h lib/base/file_path.c \
	lib/base/file_path.h lib/base/grapheme.c lib/base/diag.c \
	lib/base/diag.h lib/base/didyoumean.c lib/base/didyoumean.h \
	lib/base/io.c lib/base/io.h lib/base/io_links.c lib/base/clock.c \
	lib/base/clock.h lib/base/loop.c lib/base/loop.h \
	lib/base/map.c lib/base/map.h lib/base/dso.c lib/base/dso.h \
	lib/base/opts.c lib/base/opts.h lib/base/product.c lib/base/product.h \
	lib/base/pipeline.c lib/base/pipeline.h lib/base/scratch.c \
	lib/base/source.c lib/base/source.h lib/base/str.c lib/base/str.h \
	lib/base/uuid.c lib/base/uuid.h lib/base/vec.c lib/base/vec.h \
	lib/base/visible.c lib/base/visible.h lib/base/workdir.c \
	lib/base/workdir.h

unit_tests += tests/unit/base_test
tests_unit_base_test_SOURCES = tests/unit/base_test.c tests/unit/test.h

unit_tests += tests/unit/loop_test
tests_unit_loop_test_SOURCES = tests/unit/loop_test.c tests/unit/test.h

unit_tests += tests/unit/child_test
tests_unit_child_test_SOURCES = tests/unit/child_test.c tests/unit/test.h

unit_tests += tests/unit/pipeline_test
tests_unit_pipeline_test_SOURCES = tests/unit/pipeline_test.c tests/unit/test.h
