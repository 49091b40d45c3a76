# Every target sets up what it needs; nothing has to be remembered.

NODE := node_modules/.bin/node
BIOME := node_modules/.bin/biome
SECONDS ?= 60
ROUNDS ?= 200
WORLDS ?= 3000
COUNT ?= 40

.PHONY: help setup demo test check console console-shots up bench bench-long fuzz mutate guards sim soak compat fmt docs contract scenarios histories package release clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1 \2/p' Makefile | while read -r name text; do printf '  make %-13s %s\n' "$$name" "$$text"; done

setup: node_modules/.ready ## install the pinned Node and the locked dependencies

node_modules/.ready: package.json package-lock.json tools/toolchain/package.json
	@npm ci --ignore-scripts --loglevel=error --no-progress
	@touch $@

demo: setup ## the whole story on a simulated cluster, in about a minute; leaves its files in demo/
	@$(NODE) tools/install-integration.ts mcp-client
	@$(NODE) examples/demo/demo.ts

test: check ## everything that must hold: check, all tests, every kept rule seen to refuse
	@$(NODE) tools/test-all.ts
	@$(NODE) tools/rules.ts

check: setup ## format, lint, types, and generated documents
	@$(BIOME) check --error-on-warnings
	@$(NODE) node_modules/typescript/bin/tsc -p . --incremental --tsBuildInfoFile .cache/types.tsbuildinfo & types=$$!; \
	{ $(NODE) node_modules/typescript/bin/tsc -p src/console --incremental --tsBuildInfoFile .cache/console-types.tsbuildinfo && \
		$(NODE) tools/docs.ts --check; }; rest=$$?; \
	wait $$types && exit $$rest

up: console ## a service with its console on a simulated cluster, and two people to sign in as; until Ctrl-C
	@$(NODE) examples/up/up.ts

console-shots: console ## pictures of every page of the console, light and dark, of what `make up` brings up; into docs/images
	@$(NODE) tools/console/take-shots.ts

console: setup ## build the pages of the console, which `serve` then has at /console/
	@$(NODE) tools/console/build-console.ts

bench: setup ## speed and memory, as ratios against a baseline of the same run
	@$(NODE) bench/main.ts

bench-long: setup ## what takes minutes: a million appended rows to each engine, a ledger of a million records
	@$(NODE) bench/long.ts

fuzz: setup ## feed nonsense to the parsers and the planner for SECONDS (60), and to a service over HTTP for as long
	@$(NODE) tools/fuzz.ts --seconds $(SECONDS)
	@$(NODE) tools/fuzz-http.ts --seconds $(SECONDS)

# Words that are not given are not passed on; COUNT=all tries every mutant.
mutate: setup ## change COUNT (40) places of each ROOM or FILE, chosen by SEED, and see that the tests fail; JOBS=n copies
	@$(NODE) --disable-warning=ExperimentalWarning tools/mutate.ts \
		$(if $(filter all,$(COUNT)),--all,--count $(COUNT)) $(if $(JOBS),--jobs $(JOBS)) $(if $(SEED),--seed $(SEED)) \
		$(addprefix --room ,$(ROOM)) $(addprefix --file ,$(FILE))

guards: setup ## remove each guard that the hostile suite relies on, on a copy, and see its cases fail; ONLY=words of its name
	@$(NODE) tools/guards.ts $(if $(ONLY),'$(ONLY)')

sim: setup ## WORLDS (3000) simulated worlds with several kernels; SEED=n repeats one; INVALID when too little happened
	@$(NODE) tools/sim.ts $(if $(SEED),--seed $(SEED),--worlds $(WORLDS))

# The whole walk of two rivals does not fit the 4 GiB that Node takes by itself.
soak: setup ## 100,000 simulated worlds, every interleaving, kills, ROUNDS (200) power cuts; ONLY=sim one part alone
	@$(NODE) --max-old-space-size-percentage=75 tools/soak.ts --rounds $(ROUNDS) $(if $(ONLY),--only $(ONLY)) \
		$(if $(filter command,$(firstword $(origin SECONDS))),--seconds $(SECONDS))

compat: setup ## the simulator against recordings of a real daemon (PVE_RECORDINGS=DIR), then under clients of others
	@$(NODE) tools/compat.ts

fmt: setup ## format the sources
	@$(BIOME) check --write

docs: setup ## write the generated documents and what their console blocks print
	@$(NODE) tools/docs.ts
	@UPDATE=1 $(NODE) --test --test-isolation=none test/docs.test.ts >/dev/null

contract: setup ## lock the code to the present text of DESIGN.md
	@$(NODE) tools/contract.ts

scenarios: setup ## rewrite the golden answers of test/scenarios; then read the diff
	@UPDATE=1 $(NODE) --test --test-isolation=none test/scenarios.test.ts

histories: setup ## make the history of rules that are not released anew; then read the diff
	@$(NODE) tools/histories.ts

package: setup ## pack the commit that is checked out into artifacts/; what is not committed is not in it
	@$(NODE) tools/package/pack-commit.ts

# The key that signs is the file that DEDALUS_RELEASE_KEY names. Nothing is pushed or published.
release: setup ## release VERSION=x.y.z of the commit that is checked out: check, pack, sign, commit, tag; DRY=1 only says what it would do
	@$(NODE) tools/release/release.ts --version '$(VERSION)' $(if $(DRY),--dry-run)

clean: ## remove what was installed, built and cached
	@rm -rf node_modules .cache dist artifacts integrations/*/node_modules integrations/*/generated
