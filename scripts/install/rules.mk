# SPDX-License-Identifier: Apache-2.0
# Installing: `make install PREFIX=/usr/local DESTDIR=`, `make uninstall` with the same, `make deb`. RTL=yes: warpmem-rtl too.
PREFIX ?= /usr/local
DESTDIR ?=
RTL_TOO := $(filter yes,$(RTL))
INSTALLED := $(BUILD)/warpmem $(BUILD)/wavediff $(BUILD)/wavejoin $(BUILD)/dramcheck $(MODEL_LIB) $(CAPTURE_TOOLS) $(if $(RTL_TOO),$(BUILD)/warpmem-rtl)
quoted = '$(subst ','\'',$(1))'
INSTALL_TOOL = scripts/tool install
INSTALL_WHERE = --prefix $(call quoted,$(PREFIX)) --destdir $(call quoted,$(DESTDIR))

.PHONY: install uninstall deb
install: $(INSTALLED) ## programs, library, headers, man pages, completion, examples [PREFIX=/usr/local DESTDIR= RTL=yes]
	$(Q)$(INSTALL_TOOL) install --build '$(BUILD)' $(INSTALL_WHERE) $(if $(RTL_TOO),--rtl)
uninstall: ## removes exactly the installed files [PREFIX= DESTDIR=]
	$(Q)$(INSTALL_TOOL) uninstall $(INSTALL_WHERE)
deb: $(INSTALLED) ## a package for Debian 12, BUILD/warpmem_VERSION_ARCHITECTURE.deb [RTL=yes]
	$(Q)scripts/tool install.deb --build '$(BUILD)' $(if $(RTL_TOO),--rtl)
