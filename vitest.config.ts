import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';
import { nativeSources } from './test/support/native-sources.ts';
import { tags } from './test/support/tags.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    tags,
    // The site takes the types out of the service worker with a function of Node that still warns.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    server: { deps: { external: nativeSources } },
    globalSetup: ['test/support/database-setup.ts'],
    setupFiles: ['test/support/quiet-console.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
    // A busy machine may let a time limit pass; `npm test` names each test that needed another try.
    retry: 2,
    // A test waits for PostgreSQL and for programs that it starts: two at a time leave two processors idle.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // Loading the same modules anew for each of 170 files was a third of the time.
    isolate: false,
  },
});
