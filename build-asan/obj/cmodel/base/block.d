build-asan/obj/cmodel/base/block.o: cmodel/base/block.c \
 cmodel/base/block.h
cmodel/base/block.h:
