import { defineConfig } from 'vitest/config';
import { texts } from './src/i18n/vite.ts';
import { LongFirst } from './test/support/long-first.ts';
import { nativeSources } from './test/support/native-sources.ts';
import { siteTimeZone } from './test/support/time-zones.ts';
import { tags } from './test/support/tags.ts';

export default defineConfig({
  plugins: [texts()],
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    exclude: ['test/e2e/sound/**'],
    environment: 'node',
    tags,
    // The site strips types from the service worker with a Node function that still warns.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Some files run the site in their own process, with React's production build as elsewhere.
    env: { NODE_ENV: 'production', TZ: siteTimeZone },
    server: { deps: { external: nativeSources } },
    setupFiles: ['test/support/fast-imports.ts'],
    globalSetup: ['test/support/site-setup.ts', 'test/support/database-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A press may be slow on a busy machine; only its result counts.
    expect: { poll: { timeout: 15_000 } },
    // A third one loads all modules and, in browser tests, a browser once more (decision 044).
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    isolate: false,
  },
});
