import { defineConfig } from 'vitest/config';
import { texts } from './src/i18n/vite.ts';
import { LongFirst } from './test/support/long-first.ts';
import { nativeSources } from './test/support/native-sources.ts';
import { siteTimeZone } from './test/support/time-zones.ts';
import { tags } from './test/support/tags.ts';

export default defineConfig({
  plugins: [texts()],
  test: {
    include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    tags,
    // The site strips types from the service worker with a Node function that still warns.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    server: { deps: { external: nativeSources } },
    globalSetup: ['test/support/database-setup.ts'],
    env: { TZ: siteTimeZone },
    setupFiles: ['test/support/fast-imports.ts', 'test/support/quiet-console.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
    // A third one loads all modules once more (decision 044).
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // Loading the same modules again for each of 170 files was a third of the time.
    isolate: false,
  },
});
