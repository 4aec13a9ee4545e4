import { createHash } from 'node:crypto';

/** Pixels; podcast directories refuse covers below 1,400. */
const side = 1600;
const lineCount = 11;

/** An SVG with the site's converging lines on a dusky gradient; colours, height and slant follow from the seed. */
export function drawnCover(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  /** The value of one byte of the digest, spread from `min` to `max`. */
  const pick = (byte: number, min: number, max: number) => Math.round(min + ((digest[byte] ?? 0) / 255) * (max - min));
  // Violet over rose to amber: the hues of the site's own pictures.
  const hue = pick(0, 255, 395) % 360;
  const meeting = { x: pick(1, 1100, 1340), y: pick(2, 560, 1040) };
  const slant = pick(3, -260, 260);
  const lines = Array.from({ length: lineCount }, (_, line) => {
    const offset = line / (lineCount - 1) - 0.5;
    const start = Math.round(side / 2 + slant + offset * 1300);
    const bend = Math.round(meeting.y + offset * 420);
    const strength = 1 - 1.2 * Math.abs(offset);
    return `<path d="M-40 ${start}C500 ${start} 860 ${bend} ${meeting.x} ${meeting.y}" stroke-width="${(5 + 9 * strength).toFixed(1)}" opacity="${(0.3 + 0.6 * strength).toFixed(2)}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">
<defs><radialGradient id="g" gradientUnits="userSpaceOnUse" cx="${meeting.x}" cy="${meeting.y}" r="1500">
<stop offset="0" stop-color="hsl(${hue},52%,42%)"/><stop offset="0.45" stop-color="hsl(${(hue + 340) % 360},48%,22%)"/>
<stop offset="1" stop-color="hsl(${(hue + 325) % 360},44%,9%)"/></radialGradient></defs>
<rect width="${side}" height="${side}" fill="url(#g)"/>
<g fill="none" stroke="hsl(${(hue + 25) % 360},90%,84%)" stroke-linecap="round">${lines.join('')}</g>
<circle cx="${meeting.x}" cy="${meeting.y}" r="30" fill="hsl(${(hue + 25) % 360},95%,90%)"/></svg>`;
}
