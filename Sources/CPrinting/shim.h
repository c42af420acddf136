#if !__has_include(<cairo/cairo.h>)
#error "cairo/cairo.h is missing: install libcairo2-dev"
#endif
#if !__has_include(<pango/pangocairo.h>)
#error "pango/pangocairo.h is missing: install libpango1.0-dev"
#endif
#if !__has_include(<qrencode.h>)
#error "qrencode.h is missing: install libqrencode-dev"
#endif

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <pango/pangocairo.h>
#include <qrencode.h>
