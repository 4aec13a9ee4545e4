import { numberEpisodes } from '../catalogue/episodes.ts';
import { findChapters } from '../catalogue/editing/chapters.ts';
import { findTranscript, findTranslation } from '../catalogue/editing/transcripts.ts';
import type { Mail } from '../gateways.ts';
import { batch } from '../kernel/batch.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import { DomainError } from '../kernel/errors.ts';
import type { User } from '../kernel/viewer.ts';
import { featureSetting } from '../settings/features.ts';
import { limitSetting } from '../settings/limits.ts';
import type { Settings } from '../settings/open-settings.ts';
import { feedHas, findContent } from './content.ts';
import * as feeds from './feeds.ts';
import type { NewFeedForm } from './forms.ts';
import { purgeHubPings, tellHub } from './hub.ts';
import { findFeedRecording } from './recordings.ts';
import { findSubject } from './subjects.ts';
import { openUses } from './uses.ts';

/** @param deps.secret key of the stored hashes */
export function openFeeds(deps: {
  db: Db;
  secret: string;
  settings: Pick<Settings, 'read'>;
  mail: Pick<Mail, 'send'>;
  site: MailSite;
}) {
  const { db, settings } = deps;
  const isOn = () => settings.read(featureSetting).privateFeeds;
  const uses = openUses({ ...deps, limits: () => settings.read(limitSetting) });
  const lookUp = batch({ run: feeds.prepareFindFeeds(db), max: 200, atOnce: 2 });
  return {
    ...uses,
    ...bind(db, {
      ...feeds,
      purgeHubPings,
      tellHub,
      findSubject,
      findContent,
      feedHas,
      findFeedRecording,
      findChapters,
      findTranscript,
      findTranslation,
      numberEpisodes,
    }),
    /** @throws DomainError `site/feature-off` */
    async makeFeed(viewer: User, form: NewFeedForm) {
      if (!isOn()) throw new DomainError('site/feature-off');
      return feeds.makeFeed(db, viewer, form);
    },
    /** @throws DomainError `site/feature-off` */
    async renewFeed(viewer: User, id: string) {
      if (!isOn()) throw new DomainError('site/feature-off');
      return feeds.renewFeed(db, viewer, id);
    },
    /** @returns undefined for an unknown or revoked address, one of a suspended user, and while feeds are turned off */
    findFeed: async (token: string) => (isOn() ? lookUp(token) : undefined),
  };
}
