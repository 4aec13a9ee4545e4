import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { minify } from 'terser';
import { type Plugin, type Rolldown, defineConfig } from 'vite';
import { folderOf } from './src/formats/script-folders.ts';
import { builtTexts, texts } from './src/i18n/vite.ts';
import { languageCodes } from './src/formats/languages.ts';
import { embedBuild } from './src/embed/build.ts';
import { serviceWorkerBuild } from './src/service-worker/build.ts';
import { browserTarget } from './src/start/supported-browsers.ts';
import { replaceBodies, unusedRouterCode } from './src/web/shell/unused-router-code.ts';

/**
 * Fails the browser build when it would ship server code: a component may import types from the domain, but values only
 * from its `rules.ts` and `forms.ts` (architecture, "Layout").
 */
function serverCodeStaysHome(): Plugin {
  return {
    name: 'sotto:server-code-stays-home',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      const path = id.split('?')[0]?.replaceAll('\\', '/') ?? '';
      if (!/\/src\/(domain|db|http|gateways|start|doctor|demo|main|config|cli)(\/|\.)/.test(path)) return;
      if (/\/src\/domain\/[a-z-]+\/(?:[a-z-]+\/)?(?:[a-z]+-)?(rules|forms)\.ts$/.test(path)) return;
      this.error(
        `${path} is server code and may not reach the browser; import its type, or a value of rules.ts / forms.ts`,
      );
    },
  };
}

/**
 * Vite wraps each `import()` of the browser's code in its preload helper; this build uses an own one, which can repeat a
 * failed import. Fails the build when a new version has no such helper.
 */
function withChunkLoader(): Plugin {
  let isMet = false;
  return {
    name: 'sotto:chunk-loader',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler() {
        isMet = true;
        const own = JSON.stringify(join(import.meta.dirname, 'src/web/load-chunk.ts'));
        return `export { loadChunk as __vitePreload } from ${own};`;
      },
    },
    buildEnd(error) {
      if (!error && !isMet) this.error('Vite has no preload helper now');
    },
  };
}

type StandIn = { of: string; exported: string; own: string };

// React Router's version reloads the document when a page's script fails to load, which stops the sound.
const routeModules: StandIn = {
  of: 'react-router/dist/production/lib/dom/ssr/routeModules.js',
  exported: 'loadRouteModule',
  own: 'src/web/shell/route-modules.ts',
};
// A page's data that never arrives would leave the navigation waiting for minutes.
const requestInit: StandIn = {
  of: 'react-router/dist/production/lib/dom/ssr/data.js',
  exported: 'createRequestInit',
  own: 'src/web/shell/request-init.ts',
};
// Otherwise every page would load the code that makes icons configurable; on the server it takes 4 % of a page.
const icons: StandIn = {
  of: 'lucide-react/dist/esm/createLucideIcon.mjs',
  exported: 'default',
  own: 'src/web/ui/images/lucide-icon.ts',
};
/** Modules in node_modules, their exports, and the own modules that replace them, by build. */
const standIns: Record<string, StandIn[]> = { client: [routeModules, requestInit, icons], ssr: [icons] };

/** Replaces modules by own ones. Fails the build when a new version lacks such a file. */
function withStandIns(): Plugin {
  const met = new Set<string>();
  return {
    name: 'sotto:stand-ins',
    apply: 'build',
    load(id) {
      const path = id.replaceAll('\\', '/');
      const found = standIns[this.environment.name]?.find(({ of }) => path.endsWith(`/node_modules/${of}`));
      if (found === undefined) return;
      met.add(`${this.environment.name} ${found.of}`);
      return `export { ${found.exported} } from ${JSON.stringify(join(import.meta.dirname, found.own))};`;
    },
    buildEnd(error) {
      const { name } = this.environment;
      const missing = (standIns[name] ?? []).map(({ of }) => of).filter((of) => !met.has(`${name} ${of}`));
      if (!error && missing.length > 0) this.error(`Nothing imports ${missing.join(', ')} any more`);
    },
  };
}

/**
 * Leaves the lines of an icon in its module. Names, aliases and React's keys are a tenth of an icon, and keys do not
 * compress. Fails the build when a new version writes icons in another way.
 */
function withLeanIcons(): Plugin {
  return {
    name: 'sotto:lean-icons',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/ },
      handler(code, id) {
        // Former names of an icon are modules of their own.
        if (!code.includes('createLucideIcon')) return;
        const [, node] = /^ {2}node: (\[.*?\])(?:,\n {2}aliases: .*?)?\n\};/ms.exec(code) ?? [];
        const lines = node?.replaceAll(/,\s*key: "[a-z0-9]+"/g, '');
        if (lines === undefined || lines.includes('key:')) return this.error(`${id} is written in another way`);
        return {
          code: `import icon from '../createLucideIcon.mjs';\nexport default icon({ node: ${lines} });`,
          map: null,
        };
      },
    },
  };
}

/** Components whose HTML the server caches, by the file that exports them (src/web/keep-html.tsx). */
const cachedParts: Record<string, string> = {
  'src/web/catalogue/cards/audio-card.tsx': 'AudioCard',
  'src/web/catalogue/audio-row.tsx': 'AudioRow',
  'src/web/catalogue/cards/audio-section.tsx': 'AudioSection',
  'src/web/catalogue/audio-transcript.tsx': 'AudioTranscript',
  'src/web/catalogue/audio-waveform.tsx': 'StillLine',
  'src/web/catalogue/browse-chips.tsx': 'BrowseChips',
  'src/web/catalogue/cards/category-tile.tsx': 'CategoryTile',
  'src/web/catalogue/category-section.tsx': 'CategorySection',
  'src/web/catalogue/more-from-voice.tsx': 'SmallRow',
  'src/web/catalogue/cards/playlist-card.tsx': 'PlaylistCard',
  'src/web/catalogue/rail-section.tsx': 'RailSection',
  'src/web/catalogue/cards/series-card.tsx': 'SeriesCard',
  'src/web/catalogue/cards/voice-card.tsx': 'VoiceCard',
  'src/web/community/thread.tsx': 'Thread',
  'src/web/library/long-rows.tsx': 'RowBody',
  'src/web/library/user-playlist-cover.tsx': 'UserPlaylistCard',
  'src/web/player/transport.tsx': 'Transport',
  'src/web/player/volume.tsx': 'VolumeSlider',
  'src/web/shell/footer.tsx': 'Footer',
  'src/web/shell/main-nav.tsx': 'MainNav',
  'src/web/shell/search-form.tsx': 'SearchForm',
  'src/web/shell/site-menu.tsx': 'SiteMenu',
};

/** Wraps these components in the server build only, so that browsers load no code for it. */
function withKeptParts(): Plugin {
  const met = new Set<string>();
  return {
    name: 'sotto:with-cached-parts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    transform(code, id) {
      const path = id.replaceAll('\\', '/').replace(`${import.meta.dirname.replaceAll('\\', '/')}/`, '');
      const part = cachedParts[path];
      if (part === undefined || !code.includes(`export function ${part}`)) return undefined;
      met.add(path);
      return {
        code: `import { keepHtml as keepPart } from '#web/keep-html.tsx';
import { cachedParts as shown } from '#web/cached-parts.ts';
${code.replace(new RegExp(`export function ${part}\\b`), `function ${part}Itself`)}
export const ${part} = keepPart(${part}Itself, () => shown.${part});`,
        map: null,
      };
    },
    buildEnd(error) {
      const missing = Object.keys(cachedParts).filter((path) => !met.has(path));
      if (!error && missing.length > 0) this.error(`${missing.join(', ')} export no such component now`);
    },
  };
}

/** Removes parts of React Router that this site never needs. Fails the build when a new version lacks such code. */
function withoutUnusedRouterCode(): Plugin {
  const inRouter = /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/](.+)$/;
  const met = new Set<string>();
  return {
    name: 'sotto:without-unused-router-code',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: inRouter },
      handler(code, id) {
        const file = inRouter.exec(id)?.[1]?.replaceAll('\\', '/') ?? '';
        const bodies = unusedRouterCode[file];
        if (bodies === undefined) return;
        met.add(file);
        return { code: replaceBodies(code, bodies, (text) => this.parse(text)), map: null };
      },
    },
    buildEnd(error) {
      const missing = Object.keys(unusedRouterCode).filter((file) => !met.has(file));
      if (!error && missing.length > 0) this.error(`React Router has no ${missing.join(', ')} now`);
    },
  };
}

/**
 * Writes a `.br` and a `.gz` beside each text file for browsers, so that no request pays for compression. After the
 * whole build, because React Router writes its manifest last.
 */
function packedAssets(): Plugin {
  return {
    name: 'sotto:packed-assets',
    apply: 'build',
    buildApp: {
      order: 'post',
      async handler() {
        const assets = join(import.meta.dirname, 'build', 'client', 'assets');
        await leanManifest(assets);
        for (const name of await readdir(assets, { recursive: true })) {
          if (!/\.(js|css|svg|json)$/.test(name)) continue;
          const path = join(assets, name);
          const content = await readFile(path);
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
        }
      },
    },
  };
}

/**
 * Removes from React Router's manifest what only the server reads, so that listeners do not load routes they never
 * visit. The complete one goes to `build/manifest.json` (bench/first-load.ts).
 */
async function leanManifest(assets: string): Promise<void> {
  const prefix = 'window.__reactRouterManifest=';
  for (const name of await readdir(assets)) {
    if (!/^manifest-[\w-]+\.js$/.test(name)) continue;
    const path = join(assets, name);
    const source = await readFile(path, 'utf8');
    if (!source.startsWith(prefix)) continue;
    const text = source.slice(prefix.length).replace(/;\s*$/, '');
    const whole = JSON.parse(text) as Manifest;
    await writeFile(
      join(import.meta.dirname, 'build', 'manifest.json'),
      JSON.stringify({ ...whole, address: `/assets/${name}` }),
    );
    for (const code of languageCodes) {
      await writeFile(join(assets, folderOf(code), name), `${prefix}${compactManifest(whole, folderOf(code), name)};`);
    }
    return;
  }
  throw new Error('The build has no manifest of its routes');
}

type Manifest = { entry: Record<string, unknown>; routes: Record<string, Record<string, unknown>> };

const routeFlags = ['hasLoader', 'hasDefaultExport', 'hasErrorBoundary', 'index', 'hasClientMiddleware'];
/** A page with a loader. */
const usualFlags = 3;

/**
 * The manifest as a script that builds its routes from one line each: with Brotli a third smaller than JSON. A line
 * omits `routes/`, a parent equal to the previous line's, the usual flags, and a file name and a path equal to the end of
 * the id. A build that adds a field fails here.
 * @param folder of the scripts in `assets`, such as `de/`
 * @param name of the manifest itself
 */
function compactManifest({ routes, entry, ...rest }: Manifest, folder: string, name: string): string {
  let before = '';
  const short = (id: unknown) => (String(id).startsWith('routes/') ? String(id).slice(7) : `!${String(id)}`);
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  // Links to what is no page, such as a CSV file, go to the server.
  const pages = Object.values(routes).filter((route) => route['hasDefaultExport'] === true || parents.has(route['id']));
  const lines = pages.map(({ imports: _imports, id, parentId, path, module, css, ...rest }) => {
    const set = Object.keys(rest).filter((name) => rest[name] !== false && rest[name] !== undefined);
    const unknown = set.find((name) => rest[name] !== true || !routeFlags.includes(name));
    const file = /^\/assets\/([\w-]+)\.js$/.exec(String(module))?.[1] ?? '';
    const own = short(id).split('/').pop();
    const parent = parentId === undefined ? '' : short(parentId);
    const flags = flagsOf(set);
    const parts = [
      short(id),
      file.startsWith(`${own}-`) ? `~${file.slice(`${own}-`.length)}` : file,
      path === own ? '~' : (path ?? ''),
      (css as string[]).map((address) => address.replace('/assets/', '')).join(' '),
      parent === before ? '' : parent,
      flags === usualFlags ? '' : flags,
    ].map(String);
    before = parent;
    if (unknown !== undefined || file === '' || parts.some((part) => /[|\n]/.test(part)))
      throw new Error(`The manifest has a route that cannot be made compact: ${String(id)} ${unknown ?? ''}`);
    return parts.join('|').replace(/\|+$/, '');
  });
  const read = `(m,t)=>{let s=(x)=>x[0]=="!"?x.slice(1):"routes/"+x,q="",a="/assets/";for(let l of t.split("\\n")){let[i,n,h,c,p,f]=l.split("|"),o=i.split("/").pop(),k=s(i),r=m.routes[k]={id:k,module:a+${folder && `"${folder}"+`}(n[0]=="~"?o+"-"+n.slice(1):n)+".js",css:c?c.split(" ").map(x=>a+x):[]};p&&(q=p);q&&(r.parentId=s(q));h=="~"&&(h=o);(h||!q)&&(r.path=h||"");${JSON.stringify(routeFlags.join(' '))}.split(" ").map((k,b)=>{(f||${usualFlags})>>b&1&&(r[k]=!0)})}return m}`;
  const module = String(entry['module']).replace('/assets/', `/assets/${folder}`);
  const url = `/assets/${folder}${name}`;
  const head = { ...rest, url, entry: { ...entry, module, imports: [] }, routes: {} };
  return `(${read})(${JSON.stringify(head)},${JSON.stringify(lines.join('\n'))})`;
}

/** A bit for each flag, in the order of `routeFlags`. */
function flagsOf(names: string[]): number {
  return routeFlags.reduce((sum, name, bit) => sum + (names.includes(name) ? 1 << bit : 0), 0);
}

/**
 * Shortens what every first load has once more: after the bundler's own minifier, Terser finds another 2 %. All scripts
 * would take the build a quarter of a minute.
 */
function tightScripts(): Plugin {
  return {
    name: 'sotto:tight-scripts',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || !/^(?:react|site)$/.test(file.name)) continue;
        const { code } = await minify(file.code, { module: true, ecma: 2022, compress: { passes: 2 } });
        if (code === undefined) this.error(`${file.fileName} could not be shortened`);
        file.code = code;
      }
    },
  };
}

/** Lists the modules of each built script in `build/chunks.json`, for the budget of first loads (bench/first-load.ts). */
function chunkList(): Plugin {
  return {
    name: 'sotto:chunk-list',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
      const root = `${import.meta.dirname.replaceAll('\\', '/')}/`;
      const list = chunks.map(({ fileName, moduleIds }) => [
        `/${fileName}`,
        moduleIds.map((id) => id.replaceAll('\\', '/').replace(root, '')),
      ]);
      await writeFile(join(import.meta.dirname, 'build', 'chunks.json'), JSON.stringify(Object.fromEntries(list)));
    },
  };
}

/** The same for both builds: the server's HTML names the files of the client's. */
const assetFileNames = 'assets/[name]-[hash:7][extname]';

export default defineConfig({
  plugins: [
    serverCodeStaysHome(),
    withStandIns(),
    withLeanIcons(),
    withChunkLoader(),
    withKeptParts(),
    withoutUnusedRouterCode(),
    tightScripts(),
    chunkList(),
    texts(),
    builtTexts(import.meta.dirname),
    packedAssets(),
    serviceWorkerBuild(import.meta.dirname),
    embedBuild(import.meta.dirname),
    tailwindcss(),
    reactRouter(),
  ],
  build: { target: browserTarget, assetsInlineLimit: 0 },
  environments: {
    ssr: {
      // Bundled for its stand-in.
      resolve: { noExternal: ['lucide-react'] },
      // Texts are the site's own, which knows the language of the request.
      build: { rolldownOptions: { external: ['#i18n'], output: { assetFileNames } } },
    },
    client: {
      build: {
        // Vite names no files for a chunk without imports, but the loader needs its path. What every page imports is
        // there already: each list of it would only lengthen the first load.
        modulePreload: {
          polyfill: false,
          resolveDependencies(file, files) {
            const late = files.filter((path) => !/\/(?:react|rolldown-runtime|site)-[\w-]{7}\.js$/.test(path));
            return late.length === 0 ? [file] : late;
          },
        },
        rolldownOptions: {
          // Grouped by use, so that a first load needs few files and a page loads nothing that only others use. Each
          // name includes its imports, unless a higher priority has them.
          output: {
            // Each address is in the manifest, which every first load has: 42 bits are enough.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            assetFileNames,
            codeSplitting: {
              groups: [
                {
                  name: 'react',
                  // The other file is what both the entry and the pages import.
                  test: /\/node_modules\/(?:react|react-dom|react-router|scheduler)\/|\/src\/web\/identity\/install-offer\.ts$/,
                  priority: 5,
                },
                {
                  name: 'site',
                  test: /\/src\/(?:web\/(?:root|page-meta|routes\/listener)|formats\/(?:numbers|durations|times)|suggestions\/enough-heard)\.tsx?$|\/lucide-react\/dist\/esm\/icons\/(?:check|plus)\.mjs$/,
                  priority: 4,
                },
                {
                  name: 'play',
                  test: /\/src\/web\/(?:listening\/play-button|catalogue\/audio-menu)\.tsx$/,
                  priority: 3,
                },
                {
                  name: 'cards',
                  test: /\/src\/web\/catalogue\/cards\/[a-z-]+\.tsx$/,
                  priority: 2,
                },
                // Those of an audio's menu, which Studio uses too: each would be a file that first loads list twice.
                {
                  name: 'menu-icons',
                  test: /\/lucide-react\/dist\/esm\/icons\/(?:arrow-down|arrow-up|circle-arrow-down|flag|mic-vocal)\.mjs$/,
                  priority: 1,
                },
                // With their icons, which Studio and Admin use too: each would be a separate file.
                {
                  name: 'account',
                  test: /\/src\/(?:web\/identity\/account\/account-(?:nav|fact)|formats\/last-use)\.tsx?$/,
                  priority: 1,
                },
                {
                  name: 'rows',
                  test: /\/src\/web\/catalogue\/(?:audio-list|load-more|paged-grid|list-links)\.tsx?$/,
                  priority: 1,
                },
                // Compressed together they are a quarter smaller than apart, which the Library needs.
                {
                  name: 'list-head',
                  test: /\/src\/web\/catalogue\/(?:lazy-part|sort-menu|tab-links)\.tsx?$/,
                  priority: 1,
                },
                { name: 'long-list', test: /\/src\/web\/library\/(?:long-list|use-whole-list)\.tsx?$/, priority: 1 },
                {
                  name: 'user-playlists',
                  test: /\/src\/web\/library\/user-playlist-cover\.tsx$/,
                  priority: 1,
                },
                { name: 'late', test: /\/src\/web\/listening\/lazy-player\.ts$/ },
                { name: 'detail', test: /\/src\/web\/catalogue\/(?:detail-head|list-actions)\.tsx$/ },
              ],
            },
          },
        },
      },
    },
  },
});
