/*
 * attend.h - runs a command for which this process holds something, a lock say,
 * and outlives it
 */
#ifndef TFPIPE_DRIVER_ATTEND_H
#define TFPIPE_DRIVER_ATTEND_H

/* Runs argv, which ends with NULL, with our standard input and outputs, and
 * waits for it.  Ctrl-C reaches the command by itself; SIGTERM and SIGHUP are
 * passed on.  Returns the exit status as a shell gives it; -1 with errno: the
 * command did not start. */
int attend(char **argv);

#endif
