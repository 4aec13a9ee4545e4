import type { ResolveFnOutput, ResolveHookContext } from 'node:module';

/**
 * Resolves imports whose result needs no look-up. For each imported file Node takes the `package.json` of its package
 * apart anew to learn the file's format: for each file of drizzle-orm a list of exports of 130 KB. Without this, the
 * site's start takes nearly twice as long.
 */

/** Packages of ES modules with long lists of exports. */
export const largePackages = ['drizzle-orm', 'hono'];

const source = new URL('..', import.meta.url).href;
const ofLargePackage = new RegExp(`/node_modules/(?:${largePackages.join('|')})/.*\\.js$`);
/** Imports from packages and by `#` mean the same in every file of the site. */
const known = new Map<string, ResolveFnOutput>();

type Next = (specifier: string, context: ResolveHookContext) => ResolveFnOutput;

/** A `resolve` hook for `registerHooks` of `node:module`. */
export function resolveFast(specifier: string, context: ResolveHookContext, next: Next): ResolveFnOutput {
  const { parentURL = '', conditions } = context;
  if (conditions.includes('require')) return next(specifier, context);
  const isOwn = parentURL.startsWith(source);
  if (specifier.startsWith('.')) {
    const format =
      isOwn && specifier.endsWith('.ts')
        ? 'module-typescript'
        : ofLargePackage.test(parentURL) && specifier.endsWith('.js')
          ? 'module'
          : undefined;
    if (format === undefined) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
  }
  if (!isOwn) return next(specifier, context);
  const result = known.get(specifier) ?? next(specifier, context);
  known.set(specifier, result);
  return { ...result, shortCircuit: true };
}
