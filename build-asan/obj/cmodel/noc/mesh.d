build-asan/obj/cmodel/noc/mesh.o: cmodel/noc/mesh.c cmodel/noc/mesh.h \
 cmodel/base/request.h cmodel/config/mesh_map.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/base/events.h cmodel/noc/network.h \
 cmodel/base/clock.h cmodel/base/ring.h cmodel/noc/crossbar.h
cmodel/noc/mesh.h:
cmodel/base/request.h:
cmodel/config/mesh_map.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/base/events.h:
cmodel/noc/network.h:
cmodel/base/clock.h:
cmodel/base/ring.h:
cmodel/noc/crossbar.h:
