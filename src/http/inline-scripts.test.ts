import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashInlineScripts } from './inline-scripts.ts';

const mark = 'mark-1';
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('scripts of the server are hashed and lose their mark', () => {
  const { html, hashes } = hashInlineScripts(
    `<body><script nonce="${mark}" type="module" async="">import "/a.js";</script><p>–</p><script nonce="${mark}">say("ü")</script></body>`,
    mark,
  );
  expect(html).toBe(
    '<body><script type="module" async="">import "/a.js";</script><p>–</p><script>say("ü")</script></body>',
  );
  expect(hashes).toEqual([hashOf('import "/a.js";'), hashOf('say("ü")')]);
});

test('a script that came in by other ways is not allowed', () => {
  const page = `<script>steal()</script><script nonce="guess">steal()</script><script nonce="${mark}">own()</script>`;
  const { html, hashes } = hashInlineScripts(page, mark);
  expect(hashes).toEqual([hashOf('own()')]);
  expect(html).toBe('<script>steal()</script><script nonce="guess">steal()</script><script>own()</script>');
});

test('styles, data and scripts with an address need no hash', () => {
  const page = `<link rel="stylesheet" nonce="${mark}" href="/a.css"><script nonce="${mark}" src="/a.js"></script><script type="application/ld+json" nonce="${mark}">{}</script>`;
  const { html, hashes } = hashInlineScripts(page, mark);
  expect(hashes).toEqual([]);
  expect(html).not.toContain('nonce');
});
