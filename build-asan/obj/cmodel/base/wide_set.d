build-asan/obj/cmodel/base/wide_set.o: cmodel/base/wide_set.c \
 cmodel/base/wide_set.h
cmodel/base/wide_set.h:
