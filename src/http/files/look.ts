import { Hono } from 'hono';
import type { Blobs } from '#domain/gateways.ts';
import { type LookFileType, lookFileMimes } from '#domain/look/files.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { pictureResponse } from './picture-response.ts';

const forever = 'public, max-age=31536000, immutable';

/** `GET /look/{hash}.{svg,png,webp,jpg,css}`: pictures and the stylesheet of the look, named by content hash. */
export function lookRoutes({ site, blobs }: { site: Pick<Site, 'look'>; blobs: Blobs }): Hono {
  const app = new Hono();

  app.get('/look/:name{[0-9a-f]{20}\\.css}', async ({ req }) => {
    const sheet = await site.look.stylesheet(req.param('name'));
    if (sheet === undefined) return errorResponse('request/not-found');
    // A page rendered a moment ago may name an older look: it gets the current one, uncached.
    const cacheControl = sheet.isAsked ? forever : 'no-store';
    return new Response(req.method === 'HEAD' ? null : sheet.css, {
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': cacheControl },
    });
  });

  app.get('/look/:name{[0-9a-f]{64}\\.(?:svg|png|webp|jpg)}', async ({ req }) => {
    const name = req.param('name');
    const key = `look/${name}`;
    const info = await blobs.stat(key);
    if (info === undefined) return errorResponse('request/not-found');
    const type = name.slice(name.lastIndexOf('.') + 1) as LookFileType;
    return pictureResponse(req, {
      etag: name.slice(0, 32),
      cacheControl: forever,
      mime: lookFileMimes[type],
      length: info.bytes,
      body: () => blobs.read(key),
      // An SVG opened directly is a document: this denies it scripts and the site's origin.
      headers: type === 'svg' ? { 'content-security-policy': "default-src 'none'; sandbox" } : undefined,
    });
  });

  app.all('/look/*', refuseUnlessRead);
  return app;
}
