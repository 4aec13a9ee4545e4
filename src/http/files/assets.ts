import { existsSync } from 'node:fs';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono, MiddlewareHandler } from 'hono';
import { chooseCoding } from '../compression.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { evaluatePreconditions } from './ranges.ts';

/** Codings that the build writes for each file (scripts/build.mjs). */
const builtCodings = ['br', 'gzip'] as const;

/** File names are content hashes, so a name serves as ETag; each coding is a representation with its own tag. */
const checkPreconditions: MiddlewareHandler = async (context, next) => {
  const accepted = context.req.header('accept-encoding');
  // The file middleware ignores weights in Accept-Encoding, so pass it only the preferred coding.
  const coding = chooseCoding(accepted, Number.POSITIVE_INFINITY, builtCodings);
  if (accepted !== undefined) context.req.raw.headers.set('accept-encoding', coding ?? 'identity');
  await next();
  const { res, req } = context;
  if (res.status !== 200) return;
  const encoding = res.headers.get('content-encoding');
  const etag = req.path.slice(req.path.lastIndexOf('/') + 1) + (encoding === null ? '' : `-${encoding}`);
  res.headers.set('etag', `"${etag}"`);
  const outcome = evaluatePreconditions(req.raw.headers, { etag });
  if (outcome === 'proceed') return;
  await res.body?.cancel();
  const headers = new Headers(res.headers);
  for (const name of ['content-length', 'content-type', 'content-encoding']) headers.delete(name);
  context.res = undefined;
  context.res =
    outcome === 'failed' ? errorResponse('request/precondition-failed') : new Response(null, { status: 304, headers });
};

/**
 * Serves the built browser files below `/assets/`; their names are content hashes, so caches may keep them forever.
 * @param options.dir for example `build/client`; `formerDir` has files of earlier builds for open tabs, for example
 * `build.former`
 */
export function serveAssets({ dir, formerDir }: { dir: string; formerDir?: string }): (app: Hono) => void {
  return (app) => {
    app.use('/assets/*', checkPreconditions);
    const hasFormer = formerDir !== undefined && existsSync(formerDir);
    for (const root of hasFormer ? [dir, formerDir] : [dir])
      app.get(
        '/assets/*',
        serveStatic({
          root,
          precompressed: true,
          onFound: (path, context) => {
            context.header('cache-control', 'public, max-age=31536000, immutable');
            // Other sites embed the default card and the icons.
            if (/\.(?:jpg|png|svg|woff2)$/.test(path)) context.header('cross-origin-resource-policy', 'cross-origin');
            // Browsers ask for fonts by CORS, and a frame in a sandbox has an origin of its own.
            if (path.endsWith('.woff2')) context.header('access-control-allow-origin', '*');
          },
        }),
      );
    app.all('/assets/*', refuseUnlessRead);
  };
}
