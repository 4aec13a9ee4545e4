import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, type Rolldown, build } from 'vite';
import { languageCodes } from '#formats/languages.ts';
import { i18n, inLanguage } from '#i18n';
import { browserTarget } from '../start/supported-browsers.ts';

type Chunk = { imports: string[]; dynamicImports: string[]; css: string[] };
type Route = { module: string; parentId?: string; css?: string[] };

/** Built files that every page needs, by name and hash. */
const shellFiles =
  /^(?:app|entry\.client|icon|newsreader-common|hanken-grotesk-common|install-offer|listener|manifest|react|root|rolldown-runtime|rtl|site)-[\w-]{7,8}\.(?:css|js|svg|woff2)$/;
/** Other alphabets, and files that are useless offline. Pages import the card form's placeholder statically. */
const unwanted = /-latin-ext-|\/(?:firebase|admin|workshop|card-form(?!-wait)|stripe)[\w-]*-[\w-]{7}\./;
/** Layout route of the listeners' pages (routes.ts). */
const layoutId = 'routes/listener';
/** In that layout too, with the styles of Admin. */
const operatorsPrefix = 'routes/admin/';

/**
 * Builds the service worker as a separate program, with the lists of files that it stores:
 * `build/worker/service-worker.js`.
 * @param root of the repository
 */
export function serviceWorkerBuild(root: string): Plugin {
  const chunks = new Map<string, Chunk>();
  return {
    name: 'sotto:service-worker',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    writeBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') chunks.set(`/${file.fileName}`, linksOf(file));
    },
    buildApp: {
      // After the whole build, because React Router writes its manifest last.
      order: 'post',
      handler: () => buildWorker(root, chunks),
    },
  };
}

function linksOf({ imports, dynamicImports, viteMetadata }: Rolldown.OutputChunk): Chunk {
  const paths = (names: Iterable<string>) => [...names].map((name) => `/${name}`);
  return {
    imports: paths(imports),
    dynamicImports: paths(dynamicImports),
    css: paths(viteMetadata?.importedCss ?? []),
  };
}

const waiting = () => i18n._(/*i18n*/ { id: 'news.discreet', message: 'Something new is waiting' });

async function buildWorker(root: string, chunks: Map<string, Chunk>): Promise<void> {
  const assets = (await readdir(join(root, 'build', 'client', 'assets'))).toSorted();
  const candidates = assets.filter((name) => shellFiles.test(name)).map((name) => `/assets/${name}`);
  const shellPaths = candidates.filter((path) => !unwanted.test(path));
  const manifest = JSON.parse(await readFile(join(root, 'build', 'manifest.json'), 'utf8')) as {
    address: string;
    routes: Record<string, Route>;
  };
  const pages = filesOfPages(manifest.routes, chunks).filter(
    (path) => !unwanted.test(path) && !shellPaths.includes(path),
  );
  const name = createHash('sha256').update(assets.join()).digest('hex').slice(0, 16);
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    define: {
      __BUILD__: JSON.stringify(name),
      __SHELL__: JSON.stringify(shellPaths),
      __PAGES__: JSON.stringify(pages),
      __MANIFEST__: JSON.stringify(manifest.address),
      __WAITING__: JSON.stringify(Object.fromEntries(languageCodes.map((code) => [code, inLanguage(code, waiting)]))),
    },
    build: {
      target: browserTarget,
      outDir: join(root, 'build', 'worker'),
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: {
        input: join(root, 'src', 'service-worker', 'worker.ts'),
        output: { entryFileNames: 'service-worker.js', format: 'iife' },
      },
    },
  });
}

/** Scripts and styles of the listeners' pages, including those loaded on a press. */
function filesOfPages(routes: Record<string, Route>, chunks: Map<string, Chunk>): string[] {
  const isPage = ({ parentId }: Route): boolean => {
    const parent = parentId === undefined ? undefined : routes[parentId];
    return parentId === layoutId || (parent !== undefined && isPage(parent));
  };
  const paths = new Set<string>();
  const pending = Object.entries(routes)
    .filter(([id, route]) => isPage(route) && !id.startsWith(operatorsPrefix))
    .flatMap(([, { module, css = [] }]) => [module, ...css.map((path) => path.replace(/#.*$/, ''))]);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (paths.has(path) || unwanted.test(path)) continue;
    paths.add(path);
    const { imports = [], dynamicImports = [], css = [] } = chunks.get(path) ?? {};
    pending.push(...imports, ...dynamicImports, ...css);
  }
  return [...paths].toSorted();
}
