/*
 * plugin_io_int.h - serving a plugin's descriptors: its handshake, its output,
 * the connection, its end
 */
#ifndef TFPIPE_PROVIDER_PLUGIN_IO_INT_H
#define TFPIPE_PROVIDER_PLUGIN_IO_INT_H

#include "provider/plugin_int.h"

/* The two ways bytes travel, encrypted or not: as read(2) and write(2) on a
 * non-blocking descriptor. */
ssize_t plugin_read(struct plugin *p, void *to, size_t n);
ssize_t plugin_write(struct plugin *p, const void *from, size_t n);
/* Serves one descriptor. */
void plugin_serve(struct plugin *p, int which);
void plugin_flush(struct plugin *p);
/* The plugin can no longer be used: all calls fail. */
void plugin_fail(struct plugin *p, struct str why);
void plugin_close_fd(struct plugin *p, int which);
/* Waits for something on the descriptors and serves it; as poll(2). */
int plugin_poll(struct plugin *p, int ms);
/* Takes the plugin's output on FD_OUT (once it is ready) or FD_ERR. */
void plugin_output(struct plugin *p, int which, struct str bytes);
/* Connects to p->handshake; plugin_fail when it cannot be. */
void plugin_connect(struct plugin *p);

#endif
