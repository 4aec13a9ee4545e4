// Renders every picture of the demo catalogue once: SVG from art.mjs, a PNG by headless Chromium, WebP by ffmpeg.
// node demo/make/images.mjs [--all]   without --all only the pictures whose recipe or colours changed are made again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cover, heroArt, portrait } from './art.mjs';
import { articles } from './articles.mjs';
import { cacheFolder, demoFolder } from './folders.mjs';

const catalogue = JSON.parse(readFileSync(join(demoFolder, 'catalogue.json'), 'utf8'));
const out = join(demoFolder, 'images');
const work = join(cacheFolder, 'images');
mkdirSync(out, { recursive: true });
mkdirSync(work, { recursive: true });

// Category art keeps the seed and the 16:10 frame of the design, which survives the crop to a wide hero.
const pictures = [
  ...catalogue.audios.map((a) => ({ name: `audio-${a.slug}`, width: 1024, height: 1024, svg: cover(a) })),
  ...catalogue.series.map((s) => ({
    name: `series-${s.slug}`,
    width: 1024,
    height: 1024,
    svg: cover({ ...s, slug: `series-${s.slug}` }),
  })),
  ...catalogue.voices.map((v) => ({ name: `voice-${v.slug}`, width: 1024, height: 1024, svg: portrait(v) })),
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

// Below 90 WebP smooths the grain away, and with it what hides the banding of dark gradients.
const quality = (picture) => (picture.name.startsWith('audio-') ? '90' : '92');

function render({ name, width, height, svg }) {
  const page = join(work, `${name}.html`);
  const shot = join(work, `${name}.png`);
  const sized = svg.replace('<svg ', `<svg width="${width}" height="${height}" style="display:block" `);
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>${sized}`);
  // Chromium's window is taller than the picture: new headless mode keeps some of the height for its own frame.
  const flags = ['--headless', '--no-sandbox', '--hide-scrollbars', '--disable-gpu', '--force-color-profile=srgb'];
  const size = `--window-size=${width},${height + 200}`;
  execFileSync('chromium', [...flags, size, `--screenshot=${shot}`, `file://${page}`], { stdio: 'ignore' });
  const crop = `crop=${width}:${height}:0:0`;
  const encode = ['-vf', crop, '-c:v', 'libwebp', '-quality', quality({ name }), '-compression_level', '6'];
  execFileSync('ffmpeg', ['-y', '-v', 'error', '-i', shot, ...encode, join(out, `${name}.webp`)]);
  rmSync(page);
  rmSync(shot);
}

const state = join(cacheFolder, 'images.json');
const made = existsSync(state) && !process.argv.includes('--all') ? JSON.parse(readFileSync(state, 'utf8')) : {};
for (const picture of pictures) {
  const key = createHash('sha256')
    .update(`${picture.width} ${picture.height} ${quality(picture)} ${picture.svg}`)
    .digest('hex');
  if (made[picture.name] === key && existsSync(join(out, `${picture.name}.webp`))) continue;
  render(picture);
  made[picture.name] = key;
  writeFileSync(state, JSON.stringify(made));
}
const names = new Set(pictures.map((p) => `${p.name}.webp`));
for (const file of readdirSync(out)) if (!names.has(file)) rmSync(join(out, file));
const bytes = readdirSync(out).reduce((sum, file) => sum + statSync(join(out, file)).size, 0);
console.log(`${pictures.length} pictures, ${(bytes / 1e6).toFixed(2)} MB`);
