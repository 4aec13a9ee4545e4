import type {} from 'vitest';

const name = 'slow';

export const tags: { name: typeof name; description: string }[] = [
  { name, description: 'Runs in npm run test:all only.' },
];

/**
 * Second argument of tests that take long and vary what others check: endurance, killed processes, rare servers such as
 * PgBouncer, further states and sizes of a page. `npm run test:all` runs them, `npm test` does not (decision 053). A
 * whole file begins with `@module-tag slow`.
 */
export const slow: { tags: (typeof name)[] } = { tags: [name] };

declare module 'vitest' {
  interface TestTags {
    tags: typeof name;
  }
}
