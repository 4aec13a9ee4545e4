import { globSync, readFileSync } from 'node:fs';

/** Text of each page of the operating guide, by path. */
export const guidePages: Record<string, string> = Object.fromEntries(
  globSync('docs/operating/*.md')
    .toSorted()
    .map((path) => [path, readFileSync(path, 'utf8')]),
);

export const guide = Object.values(guidePages).join('\n');
