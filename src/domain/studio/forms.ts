import { z } from 'zod';
import { i18n } from '#i18n';
import { noWords } from '#formats/content-languages.ts';
import { AudioEdit, Cues } from '../catalogue/editing/editing.ts';
import { Slug } from '../catalogue/forms.ts';
import { commenterChoices, scriptLength, syntheticVoices } from '../catalogue/rules.ts';
import { ContentLanguage, isEmpty, isPlain, notLanguage, notPlain, tooLong, tooMany } from '../kernel/forms.ts';
import { compose, dropUnwanted, isVisible } from '../kernel/rules.ts';

const Id = z.uuid().toLowerCase();

const oneTo = (max: number) => ({
  error: () => i18n._(/*i18n*/ { id: 'upload-form.length', message: 'Use 1 to {max} characters', values: { max } }),
});

/** Title of an upload, and of the audio made from it. */
const Title = z
  .string()
  .max(1000)
  .transform((text) => compose(dropUnwanted(text)).replaceAll(/\s+/g, ' ').trim())
  .refine((text) => isVisible(text) && [...text].length <= 200 && text.length <= 400, oneTo(200));

const FileName = z
  .string()
  .max(1000)
  // Some browsers send a path.
  .transform((text) =>
    dropUnwanted(text)
      .replace(/^.*[\\/]/s, '')
      .trim(),
  )
  .refine((text) => isVisible(text) && [...text].length <= 255, oneTo(255));

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const TagSlugs = z.array(Slug).max(20, tooMany(20));

/** Fields of `Upload-Metadata` (tus 1.0, "Creation"): texts only. */
export const UploadForm = z
  .object({
    voiceId: Id,
    fileName: FileName,
    /** Default: from the file name. */
    title: Title.optional(),
    categoryId: Id.optional(),
    isFree: Flag.optional(),
    commenters: z.enum(commenterChoices).optional(),
    language: ContentLanguage.optional(),
    syntheticVoice: z.enum(syntheticVoices).optional(),
    /** Slugs of tags in facets, joined by commas. */
    tags: z
      .string()
      .transform((text) => text.split(',').filter(Boolean))
      .pipe(TagSlugs)
      .optional(),
    /** The audio whose file it replaces. */
    replaces: Id.optional(),
    /** Everything of a creator, which becomes an import. */
    isArchive: Flag.optional(),
  })
  .transform(({ categoryId, isFree, commenters, language, syntheticVoice, tags, ...rest }) => ({
    ...rest,
    choices: { categoryId, isFree, commenters, language, syntheticVoice, tags },
  }));
export type UploadForm = z.infer<typeof UploadForm>;

/** The text that is read aloud in an audio; invisible characters of word processors are dropped. */
export const Script = z
  .string()
  .max(4 * scriptLength, tooLong(scriptLength))
  .transform((text) => compose(dropUnwanted(text.replaceAll(/\r\n?/g, '\n'))))
  .refine((text) => [...text].length <= scriptLength, tooLong(scriptLength))
  .refine(isPlain, notPlain);

/** Only given fields change; a `categoryId` of null removes the category. */
export const UploadEdit = z.object({
  title: Title.optional(),
  categoryId: Id.nullable().optional(),
  isFree: z.boolean().optional(),
  commenters: z.enum(commenterChoices).optional(),
  language: ContentLanguage.optional(),
  syntheticVoice: z.enum(syntheticVoices).optional(),
  tags: TagSlugs.optional().describe('Slugs of tags in facets'),
  script: Script.nullable().optional().describe('The text that is read, whose lines are timed once the audio exists'),
});
export type UploadEdit = z.infer<typeof UploadEdit>;

/** Sound without words has no translation. */
export const TranslationLanguage = ContentLanguage.refine((tag) => tag !== noWords, notLanguage).meta({
  description: 'BCP 47',
  example: 'de',
});

/** A translation has lines: without any, it is removed. */
export const TranslationForm = z.object({ cues: Cues.min(1, isEmpty) });

/** Fields that the editor saves; absent fields stay as they are. The voice cannot be changed. */
export const AudioChange = AudioEdit.omit({ voice: true });
export type AudioChange = z.infer<typeof AudioChange>;
