import { randomBytes } from 'node:crypto';
import { type ComponentType, type ReactNode, createContext, createElement, use } from 'react';
import { useHref } from 'react-router';
import { language } from '#i18n';

/** Text of the page, or HTML that was encoded once as UTF-8. */
export type HtmlPiece = string | Buffer<ArrayBuffer>;

/** HTML of parts, by the data that they show; collected together with that data. True: shown once. */
const kept = new WeakMap<object, Map<string, Buffer<ArrayBuffer>> | true>();

/** Marks positions in the HTML. Secret, so that no text can imitate it. */
const tag = `kept-${randomBytes(8).toString('hex')}`;
const marks = new RegExp(`<${tag}-kept n="(\\d+)"></${tag}-kept>|<${tag} n="(\\d+)">|</${tag}>`, 'g');

type Place = { of: object; key: string; html: Buffer<ArrayBuffer> | undefined };

const PlacesContext = createContext<Place[] | undefined>(undefined);

/**
 * Renders a part once for all viewers with the same data in the same state, then reuses its HTML. Server only: browsers
 * get the part itself (vite.config.ts), and hydrate the same HTML.
 * @param getOptions called later, because parts import each other. `useKey`: everything else that the part shows
 * besides `of`, including contexts; the part must not call `useId`
 */
export function keepHtml<Props extends object>(
  Part: ComponentType<Props>,
  getOptions: () => { of: (props: Props) => object | undefined; useKey: (props: Props) => string },
): ComponentType<Props> {
  const name = String(Part.name);
  return function Kept(props: Props): ReactNode {
    const places = use(PlacesContext);
    const { of: findData, useKey } = getOptions();
    // Links have the prefix of the page's address.
    const key = `${name} ${language()} ${useHref('/')} ${useKey(props)}`;
    const of = findData(props);
    const part = <Part {...props} />;
    if (places === undefined || of === undefined) return part;
    const states = kept.get(of);
    const n = places.push({ of, key, html: states === true ? undefined : states?.get(key) }) - 1;
    // One wrapper element: marks beside the part would change the ids that React derives from its position.
    return places[n]?.html === undefined ? createElement(tag, { n }, part) : createElement(`${tag}-kept`, { n });
  };
}

/**
 * Renders a page with its cached parts; `render` must be synchronous.
 * @returns in order; cached parts stay bytes, because encoding a page takes a third of the time of rendering it
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
      // Inside another new part, it becomes text of that part.
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

/** Limit of states per part: some include a time, so new ones keep coming. */
const maxStates = 200;

/** From the second time on: data that one page shows needs no copy. */
function keep({ of, key }: Place, html: string): void {
  const states = kept.get(of);
  if (states === undefined) return void kept.set(of, true);
  const known = states === true ? new Map<string, Buffer<ArrayBuffer>>() : states;
  kept.set(of, known.set(key, Buffer.from(html)));
  const [oldest] = known.keys();
  if (known.size > maxStates && oldest !== undefined) known.delete(oldest);
}
