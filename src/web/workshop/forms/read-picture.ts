import type { CoverArea } from '#domain/studio/rules.ts';
import { heightOf } from '#domain/studio/rules.ts';
import { drawSmaller } from './draw-smaller.ts';

/** A picture to crop. */
export type WholePicture = {
  /** At most 4,096 px wide and high. */
  canvas: HTMLCanvasElement;
  /** `data:` address of a smaller one. */
  preview: string;
};

/** A picture as sent and shown, at most 2,048 px wide and high. */
export type ChosenPicture = {
  base64: string;
  /** `data:` address for the preview. */
  preview: string;
};

/** Large enough for crops of the required size. */
const largestWhole = 4096;
const largestPreview = 1024;
const largestSide = 2048;

/** @returns undefined for a file that the browser cannot show */
export async function openPicture(file: Blob): Promise<WholePicture | undefined> {
  try {
    const canvas = await drawSmaller(file, largestWhole);
    return { canvas, preview: addressOf(await drawSmaller(canvas, largestPreview)) };
  } catch {
    return undefined;
  }
}

/** The whole picture, shrunk if large. @returns undefined for a file that the browser cannot show */
export async function readPicture(file: Blob): Promise<ChosenPicture | undefined> {
  try {
    return toChosen(await drawSmaller(file, largestSide));
  } catch {
    return undefined;
  }
}

/** Crops a picture. @param ratio width to height; default: a square */
export async function cutPicture(
  { canvas: whole }: WholePicture,
  { x, y, size }: CoverArea,
  ratio = 1,
): Promise<ChosenPicture> {
  const part = document.createElement('canvas');
  part.width = Math.min(size, largestSide);
  part.height = heightOf(part.width, ratio);
  part.getContext('2d')?.drawImage(whole, x, y, size, heightOf(size, ratio), 0, 0, part.width, part.height);
  return toChosen(part);
}

function toChosen(canvas: HTMLCanvasElement): ChosenPicture {
  const preview = addressOf(canvas);
  return { preview, base64: preview.slice(preview.indexOf(',') + 1) };
}

/** Safari writes PNG instead of WebP; larger, but accepted. */
function addressOf(canvas: HTMLCanvasElement): string {
  return canvas.toDataURL('image/webp', 0.9);
}
