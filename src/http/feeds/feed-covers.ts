import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Images } from '#domain/gateways.ts';
import { errorResponse } from '../errors.ts';
import { pictureResponse } from '../files/picture-response.ts';
import { clientAddress } from '../limits/rate-limit.ts';

/** Apple accepts square JPEG and PNG of 1,400 to 3,000 px with a matching extension. */
const side = 1600;

/**
 * `GET` and `HEAD /feed-covers/{name}.jpg`: the picture `images/{name}` in the format for podcast directories. Small
 * pictures are enlarged, because directories would refuse them.
 */
export function feedCoverRoutes({ images, trustProxy }: { images: Images; trustProxy: number }): Hono {
  const app = new Hono();

  app.get('/feed-covers/:name{[\\w./-]{1,200}\\.jpg}', async (c) => {
    const variant = { width: side, height: side, quality: 80, format: 'jpeg', fit: 'cover', isEnlarged: true } as const;
    const isServed = (c.env as Partial<HttpBindings> | undefined)?.incoming !== undefined;
    const asker = { client: isServed ? clientAddress(c, trustProxy) : '', signal: c.req.raw.signal };
    try {
      const image = await images.variant(`images/${c.req.param('name').slice(0, -'.jpg'.length)}`, variant, asker);
      if (image === undefined) return errorResponse('request/not-found');
      return pictureResponse(c.req, {
        etag: image.etag,
        cacheControl: 'public, max-age=31536000, immutable',
        mime: 'image/jpeg',
        length: image.bytes.byteLength,
        body: () => image.bytes,
      });
    } catch (error) {
      // The encode queue is full, which is not a server error: the client should retry.
      if (error instanceof DomainError) return errorResponse(error.code, undefined, { 'retry-after': '5' });
      throw error;
    }
  });

  app.all('/feed-covers/*', ({ req }) =>
    req.method === 'GET' || req.method === 'HEAD'
      ? errorResponse('request/not-found')
      : errorResponse('request/method-not-allowed', undefined, { allow: 'GET, HEAD' }),
  );
  return app;
}
