import { expect, test } from 'vitest';
import { readAsHtml } from '#test/support/sound/podcast-faults.ts';
import { feedDescription } from './rss.ts';

test.each([
  'I <3 you & you <b>love</b> me.\n\nA < B > C\nSecond line\n0:00 Start & go',
  '&lt;3 &amp; &#9829; &nbsp;',
  '<!-- hidden -->',
  '<script>alert(1)</script>',
  '</p></div></body></html> after',
  '<![CDATA[text]]>',
  ']]>',
  'a<br>b',
  '“quotes” "and" \'these\'',
  '<3 <3 <3',
  'x<y>z',
  '<img src=x onerror=alert(1)>',
  '夜 <雨> ♥ 👩‍❤️‍👩',
  'https://example.org/?a=1&b=2&copy=3',
])('readers show %j as it was written', (text) => {
  const { text: shown, elements } = readAsHtml(feedDescription(text));
  expect(shown).toBe(text);
  expect(elements.every((name) => name === 'br')).toBe(true);
});

test('lines of all systems are lines', () => {
  expect(feedDescription(' One\r\nTwo\rThree\n')).toBe('One<br>Two<br>Three');
});
