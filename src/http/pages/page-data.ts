import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { data, UNSAFE_SingleFetchRedirectSymbol as redirectMark } from 'react-router';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import type { EncodedPart } from './encoded-values.ts';
import { createValueEncoder } from './encoded-values.ts';

/** Marks the position of a route's data in the router's text. Secret, so that no text can imitate it. */
const mark = randomBytes(12).toString('hex');

/** Data of each request's routes, by route id. */
const collected = new WeakMap<object, Map<string, object>>();

/** Reports a statement that ran into its time limit. @returns whether the error is one */
type IsTooSlow = (error: unknown, context: object) => boolean;

type Loader = (args: { context: RouterContextProvider; pattern: string }) => unknown;

/** Pattern of each request's route, such as `/audio/:slug`. */
const patterns = new WeakMap<object, string>();

export function patternOf(context: object): string | undefined {
  return patterns.get(context);
}

/**
 * Replaces loader data in the router's encoding by marks, and sends the data itself, so that data for many viewers is
 * encoded once. The router encodes an object with this symbol as a redirect, by the symbol's value alone.
 */
export function withOwnData(build: ServerBuild, isTooSlow: IsTooSlow): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const loader = route?.module.loader as Loader | undefined;
    if (route === undefined || loader === undefined || route.module.default === undefined) return [id, route];
    return [id, { ...route, module: { ...route.module, loader: collecting(id, loader, isTooSlow) } }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild['routes'] };
}

function collecting(id: string, loader: Loader, isTooSlow: IsTooSlow): Loader {
  const loaded = async (args: Parameters<Loader>[0]) => loader(args);
  return async (args) => {
    patterns.set(args.context, `/${args.pattern.replace(/^\//, '')}`);
    const result = await loaded(args).catch((error: unknown) => {
      // The page of the error names this status, which the router keeps only of its own answers.
      throw isTooSlow(error, args.context) ? data(null, { status: 504 }) : error;
    });
    if (typeof result !== 'object' || result === null || Object.getPrototypeOf(result) !== Object.prototype)
      return result;
    const own = Object.defineProperty({ ...result }, redirectMark, { value: `${mark} ${id}` });
    const known = collected.get(args.context) ?? new Map<string, object>();
    collected.set(args.context, known.set(id, own));
    return own;
  };
}

/** The router's text, slot by slot, with the positions of routes. The same for all viewers of a page. */
type Frame = { slots: string[]; places: [at: number, routeId: string][] };

const frames = new LRUCache<string, Frame>({ max: 500 });

function frameOf(text: string): Frame {
  const known = frames.get(text);
  if (known !== undefined) return known;
  const values = JSON.parse(text) as unknown[];
  const frame: Frame = { slots: values.map((value) => JSON.stringify(value)), places: [] };
  for (const [at, value] of values.entries()) {
    if (!Array.isArray(value) || value[0] !== 'SingleFetchRedirect') continue;
    const nameAt = value[1] as number;
    const name = values[nameAt];
    if (typeof name !== 'string' || !name.startsWith(mark)) continue;
    frame.places.push([at, name.slice(mark.length + 1)]);
    // Nothing refers to it any more. The mark would make the same page differ between processes.
    frame.slots[nameAt] = '0';
  }
  frames.set(text, frame);
  return frame;
}

/**
 * Inserts the data of a request's loaders into the router's text (turbo-stream: one array of values that refer to each
 * other by index).
 * @returns in order; parts are shared by many viewers
 */
function fill(text: string, context: object, hasParts = true): (string | EncodedPart)[] {
  const data = collected.get(context);
  // An answer without data, such as a redirect, may be a number.
  if (data === undefined || !text.startsWith('[')) return [text];
  const frame = frameOf(text);
  if (frame.places.length === 0) return [text];
  const slots = [...frame.slots];
  const encoder = createValueEncoder(slots.length, hasParts);
  // Parts first: their text can be cached as long as their indexes do not change.
  encoder.prepare(frame.places.map(([, id]) => data.get(id) ?? {}));
  for (const [at, id] of frame.places) slots[at] = encoder.encodeObject(data.get(id) ?? {});
  return [`[${slots.join()}`, ...encoder.take(), ']\n'];
}

/** Body of a navigation inside the app. */
export function fillData(text: string, context: object): Buffer<ArrayBuffer> {
  return Buffer.from(
    fill(text, context)
      .map((piece) => (typeof piece === 'string' ? piece : piece.text))
      .join(''),
  );
}

const stream = 'window.__reactRouterContext.streamController';

/**
 * Scripts that pass the data to the router in the browser, like the router's own `StreamTransfer`.
 * @param isShared by many viewers as a whole: then one script, the smallest. Otherwise the parts that many viewers get have
 *   scripts of their own, which are made once.
 * @returns `hashes`: sources of CSP Level 3
 */
export function dataScripts(
  text: string,
  context: object,
  isShared: boolean,
): { html: Buffer<ArrayBuffer>; hashes: string[] } {
  const scripts: Script[] = [];
  let own = '';
  for (const piece of fill(text, context, !isShared)) {
    if (typeof piece === 'string') own += piece;
    else {
      if (own !== '') scripts.push(scriptOf(own));
      own = '';
      scripts.push(keptScriptOf(piece));
    }
  }
  scripts.push(scriptOf(own, `${stream}.close();`));
  return { html: Buffer.concat(scripts.map(({ html }) => html)), hashes: scripts.map(({ hash }) => hash) };
}

type Script = { html: Buffer<ArrayBuffer>; hash: string };
const keptScripts = new WeakMap<EncodedPart, Script>();

function keptScriptOf(part: EncodedPart): Script {
  const script = keptScripts.get(part) ?? scriptOf(part.text);
  keptScripts.set(part, script);
  return script;
}

function scriptOf(text: string, end = ''): Script {
  // In single quotes: JSON has so many double ones that escaping them takes an eighth of the text.
  const quoted = text.replaceAll(/[\\'\n&<>\u2028\u2029]/g, (character) => escapes[character] ?? '');
  const script = `${stream}.enqueue('${quoted}');${end}`;
  return {
    html: Buffer.from(`<script>${script}</script>`),
    hash: `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  };
}

/**
 * JSON has no other control characters. `&`, `<` and `>` would end a script or begin a comment (HTML, "Restrictions for
 * contents of script elements").
 */
const escapes: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '&': '\\u0026',
  '<': '\\u003c',
  '>': '\\u003e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
