import { type CoverArea, heightOf, maxPictureBytes } from '#domain/studio/rules.ts';

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
/** Maximum bytes sent unchanged; larger files would take long on a phone. */
const plentyBytes = 2 * 1024 * 1024;

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

/**
 * A picture in base64. Large ones are shrunk in the browser; one that the browser cannot decode is sent unchanged.
 * @returns undefined for a file that is too large to send
 */
export async function readToSend(file: File): Promise<string | undefined> {
  const small = file.size > plentyBytes ? await drawSmaller(file, largestWhole).catch(() => undefined) : undefined;
  const blob = await new Promise<Blob | null>((resolve) =>
    small === undefined ? resolve(null) : small.toBlob(resolve, 'image/webp', 0.9),
  );
  const sent = blob ?? file;
  return sent.size > maxPictureBytes ? undefined : toBase64(sent);
}

export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(blob);
  });
}

/**
 * Redraws a picture in its proportions, scaled down when a side is longer than `largestSide` pixels.
 * @throws when the browser cannot decode it
 */
async function drawSmaller(source: Blob | HTMLCanvasElement, largestSide: number): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(source);
  const scale = Math.min(1, largestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}
