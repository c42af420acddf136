#if !__has_include(<cairo/cairo.h>)
#error "cairo/cairo.h is missing: install libcairo2-dev"
#endif

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
