build-asan/obj/cmodel/common/round_robin_arbiter.o: \
 cmodel/common/round_robin_arbiter.c cmodel/common/round_robin_arbiter.h \
 cmodel/common/round_robin_arbiter_ports.h cmodel/base/ports.h
cmodel/common/round_robin_arbiter.h:
cmodel/common/round_robin_arbiter_ports.h:
cmodel/base/ports.h:
