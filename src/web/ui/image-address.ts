type Variant = { width: number; height?: number; format: 'avif' | 'webp' | 'jpeg'; quality?: number };

/**
 * The address of a stored picture in a size and format, as the image service of spec §7 takes it.
 *
 * @param imageUrl path of the image route without a size, such as `/images/abc.webp`
 */
export function imageAddress(imageUrl: string, { width, height, format, quality = 80 }: Variant): string {
  return `${imageUrl}?width=${width}${height === undefined ? '' : `&height=${height}`}&quality=${quality}&format=${format}`;
}
