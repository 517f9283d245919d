build-asan/obj/cmodel/config/mesh_map.o: cmodel/config/mesh_map.c \
 cmodel/config/mesh_map.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h
cmodel/config/mesh_map.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
