/*
 * attend.h - runs a command for which this process holds something, a lock say,
 * and outlives it
 */
#ifndef TFPIPE_DRIVER_ATTEND_H
#define TFPIPE_DRIVER_ATTEND_H

#include <stdbool.h>

/* Runs argv, which ends with NULL, with our standard input and outputs, and
 * waits for it.  Ctrl-C reaches the command by itself; SIGTERM and SIGHUP are
 * passed on.  part: the command is a part of tf, which must distinguish one
 * request that arrives twice from two requests: signals become SIGUSR1
 * (engine/change/stop.h), SIGINT too.  Returns the exit status as a shell gives
 * it; -1 with errno: the command did not start. */
int attend(char **argv, bool part);

#endif
