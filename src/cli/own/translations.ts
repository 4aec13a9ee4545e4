import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { languageCodes } from '#formats/languages.ts';
import { CommandError, readOperatorsFile, resolveFolder } from '../command.ts';
import { flag, ownCall } from './own-call.ts';

export const changeText = ownCall('texts change', {
  path: '/texts/{key}',
  about: 'Translates a text of the site, such as category/<id>/label; texts list names all',
  details: 'The same text again says that it is right, although the text that it translates has changed',
  input: z.object({
    language: z.enum(languageCodes),
    text: z.string().describe('empty: the text that it translates is shown'),
  }),
  async act({ site, viewer, key, input }) {
    await site.admin.texts.changeTranslations(viewer, [{ key, ...input }]);
    return {};
  },
});

export const exportTexts = ownCall('texts export', {
  about: 'Texts of the site as a PO file for translators',
  query: z.object({
    language: z.enum(languageCodes).optional().describe('without it: a template'),
    out: z.string().optional().describe('the file; without it the texts are printed'),
  }),
  async act({ site, viewer, context, query: { language, out } }) {
    const po = await site.admin.texts.exportTranslations(viewer, language);
    if (out === undefined) return new Response(po);
    const file = resolveFolder(context, out);
    await writeFile(file, po).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${file} cannot be written: ${error.code ?? error.message}`);
    });
    return { file };
  },
});

export const importTexts = ownCall('texts import', {
  path: '/files/{file}',
  about: 'Takes the finished translations of a PO file: all, or none',
  input: z.object({ dryRun: flag.describe('only says what would be done') }),
  async act({ site, viewer, context, file, input }) {
    const text = (await readOperatorsFile(context, file)).toString('utf8');
    return site.admin.texts.importTranslations(viewer, { file: text, isPlan: input.dryRun !== undefined });
  },
});
