build-asan/obj/cmodel/noc/network.o: cmodel/noc/network.c \
 cmodel/noc/network.h cmodel/base/clock.h cmodel/base/request.h \
 cmodel/base/ring.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/noc/crossbar.h cmodel/noc/mesh.h cmodel/config/mesh_map.h
cmodel/noc/network.h:
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/noc/crossbar.h:
cmodel/noc/mesh.h:
cmodel/config/mesh_map.h:
