import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { mediaRoutes } from '#http/media.ts';
import { securityHeaders } from '#http/security-headers.ts';

/** The site's audio route alone: its own blobs, ranges and headers, without a database. */
const [dir = ''] = process.argv.slice(2);
const blobs = openDiskBlobs({ dir });
const app = new Hono();
app.use(securityHeaders({ secure: false }));
app.route(
  '/',
  mediaRoutes({
    blobs,
    async findPlayableFile(_request, id) {
      const key = `audio/${id}.m4a`;
      const blob = await blobs.stat(key);
      if (!blob) return { ok: false, reason: 'not-found' };
      return { ok: true, file: { key, mime: 'audio/mp4', bytes: blob.bytes, etag: 'bench', modifiedAt: blob.modifiedAt, cache: 'public' } };
    },
  }),
);
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address) => process.stdout.write(`listening ${address.port}\n`));
