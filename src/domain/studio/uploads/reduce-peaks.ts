const reducedPoints = 200;

/**
 * A recording's peaks reduced to fewer points, for small pictures.
 * @param peaks `recordings.peaks`: pairs of bytes, peak and loudness
 * @returns pairs too, in base64
 */
export function reducePeaks(peaks: Uint8Array): string {
  const points = peaks.length / 2;
  const reduced = Buffer.alloc(2 * reducedPoints);
  for (let at = 0; at < reducedPoints; at += 1) {
    const from = Math.floor((at * points) / reducedPoints);
    const to = Math.max(from + 1, Math.floor(((at + 1) * points) / reducedPoints));
    let [peak, loudness] = [0, 0];
    for (let point = from; point < to; point += 1) {
      peak = Math.max(peak, peaks[2 * point] ?? 0);
      loudness += peaks[2 * point + 1] ?? 0;
    }
    reduced[2 * at] = peak;
    reduced[2 * at + 1] = Math.round(loudness / (to - from));
  }
  return reduced.toString('base64');
}
