import { randomBytes } from 'node:crypto';
import type { ComponentType, ReactNode } from 'react';
import { createContext, createElement, use } from 'react';

/** HTML of parts, by the data that they show; goes with that data. */
const kept = new WeakMap<object, Map<string, string>>();

/** Marks places in the HTML. Secret, so that no text can imitate it. */
const tag = `kept-${randomBytes(8).toString('hex')}`;
const marks = new RegExp(`<${tag}-kept n="(\\d+)"></${tag}-kept>|<${tag} n="(\\d+)">|</${tag}>`, 'g');

type Place = { of: object; key: string; html: string | undefined };

const PlacesContext = createContext<Place[] | undefined>(undefined);

/**
 * Renders a part once for all who are shown the same data in the same state, and then writes its HTML instead. Only on
 * the server: browsers get the part itself (vite.config.ts), and hydrate the same HTML.
 * @param getOptions called later, since parts and what they show import each other. `useKey`: everything but `of` that
 *   the part shows, also what it takes from contexts; the part must not call `useId`
 */
export function keepHtml<Props extends object>(
  Part: ComponentType<Props>,
  getOptions: () => { of: (props: Props) => object | undefined; useKey: (props: Props) => string },
): ComponentType<Props> {
  const name = String(Part.name);
  return function Kept(props: Props): ReactNode {
    const places = use(PlacesContext);
    const { of: findData, useKey } = getOptions();
    const key = `${name} ${useKey(props)}`;
    const of = findData(props);
    const part = <Part {...props} />;
    if (places === undefined || of === undefined) return part;
    const n = places.push({ of, key, html: kept.get(of)?.get(key) }) - 1;
    // One element around the part: marks beside it would change the ids that React makes from a part's place.
    return places[n]?.html === undefined ? createElement(tag, { n }, part) : createElement(`${tag}-kept`, { n });
  };
}

/** Renders a page with its kept parts; `render` must be synchronous. */
export function withKeptParts(page: ReactNode, render: (page: ReactNode) => string): string {
  const places: Place[] = [];
  const html = render(<PlacesContext value={places}>{page}</PlacesContext>);
  const open: { place: Place | undefined; from: number }[] = [];
  let [whole, at] = ['', 0];
  for (const match of html.matchAll(marks)) {
    const [mark, keptNumber, number] = match;
    whole += html.slice(at, match.index);
    at = match.index + mark.length;
    if (keptNumber !== undefined) whole += places[Number(keptNumber)]?.html ?? '';
    else if (number !== undefined) open.push({ place: places[Number(number)], from: whole.length });
    else {
      const { place, from = 0 } = open.pop() ?? {};
      if (place !== undefined) keep(place, whole.slice(from));
    }
  }
  return whole + html.slice(at);
}

function keep({ of, key }: Place, html: string): void {
  const known = kept.get(of);
  if (known === undefined) kept.set(of, new Map([[key, html]]));
  else known.set(key, html);
}
