import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { mediaRoutes } from '#http/files/media.ts';
import { securityHeaders } from '#http/security-headers.ts';

/** The site's audio route alone: its blobs, ranges and headers, without a database. */
const [dir = ''] = process.argv.slice(2);
const blobs = openDiskBlobs({ dir });
const file = await blobs.stat('audio/bench.m4a');
if (!file) throw new Error('There is no audio/bench.m4a in the folder');
const app = new Hono();
app.use(securityHeaders({ siteUrl: 'http://127.0.0.1', hstsSubdomains: false }));
app.route(
  '/',
  mediaRoutes({
    blobs,
    findPlayableFile: async (_request, id) =>
      id === 'bench'
        ? {
            ok: true,
            file: {
              key: file.key,
              mime: 'audio/mp4',
              bytes: file.bytes,
              etag: 'bench',
              modifiedAt: file.modifiedAt,
              cache: 'public',
            },
          }
        : { ok: false, reason: 'not-found' },
  }),
);
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address) =>
  process.stdout.write(`listening ${address.port}\n`),
);
