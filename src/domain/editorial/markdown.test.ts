import { expect, test } from 'vitest';
import { slow } from '#test/support/tags.ts';
import { checkMarkdown, renderMarkdown } from './markdown.ts';

test('prose is rendered, and headings start one level below the page’s own', async () => {
  expect(await renderMarkdown('# One\n\nA *b* **c** [d](/blog) [e](https://e.example "f").\n\n> g\n\n- h')).toBe(
    '<h2>One</h2>\n<p>A <em>b</em> <strong>c</strong> <a href="/blog">d</a> <a href="https://e.example" title="f" target="_blank" rel="noopener nofollow ugc">e</a>.</p>\n<blockquote>\n<p>g</p>\n</blockquote>\n<ul>\n<li>h</li>\n</ul>',
  );
});

test('a task list keeps its ticks', async () => {
  expect(await renderMarkdown('- [x] Tea\n- [ ] Bath')).toBe('<ul>\n<li>☑ Tea</li>\n<li>☐ Bath</li>\n</ul>');
});

test('terms and privacy open in a new tab, other links within the site do not', async () => {
  expect(await renderMarkdown('[a](/privacy) [b](/terms) [c](/about) [d](mailto:e@f.example)')).toBe(
    '<p><a href="/privacy" target="_blank">a</a> <a href="/terms" target="_blank">b</a> <a href="/about">c</a> <a href="mailto:e@f.example" rel="noopener nofollow ugc">d</a></p>',
  );
});

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script in the middle of a word', 'a<script>alert(1)</script>b'],
  ['a script that is not closed', '<script src=//evil.example>'],
  ['a style', '<style>*{display:none}</style>'],
  ['an event', '<p onclick="alert(1)">a</p>'],
  ['a picture with an event', '<img src=x onerror=alert(1)>'],
  ['a picture', '![a](https://evil.example/track.gif)'],
  ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['a form', '<form action="https://evil.example"><input name=q></form>'],
  ['a drawing', '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">a</a></svg>'],
  ['a script’s address', '[a](javascript:alert(1))'],
  ['a script’s address in disguise', '[a](java&#x0A;script:alert(1)) <a href=" &#14; javascript:alert(1)">b</a>'],
  ['a page’s address', '[a](data:text/html,<script>alert(1)</script>)'],
  ['an old script’s address', '<a href="vbscript:msgbox(1)">a</a>'],
  ['a look', '<p style="position:fixed;inset:0" class="modal" id="main">a</p>'],
  ['a comment', '<!-- <script>alert(1)</script> --><!--[if IE]><script>alert(1)</script><![endif]-->'],
  ['a nested tag', '<scr<script>ipt>alert(1)</scr</script>ipt>'],
  [
    'mathematics',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  ],
])('%s does not get through', async (_what, text) => {
  const html = await renderMarkdown(`Before\n\n${text}\n\nAfter`);
  expect(html).toContain('Before');
  // Only tags are checked: text between tags cannot execute.
  const tags = html.match(/<[^>]*>/g) ?? [];
  expect(tags.join('')).not.toMatch(
    /<(script|style|img|iframe|form|input|svg|math)|\son|style=|class=|\sid=|javascript:|vbscript:|data:|evil\.example/i,
  );
});

test('a million brackets are parsed fast', async () => {
  const began = performance.now();
  await renderMarkdown('['.repeat(20_000) + '*'.repeat(20_000) + '<'.repeat(20_000));
  expect(performance.now() - began).toBeLessThan(5000);
});

test('a text that is nested too deep is shown as it was written', slow, async () => {
  const deep = `${'>'.repeat(20_000)} <b>`;
  expect(await renderMarkdown(deep)).toBe(`<p>${'&#62;'.repeat(20_000)} &#60;b&#62;</p>`);
});

test(
  'a text that would take half a minute is stopped, and neither the process nor the next text waits for it',
  slow,
  async () => {
    const slowText = '_a__b'.repeat(40_000);
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 20);
    const stopped = checkMarkdown(slowText);
    await expect(stopped).rejects.toMatchObject({ code: 'text/too-complex' });
    clearInterval(beat);
    expect(longest).toBeLessThan(1000);
    expect(await renderMarkdown('*b*')).toBe('<p><em>b</em></p>');
    const again = performance.now();
    expect(await renderMarkdown(slowText)).toBe(`<p>${slowText}</p>`);
    expect(performance.now() - again).toBeLessThan(1000);
  },
);

test('a text that is longer than any text of the site is not laid out', async () => {
  await expect(checkMarkdown('a '.repeat(130_000))).rejects.toMatchObject({ code: 'text/too-complex' });
});
