import { numberEpisodes } from '../catalogue/episodes.ts';
import { findTranscript } from '../catalogue/editing/transcripts.ts';
import type { Mail } from '../gateways.ts';
import { batch } from '../kernel/batch.ts';
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
import type { FeedKind } from './rules.ts';
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
    listFeeds: (userId: string) => feeds.listFeeds(db, userId),
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
    revokeFeed: (userId: string, id: string) => feeds.revokeFeed(db, userId, id),
    revokeAsOperator: (userId: string, id: string) => feeds.revokeAsOperator(db, userId, id),
    findSubject: (viewer: User, kind: FeedKind, idOrSlug: string) => findSubject(db, viewer, kind, idOrSlug),
    /** @returns undefined for an unknown or revoked address, one of a suspended user, and while feeds are turned off */
    findFeed: async (token: string) => (isOn() ? lookUp(token) : undefined),
    findContent: (feed: feeds.OpenedFeed) => findContent(db, feed),
    feedHas: (feed: feeds.OpenedFeed, audioId: string) => feedHas(db, feed, audioId),
    findTranscript: (audioId: string) => findTranscript(db, audioId),
    countUse: uses.countUse,
    notifyOfStopped: uses.notifyOfStopped,
    purgeOldUses: uses.purgeOldUses,
    numberEpisodes: () => numberEpisodes(db),
  };
}
