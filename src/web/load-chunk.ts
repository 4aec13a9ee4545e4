import { timedFetch } from '#player/timed-fetch.ts';

/** As `fetch`. */
type Ask = (path: string, options: RequestInit) => Promise<Response>;

/** The build writes static imports with their path beside the script, and nothing else so. */
const staticImport = /(?:\bfrom|\bimport) ?["'`]\.\/([\w.-]+\.js)["'`]/g;

/**
 * Paths of the scripts that a built script imports statically.
 * @param path its own: each language has a folder
 */
export function staticImportsOf(script: string, path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return Array.from(script.matchAll(staticImport), ([, name]) => folder + name);
}

/**
 * Looks whether a script and all that it imports can be loaded, before the browser is asked to import it: Firefox and
 * WebKit keep a failed module for its address until the document is reloaded (https://github.com/whatwg/html/issues/6768),
 * so its importers fail too, and another address would run shared modules twice. The HTTP cache then answers the import.
 * @param there paths of scripts that the document has loaded
 */
export function createChunkCheck(ask: Ask, there: Iterable<string> = []) {
  const importsOf = new Map<string, Promise<string[]>>();
  const failed = new Set<string>();
  for (const path of there) importsOf.set(path, Promise.resolve([]));

  async function read(path: string): Promise<string[]> {
    try {
      // An answer that failed before, such as another network's page, may be in the cache.
      const answer = await ask(path, failed.has(path) ? { cache: 'reload' } : {});
      if (!answer.ok || !/javascript/.test(answer.headers.get('content-type') ?? ''))
        throw new TypeError(`${path} is not a script`);
      const text = await answer.text();
      failed.delete(path);
      return staticImportsOf(text, path);
    } catch (error) {
      failed.add(path);
      importsOf.delete(path);
      throw error;
    }
  }

  /** Rejects when one of the scripts cannot be loaded now. */
  return async (paths: readonly string[]): Promise<void> => {
    const met = new Set<string>();
    async function visit(path: string): Promise<void> {
      if (met.has(path)) return;
      met.add(path);
      // One that is on its way for an earlier call may fail as that did.
      const reading = importsOf.get(path)?.catch(() => read(path)) ?? read(path);
      importsOf.set(path, reading);
      await Promise.all((await reading).map(visit));
    }
    await Promise.all(paths.map(visit));
  };
}

const isStyle = (file: string) => file.endsWith('.css');

let check: ReturnType<typeof createChunkCheck> | undefined;
const linkTo = (href: string) => document.querySelector(`link[href="${href}"]`);
const addLink = (rel: string, href: string) =>
  document.head.appendChild(Object.assign(document.createElement('link'), { rel, href }));

/** Scripts of the imports so far: settles when one is there or has failed. */
const preloads = new Map<string, Promise<unknown>>();

/** Chromium alone forgets failures: it loads all scripts at once, and the import asks again for those that failed. */
function prepare(paths: readonly string[]): Promise<unknown> {
  if (!navigator.userAgent.includes('Chrome/')) {
    const there = document.querySelectorAll<HTMLLinkElement>('[rel="modulepreload"]');
    check ??= createChunkCheck(
      timedFetch,
      Array.from(there, ({ href }) => new URL(href).pathname),
    );
    return check(paths);
  }
  // An import would share, and fail with, what is still on its way for an earlier one.
  const underWay = paths.map((href) => preloads.get(href));
  for (const href of paths) {
    if (linkTo(href) !== null) continue;
    const link = addLink('modulepreload', href);
    preloads.set(href, new Promise((settle) => (link.onload = link.onerror = settle)));
  }
  return Promise.all(underWay);
}

/** Styles that are loading or loaded; others in the document came with the page. */
const styles = new Map<string, Promise<unknown>>();

function loadStyle(href: string): Promise<unknown> {
  const known = styles.get(href);
  if (known !== undefined || linkTo(href) !== null) return known ?? Promise.resolve();
  const sheet = addLink('stylesheet', href);
  const loading = new Promise((resolve, reject) => {
    sheet.onload = resolve;
    sheet.onerror = () => {
      sheet.remove();
      styles.delete(href);
      reject(new TypeError(href));
    };
  });
  styles.set(href, loading);
  return loading;
}

/**
 * The build wraps every `import()` of the browser’s code in it (vite.config.ts): a failed one succeeds when it is called
 * again later, in each browser and without a reload.
 * @param files what the import needs beyond what every page has, itself included, as paths below the site’s root
 */
export async function loadChunk<Module>(load: () => Promise<Module>, files: readonly string[]): Promise<Module> {
  const paths = files.map((file) => `/${file}`);
  await Promise.all([prepare(paths.filter((path) => !isStyle(path))), ...paths.filter(isStyle).map(loadStyle)]);
  return load();
}

/** Imports a built script by its path, such as that of a route. */
export async function loadScript(path: string): Promise<unknown> {
  await prepare([path]);
  // oxlint-disable-next-line import/no-dynamic-require -- the one place for it
  return import(/* @vite-ignore */ path);
}
