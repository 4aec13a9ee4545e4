import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vite';
import { serviceWorkerBuild } from './src/service-worker/build.ts';
import { replaceBodies, unusedRouterCode } from './src/web/shell/unused-router-code.ts';

/**
 * Fails the browser build when it would ship server code: a component may take types from the domain, and values only
 * from its `rules.ts` and `forms.ts` (architecture, "Layout").
 */
function serverCodeStaysHome(): Plugin {
  return {
    name: 'sotto:server-code-stays-home',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      const path = id.split('?')[0]?.replaceAll('\\', '/') ?? '';
      if (!/\/src\/(domain|db|http|gateways|main|config|cli)(\/|\.)/.test(path)) return;
      if (/\/src\/domain\/[a-z-]+\/(rules|forms)\.ts$/.test(path)) return;
      this.error(
        `${path} is server code and may not reach the browser; import its type, or a value of rules.ts / forms.ts`,
      );
    },
  };
}

type StandIn = { of: string; exported: string; own: string };

// React Router's reloads the document when a page's script cannot be loaded, and so stops the sound.
const routeModules: StandIn = {
  of: 'react-router/dist/production/lib/dom/ssr/routeModules.js',
  exported: 'loadRouteModule',
  own: 'src/web/shell/route-modules.ts',
};
// Every page would load what makes icons configurable, and the server would take 4 % of a page for it.
const icons: StandIn = {
  of: 'lucide-react/dist/esm/createLucideIcon.mjs',
  exported: 'default',
  own: 'src/web/ui/lucide-icon.ts',
};
/** Modules in node_modules, what they export, and the own modules in their place, by the build that they are for. */
const standIns: Record<string, StandIn[]> = { client: [routeModules, icons], ssr: [icons] };

/** Puts own modules in place of others'. Fails the build when a new version has no such file. */
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

/** Components whose HTML the server keeps, by the file that exports them (src/web/keep-html.tsx). */
const keptParts: Record<string, string | string[]> = {
  'src/web/catalogue/audio-card.tsx': 'AudioCard',
  'src/web/catalogue/audio-row.tsx': 'AudioRow',
  'src/web/catalogue/audio-section.tsx': 'AudioSection',
  'src/web/catalogue/audio-transcript.tsx': 'AudioTranscript',
  'src/web/catalogue/audio-waveform.tsx': 'AudioWaveform',
  'src/web/catalogue/browse-chips.tsx': 'BrowseChips',
  'src/web/catalogue/category-tile.tsx': 'CategoryTile',
  'src/web/catalogue/home-sections.tsx': ['CategorySection', 'PlaylistSection', 'VoiceSection'],
  'src/web/catalogue/more-from-voice.tsx': 'MoreFromVoice',
  'src/web/catalogue/playlist-card.tsx': 'PlaylistCard',
  'src/web/catalogue/series-card.tsx': 'SeriesCard',
  'src/web/catalogue/series-section.tsx': 'SeriesSection',
  'src/web/catalogue/voice-card.tsx': 'VoiceCard',
  'src/web/community/thread.tsx': 'Thread',
  'src/web/library/row-body.tsx': 'RowBody',
  'src/web/library/user-playlist-card.tsx': 'UserPlaylistCard',
  'src/web/library/user-playlist-section.tsx': 'UserPlaylistSection',
  'src/web/player/transport.tsx': 'Transport',
  'src/web/player/volume.tsx': 'VolumeSlider',
  'src/web/shell/footer.tsx': 'Footer',
  'src/web/shell/main-nav.tsx': 'MainNav',
  'src/web/shell/search-form.tsx': 'SearchForm',
  'src/web/shell/site-menu.tsx': 'SiteMenu',
};

/** Wraps these components in the server's build only, so that browsers load nothing of it. */
function withKeptParts(): Plugin {
  const met = new Set<string>();
  return {
    name: 'sotto:with-kept-parts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    transform(code, id) {
      const path = id.replaceAll('\\', '/').replace(`${import.meta.dirname.replaceAll('\\', '/')}/`, '');
      const parts = [keptParts[path] ?? []].flat();
      if (parts.length === 0 || !parts.every((part) => code.includes(`export function ${part}(`))) return undefined;
      met.add(path);
      const wrapped = parts.map((part) => `export const ${part} = keepPart(${part}Itself, () => shown.${part});`);
      return {
        code: `import { keepHtml as keepPart } from '#web/keep-html.tsx';
import { keptParts as shown } from '#web/kept-parts.ts';
${parts.reduce((text, part) => text.replace(`export function ${part}(`, `function ${part}Itself(`), code)}
${wrapped.join('\n')}`,
        map: null,
      };
    },
    buildEnd(error) {
      const missing = Object.keys(keptParts).filter((path) => !met.has(path));
      if (!error && missing.length > 0) this.error(`${missing.join(', ')} export no such component now`);
    },
  };
}

/** Leaves out what this site never needs of React Router. Fails the build when a new version has no such code. */
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
 * Leaves a `.br` and a `.gz` beside each text file for browsers, so that no request pays for packing it. After the whole
 * build, since React Router writes its manifest last.
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
 * Leaves out of React Router's manifest what only the server reads, so that a listener does not pay for routes that they
 * never visit. The whole one goes to `build/manifest.json` (bench/first-load.ts).
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
    await writeFile(path, `${prefix}${compactManifest(whole)};`);
    return;
  }
  throw new Error('The build has no manifest of its routes');
}

type Manifest = { entry: Record<string, unknown>; routes: Record<string, Record<string, unknown>> };

const routeFlags = ['hasLoader', 'hasDefaultExport', 'hasErrorBoundary', 'index', 'hasClientMiddleware'];

/**
 * The manifest as a script that fills in its routes from a line each: Brotli makes it a third smaller than the same
 * routes as JSON. A line leaves out `routes/`, a parent like that of the line before, and a file name like the id's. A
 * build that adds a field fails here.
 */
function compactManifest({ routes, entry, ...rest }: Manifest): string {
  let before = '';
  const short = (id: unknown) => (String(id).startsWith('routes/') ? String(id).slice(7) : `!${String(id)}`);
  const lines = Object.values(routes).map(({ imports: _imports, id, parentId, path, module, css, ...flags }) => {
    const set = Object.keys(flags).filter((name) => flags[name] !== false && flags[name] !== undefined);
    const unknown = set.find((name) => flags[name] !== true || !routeFlags.includes(name));
    const file = /^\/assets\/([\w-]+)\.js$/.exec(String(module))?.[1] ?? '';
    const own = `${short(id)}-`;
    const parent = parentId === undefined ? '' : short(parentId);
    const parts = [
      short(id),
      file.startsWith(own) ? `~${file.slice(own.length)}` : file,
      flagsOf(set),
      parent === before ? '' : parent,
      path ?? '',
      (css as string[]).map((address) => address.replace('/assets/', '')).join(' '),
    ].map(String);
    before = parent;
    if (unknown !== undefined || file === '' || parts.some((part) => /[|\n]/.test(part)))
      throw new Error(`The manifest has a route that cannot be made compact: ${String(id)} ${unknown ?? ''}`);
    return parts.join('|').replace(/\|+$/, '');
  });
  const read = `(m,t)=>{let s=(x)=>x[0]=="!"?x.slice(1):"routes/"+x,q="",a="/assets/";for(let l of t.split("\\n")){let[i,n,f,p,h,c]=l.split("|"),k=s(i),r=m.routes[k]={id:k,module:a+(n[0]=="~"?i+"-"+n.slice(1):n)+".js",css:c?c.split(" ").map(x=>a+x):[]};p&&(q=p);q&&(r.parentId=s(q));(h||!q)&&(r.path=h||"");${JSON.stringify(routeFlags.join(' '))}.split(" ").map((k,b)=>{f>>b&1&&(r[k]=!0)})}return m}`;
  return `(${read})(${JSON.stringify({ ...rest, entry: { ...entry, imports: [] }, routes: {} })},${JSON.stringify(lines.join('\n'))})`;
}

/** A bit for each flag, in the order of `routeFlags`. */
function flagsOf(names: string[]): number {
  return routeFlags.reduce((sum, name, bit) => sum + (names.includes(name) ? 1 << bit : 0), 0);
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

export default defineConfig({
  plugins: [
    serverCodeStaysHome(),
    withStandIns(),
    withKeptParts(),
    withoutUnusedRouterCode(),
    chunkList(),
    packedAssets(),
    serviceWorkerBuild(import.meta.dirname),
    tailwindcss(),
    reactRouter(),
  ],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    // Bundled for its stand-in.
    ssr: { resolve: { noExternal: ['lucide-react'] } },
    client: {
      build: {
        rolldownOptions: {
          // By what is needed together, so that a first load asks for few files and a page gets nothing that only others
          // use. Each name takes what it imports along, unless a higher priority has it.
          output: {
            codeSplitting: {
              groups: [
                {
                  name: 'react',
                  // The other file is what both the entry and the pages import.
                  test: /\/node_modules\/(?:react|react-dom|react-router|scheduler)\/|\/src\/web\/identity\/install-offer\.ts$/,
                  priority: 5,
                },
                { name: 'site', test: /\/src\/web\/(?:root|page-meta|routes\/listener)\.tsx?$/, priority: 4 },
                {
                  name: 'play',
                  test: /\/src\/web\/(?:listening\/play-button|catalogue\/audio-menu)\.tsx$/,
                  priority: 3,
                },
                {
                  name: 'cards',
                  test: /\/src\/web\/catalogue\/(?:[a-z-]+-card|category-tile|rail|(?:audio-)?section|card-grid)\.tsx$/,
                  priority: 2,
                },
                // With their icons, which Studio and Admin use too: each would be a file of its own.
                { name: 'account', test: /\/src\/web\/identity\/account-(?:nav|row|dates)\.tsx?$/, priority: 1 },
                {
                  name: 'rows',
                  test: /\/src\/web\/catalogue\/(?:audio-list|load-more|paged-grid|list-links)\.tsx?$/,
                  priority: 1,
                },
                { name: 'long-list', test: /\/src\/web\/library\/(?:long-list|use-whole-list)\.tsx?$/, priority: 1 },
                {
                  name: 'user-playlists',
                  test: /\/src\/web\/library\/user-playlist-(?:card|cover)\.tsx$/,
                  priority: 1,
                },
                { name: 'late', test: /\/src\/web\/listening\/late-player\.ts$/ },
                { name: 'detail', test: /\/src\/web\/catalogue\/(?:detail-head|list-actions)\.tsx$/ },
              ],
            },
          },
        },
      },
    },
  },
});
