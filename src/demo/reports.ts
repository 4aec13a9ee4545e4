import { and, inArray, isNotNull, isNull } from 'drizzle-orm';
import { audios } from '#domain/catalogue/tables.ts';
import { commentReports, comments } from '#domain/community/tables.ts';
import type { ReportReason } from '#domain/community/rules.ts';
import { users } from '#domain/identity/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newIdAt } from '#domain/kernel/ids.ts';

const hourMs = 60 * 60 * 1000;

/** Reported comments; authors are generated listeners, reporters are demo accounts. */
const reported: {
  audio: string;
  by: string;
  hours: number;
  text: string;
  reports: { by: string; reason: ReportReason; details?: string }[];
}[] = [
  {
    audio: 'bright-star',
    by: 'oskar.l',
    hours: 5,
    text: 'Cheap watches and more at my shop, the link is in my profile. Ten percent off for everyone here.',
    reports: [
      { by: 'listener', reason: 'spam' },
      { by: 'subscriber', reason: 'spam', details: 'The same text is under other audios.' },
    ],
  },
  {
    audio: 'crimson-petal',
    by: 'b.finch',
    hours: 20,
    text: 'If you fall asleep to this you have no taste, and the one before me has none either.',
    reports: [{ by: 'subscriber', reason: 'unkind' }],
  },
  {
    audio: 'a-long-rain',
    by: 'hollis',
    hours: 41,
    text: 'The last minute is only rain, so you can stop after the door closes.',
    reports: [{ by: 'listener', reason: 'other', details: 'It gives the ending away.' }],
  },
];

/** Gives the operator reports to decide. Skips audios and people that are no longer in the demo. */
export async function addDemoReports(tx: Db, now: Date): Promise<void> {
  const slugs = reported.map(({ audio }) => audio);
  const audioRows = await tx
    .select({ id: audios.id, slug: audios.slug, publishedAt: audios.publishedAt })
    .from(audios)
    .where(and(inArray(audios.slug, slugs), isNotNull(audios.publishedAt)));
  const authors = await tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(
      and(
        inArray(
          users.username,
          reported.map(({ by }) => by),
        ),
        isNull(users.identityProvider),
      ),
    );
  const reporters = await tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(inArray(users.username, ['listener', 'subscriber']));
  for (const { audio: slug, by, hours, text, reports } of reported) {
    const audio = audioRows.find((row) => row.slug === slug);
    const author = authors.find(({ username }) => username === by);
    if (audio === undefined || audio.publishedAt === null || author === undefined) continue;
    const createdAt = new Date(Math.max(now.getTime() - hours * hourMs, audio.publishedAt.getTime() + 60_000));
    const id = newIdAt(createdAt);
    await tx.insert(comments).values({ id, audioId: audio.id, userId: author.id, text, createdAt });
    for (const { by: reporter, reason, details = null } of reports) {
      const user = reporters.find(({ username }) => username === reporter);
      if (user === undefined) continue;
      const reportedAt = new Date(createdAt.getTime() + (now.getTime() - createdAt.getTime()) / 2);
      await tx
        .insert(commentReports)
        .values({ commentId: id, userId: user.id, reason, details, createdAt: reportedAt });
    }
  }
}
