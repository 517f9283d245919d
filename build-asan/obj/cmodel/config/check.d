build-asan/obj/cmodel/config/check.o: cmodel/config/check.c \
 cmodel/base/clock.h cmodel/base/request.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/config/derived.h \
 cmodel/config/mesh_map.h cmodel/config/packets.h
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/config/derived.h:
cmodel/config/mesh_map.h:
cmodel/config/packets.h:
