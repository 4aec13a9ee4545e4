import { readFile, writeFile } from 'node:fs/promises';
import type { PicturePart, TextPart } from '#domain/admin/site/look.ts';
import { operator } from '#domain/kernel/actor.ts';
import { themes } from '#domain/look/rules.ts';
import type { LookPart } from '#domain/look/settings.ts';
import { lookParts, lookSettings } from '#domain/look/settings.ts';
import { CommandError, resolveFolder, UsageError } from '../command.ts';
import { readOperatorsFile } from '../files.ts';
import type { VerbInput } from '../noun.ts';
import { defineNoun, done, readForm } from '../noun.ts';

const pictureParts: readonly PicturePart[] = ['logo', 'icon', 'card', 'hero-picture'];

function partOf(name: string | undefined, parts: readonly LookPart[] = lookParts): LookPart {
  const part = parts.find((one) => one === name);
  if (part === undefined) throw new UsageError(`"${name}" is not one of ${parts.join(', ')}`);
  return part;
}

const writtenParts = lookParts.filter((part) => !pictureParts.some((one) => one === part));

async function readJson(path: string, context: VerbInput['context']): Promise<unknown> {
  const file = resolveFolder(context, path);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`${file} cannot be read`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON`);
  }
}

export const lookCommand = defineNoun(
  'look',
  `The look of the site: ${lookParts.join(', ')}. A change shows at once, also on a running site.`,
  {
    export: {
      words: '<file>',
      description: 'writes the whole look and the texts of the site into one file',
      async run({ site }, { words: [path = ''], context }) {
        await writeFile(resolveFolder(context, path), await site.admin.site.exportLook(operator));
        return `The look is in ${path}.`;
      },
    },
    import: {
      words: '<file>',
      description: 'imports it from a file: checked completely first, then all or nothing',
      async run({ site }, { words: [path = ''], context }) {
        const text = new TextDecoder().decode(await readOperatorsFile(context, path));
        done(await site.admin.site.importLook(operator, text));
        return 'The look is imported.';
      },
    },
    undo: {
      description: 'undoes the last import, unless something was changed since',
      async run({ site }) {
        done(await site.admin.site.undoImport(operator));
        return 'The previous look is restored.';
      },
    },
    show: {
      words: '<part>',
      description: 'prints a part as JSON',
      check: ({ words: [part] }) => void partOf(part),
      async run({ site }, { words: [part] }) {
        return JSON.stringify((await site.admin.site.findLook(operator))[partOf(part)].value, null, 2);
      },
    },
    set: {
      words: '<part> <file.json>',
      description: `changes ${writtenParts.join(', ')}: print it, change it, set it again`,
      check: ({ words: [part] }) => void partOf(part, writtenParts),
      async run({ site }, { words: [name, path = ''], context }) {
        const part = partOf(name, writtenParts) as TextPart;
        const value = readForm(lookSettings[part].schema, await readJson(path, context));
        const { revision } = (await site.admin.site.findLook(operator))[part];
        done(await site.admin.site.changeLook(operator, part, { value: value as never, revision }));
        return `${part} is changed.`;
      },
    },
    picture: {
      words: '<part> <file>',
      description: `sets ${pictureParts.join(', ')}`,
      options: { theme: { type: 'text', description: 'logo: dark or light' } },
      check({ words: [part], text }) {
        partOf(part, pictureParts);
        const theme = text('theme');
        if (theme !== undefined && !themes.some((one) => one === theme))
          throw new UsageError(`"${theme}" is neither dark nor light`);
      },
      async run({ site }, { words: [name, path = ''], text, context }) {
        const part = partOf(name, pictureParts) as PicturePart;
        const picture = await readOperatorsFile(context, path);
        const { revision } = (await site.admin.site.findLook(operator))[part];
        const theme = themes.find((one) => one === text('theme'));
        done(await site.admin.site.changeLookPicture(operator, part, { picture, revision, theme }));
        return `${part} is changed.`;
      },
    },
    reset: {
      words: '<part>',
      description: 'resets a part to the default',
      check: ({ words: [part] }) => void partOf(part),
      async run({ site }, { words: [name] }) {
        const part = partOf(name);
        const { revision } = (await site.admin.site.findLook(operator))[part];
        done(await site.admin.site.resetLook(operator, part, revision));
        return `${part} is reset to the default.`;
      },
    },
  },
);
