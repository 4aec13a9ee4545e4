import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions } from 'sharp';
import { drawnCover } from '../drawn-cover.ts';

const [width, height] = [1200, 630];
/** The picture is square; the words take the rest of the card. */
const column = { left: height + 56, width: width - height - 112 };
const ground = '#141012';
/** Font sizes in points, largest first; a title uses the first that fits `highestTitle`. */
const titleSizes = [46, 40, 34, 29, 25];
const highestTitle = 300;
const longestTitle = 140;
/** Between the title and the line beneath it. */
const gap = 34;
/** Place of the text on feed covers, which are squares of 1600 px. */
const coverColumn = { left: 130, width: 1340, height: 900 };
const fontfile = fileURLToPath(new URL('./newsreader-card.ttf', import.meta.url));

/** The design's mark: lines that converge. */
const mark = (size: number, color: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${(size * 24) / 32}" viewBox="0 0 32 24" fill="none" stroke="${color}" stroke-linecap="round" stroke-width="2"><path d="M2 3.5C11 4.5 18 10 25 12M2 12H25M2 20.5C11 19.5 18 14 25 12"/><circle cx="27" cy="12" r="3.2" fill="${color}" stroke="none"/></svg>`,
  );

type Drawn = { data: Buffer; info: { width: number; height: number } };

/** With a bundled font, so that a card is the same on every machine. */
export async function drawCard(card: {
  title: string;
  line: string;
  siteName: string;
  picture: Uint8Array | undefined;
}): Promise<Uint8Array> {
  const heading = await drawTitle(card.title);
  const below = await drawText(card.line, 20, '#AFA19C');
  const name = await drawText(card.siteName, 24, '#F7F0EA');
  const block = heading.info.height + gap + below.info.height;
  const top = Math.round((height - 84 - block) / 2) + 20;
  const parts: OverlayOptions[] = [
    card.picture === undefined
      ? { input: mark(280, '#F5B48C'), left: 175, top: 210 }
      : { input: await square(card.picture), left: 0, top: 0 },
    { input: heading.data, left: column.left, top },
    { input: below.data, left: column.left, top: top + heading.info.height + gap },
    { input: mark(46, '#F5B48C'), left: column.left, top: height - 86 },
    { input: name.data, left: column.left + 62, top: height - 70 - Math.round(name.info.height / 2) },
  ];
  return sharp({ create: { width, height, channels: 3, background: ground } })
    .composite(parts)
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}

export async function drawFeedCover(title: string, siteName: string): Promise<Uint8Array> {
  const short = title.length <= longestTitle ? title : `${title.slice(0, longestTitle).trimEnd()}…`;
  const heading = await drawText(short, 110, '#F7F0EA', coverColumn.width);
  const shown = await cropped(heading, { width: coverColumn.width, height: coverColumn.height });
  const below = await drawText(siteName, 54, '#F7F0EA', coverColumn.width);
  return sharp(Buffer.from(drawnCover(`${siteName} ${title}`)))
    .composite([
      { input: shown.data, left: coverColumn.left, top: coverColumn.left },
      { input: mark(120, '#F5B48C'), left: coverColumn.left, top: 1360 },
      { input: below.data, left: coverColumn.left + 170, top: 1405 - Math.round(below.info.height / 2) },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}

function square(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture).resize({ width: height, height, fit: 'cover' }).toBuffer();
}

async function drawTitle(title: string): Promise<Drawn> {
  const short = title.length <= longestTitle ? title : `${title.slice(0, longestTitle).trimEnd()}…`;
  for (const size of titleSizes) {
    const drawn = await drawText(short, size, '#F7F0EA');
    if (drawn.info.height <= highestTitle || size === titleSizes.at(-1)) return cropped(drawn);
  }
  throw new Error('There is no size for titles');
}

/** Words longer than the column are cut off at its edge, and titles that are too high at its foot. */
async function cropped(
  drawn: Drawn,
  max: { width: number; height: number } = { width: column.width, height: highestTitle },
): Promise<Drawn> {
  const size = { width: Math.min(drawn.info.width, max.width), height: Math.min(drawn.info.height, max.height) };
  if (size.width === drawn.info.width && size.height === drawn.info.height) return drawn;
  return sharp(drawn.data)
    .extract({ left: 0, top: 0, ...size })
    .png()
    .toBuffer({ resolveWithObject: true });
}

async function drawText(text: string, points: number, color: string, width = column.width): Promise<Drawn> {
  // Pango fails on empty text.
  const shown = withoutEmoji(text.replaceAll(/[\p{Cc}\p{Surrogate}]/gu, ' ')).trim() || '·';
  return sharp({
    text: {
      text: `<span foreground="${color}">${escapeMarkup(shown)}</span>`,
      font: `Newsreader Card ${points}`,
      fontfile,
      width,
      wrap: 'word-char',
      rgba: true,
      dpi: 96,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
}

/** Servers rarely have a font for emoji, and would draw boxes with their codes; ©, ® and ™ are in ours. */
function withoutEmoji(text: string): string {
  return text
    .replaceAll(/(?![©®™])\p{Extended_Pictographic}|\p{RI}|\p{EMod}|\u200D|\uFE0F|\u20E3|[\u{E0020}-\u{E007F}]/gu, '')
    .replaceAll(/ {2,}/g, ' ');
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
