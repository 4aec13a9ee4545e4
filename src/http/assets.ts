import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import { errorResponse } from './errors.ts';

/** The browser's built files: named by their content below `/assets/`, so they may be kept for ever. @param options.dir such as `build/client` */
export function serveAssets({ dir }: { dir: string }): (app: Hono) => void {
  return (app) => {
    app.get(
      '/assets/*',
      serveStatic({
        root: dir,
        precompressed: true,
        onFound: (_path, context) => context.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    );
    app.get('/assets/*', () => errorResponse('request/not-found'));
    app.all('/assets/*', () => errorResponse('request/method-not-allowed', undefined, { allow: 'GET, HEAD' }));
  };
}
