build-asan/obj/cmodel/cli/signals.o: cmodel/cli/signals.c \
 cmodel/cli/signals.h
cmodel/cli/signals.h:
