import { drawSmaller } from './draw-smaller.ts';

/** A picture as it is sent and shown, at most 2,048 px wide and high. */
export type ChosenPicture = {
  base64: string;
  /** `data:` address for the preview. */
  preview: string;
};

const largestSide = 2048;

/** Makes a chosen picture smaller where it is large. @returns undefined for a file that the browser cannot show */
export async function readPicture(file: File): Promise<ChosenPicture | undefined> {
  let canvas: HTMLCanvasElement;
  try {
    canvas = await drawSmaller(file, largestSide);
  } catch {
    return undefined;
  }
  // Safari writes PNG instead, which is large but understood.
  const preview = canvas.toDataURL('image/webp', 0.9);
  return { preview, base64: preview.slice(preview.indexOf(',') + 1) };
}
