build-asan/obj/cmodel/issue/scoreboard.o: cmodel/issue/scoreboard.c \
 cmodel/issue/scoreboard.h cmodel/base/request.h cmodel/kernel/insn.h
cmodel/issue/scoreboard.h:
cmodel/base/request.h:
cmodel/kernel/insn.h:
