build-asan/obj/cmodel/base/mshr.o: cmodel/base/mshr.c cmodel/base/mshr.h \
 cmodel/base/request.h
cmodel/base/mshr.h:
cmodel/base/request.h:
