import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Its code is data: texts that the search for unsupported names has to find. */
const isSample = (path: string) => path === 'test/supported-browsers.test.ts';

/** Texts of the engine, and the clock of the machine. */
const forbidden = [
  /\.toLocale(?:Date|Time)?String\(/,
  /\.to(?:Date|Time)String\(/,
  /\bIntl\.(?:DateTimeFormat|NumberFormat|RelativeTimeFormat|DurationFormat|supportedValuesOf)\b/,
  /\.[gs]et(?:Hours|Minutes|Seconds|Milliseconds|Date|Day|Month|FullYear|TimezoneOffset)\(/,
  // Parts, or a text without a zone, are read by the machine's clock.
  /\bnew Date\([^()]*,/,
  /\bnew Date\(`[^`]*T[^`]*[^`Z]`\)/,
  /\bDate\.parse\(`[^`]*T[^`]*[^`Z]`\)/,
];

test('times and numbers are written and read in this folder only', () => {
  const found = ['src', 'bench', 'test', 'scripts', 'demo/make'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path).replaceAll('\\', '/'))
      .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith('src/formats/') && !isSample(path))
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .filter((line) => forbidden.some((pattern) => pattern.test(line)))
          .map((line) => `${path}: ${line.trim()}`),
      ),
  );
  expect(found).toEqual([]);
});
