build-asan/obj/cmodel/base/stats.o: cmodel/base/stats.c \
 cmodel/base/stats.h
cmodel/base/stats.h:
