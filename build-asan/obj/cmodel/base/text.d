build-asan/obj/cmodel/base/text.o: cmodel/base/text.c cmodel/base/text.h
cmodel/base/text.h:
