// CLinux: calls of the system that Swift's module of the C library leaves out.
//
// Why this is C: they are GNU's and Linux's own, or take what Swift cannot say.

#ifndef CLINUX_H
#define CLINUX_H

#include "calls.h"
#include "filing.h"
#include "folders.h"

#endif
