// What libzbar would call if it were asked to tell D-Bus of what it finds, which nothing here does.
//
// As a shared library it brings D-Bus's library and those of X11, video and systemd, seventeen of them, into every
// process, although it calls nothing of them to read a picture. So this program has it as an archive, and these instead
// of D-Bus's functions.

#include <stdlib.h>

#define NEVER_CALLED(name)                                                                         \
    _Noreturn void name(void);                                                                     \
    _Noreturn void name(void) { abort(); }

NEVER_CALLED(dbus_bus_get)
NEVER_CALLED(dbus_bus_release_name)
NEVER_CALLED(dbus_bus_request_name)
NEVER_CALLED(dbus_connection_flush)
NEVER_CALLED(dbus_connection_send)
NEVER_CALLED(dbus_error_free)
NEVER_CALLED(dbus_error_init)
NEVER_CALLED(dbus_error_is_set)
NEVER_CALLED(dbus_message_iter_append_basic)
NEVER_CALLED(dbus_message_iter_append_fixed_array)
NEVER_CALLED(dbus_message_iter_close_container)
NEVER_CALLED(dbus_message_iter_init_append)
NEVER_CALLED(dbus_message_iter_open_container)
NEVER_CALLED(dbus_message_new_signal)
NEVER_CALLED(dbus_message_unref)
