import sharp, { type Sharp } from 'sharp';
import type { Covers, ImageVariant } from '#domain/gateways.ts';
import { drawCard, drawFeedCover } from '../cards/draw.ts';
import { drawnCover } from '../drawn-cover.ts';

/** All work of sharp. Runs only in the picture program, which `pictures.ts` starts. */

const largestSide = 2048;
/** Uploaded pictures may be this large, so that a cover cut out of one still has enough pixels. */
const largestWholeSide = 4096;
const maxPixels = 100_000_000;
const maxProgressivePixels = 25_000_000;
const maxVariantPixels = 64_000_000;
/** The number of pixels is compared before decoding, which tells a picture that is too large from a broken one. */
const limits = { limitInputPixels: false, failOn: 'error' } as const;

/** Formats found in tags. SVG is excluded: it is a document that may load other files. */
const accepted = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif', 'tiff']);

type Rendered = Awaited<ReturnType<Covers['render']>>;

/** @throws TooCostly before anything is decoded */
async function open(picture: Uint8Array, options: { density?: number } = {}) {
  const image = sharp(picture, { ...limits, ...options });
  const facts = await image.metadata();
  // A progressive JPEG or an interlaced PNG is decoded whole, at up to 6 bytes per pixel; others mostly row by row.
  const max = facts.isProgressive ? maxProgressivePixels : maxPixels;
  if (facts.width * facts.height > max) throw new TooCostly();
  return { image, facts };
}

/** The picture needs more memory or time than one may have. */
export class TooCostly extends Error {}

function isAccepted({ format }: { format: string }): boolean {
  return accepted.has(format);
}

async function inside(picture: Uint8Array, side: number, quality: number): Promise<Rendered> {
  const { image, facts } = await open(picture);
  if (!isAccepted(facts)) return undefined;
  const { data, info } = await image
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true });
  return { image: data, width: info.width, height: info.height };
}

export const work = {
  encode: async (picture: Uint8Array): Promise<Uint8Array | undefined> =>
    (await inside(picture, largestSide, 82))?.image,

  keep: (picture: Uint8Array): Promise<Rendered> => inside(picture, largestWholeSide, 90),

  async measure(image: Uint8Array): Promise<{ width: number; height: number }> {
    const { width, height } = await sharp(image, limits).metadata();
    return { width, height };
  },

  async cut(
    picture: Uint8Array,
    { x, y, size, height = size }: { x: number; y: number; size: number; height?: number },
  ): Promise<Uint8Array> {
    const { image } = await open(picture);
    return image
      .extract({ left: x, top: y, width: size, height })
      .resize({ width: largestSide, height: largestSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer();
  },

  async render(
    picture: Uint8Array,
    { width, height, fit, format, margin = 0 }: Parameters<Covers['render']>[1],
  ): Promise<Rendered> {
    const { facts } = await open(picture);
    const isSvg = facts.format === 'svg';
    if (!isSvg && !isAccepted(facts)) return undefined;
    const inner = { width: Math.round(width * (1 - 2 * margin)), height: Math.round(height * (1 - 2 * margin)) };
    // SVG is rasterized at its final size, so that its edges are sharp.
    const scaled = Math.min(inner.width / facts.width, inner.height / facts.height);
    const density = isSvg ? Math.min(2400, Math.max(1, 72 * scaled)) : 72;
    const empty = { r: 0, g: 0, b: 0, alpha: 0 };
    let drawing = sharp(picture, { ...limits, density })
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
  },

  draw: (seed: string): Promise<Uint8Array> =>
    sharp(Buffer.from(drawnCover(seed)))
      .webp({ quality: 82 })
      .toBuffer(),

  async isDecodable(picture: Uint8Array): Promise<boolean> {
    const { image } = await open(picture);
    await image.resize(8).raw().toBuffer();
    return true;
  },

  /** `undefined` when the content is no photograph or drawing. */
  async variant(content: Uint8Array, variant: ImageVariant): Promise<Uint8Array | undefined> {
    const { image, facts } = await open(content);
    if (!isAccepted(facts) || facts.width * facts.height > maxVariantPixels) return undefined;
    // Metadata of the source (place, camera, time) is dropped: sharp keeps it only on request.
    return compress(scale(image.autoOrient(), facts.autoOrient, variant), variant).toBuffer();
  },

  drawCard,
  drawFeedCover,
};

function spread<Before extends string, After extends string>(pixels: number, before: Before, after: After) {
  const first = Math.floor(pixels / 2);
  return { [before]: first, [after]: pixels - first } as Record<Before | After, number>;
}

function scale(
  image: Sharp,
  source: { width: number; height: number },
  { width, height, fit, isEnlarged }: ImageVariant,
): Sharp {
  if (isEnlarged) return image.resize({ width, ...(height !== undefined && { height }), fit });
  if (height === undefined) return image.resize({ width, withoutEnlargement: true });
  if (fit === 'inside') return image.resize({ width, height, fit, withoutEnlargement: true });
  // A small source gets a smaller frame of the same shape; sharp's `withoutEnlargement` would change the shape.
  const ratios = [source.width / width, source.height / height];
  const shrink = Math.min(1, fit === 'cover' ? Math.min(...ratios) : Math.max(...ratios));
  return image.resize({
    width: Math.max(1, Math.round(width * shrink)),
    height: Math.max(1, Math.round(height * shrink)),
    fit,
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  });
}

/**
 * One scale of quality for all formats, that of JPEG: AVIF looks the same at 0.8 of the number (PSNR of the demo
 * covers: WebP 80 40.0 dB, AVIF 64 40.1 dB at three quarters of the bytes). AVIF effort 2 takes 45 ms for 320 px; 4
 * takes 215 ms and saves a tenth.
 */
function compress(image: Sharp, { format, quality }: ImageVariant): Sharp {
  switch (format) {
    case 'avif':
      return image.avif({ quality: Math.round(quality * 0.8), effort: 2, chromaSubsampling: '4:2:0' });
    case 'webp':
      return image.webp({ quality });
    case 'jpeg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true });
    case 'png':
      return image.png({ compressionLevel: 8 });
  }
}
