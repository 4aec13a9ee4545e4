/** A picture as it is sent and shown, at most 2,048 px wide and high. */
export type ChosenPicture = {
  base64: string;
  /** `data:` address for the preview. */
  preview: string;
};

const largestSide = 2048;

/** Makes a chosen picture smaller where it is large. @returns undefined for a file that the browser cannot show */
export async function readPicture(file: File): Promise<ChosenPicture | undefined> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return undefined;
  }
  const scale = Math.min(1, largestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // Safari writes PNG instead, which is large but understood.
  const preview = canvas.toDataURL('image/webp', 0.9);
  return { preview, base64: preview.slice(preview.indexOf(',') + 1) };
}
