import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestError } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

type TestFailure = { name: string; error: string };

/** One run of Vitest, as `npm test` sums it up; each error in a few lines. */
export type Outcome = {
  passed: number;
  /** Slow ones that this run leaves out. */
  left: number;
  skipped: number;
  failed: TestFailure[];
  /** Passed at a retry; the error is the first try's. */
  flaky: TestFailure[];
  /** Thrown outside of any test. */
  errors: string[];
  /** Milliseconds per file, with its imports and hooks. */
  files: { name: string; took: number }[];
};

/** Vitest's reporter for `npm test`: writes an {@link Outcome} to the file named by OUTCOME_FILE. */
export default class OutcomeReporter implements Reporter {
  #leavesSlow = false;

  onInit(vitest: Vitest): void {
    this.#leavesSlow = vitest.config.tagsFilter !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const outcome: Outcome = {
      passed: 0,
      left: 0,
      skipped: 0,
      failed: [],
      flaky: [],
      errors: unhandled.map(describe),
      files: [],
    };
    for (const module of modules) addModule(outcome, module, this.#leavesSlow);
    const path = process.env['OUTCOME_FILE'];
    if (path) writeFileSync(path, JSON.stringify(outcome));
  }
}

function addModule(outcome: Outcome, module: TestModule, leavesSlow: boolean): void {
  const file = module.relativeModuleId;
  const { collectDuration, duration } = module.diagnostic();
  outcome.files.push({ name: file, took: collectDuration + duration });
  const failedBefore = outcome.failed.length;
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    const failure = { name: `${file} > ${test.fullName}`, error: describe(errors?.[0]) };
    if (state === 'failed') outcome.failed.push(failure);
    else if (state === 'passed') outcome.passed += 1;
    else if (leavesSlow && test.tags.includes('slow')) outcome.left += 1;
    else outcome.skipped += 1;
    if (state === 'passed' && test.diagnostic()?.flaky) outcome.flaky.push(failure);
  }
  for (const suite of module.children.allSuites())
    for (const error of suite.errors())
      outcome.failed.push({ name: `${file} > ${suite.fullName}`, error: describe(error) });
  // A file that fails to load, or whose hooks fail, may report no failed test.
  const [error] = module.errors();
  if (error || (module.state() === 'failed' && outcome.failed.length === failedBefore))
    outcome.failed.push({ name: file, error: describe(error) });
}

/** Describes an error for a log: the message’s first lines, where it was thrown, and what differed. */
function describe(error: unknown): string {
  if (error === undefined) return 'no error was reported';
  const { name = 'Error', message = String(error), stacks, diff } = error as Partial<TestError>;
  const place = stacks?.[0] && `at ${relative(process.cwd(), stacks[0].file)}:${stacks[0].line}`;
  const lines = [...linesOf(`${name}: ${message}`, 4), place, ...linesOf(diff ?? '', 16)];
  return lines.filter(Boolean).join('\n    ');
}

function linesOf(text: string, max: number): string[] {
  return stripVTControlCharacters(text).split('\n', max);
}
