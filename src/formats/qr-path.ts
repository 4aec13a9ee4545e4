import { encode } from 'uqr';

/** A QR code as one path of squares. */
export type QrPath = { size: number; path: string };

/** The lowest correction: the code is on a screen, and larger squares are easier to read. */
export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { border: 2, ecc: 'L' });
  // A run of squares at once.
  const rows = data.map((row, y) =>
    row.map((isDark, x) => {
      if (!isDark || row[x - 1]) return '';
      const end = row.indexOf(false, x);
      const width = (end === -1 ? row.length : end) - x;
      return `M${x} ${y}h${width}v1h-${width}z`;
    }),
  );
  return { size, path: rows.flat().join('') };
}
