import sharp from 'sharp';
import type { Covers } from '#domain/gateways.ts';
import { drawnCover } from './drawn-cover.ts';

const largestSide = 2048;
/** Of whole pictures, so that a cover cut out of one is still large. */
const largestWholeSide = 4096;
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

    async keep(picture) {
      try {
        const { format } = await sharp(picture, limits).metadata();
        if (!accepted.has(format)) return undefined;
        const { data, info } = await sharp(picture, limits)
          .autoOrient()
          .resize({ width: largestWholeSide, height: largestWholeSide, fit: 'inside', withoutEnlargement: true })
          .webp({ quality: 90 })
          .toBuffer({ resolveWithObject: true });
        return { image: data, width: info.width, height: info.height };
      } catch {
        return undefined;
      }
    },

    async measure(image) {
      try {
        const { width, height } = await sharp(image, limits).metadata();
        return { width, height };
      } catch {
        return undefined;
      }
    },

    async cut(image, { x, y, size, height = size }) {
      try {
        return await sharp(image, limits)
          .extract({ left: x, top: y, width: size, height })
          .resize({ width: largestSide, height: largestSide, fit: 'inside', withoutEnlargement: true })
          .webp({ quality: 82 })
          .toBuffer();
      } catch {
        return undefined;
      }
    },

    draw: (seed) =>
      sharp(Buffer.from(drawnCover(seed)))
        .webp({ quality: 82 })
        .toBuffer(),

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
