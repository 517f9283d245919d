build-asan/obj/cmodel/cli/words.o: cmodel/cli/words.c cmodel/cli/words.h
cmodel/cli/words.h:
