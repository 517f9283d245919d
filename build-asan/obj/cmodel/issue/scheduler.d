build-asan/obj/cmodel/issue/scheduler.o: cmodel/issue/scheduler.c \
 cmodel/issue/scheduler.h
cmodel/issue/scheduler.h:
