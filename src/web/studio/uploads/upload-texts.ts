const megabyte = 1_000_000;

/** `94 MB`, `2.3 GB`, `0.4 MB` */
export function formatSize(bytes: number): string {
  return bytes >= 1000 * megabyte ? `${(bytes / (1000 * megabyte)).toFixed(1)} GB` : `${megabytes(bytes)} MB`;
}

/** `209 of 486 MB` */
export function formatPart(bytes: number, all: number): string {
  return all >= 1000 * megabyte
    ? `${(bytes / (1000 * megabyte)).toFixed(1)} of ${formatSize(all)}`
    : `${megabytes(bytes)} of ${formatSize(all)}`;
}

function megabytes(bytes: number): string {
  const count = bytes / megabyte;
  return count >= 10 || count === 0 ? String(Math.round(count)) : Math.max(0.1, count).toFixed(1);
}

/** `6.4 MB per sec` */
export function formatRate(bytesPerSecond: number): string {
  return bytesPerSecond >= megabyte / 10
    ? `${(bytesPerSecond / megabyte).toFixed(1)} MB per sec`
    : `${Math.round(bytesPerSecond / 1000)} KB per sec`;
}

/** `43 sec left`, `5 min left`, `1 hr 20 min left` */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} sec left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} hr ${minutes % 60} min left`;
}

/** `about 40 sec left`, `about 3 min left`: an estimate, so seconds come in tens. */
export function formatAboutLeft(seconds: number): string {
  return `about ${formatTimeLeft(seconds < 60 ? Math.max(10, Math.ceil(seconds / 10) * 10) : seconds)}`;
}

/** `−16.0 LUFS`, with a minus sign. */
export function formatLoudness(lufs: number): string {
  return `${lufs.toFixed(1).replace('-', '−')} LUFS`;
}
