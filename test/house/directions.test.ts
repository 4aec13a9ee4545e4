import { globSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import LogOut from 'lucide-react/icons/log-out';
import Reply from 'lucide-react/icons/reply';

/**
 * Pages are read from left to right or from right to left: styles say start and end, not left and right
 * (https://www.w3.org/TR/css-logical-1/).
 */

/** Styles that mean a side of the screen, by file: those of a place that a script computes, and of what time runs along. */
const physical: Record<string, string[]> = {
  // The triangle of Play points right in all languages.
  'src/web/ui/round-button.tsx': ['ml-0.5'],
  // Time.
  'src/web/styles/player.css': ['left-[50%]', 'inset: 0 auto 0 0;'],
  'src/web/studio/audios/recording-panel.tsx': ['before:-left-1.25'],
  // A picture, whose sides stay.
  'src/web/workshop/forms/crop.css': ['left-[17%]'],
  'src/web/workshop/forms/crop.tsx': ['odd:-left-1.5', 'even:-right-1.5'],
  'src/web/studio/picture-field.tsx': ['left-1/2'],
  // Drawn, and turned.
  'src/web/workshop/forms/fields.css': ['border-width: 0 0 2px 2px;'],
  // Read by pages from right to left alone, or with a twin for them.
  'src/web/styles/rtl.css': ['inset: 22% auto auto -8%;'],
  'src/web/library/user-playlist.css': ['inset: 22% -8% auto auto;'],
};

const utility =
  /^(?:[^\s"'`]*:)?[!-]?(?:(?:scroll-)?[mp][lr]-[\d[(a-z]|(?:left|right)-[\d[(af]|border-[lr](?:-|$)|rounded-(?:[lr]|[tb][lr])(?:-|$)|text-(?:left|right)$|float-(?:left|right)$)/;
const declaration =
  /^(?:(?:scroll-)?(?:margin|padding|border|inset)-(?:left|right)\b|(?:left|right):|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear): (?:left|right)\b)/;
/** Four values, of which the second is the right and the fourth the left. */
const shorthand = /^(?:inset|margin|padding|border-width|border-color|border-style): (\S+) (\S+) (\S+) ([^\s!]+);$/;

function isPhysical(style: string): boolean {
  const [, , right, , left] = shorthand.exec(style) ?? [];
  return utility.test(style) || declaration.test(style) || right !== left;
}

/** Utilities of a component, and utilities and declarations of a style sheet. */
function stylesOf(path: string, code: string): string[] {
  const lines = code.replaceAll(/\/\*.*?\*\//gs, '').split('\n');
  if (path.endsWith('.css'))
    return lines
      .map((line) => line.trim())
      .flatMap((line) => (line.startsWith('@apply') ? line.replace(';', '').split(' ') : line));
  return lines
    .filter((line) => !/^\s*(?:\/\/|import )/.test(line))
    .flatMap((line) => [...line.matchAll(/(["'`])(.*?)\1/g)])
    .flatMap(([, , text = '']) => text.split(/[\s`"']+/))
    .filter((word) => !/[:;]$/.test(word));
}

const files = globSync('src/web/**/*.{tsx,css}', { exclude: (path) => path.includes('.test.') }).toSorted();

test('styles say start and end', () => {
  expect(files.length).toBeGreaterThan(450);
  const found = files.map((path) => [
    path,
    [...new Set(stylesOf(path, readFileSync(path, 'utf8')).filter(isPhysical))],
  ]);
  expect(Object.fromEntries(found.filter(([, styles]) => styles?.length))).toEqual(physical);
});

test.each([
  ['a.tsx', '<p className="flex md:-ml-2" />', ['md:-ml-2']],
  ['a.tsx', "const look = isWide ? 'text-left' : 'border-r';", ['text-left', 'border-r']],
  ['a.tsx', '<p className="ms-2 inset-x-0 me-1" />', []],
  ['a.css', '.a {\n  @apply pr-2 right-0;\n}', ['pr-2', 'right-0']],
  [
    'a.css',
    '.a {\n  margin-left: 2px;\n  padding: 1px 2px 1px 3px;\n}',
    ['margin-left: 2px;', 'padding: 1px 2px 1px 3px;'],
  ],
  ['a.css', '.a {\n  margin-inline-start: 2px;\n  padding: 1px 2px 1px 2px;\n}', []],
])('in %s, of %j it finds %j', (path, code, styles) => {
  expect(stylesOf(path, code).filter(isPhysical)).toEqual(styles);
});

test('the icons that are mirrored are drawn as the style sheet names them', () => {
  const style = readFileSync('src/web/styles/rtl.css', 'utf8');
  const named = [...style.matchAll(/\[d='([^']+)'\]/g)].map(([, drawing]) => drawing);
  const drawn = [ChevronRight, ChevronLeft, ArrowLeft, Reply, LogOut].map((icon) =>
    [...renderToStaticMarkup(createElement(icon)).matchAll(/ d="([^"]+)"/g)].map(([, drawing]) => drawing),
  );
  expect(named.map((one, index) => drawn[index]?.includes(one))).toEqual(drawn.map(() => true));
});
