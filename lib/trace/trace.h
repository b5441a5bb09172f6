/*
 * trace.h - what a program took its time for, told to a collector
 *
 * Where OTEL_TRACES_EXPORTER is "otlp" each program tells of itself, of the
 * instances that it worked on and of what it asked providers and hosts, as
 * spans of OpenTelemetry: one trace a command, whose programs find their place
 * in it by TRACEPARENT.  No value, argument or path is in a span: who reads
 * traces need not be trusted with states.
 *
 * The spans are posted by a tf-fetch that starts with the program, before that
 * confines itself, as OTLP over HTTP in JSON.
 *
 * Sources: OpenTelemetry Protocol 1.x, "OTLP/HTTP" and "JSON Protobuf
 * Encoding"; "OpenTelemetry Protocol Exporter" for the variables; W3C Trace
 * Context for TRACEPARENT; OpenTofu 1.12.6 for names of spans and attributes.
 */
#ifndef TFPIPE_TRACE_TRACE_H
#define TFPIPE_TRACE_TRACE_H

#include "base/str.h"

/* What is going on.  NULL where nobody asked for traces, which every function
 * takes. */
struct trace_span;

/* Begins the span of this program.  From now on programs that it starts find
 * that in TRACEPARENT.  Says on standard error what is wrong with the settings:
 * then nothing is traced. */
void trace_begin(const char *name);
/* Sends all spans, and waits until they are sent, at most as long as
 * OTEL_EXPORTER_OTLP_TIMEOUT has it.  Returns rc, the exit status. */
int trace_end(int rc);

/* Begins a span within another one; NULL: within that of the program. */
struct trace_span *trace_span_begin(const struct trace_span *within,
				    const char *name);
/* It is about the request of another program: a client's span. */
void trace_span_client(struct trace_span *s);
/* Adds an attribute. */
void trace_span_text(struct trace_span *s, const char *key, struct str value);
void trace_span_int(struct trace_span *s, const char *key, int64_t value);
/* Ends it, once; s is gone.  failed: it did not come out well. */
void trace_span_end(struct trace_span *s, bool failed);
/* Nothing is told of it: it did not begin after all. */
void trace_span_drop(struct trace_span *s);

#endif
