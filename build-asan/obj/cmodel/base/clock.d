build-asan/obj/cmodel/base/clock.o: cmodel/base/clock.c \
 cmodel/base/clock.h cmodel/base/request.h
cmodel/base/clock.h:
cmodel/base/request.h:
