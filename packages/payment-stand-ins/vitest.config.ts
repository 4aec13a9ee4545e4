import { defineConfig } from 'vitest/config';
import { tags } from '../../test/support/tags.ts';

/** The tests of this package alone; `npm test` of the product runs them too. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    tags,
    globalSetup: ['../../test/support/database-setup.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
    isolate: false,
  },
});
