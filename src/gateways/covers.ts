import sharp from 'sharp';
import type { Covers } from '#domain/gateways.ts';
import { drawnCover } from './drawn-cover.ts';

const largestSide = 2048;
/** Uploaded pictures may be this large, so that a cover cut out of one still has enough pixels. */
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

    async render(picture, { width, height, fit, format, margin = 0 }) {
      try {
        const { format: given, width: across = width, height: down = height } = await sharp(picture, limits).metadata();
        const isSvg = given === 'svg';
        if (!isSvg && !accepted.has(given)) return undefined;
        const inner = { width: Math.round(width * (1 - 2 * margin)), height: Math.round(height * (1 - 2 * margin)) };
        // SVG is rasterized at its final size, so that its edges are sharp.
        const scale = Math.min(inner.width / across, inner.height / down);
        const density = isSvg ? Math.min(2400, Math.max(1, 72 * scale)) : 72;
        const empty = { r: 0, g: 0, b: 0, alpha: 0 };
        let drawing = sharp(picture, { ...limits, density })
          .timeout({ seconds: 10 })
          .autoOrient()
          .resize({ ...inner, fit, background: empty, withoutEnlargement: fit === 'inside' && !isSvg });
        if (margin > 0)
          drawing = drawing.extend({
            ...spread(width - inner.width, 'left', 'right'),
            ...spread(height - inner.height, 'top', 'bottom'),
            background: empty,
          });
        const encoded =
          format === 'png'
            ? drawing.png({ compressionLevel: 9 })
            : format === 'webp'
              ? drawing.webp({ quality: 82 })
              : drawing.flatten({ background: '#141012' }).jpeg({ quality: 84, mozjpeg: true });
        const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
        return { image: data, width: info.width, height: info.height };
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

function spread<Before extends string, After extends string>(pixels: number, before: Before, after: After) {
  const first = Math.floor(pixels / 2);
  return { [before]: first, [after]: pixels - first } as Record<Before | After, number>;
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
