/**
 * Audios are shown from blocks of consecutive numbers, with their small covers: whoever reads one does not say which of
 * them they want.
 */
export const audiosPerBlock = 8;

export function blockOf(number: number): number {
  return Math.floor(number / audiosPerBlock);
}
