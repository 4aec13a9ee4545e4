/**
 * The address of a stored picture in a size and format, as the image service of spec §7 takes it.
 *
 * @param imageUrl path of the image route without a size, such as `/images/abc.webp`
 * @param options.height without it, that of the picture in this width
 */
export function imageAddress(
  imageUrl: string,
  format: 'avif' | 'webp' | 'jpeg',
  width: number,
  { height, quality = 80 }: { height?: number; quality?: number } = {},
): string {
  return `${imageUrl}?width=${width}${height ? `&height=${height}` : ''}&quality=${quality}&format=${format}`;
}
