import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { settingTopics } from '../src/settings/topics.ts';

/** Writes docs/settings.md and .env.example from the declarations in src/settings: `npm run settings`. */

type Setting = { name: string; meaning: string; fallback: string | undefined; unset: string | undefined };

function describeSettings(settings: Record<string, z.ZodType>): Setting[] {
  return Object.entries(settings).map(([name, schema]) => {
    const { description: meaning, unset } = schema.meta() ?? {};
    if (meaning === undefined) throw new Error(`the setting ${name} has no description`);
    return {
      name,
      meaning,
      fallback: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined,
      unset: typeof unset === 'string' ? unset : undefined,
    };
  });
}

function writePage(): string {
  const topics = Object.values(settingTopics).map(({ title, guide, settings }) => {
    const rows = describeSettings(settings).map(
      ({ name, meaning, fallback, unset }) =>
        `| \`${name}\` | ${fallback === undefined ? (unset ?? '–') : `\`${fallback}\``} | ${meaning} |`,
    );
    return [
      `## ${title}`,
      '',
      `Guide: [${guide}](${guide})`,
      '',
      '| setting | default | meaning |',
      '|---|---|---|',
      ...rows,
      '',
    ];
  });
  return [
    '# Settings',
    '',
    '<!-- Generated from src/settings by `npm run settings`. Do not edit. -->',
    '',
    'Settings are environment variables, or lines of a `.env` file in the working folder; the environment wins. Empty values',
    'count as absent. With an invalid value or a misspelled name, the site does not start and says why in one line.',
    '',
    'Prices, limits and features change while the site runs, in Admin → Settings or by `sotto settings`.',
    '',
    ...topics.flat(),
  ].join('\n');
}

function writeExample(): string {
  const topics = Object.values(settingTopics).map(({ title, settings }) => [
    `# ${'-'.repeat(8)} ${title} ${'-'.repeat(8)}`,
    '',
    ...describeSettings(settings).flatMap(({ name, meaning, fallback, unset }) => [
      ...wrap(`${meaning}.${unset === undefined ? '' : ` Default: ${unset}.`}`),
      `${name}=${fallback ?? ''}`,
      '',
    ]),
  ]);
  const head = [
    '# Every setting, with its default. Copy to .env and change what you need; the environment wins over this file.',
    '# Generated from src/settings by `npm run settings`. Do not edit.',
    '',
  ];
  return [...head, ...topics.flat()].join('\n');
}

/** Lines of a comment. */
function wrap(text: string): string[] {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= 110) lines[lines.length - 1] = line;
    else lines.push(`# ${word}`);
  }
  return lines;
}

/** Content by path in the project. */
export function writeSettingFiles(): Record<string, string> {
  return { 'docs/settings.md': writePage(), '.env.example': writeExample() };
}

if (import.meta.main)
  for (const [path, text] of Object.entries(writeSettingFiles()))
    writeFileSync(join(import.meta.dirname, '..', path), text);
