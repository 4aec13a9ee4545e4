import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashInlineScripts } from './inline-scripts.ts';

const mark = 'mark-1';
/** The page as a single string. */
function hashPage(page: string) {
  const { pieces, hashes } = hashInlineScripts([page], mark);
  return { html: pieces.join(''), hashes };
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('scripts of the server are hashed and lose their mark', () => {
  const { html, hashes } = hashPage(
    `<body><script nonce="${mark}" type="module" async="">import "/a.js";</script><p>–</p><script nonce="${mark}">say("ü")</script></body>`,
  );
  expect(html).toBe(
    '<body><script type="module" async="">import "/a.js";</script><p>–</p><script>say("ü")</script></body>',
  );
  expect(hashes).toEqual([hashOf('import "/a.js";'), hashOf('say("ü")')]);
});

test('a script that came in by other ways is not allowed', () => {
  const page = `<script>steal()</script><script nonce="guess">steal()</script><script nonce="${mark}">own()</script>`;
  const { html, hashes } = hashPage(page);
  expect(hashes).toEqual([hashOf('own()')]);
  expect(html).toBe('<script>steal()</script><script nonce="guess">steal()</script><script>own()</script>');
});

test('styles, data and scripts with an address need no hash', () => {
  const page = `<link rel="stylesheet" nonce="${mark}" href="/a.css"><script nonce="${mark}" src="/a.js"></script><script type="application/ld+json" nonce="${mark}">{}</script>`;
  const { html, hashes } = hashPage(page);
  expect(hashes).toEqual([]);
  expect(html).not.toContain('nonce');
});

test('bytes between the pieces stay as they are', () => {
  const bytes = new TextEncoder().encode('<p>kept</p>');
  const { pieces, hashes } = hashInlineScripts(
    [`<script nonce="${mark}">one()</script>`, bytes, `<script nonce="${mark}">two()</script>`],
    mark,
  );
  expect(pieces).toEqual(['<script>one()</script>', bytes, '<script>two()</script>']);
  expect(hashes).toEqual([hashOf('one()'), hashOf('two()')]);
});
