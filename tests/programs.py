"""programs.py - where the programs are that a script of the tests runs"""
import os
import shutil
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def find():
    """Those on PATH, or else those that scripts/quickstart has built."""
    os.environ["PATH"] += os.pathsep + os.path.realpath(TOP + "/build")
    if not shutil.which("tf"):
        sys.exit("there is no tf on PATH, nor in build: scripts/quickstart builds it")


def patience(seconds):
    """So long on a machine with nothing else to do; longer beside others."""
    busy = max(1, os.getloadavg()[0] / os.cpu_count())
    idle = os.sched_getscheduler(0) == os.SCHED_IDLE  # the others come first
    return seconds * busy * (10 if idle else 1)
