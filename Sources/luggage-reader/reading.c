// The code that reads pictures, compiled again as a part of this program.
//
// As a dependency it would be linked into every program that depends on this one. `luggage`, which
// only starts the reader, would contain it, and load the libraries that it calls and twenty more.
// In this single compilation, no two functions of these files may have the same name.

#include "../CTagReader/bend.c"
#include "../CTagReader/codeword_check.c"
#include "../CTagReader/converters.c"
#include "../CTagReader/engine.c"
#include "../CTagReader/equaliser.c"
#include "../CTagReader/explain.c"
#include "../CTagReader/filters.c"
#include "../CTagReader/finder_groups.c"
#include "../CTagReader/finder_rows.c"
#include "../CTagReader/finder_shape.c"
#include "../CTagReader/finder_sights.c"
#include "../CTagReader/luminance_rows.c"
#include "../CTagReader/mesh.c"
#include "../CTagReader/modules.c"
#include "../CTagReader/outline.c"
#include "../CTagReader/patch.c"
#include "../CTagReader/picture_file.c"
#include "../CTagReader/picture_format.c"
#include "../CTagReader/picture_planes.c"
#include "../CTagReader/png_luminance.c"
#include "../CTagReader/present.c"
#include "../CTagReader/projection.c"
#include "../CTagReader/scales.c"
#include "../CTagReader/scan.c"
#include "../CTagReader/symbol_layout.c"
#include "../CTagReader/symbols.c"
#include "../CTagReader/tag_reader.c"
#include "../CTagReader/thresholds.c"
