import { integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Topic } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const articles = pgTable('articles', {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  title: text().notNull(),
  sortTitle: text().notNull(),
  description: text().notNull().default(''),
  body: text().notNull(),
  topic: text().$type<Topic>().notNull(),
  imageKey: text(),
  color: text(),
  /** Seconds. */
  readTime: integer().notNull(),
  /** Null: a draft. In the future: scheduled. */
  publishedAt: time(),
  createdAt: time().notNull().defaultNow(),
  updatedAt: time().notNull().defaultNow(),
});

export const articleAudios = pgTable(
  'article_audios',
  { articleId: uuid().notNull(), audioId: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.articleId, table.audioId] })],
);
