import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

type Told = { name: string; error: string };

/** One run of Vitest, as `npm test` sums it up; each error by its first line. */
export type Outcome = {
  passed: number;
  skipped: number;
  failed: Told[];
  /** Passed at the second try; the error is that of the first. */
  flaky: Told[];
  /** Thrown outside of any test. */
  errors: string[];
  /** Milliseconds per file, with its imports and hooks. */
  files: { name: string; took: number }[];
};

/** Vitest's reporter for `npm test`: writes an {@link Outcome} to the file named by OUTCOME_FILE. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const outcome: Outcome = {
      passed: 0,
      skipped: 0,
      failed: [],
      flaky: [],
      errors: unhandled.map(firstLine),
      files: [],
    };
    for (const module of modules) addModule(outcome, module);
    const path = process.env['OUTCOME_FILE'];
    if (path) writeFileSync(path, JSON.stringify(outcome));
  }
}

function addModule(outcome: Outcome, module: TestModule): void {
  const file = module.relativeModuleId;
  const { collectDuration, duration } = module.diagnostic();
  outcome.files.push({ name: file, took: collectDuration + duration });
  const failedBefore = outcome.failed.length;
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    const told = { name: `${file} > ${test.fullName}`, error: firstLine(errors?.[0]) };
    if (state === 'failed') outcome.failed.push(told);
    else if (state === 'passed') outcome.passed += 1;
    else outcome.skipped += 1;
    if (state === 'passed' && test.diagnostic()?.flaky) outcome.flaky.push(told);
  }
  for (const suite of module.children.allSuites())
    for (const error of suite.errors())
      outcome.failed.push({ name: `${file} > ${suite.fullName}`, error: firstLine(error) });
  // A file that fails to load, or whose hooks fail, may report no failed test.
  const [error] = module.errors();
  if (error || (module.state() === 'failed' && outcome.failed.length === failedBefore))
    outcome.failed.push({ name: file, error: firstLine(error) });
}

function firstLine(error: unknown): string {
  if (error === undefined) return 'no error was reported';
  const { name = 'Error', message = String(error) } = error as Partial<Error>;
  return `${name}: ${stripVTControlCharacters(message).split('\n', 1)[0]}`;
}
