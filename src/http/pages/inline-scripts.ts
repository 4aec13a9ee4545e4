import { createHash } from 'node:crypto';

/**
 * Removes the mark from the inline scripts that the server wrote, and hashes them for the page's policy. A script
 * without the mark, such as injected user text, gets no hash, so browsers block it.
 * @param pieces of one page, in order; bytes contain no scripts
 * @param mark secret value of the `nonce` attributes during rendering
 * @returns `hashes`: sources of CSP Level 3
 */
export function hashInlineScripts<Bytes extends Uint8Array>(
  pieces: (string | Bytes)[],
  mark: string,
): { pieces: (string | Bytes)[]; hashes: string[] } {
  const hashes = new Set<string>();
  return {
    pieces: pieces.map((piece) => (typeof piece === 'string' ? hashScriptsOf(piece, mark, hashes) : piece)),
    hashes: [...hashes],
  };
}

function hashScriptsOf(html: string, mark: string, hashes: Set<string>): string {
  const attribute = ` nonce="${mark}"`;
  let [plain, at] = ['', 0];
  for (;;) {
    const index = html.indexOf(attribute, at);
    if (index === -1) break;
    plain += html.slice(at, index);
    at = index + attribute.length;
    const [tagStart, tagEnd] = [html.lastIndexOf('<', index), html.indexOf('>', index)];
    const tag = html.slice(tagStart, tagEnd);
    // Data blocks are never executed, and scripts with an address are allowed by their origin.
    if (!tag.startsWith('<script') || tag.includes(' src="') || tag.includes('type="application/ld+json"')) continue;
    const text = html.slice(tagEnd + 1, html.indexOf('</script', tagEnd));
    hashes.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
  return plain + html.slice(at);
}
