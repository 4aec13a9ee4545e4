import { z } from 'zod';
import { isTimeZone } from '#formats/zones.ts';
import type { Setting } from '../settings/setting.ts';
import { noticeKinds } from './rules.ts';

const Day = z.iso.date();

/** The calendar of working days, and the kinds of notices that hide what they are about until it is decided. */
export const NoticeSettings = z.object({
  zone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Vienna').default('UTC'),
  holidays: z
    .array(Day)
    .max(400)
    .transform((days) => [...new Set(days)].toSorted())
    .default([])
    .describe('Days that are no working days, beside Saturdays and Sundays'),
  hides: z
    .array(z.enum(noticeKinds))
    .transform((kinds) => noticeKinds.filter((kind) => kinds.includes(kind)))
    .default(['consent', 'minor']),
});
export type NoticeSettings = z.infer<typeof NoticeSettings>;

export const noticeSetting = { key: 'notices', schema: NoticeSettings } satisfies Setting;
