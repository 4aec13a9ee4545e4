import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vitest/config';
import { findOtherBrowsers } from './scripts/browser.mjs';
import { texts } from './src/i18n/vite.ts';
import { driver, movePointer, setTimeZone } from './test/support/components/driver.ts';
import { licenceKey, withLicenceKey } from './test/support/components/licence-key.ts';
import { tags } from './test/support/tags.ts';

const { firefox, webkit } = findOtherBrowsers();

/** Bundled before the tests start. */
const packages = [
  '@base-ui/react/dialog',
  '@base-ui/react/menu',
  '@base-ui/react/popover',
  '@base-ui/react/toast',
  '@firebase/app',
  '@firebase/auth',
  '@hookform/resolvers/zod',
  '@lingui/message-utils/compileMessage',
  '@simplewebauthn/browser',
  '@stripe/react-stripe-js',
  '@stripe/stripe-js/pure',
  '@vitest/browser/locators',
  'hono/client',
  'react',
  'react-dom',
  'react-dom/client',
  'react-dom/server',
  'react-hook-form',
  'react-router',
  'react/jsx-dev-runtime',
  'tus-js-client',
  'zod',
];

/** Components in real browsers: Chromium, and those of Firefox and WebKit that are installed (decision 057). */
export default defineConfig({
  plugins: [texts(), tailwindcss(), withLicenceKey()],
  cacheDir: 'node_modules/.cache/sotto-components',
  // All at once: a package found later reloads the page under a running test. Icons are too many, and need no bundle.
  optimizeDeps: { include: packages, exclude: ['lucide-react'] },
  test: {
    include: ['{src,test}/**/*.browser.test.tsx'],
    setupFiles: ['test/support/components/set-up.tsx', 'test/support/quiet-console.ts'],
    provide: { licenceKey },
    tags,
    testTimeout: 40_000,
    // A press may be slow on a busy machine; only its result counts.
    expect: { poll: { timeout: 10_000 } },
    // In Chromium; the default is a page less than there are processors.
    maxWorkers: 2,
    // Loading the modules again for each file takes longer than the tests.
    isolate: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      commands: { movePointer, setTimeZone },
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
