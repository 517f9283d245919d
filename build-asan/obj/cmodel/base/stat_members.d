build-asan/obj/cmodel/base/stat_members.o: cmodel/base/stat_members.c \
 cmodel/base/stats.h
cmodel/base/stats.h:
