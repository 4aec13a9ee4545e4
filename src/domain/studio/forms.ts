import { z } from 'zod';
import { AudioEdit } from '../catalogue/editing.ts';

/** Fields that the editor saves; absent fields stay as they are. The voice is not one of them. */
export const AudioChange = AudioEdit.omit({ voice: true }).extend({
  isFree: z.boolean().optional(),
  commentsDisabled: z.boolean().optional(),
});
export type AudioChange = z.infer<typeof AudioChange>;
