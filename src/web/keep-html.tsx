import { randomBytes } from 'node:crypto';
import type { ComponentType, ReactNode } from 'react';
import { createContext, createElement, use } from 'react';

/** Text of the page, or HTML that was encoded once as UTF-8. */
export type HtmlPiece = string | Buffer<ArrayBuffer>;

/** HTML of parts, by the data that they show; goes with that data. */
const kept = new WeakMap<object, Map<string, Buffer<ArrayBuffer>>>();

/** Marks places in the HTML. Secret, so that no text can imitate it. */
const tag = `kept-${randomBytes(8).toString('hex')}`;
const marks = new RegExp(`<${tag}-kept n="(\\d+)"></${tag}-kept>|<${tag} n="(\\d+)">|</${tag}>`, 'g');

type Place = { of: object; key: string; html: Buffer<ArrayBuffer> | undefined };

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

/**
 * Renders a page with its kept parts; `render` must be synchronous.
 * @returns in order; kept parts stay bytes, because encoding a page takes as long as a third of rendering it
 */
export function withKeptParts(page: ReactNode, render: (page: ReactNode) => string): HtmlPiece[] {
  const places: Place[] = [];
  const html = render(<PlacesContext value={places}>{page}</PlacesContext>);
  const pieces: HtmlPiece[] = [];
  const open: { place: Place | undefined; from: number }[] = [];
  let [text, at] = ['', 0];
  for (const match of html.matchAll(marks)) {
    const [mark, keptNumber, number] = match;
    text += html.slice(at, match.index);
    at = match.index + mark.length;
    if (keptNumber !== undefined) {
      const bytes = places[Number(keptNumber)]?.html;
      if (bytes === undefined) continue;
      // Within a part that is new, it becomes text of that part.
      if (open.length > 0) text += bytes.toString();
      else {
        pieces.push(text, bytes);
        text = '';
      }
    } else if (number !== undefined) open.push({ place: places[Number(number)], from: text.length });
    else {
      const { place, from = 0 } = open.pop() ?? {};
      if (place !== undefined) keep(place, text.slice(from));
    }
  }
  return [...pieces, text + html.slice(at)];
}

/** States of one part; some name a time, so that new ones keep coming. */
const mostStates = 200;

function keep({ of, key }: Place, html: string): void {
  const known = kept.get(of) ?? new Map<string, Buffer<ArrayBuffer>>();
  kept.set(of, known.set(key, Buffer.from(html)));
  const [oldest] = known.keys();
  if (known.size > mostStates && oldest !== undefined) known.delete(oldest);
}
