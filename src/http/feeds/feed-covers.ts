import { Hono } from 'hono';
import type { Images } from '#domain/gateways.ts';
import { refuseUnlessRead } from '../errors.ts';
import { answerWithImage } from '../files/images.ts';

/** Apple accepts square JPEG and PNG of 1,400 to 3,000 px with a matching extension. */
const side = 1600;

/**
 * `GET` and `HEAD /feed-covers/{name}.jpg`: the picture `images/{name}` in the format for podcast directories. Small
 * pictures are enlarged, because directories would refuse them.
 */
export function feedCoverRoutes({ images, trustProxy }: { images: Images; trustProxy: number }): Hono {
  const app = new Hono();

  app.get('/feed-covers/:name{[\\w./-]{1,200}\\.jpg}', (c) =>
    answerWithImage(c, {
      images,
      key: `images/${c.req.param('name').slice(0, -'.jpg'.length)}`,
      variant: { width: side, height: side, quality: 80, format: 'jpeg', fit: 'cover', isEnlarged: true },
      trustProxy,
    }),
  );
  app.all('/feed-covers/*', refuseUnlessRead);
  return app;
}
