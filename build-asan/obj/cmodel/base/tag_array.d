build-asan/obj/cmodel/base/tag_array.o: cmodel/base/tag_array.c \
 cmodel/base/tag_array.h cmodel/base/wide_set.h
cmodel/base/tag_array.h:
cmodel/base/wide_set.h:
