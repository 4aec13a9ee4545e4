import { z } from 'zod';

/** Fields of several shapes, as the API's reference describes them. */

export const Id = z.uuid().meta({ example: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b' });
export const Slug = z.string().meta({ example: 'bright-star' });
export const ImageUrl = z.string().nullable().meta({
  description: 'Path of the image route; add width, quality, format, height, fit',
  example: '/images/0c9f2d7a11b2.webp',
});
export const Color = z.string().nullable().meta({ example: '#3E5A9C' });
export const Language = z.string().meta({
  description: 'BCP 47; `zxx`: no words',
  example: 'pt-BR',
});
export const Seconds = z.number().describe('Seconds');
/** A Date, which JSON writes as ISO 8601. Answers are not parsed. */
export const Instant = z.iso.datetime() as unknown as z.ZodType<Date, Date>;
