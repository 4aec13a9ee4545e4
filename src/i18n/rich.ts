import { type ReactElement, type ReactNode, Fragment, cloneElement, createElement } from 'react';

export type Components = Record<string, ReactElement>;

export const tags = /<(\d+)>|<\/\d+>|<(\d+)\/>/g;

/** An element around pieces of a text, or the text as a whole: built scripts have the tags as calls. */
export function element(of: ReactElement | 0, ...pieces: ReactNode[]): ReactNode {
  return of ? cloneElement(of, {}, ...pieces) : createElement(Fragment, {}, ...pieces);
}

/**
 * Puts pieces into the elements whose tags stand around them.
 * @param pieces text with tags, and pieces as they are
 * @param make.element `inner` is undefined for a tag that stands alone
 */
export function nest<Piece>(
  pieces: (string | { piece: Piece })[],
  make: { text(text: string): Piece; element(number: string, inner: Piece[] | undefined): Piece[] },
): Piece[] {
  const open: { number: string; inner: Piece[] }[] = [{ number: '', inner: [] }];
  const add = (...added: Piece[]) => open.at(-1)?.inner.push(...added);
  const addText = (text: string) => text !== '' && add(make.text(text));
  for (const one of pieces) {
    if (typeof one !== 'string') {
      add(one.piece);
      continue;
    }
    let at = 0;
    for (const { 0: tag, 1: opened, 2: alone, index } of one.matchAll(tags)) {
      addText(one.slice(at, index));
      at = index + tag.length;
      if (opened !== undefined) open.push({ number: opened, inner: [] });
      else if (alone !== undefined) add(...make.element(alone, undefined));
      else if (open.length > 1) {
        const { number, inner } = open.pop() ?? { number: '', inner: [] };
        add(...make.element(number, inner));
      }
    }
    addText(one.slice(at));
  }
  return open[0]?.inner ?? [];
}

/**
 * Texts with elements in them: `By <0>terms</0>`.
 * @param parts text of the message and values, in turn
 */
export function rich(parts: unknown[], components: Components): ReactNode {
  const pieces = parts.map((part, index) => (index % 2 === 0 ? String(part) : { piece: part as ReactNode }));
  const nested = nest<ReactNode>(pieces, {
    text: (text) => text,
    element(number, inner) {
      const of = components[number];
      if (of === undefined) return inner ?? [];
      return [inner === undefined ? of : cloneElement(of, {}, ...inner)];
    },
  });
  return createElement(Fragment, {}, ...nested);
}
