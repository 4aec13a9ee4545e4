/** Characters of a long text that are shown. */
const shownLength = 600;

/** Long texts from shortly before the place where they differ. */
export function differing(mine: string, theirs: string): [mine: string, theirs: string] {
  let at = 0;
  while (at < mine.length && mine[at] === theirs[at]) at += 1;
  const isLong = Math.max(mine.length, theirs.length) > shownLength;
  const start = isLong ? Math.max(0, at - 60) : 0;
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + shownLength)}${text.length > start + shownLength ? '…' : ''}`;
  return [cut(mine), cut(theirs)];
}
