build-asan/obj/cmodel/base/ring.o: cmodel/base/ring.c cmodel/base/ring.h \
 cmodel/base/request.h
cmodel/base/ring.h:
cmodel/base/request.h:
