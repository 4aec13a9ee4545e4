/** The entity tags of a list without their quotes, or `*`; empty for anything invalid. */
export function readEntityTags(header: string): '*' | { tag: string; isWeak: boolean }[] {
  if (header.trim() === '*') return '*';
  const tags = header.matchAll(/(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g);
  return [...tags].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }));
}
