import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Imports of what starts or uses a database, a site or another process. */
const starting =
  /\binject\b.* from 'vitest'|from '(node:child_process|#db\/embedded\/server\.ts|payment-stand-ins\/testing)'/;
const supporting = /\bfrom '(?:#(test\/support\/[^']+)|(\.[^']+))'/g;

/** Tests of the site without a database or another process, by what they and the files in test/support/ import. */
export function unitTests(): string[] {
  const known = new Map<string, boolean>();
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((path) => !startsMore(path, known));
}

function startsMore(path: string, known: Map<string, boolean>): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  // Support files may import each other.
  known.set(path, false);
  const text = readFileSync(path, 'utf8');
  const support = [...text.matchAll(supporting)]
    .map(([, named, beside = '']) => named ?? join(dirname(path), beside))
    .filter((file) => file.startsWith('test/support/') && existsSync(file));
  const starts = starting.test(text) || support.some((file) => startsMore(file, known));
  known.set(path, starts);
  return starts;
}
