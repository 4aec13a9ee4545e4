import type { Cards, Images } from '#domain/gateways.ts';
import { shownPictures } from '../pictures/pictures.ts';

export function openCards({ images, siteName }: { images: Images; siteName: () => string }): Cards {
  return {
    async draw({ title, line, imageKey }) {
      const variant = { width: 640, height: 640, quality: 90, format: 'jpeg', fit: 'cover' } as const;
      const picture = imageKey === null ? undefined : (await images.variant(imageKey, variant))?.bytes;
      return shownPictures.run('drawCard', { title, line, siteName: siteName(), picture });
    },

    drawFeedCover: (title) => shownPictures.run('drawFeedCover', title, siteName()),
  };
}
