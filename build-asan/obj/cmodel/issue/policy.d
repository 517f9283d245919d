build-asan/obj/cmodel/issue/policy.o: cmodel/issue/policy.c \
 cmodel/issue/policy.h cmodel/issue/scheduler.h
cmodel/issue/policy.h:
cmodel/issue/scheduler.h:
