import { createHash } from 'node:crypto';
import { type RouterContextProvider, type ServerBuild, data } from 'react-router';

/** Reports a statement that ran into its time limit. @returns whether the error is one */
type IsTooSlow = (error: unknown, context: object) => boolean;

type Loader = (args: { context: RouterContextProvider; pattern: string }) => unknown;

/** Pattern of each request's route, such as `/audio/:slug`. */
const patterns = new WeakMap<object, string>();

export function patternOf(context: object): string | undefined {
  return patterns.get(context);
}

/** Notes the pattern of each request, and gives a statement that ran into its time limit a status of its own. */
export function withWatchedLoaders(build: ServerBuild, isTooSlow: IsTooSlow): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const loader = route?.module.loader as Loader | undefined;
    if (route === undefined || loader === undefined || route.module.default === undefined) return [id, route];
    return [id, { ...route, module: { ...route.module, loader: watched(loader, isTooSlow) } }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild['routes'] };
}

function watched(loader: Loader, isTooSlow: IsTooSlow): Loader {
  return async (args) => {
    patterns.set(args.context, `/${args.pattern.replace(/^\//, '')}`);
    try {
      return await loader(args);
    } catch (error) {
      // The page of the error names this status, which the router keeps only of its own answers.
      throw isTooSlow(error, args.context) ? data(null, { status: 504 }) : error;
    }
  };
}

const stream = 'window.__reactRouterContext.streamController';

/**
 * The script that passes the data to the router in the browser, like the router's own `StreamTransfer`, which would wait
 * for it in a Suspense boundary.
 * @param text the loaders' data as the router encodes it
 * @returns `hash`: a source of CSP Level 3
 */
export function dataScript(text: string): { html: string; hash: string } {
  // In single quotes: JSON has so many double ones that escaping them takes an eighth of the text.
  const quoted = text.replaceAll(/[\\'\n&<>\u2028\u2029]/g, (character) => escapes[character] ?? '');
  const script = `${stream}.enqueue('${quoted}');${stream}.close();`;
  return {
    html: `<script>${script}</script>`,
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
