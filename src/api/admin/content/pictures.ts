import { z } from '@hono/zod-openapi';
import { PictureForm } from '../../pictures.ts';

/** Picture of a category, or of a playlist of the site. */
export const PictureChange = z.object({
  picture: PictureForm.unwrap(),
  before: z.string().max(500).nullable().describe('The `imageUrl` that the operator saw'),
});

export const pictureRefusals = { 'not-a-picture': 'picture/unreadable' } as const;
