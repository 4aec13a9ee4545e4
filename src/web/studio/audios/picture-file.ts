import { maxPictureBytes } from '#domain/studio/rules.ts';
import { drawSmaller } from '../../workshop/forms/draw-smaller.ts';

/** The size in which the site stores pictures. */
const largestSide = 4096;
/** Maximum bytes sent unchanged; larger files would take long on a phone. */
const plentyBytes = 2 * 1024 * 1024;

/**
 * A picture in base64. Large ones are shrunk in the browser; one that the browser cannot decode is sent unchanged.
 * @returns undefined for a file that is too large to send
 */
export async function readPicture(file: File): Promise<string | undefined> {
  const small = file.size > plentyBytes ? await madeSmaller(file) : undefined;
  const sent = small ?? file;
  return sent.size > maxPictureBytes ? undefined : toBase64(sent);
}

async function madeSmaller(file: File): Promise<Blob | undefined> {
  try {
    const canvas = await drawSmaller(file, largestSide);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
    return blob ?? undefined;
  } catch {
    return undefined;
  }
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(blob);
  });
}
