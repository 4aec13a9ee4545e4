import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from './figures.ts';

/** KB (1024 bytes) of Brotli as the site serves it; `requests` counts the scripts. */
type Budget = { script: number; style: number; requests: number };

/** Goal for every listeners' page. */
export const firstLoadGoal: Budget = { script: 135, style: 16, requests: 25 };

/**
 * Enforced by a test. The Library and pages with a user's own tools exceed the goal for now: lower with each saving,
 * never raise.
 */
export const firstLoadCeiling: Record<'public' | 'personal', Budget> = {
  public: { ...firstLoadGoal, script: firstLoadGoal.script + 0.3 },
  personal: { script: 140.55, style: 16, requests: 26 },
};

/** Files that a browser loads for its first page: entry, root, layouts, the page, and all their imports. */
export type FirstLoad = {
  kind: 'public' | 'personal';
  /** Id of the route, such as `routes/listener/audio`. */
  route: string;
  /** Addresses, such as `/assets/site-Ab12.js`. */
  scripts: string[];
  styles: string[];
  /** Bytes after Brotli. */
  scriptBytes: number;
  styleBytes: number;
  /** Source files of Studio and Admin in it; listeners must not load any. */
  foreign: string[];
};

type Part = { module: string; imports: string[]; css: string[] };
type BuiltRoute = Part & { id: string; parentId?: string; hasDefaultExport: boolean };
type Manifest = { address: string; entry: Part; routes: Record<string, BuiltRoute> };

/** Layout of the listeners' pages (src/web/routes.ts). */
const layout = 'routes/listener';

/** @param build folder of a complete build */
export async function readFirstLoads(build = join(import.meta.dirname, '..', 'build')): Promise<FirstLoad[]> {
  const client = join(build, 'client');
  const manifest = JSON.parse(await readFile(join(build, 'manifest.json'), 'utf8')) as Manifest;
  const modules = JSON.parse(await readFile(join(build, 'chunks.json'), 'utf8')) as Record<string, string[]>;
  const [siteStyle] = (await readdir(join(client, 'assets'))).filter((name) => /^app-[\w-]+\.css$/.test(name));
  if (siteStyle === undefined) throw new Error('The build has no stylesheet of the site');
  const sizes = new Map<string, number>();
  const sizeOf = async (address: string) => {
    const size = sizes.get(address) ?? (await stat(join(client, `${address}.br`))).size;
    sizes.set(address, size);
    return size;
  };
  const sum = async (addresses: string[]) =>
    (await Promise.all(addresses.map(sizeOf))).reduce((total, size) => total + size, 0);

  const pages = Object.values(manifest.routes).filter(
    ({ hasDefaultExport, id }) =>
      hasDefaultExport &&
      lineOf(manifest.routes, id).includes(layout) &&
      id !== layout &&
      !isOfOthers(manifest.routes, id),
  );
  return Promise.all(
    pages.map(async ({ id }) => {
      const parts = [
        manifest.entry,
        ...lineOf(manifest.routes, id).map((ancestor) => manifest.routes[ancestor] as Part),
      ];
      const scripts = [...new Set([manifest.address, ...parts.flatMap((part) => [part.module, ...part.imports])])];
      const styles = [
        ...new Set([
          `/assets/${siteStyle}`,
          ...parts.flatMap((part) => part.css.map((address) => address.replace('#', ''))),
        ]),
      ];
      const sources = scripts.flatMap((address) => modules[address] ?? []);
      return {
        kind: /account/.test(id) ? ('personal' as const) : ('public' as const),
        route: id,
        scripts,
        styles,
        scriptBytes: await sum(scripts),
        styleBytes: await sum(styles),
        foreign: sources.filter((source) =>
          /^src\/web\/(?:studio|admin|workshop|routes\/(?:studio|admin))/.test(source),
        ),
      };
    }),
  );
}

/** The route and its parents. */
function lineOf(routes: Manifest['routes'], id: string): string[] {
  const parent = routes[id]?.parentId;
  return parent === undefined ? [id] : [id, ...lineOf(routes, parent)];
}

/** Pages in the listeners' layout that only creators and operators use. */
function isOfOthers(routes: Record<string, BuiltRoute>, id: string): boolean {
  return lineOf(routes, id).some((ancestor) => /^routes\/(?:studio|admin)/.test(ancestor));
}

/** Whether a first load is within a budget and contains nothing of Studio or Admin. */
export function isWithin({ scripts, scriptBytes, styleBytes, foreign }: FirstLoad, budget: Budget): boolean {
  const isSmall = scriptBytes <= budget.script * 1024 && styleBytes <= budget.style * 1024;
  return isSmall && scripts.length <= budget.requests && foreign.length === 0;
}

/** Bytes and scripts of each page's first load. */
export async function benchFirstLoad(): Promise<Figure[]> {
  const { script, style, requests } = firstLoadGoal;
  return (await readFirstLoads())
    .toSorted((a, b) => b.scriptBytes - a.scriptBytes)
    .map((load) => ({
      name: `First load of ${load.route.replace(/^routes\/(?:listener\/)?/, '')}: JavaScript, CSS, scripts`,
      value: `${kilobytes(load.scriptBytes)}, ${kilobytes(load.styleBytes)} KB, ${load.scripts.length}`,
      limit: `≤ ${script}, ${style} KB, ${requests}`,
      ok: isWithin(load, firstLoadGoal),
    }));
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
