build-asan/obj/cmodel/trace/wtr.o: cmodel/trace/wtr.c cmodel/trace/wtr.h \
 cmodel/kernel/insn.h
cmodel/trace/wtr.h:
cmodel/kernel/insn.h:
