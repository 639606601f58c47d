// The process behind warm-vitest.mjs: one vitest in the folder it was started in, kept for many short runs, so that starting it,
// its transformed modules and the servers that its tests share are paid for once. It does what the messages of its parent say
// and nothing else, and it must never outlive its parent.
import { resolve } from "node:path";
import { BaseSequencer, createVitest } from "vitest/node";

/** @typedef {import("./warm-vitest.mjs").Request} Request */
/** @typedef {import("./warm-vitest.mjs").Ran} Ran */

/** @type {Ran} */
let ran = { tests: [], broken: [] };

const root = process.cwd();
/** @param {string} moduleId */
const pathOf = (moduleId) => moduleId.slice(root.length + 1).replaceAll("\\", "/");

/** @type {import("vitest/reporters").Reporter} */
const reporter = {
  onTestCaseResult(test) {
    const { state, errors } = test.result();
    if (state !== "passed" && state !== "failed") return;
    const why = errors?.[0]?.message?.split("\n", 1)[0] ?? "";
    ran.tests.push({ file: pathOf(test.module.moduleId), name: test.fullName, outcome: state, why });
  },
  onTestModuleEnd(module) {
    const [first] = module.errors();
    if (module.children.size === 0 && first !== undefined) ran.broken.push(pathOf(module.moduleId));
  },
};

/** The files in the order they were asked for: the parent knows where a bug is noticed soonest. */
class AsAsked extends BaseSequencer {
  /**
   * @override
   * @param {import("vitest/node").TestSpecification[]} files
   */
  async sort(files) {
    return files;
  }
}

const vitest = await createVitest("test", {
  root,
  watch: false,
  run: true,
  maxWorkers: 1,
  fileParallelism: false,
  retry: 0,
  sequence: { sequencer: AsAsked },
  reporters: [reporter],
});
await vitest.init();
const project = vitest.getRootProject();
const { testTimeout, hookTimeout } = project.config;

/** @param {Request & { changed: string[] }} request */
async function run({ changed, chosen, bail, testMsMax }) {
  ran = { tests: [], broken: [] };
  for (const path of changed) vitest.invalidateFile(resolve(root, path));
  project.config.bail = bail ? 1 : 0;
  project.config.testTimeout = Math.min(testMsMax, testTimeout);
  project.config.hookTimeout = Math.min(3 * testMsMax, hookTimeout);
  const specifications = Object.entries(chosen).map(([path, pattern]) =>
    project.createSpecification(resolve(root, path), { testNamePattern: new RegExp(pattern) }),
  );
  await vitest.runTestSpecifications(specifications);
  process.exitCode = 0;
  return ran;
}

process.on("message", (/** @type {Request & { changed: string[] }} */ request) => {
  run(request).then(
    (answer) => process.send?.(answer),
    (e) => process.send?.({ tests: [], broken: [String(e)] }),
  );
});
process.on("disconnect", () => {
  void vitest.close().finally(() => process.exit());
});
process.send?.("ready");
