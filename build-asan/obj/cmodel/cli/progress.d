build-asan/obj/cmodel/cli/progress.o: cmodel/cli/progress.c \
 cmodel/cli/progress.h
cmodel/cli/progress.h:
