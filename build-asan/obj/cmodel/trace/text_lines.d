build-asan/obj/cmodel/trace/text_lines.o: cmodel/trace/text_lines.c \
 cmodel/trace/text_lines.h cmodel/base/text.h
cmodel/trace/text_lines.h:
cmodel/base/text.h:
