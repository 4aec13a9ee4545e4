import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vitest/config';
import { findOtherBrowsers } from './scripts/browser.mjs';
import { driver, movePointer } from './test/support/components/driver.ts';
import { tags } from './test/support/tags.ts';

const { firefox, webkit } = findOtherBrowsers();

/** Components in real browsers: Chromium, and those of Firefox and WebKit that are installed (decision 057). */
export default defineConfig({
  plugins: [tailwindcss()],
  cacheDir: 'node_modules/.cache/sotto-components',
  // One pass over all files: a package found later would reload the page under a running test.
  optimizeDeps: { entries: ['src/web/**/*.browser.test.tsx', 'test/support/components/*.{ts,tsx}'] },
  test: {
    include: ['src/web/**/*.browser.test.tsx'],
    setupFiles: ['test/support/components/set-up.tsx', 'test/support/quiet-console.ts'],
    tags,
    retry: 2,
    // Loading the modules again for each file takes longer than the tests.
    isolate: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      commands: { movePointer },
      viewport: { width: 1280, height: 800 },
      provider: driver({ chromium: process.env['CHROMIUM_PATH'], firefox, webkit }),
      instances: [
        { browser: 'chromium' },
        ...(firefox ? [{ browser: 'firefox' }] : []),
        ...(webkit ? [{ browser: 'webkit' }] : []),
      ],
    },
  },
});
