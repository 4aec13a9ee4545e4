import { type ReactElement, type ReactNode, Fragment, cloneElement, createElement } from 'react';

export type Components = Record<string, ReactElement>;

export const tags = /<(\d+)>|<\/\d+>|<(\d+)\/>/g;

/** An element around pieces of a text, or the text as a whole: built scripts have the tags as calls. */
export function element(of: ReactElement | 0, ...pieces: ReactNode[]): ReactNode {
  return of ? cloneElement(of, {}, ...pieces) : createElement(Fragment, {}, ...pieces);
}

/**
 * Texts with elements in them: `By <0>terms</0>`.
 * @param parts text of the message and values, in turn
 */
export function rich(parts: unknown[], components: Components): ReactNode {
  const open: { of?: ReactElement | undefined; inner: ReactNode[] }[] = [{ inner: [] }];
  const add = (piece: unknown) => {
    if (piece !== '') open.at(-1)?.inner.push(piece as ReactNode);
  };
  const close = ({ of, inner }: (typeof open)[number]) => (of ? cloneElement(of, {}, ...inner) : inner);
  parts.forEach((part, index) => {
    if (index % 2 === 1) return add(part);
    const text = String(part);
    let at = 0;
    for (const tag of text.matchAll(tags)) {
      const [all, opened, alone] = tag;
      add(text.slice(at, tag.index));
      at = tag.index + all.length;
      if (opened) open.push({ of: components[opened], inner: [] });
      else if (alone) add(components[alone]);
      else if (open.length > 1) add(close(open.pop()!));
    }
    add(text.slice(at));
  });
  return createElement(Fragment, {}, ...(open[0]?.inner ?? []));
}
