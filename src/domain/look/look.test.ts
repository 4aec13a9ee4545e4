import { expect, test } from 'vitest';
import { FooterForm } from './forms.ts';
import { checkColors, contrast, defaultColors, themes } from './rules.ts';
import { stylesheetOf } from './stylesheet.ts';
import { cleanSvg } from './svg.ts';

test('contrast is as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('the site’s own colors pass, and of many others each is made readable or has no way to be', () => {
  for (const theme of themes) {
    expect(checkColors(theme, defaultColors[theme]).problems).toEqual([]);
    for (let step = 0; step < 60; step += 1) {
      const hex = `#${((step * 7_919_711) % 0xffffff).toString(16).padStart(6, '0')}`;
      const { better } = checkColors(theme, { accent: hex, ground: defaultColors[theme].ground });
      if (better !== undefined) expect([hex, checkColors(theme, better).problems]).toEqual([hex, []]);
    }
  }
});

test('a ground of the other theme is refused', () => {
  const { problems, better } = checkColors('dark', { accent: '#f5b48c', ground: '#ffffff' });
  expect(problems.map(({ of }) => of)).toContain('ground');
  expect(better && checkColors('dark', better).problems).toEqual([]);
});

test('a look as the site comes has no stylesheet', () => {
  const none = { dark: null, light: null };
  expect(stylesheetOf(none, none)).toBeUndefined();
  expect(stylesheetOf({ ...none, light: defaultColors.light }, none)).toMatch(/^:root\[data-theme=light\]\{--bg:/);
});

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inside}</svg>`;

test.each([
  svg('<script>alert(1)</script>'),
  svg('<SCRIPT xlink:href="//evil.example"/>'),
  svg('<foreignObject><iframe src="//evil.example"/></foreignObject>'),
  svg('<image href="https://evil.example/x.png"/>'),
  svg('<use href="https://evil.example/x.svg#a"/>'),
  svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'),
  svg('<path d="M0 0" onload="alert(1)"/>', ' onload="alert(1)"'),
  svg('<path fill="url(https://evil.example/a#b)" d="M0 0"/>'),
  svg('<path style="fill:url(//evil.example/a)" d="M0 0"/>'),
  svg('<style>@import "https://evil.example";</style>'),
  svg('<animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onclick" to="x"/>'),
  svg('<![CDATA[<script>alert(1)</script>]]>'),
  `<?xml-stylesheet href="https://evil.example"?>${svg('')}`,
  `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<title>&x;</title>')}`,
  svg('<title></title><script>alert(1)</script>'),
])('%s is harmless afterwards', (source) => {
  const cleaned = cleanSvg(source);
  if (!cleaned.ok) return expect(cleaned.reason).toBe('not-svg');
  expect(cleaned.svg).not.toMatch(
    /<script|<foreign|<image|<use|<style|<a[ >]|<animate|<set|\son\w+=|evil|<!|<\?|javascript:/i,
  );
  // Clean files are stored unchanged, so that an exported look is recognized.
  expect(cleanSvg(cleaned.svg)).toMatchObject({ ok: true, svg: cleaned.svg, removed: [] });
});

test('drawing elements stay, and properties in styles become attributes', () => {
  const source = svg(
    '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><path d="M0 0h9" style="fill:url(#a);font-family:x"/>',
  );
  const cleaned = cleanSvg(source);
  expect(cleaned).toMatchObject({ ok: true, removed: [] });
  expect(cleaned.ok && cleaned.svg).toContain('<path d="M0 0h9" fill="url(#a)">');
  expect(cleaned.ok && cleaned.svg).toContain('viewBox="0 0 9 9"');
  expect(cleaned.ok && cleaned.svg).toContain('<linearGradient id="a">');
});

test.each([
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  'http://evil.example',
  'data:text/html,x',
  'about',
])('the footer takes no link to %s', (to) => {
  expect(FooterForm.safeParse({ groups: [{ links: [{ label: 'x', to }] }] }).success).toBe(false);
});

test.each(['/about', '/audios?tag=sleep', 'https://example.org/a?b=c#d', 'mailto:hello@example.org'])(
  'the footer takes a link to %s',
  (to) => {
    expect(FooterForm.safeParse({ groups: [{ links: [{ label: 'x', to }] }] }).success).toBe(true);
  },
);
