/** Silence that browsers can play: WAV of 8 bits, 8000 a second. */
export function silence(seconds: number, name = 'silence.wav'): File {
  const bytes = 8000 * seconds;
  const view = new DataView(new ArrayBuffer(44 + bytes));
  const write = (at: number, text: string) => new Uint8Array(view.buffer, at).set(new TextEncoder().encode(text));
  const fields: [number, number, 2 | 4][] = [
    [4, 36 + bytes, 4],
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, 8000, 4],
    [28, 8000, 4],
    [32, 1, 2],
    [34, 8, 2],
    [40, bytes, 4],
  ];
  for (const [at, value, width] of fields)
    if (width === 4) view.setUint32(at, value, true);
    else view.setUint16(at, value, true);
  write(0, 'RIFF');
  write(8, 'WAVEfmt ');
  write(36, 'data');
  new Uint8Array(view.buffer, 44).fill(128);
  return new File([view], name, { type: 'audio/wav' });
}
