// Renders every picture of the demo catalogue once: SVG from art.mjs, a PNG by headless Chromium, WebP by sharp.
// node demo/make/images.mjs [--all] [name…]   without --all only what changed is made again; names limit it to those.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { cover, heroArt, portrait } from './art.mjs';
import { articles } from './articles.mjs';
import { cacheFolder, demoFolder } from './folders.mjs';

const catalogue = JSON.parse(readFileSync(join(demoFolder, 'catalogue.json'), 'utf8'));
const out = join(demoFolder, 'images');
const work = join(cacheFolder, 'images');
mkdirSync(out, { recursive: true });
mkdirSync(work, { recursive: true });

/** Apple's directory takes covers from 1,400 to 3,000 px. */
const coverSide = 2000;

// Category art keeps the seed and the 16:10 frame of the design, which survives the crop to a wide hero.
const pictures = [
  ...catalogue.audios.map((a) => ({ name: `audio-${a.slug}`, width: coverSide, height: coverSide, svg: cover(a) })),
  ...catalogue.series.map((s) => ({
    name: `series-${s.slug}`,
    width: coverSide,
    height: coverSide,
    svg: cover({ ...s, slug: `series-${s.slug}` }),
  })),
  ...catalogue.voices.map((v) => ({ name: `voice-${v.slug}`, width: coverSide, height: coverSide, svg: portrait(v) })),
  ...catalogue.categories.map((c) => ({
    name: `category-${c.slug}`,
    width: 1600,
    height: 1000,
    svg: cover({ ...c, slug: `cat-${c.slug}`, w: 800, h: 500 }),
  })),
  ...articles.map((a) => ({
    name: `article-${a.slug}`,
    width: 1600,
    height: 1000,
    svg: cover({ ...a, slug: `post-${a.slug}`, w: 800, h: 500 }),
  })),
  { name: 'hero', width: 2000, height: 1075, svg: heroArt() },
];

// Below 90 WebP smooths the grain away, and with it what hides the banding of dark gradients; at 2,000 px the grain is
// coarse enough to stay at 82, in no more bytes.
const quality = (picture) => (picture.width === coverSide && picture.height === coverSide ? 82 : 92);

async function render({ name, width, height, svg }) {
  const page = join(work, `${name}.html`);
  const shot = join(work, `${name}.png`);
  const sized = svg.replace('<svg ', `<svg width="${width}" height="${height}" style="display:block" `);
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>${sized}`);
  // Chromium's window is taller than the picture: new headless mode keeps some of the height for its own frame.
  const flags = ['--headless', '--no-sandbox', '--hide-scrollbars', '--disable-gpu', '--force-color-profile=srgb'];
  const size = `--window-size=${width},${height + 200}`;
  execFileSync(process.env.CHROMIUM_PATH ?? 'chromium', [...flags, size, `--screenshot=${shot}`, `file://${page}`], { stdio: 'ignore' });
  await sharp(shot)
    .extract({ left: 0, top: 0, width, height })
    .webp({ quality: quality({ width, height }), effort: 6 })
    .toFile(join(out, `${name}.webp`));
  rmSync(page);
  rmSync(shot);
}

const state = join(cacheFolder, 'images.json');
const made = existsSync(state) && !process.argv.includes('--all') ? JSON.parse(readFileSync(state, 'utf8')) : {};
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const picture of pictures) {
  if (named.length > 0 && !named.includes(picture.name)) continue;
  const key = createHash('sha256')
    .update(`${picture.width} ${picture.height} ${quality(picture)} ${picture.svg}`)
    .digest('hex');
  if (made[picture.name] === key && existsSync(join(out, `${picture.name}.webp`))) continue;
  await render(picture);
  made[picture.name] = key;
  writeFileSync(state, JSON.stringify(made));
}
const names = new Set(pictures.map((p) => `${p.name}.webp`));
for (const file of readdirSync(out)) if (!names.has(file)) rmSync(join(out, file));
const bytes = readdirSync(out).reduce((sum, file) => sum + statSync(join(out, file)).size, 0);
console.log(`${pictures.length} pictures, ${(bytes / 1e6).toFixed(2)} MB`);
