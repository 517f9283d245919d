build-asan/obj/cmodel/noc/crossbar.o: cmodel/noc/crossbar.c \
 cmodel/noc/crossbar.h cmodel/base/events.h cmodel/noc/network.h \
 cmodel/base/clock.h cmodel/base/request.h cmodel/base/ring.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/noc/mesh.h \
 cmodel/config/mesh_map.h
cmodel/noc/crossbar.h:
cmodel/base/events.h:
cmodel/noc/network.h:
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/noc/mesh.h:
cmodel/config/mesh_map.h:
