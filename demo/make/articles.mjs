import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder } from './folders.mjs';

const folder = join(demoFolder, 'articles');

/** Color and motif of each article's picture. */
export const articles = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => {
    const head = readFileSync(join(folder, file), 'utf8').split('---')[1];
    const field = (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1];
    return { slug: file.slice(0, -3), color: field('color'), motif: field('motif') };
  });
