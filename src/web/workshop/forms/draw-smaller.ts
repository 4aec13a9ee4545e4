/**
 * Redraws a picture in its proportions, scaled down when a side is longer than `largestSide` pixels.
 * @throws when the browser cannot decode it
 */
export async function drawSmaller(source: Blob | HTMLCanvasElement, largestSide: number): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(source);
  const scale = Math.min(1, largestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}
