// CLinux: system calls that are missing in Swift's module of the C library.
//
// Why this is C: they are specific to GNU or Linux, or take arguments that Swift cannot express.

#ifndef CLINUX_H
#define CLINUX_H

#include "calls.h"
#include "filing.h"
#include "folders.h"

#endif
