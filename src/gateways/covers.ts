import sharp from 'sharp';
import type { Covers } from '#domain/gateways.ts';

const largestSide = 2048;
const limits = { limitInputPixels: 100_000_000, failOn: 'error' } as const;

/** Formats found in tags. SVG is excluded: it is a document that may load other files. */
const accepted = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif', 'tiff']);

export function openCovers(): Covers {
  return {
    async encode(picture) {
      try {
        const { format } = await sharp(picture, limits).metadata();
        if (!accepted.has(format)) return undefined;
        return await sharp(picture, limits)
          .autoOrient()
          .resize({ width: largestSide, height: largestSide, fit: 'inside', withoutEnlargement: true })
          .webp({ quality: 82 })
          .toBuffer();
      } catch {
        return undefined;
      }
    },

    async isDecodable(image) {
      try {
        await sharp(image, limits).resize(8).raw().toBuffer();
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Pixels; undefined when it cannot be read. */
export async function smallerSideOf(image: Uint8Array): Promise<number | undefined> {
  try {
    const { width, height } = await sharp(image, limits).metadata();
    return Math.min(width, height);
  } catch {
    return undefined;
  }
}
