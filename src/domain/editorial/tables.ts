import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { PictureArea } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const articles = pgTable('articles', {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  title: text().notNull(),
  sortTitle: text().notNull(),
  description: text().notNull().default(''),
  body: text().notNull(),
  /** BCP 47. */
  language: text().notNull().default('en'),
  /** Slug of a topic. */
  topic: text().notNull(),
  imageKey: text(),
  /** The whole picture that `imageKey` was cropped from; null when `imageKey` is the whole. */
  pictureKey: text(),
  pictureArea: jsonb().$type<PictureArea>(),
  color: text(),
  /** Seconds. */
  readTime: integer().notNull(),
  /** Null: a draft. In the future: scheduled. */
  publishedAt: time(),
  /** Null: not deleted. */
  deletedAt: time(),
  publishedAtDeletion: time(),
  /** Revision: of two concurrent edits one is a conflict. */
  revision: integer().notNull().default(1),
  createdAt: time().notNull().defaultNow(),
  updatedAt: time().notNull().defaultNow(),
});

/** Former addresses of articles; they redirect to the current one. */
export const formerArticleSlugs = pgTable('former_article_slugs', {
  slug: text().primaryKey(),
  articleId: uuid().notNull(),
});

export const articleAudios = pgTable(
  'article_audios',
  { articleId: uuid().notNull(), audioId: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.articleId, table.audioId] })],
);
