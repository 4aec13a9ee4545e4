import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vite';
import { replaceBodies } from './unused-router-code.ts';

test('replaces the bodies of the named functions, also of nested ones, and nothing else', () => {
  const code = 'function a() { function b({ c }) { return c; } return b({ c: "}" }); }\nfunction d() { return 1; }';
  expect(replaceBodies(code, { b: 'return 0', d: '' }, parseAst)).toBe(
    'function a() { function b({ c }) {return 0} return b({ c: "}" }); }\nfunction d() {}',
  );
});

test('a function that is gone, or there twice, fails the build', () => {
  expect(() => replaceBodies('function a() {}', { b: '' }, parseAst)).toThrow('no function b');
  expect(() => replaceBodies('{ function a() {} } { function a() {} }', { a: '' }, parseAst)).toThrow(
    'two functions a',
  );
});

test('no page uses what the build leaves out of React Router', () => {
  const web = join(import.meta.dirname, '..');
  const leftOut =
    /\b(?:useFetchers?|useSubmit|useFormAction|useActionData|useBlocker|usePrompt|useViewTransitionState|PrefetchPageLinks|clientLoader|clientAction|HydrateFallback)\b|import \{[^}]*\bForm\b[^}]*\} from 'react-router'|\b(?:prefetch|viewTransition|useTransitions|instrumentations)=|export (?:async function|const) action\b/;
  const users = globSync('**/*.{ts,tsx}', { cwd: web }).filter(
    (path) => !/unused-router-code|\.test\./.test(path) && leftOut.test(readFileSync(join(web, path), 'utf8')),
  );
  expect(users).toEqual([]);
});
