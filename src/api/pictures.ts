import { z } from '@hono/zod-openapi';

/** Maximum bytes of a picture; browsers shrink larger ones before sending. */
const maxPictureBytes = 3 * 1024 * 1024;

/** Maximum bytes of a body with a picture in base64, and texts. */
export const pictureBodyBytes = Math.ceil((maxPictureBytes * 4) / 3) + 64 * 1024;

/** A new picture; absent: unchanged. */
export const PictureForm = z
  .base64('Send the picture in base64')
  .max(Math.ceil((maxPictureBytes * 4) / 3) + 4, 'This picture is larger than 3 MB')
  .transform((text): Uint8Array => Buffer.from(text, 'base64'))
  .nullable()
  .optional()
  .describe('JPEG, PNG, WebP, AVIF or GIF in base64; null takes it away');

/** Picture of a category, or of a playlist of the site. */
export const PictureChange = z.object({
  picture: PictureForm.unwrap(),
  before: z.string().max(500).nullable().describe('The `imageUrl` that the operator saw'),
});

export const pictureRefusals = { 'not-a-picture': 'picture/unreadable' } as const;
