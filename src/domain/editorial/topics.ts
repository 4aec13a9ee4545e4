import { z } from 'zod';
import { PlainText } from '../kernel/forms.ts';
import { isSlug } from '../kernel/ids.ts';
import type { Setting } from '../settings/setting.ts';
import { defaultTopics, maxTopics } from './rules.ts';

const BlogTopics = z.object({
  topics: z
    .array(z.object({ slug: z.string().max(80).refine(isSlug), label: PlainText.min(1).max(60) }))
    .min(1)
    .max(maxTopics)
    .default(defaultTopics),
});

/** Topics of the blog, in order. */
export const blogTopics: Setting<typeof BlogTopics> = { key: 'blog-topics', schema: BlogTopics };
