import type { Mail, Push } from '../gateways.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import { DomainError } from '../kernel/errors.ts';
import type { User } from '../kernel/viewer.ts';
import { featureSetting } from '../settings/features.ts';
import type { Settings } from '../settings/open-settings.ts';
import { findDueBatches, measureLag, notifyFollowers, planNews } from './fan-out.ts';
import * as followed from './followed.ts';
import type { PushSubscriptionForm } from './forms.ts';
import * as lists from './notification-lists.ts';
import * as preferences from './preferences.ts';
import * as subscriptions from './push-subscriptions.ts';
import type { NewsPreferences } from './rules.ts';
import { sendNewsMails } from './send-mails.ts';
import { sendPushes } from './send-pushes.ts';
import { readUnsubscribeToken } from './unsubscribe.ts';

export type NotificationParts = {
  db: Db;
  mail: Mail;
  push: Push;
  site: MailSite;
  /** Signs unsubscribe links in mails. */
  secret: string;
  settings: Settings;
};

export function openNotifications({ settings, ...parts }: NotificationParts) {
  const { db, push, secret } = parts;
  const isOn = () => settings.read(featureSetting).news;
  return {
    ...bind(db, {
      ...followed,
      findPreferences: preferences.findPreferences,
      listPushDevices: subscriptions.listPushDevices,
      markRead: lists.markRead,
      measureLag,
      notifyFollowers,
      planNews,
      purgeOldNotifications: lists.purgeOldNotifications,
      removePushSubscription: subscriptions.removePushSubscription,
    }),
    /** Public key for `PushManager.subscribe`. */
    pushKey: push.publicKey,
    listNotifications: (viewer: User, page: { cursor?: string | undefined; limit: number }) =>
      isOn() ? lists.listNotifications(db, viewer, page) : Promise.resolve({ items: [], nextCursor: undefined }),
    countUnread: async (viewer: User) => (isOn() ? lists.countUnread(db, viewer) : 0),
    /** @throws DomainError `site/feature-off` */
    async savePreferences(userId: string, changed: NewsPreferences) {
      if (!isOn()) throw new DomainError('site/feature-off');
      await preferences.savePreferences(db, userId, changed);
    },
    /** @throws DomainError `site/feature-off` */
    async addPushSubscription(userId: string, form: PushSubscriptionForm, from: { device: string; sessionId: string }) {
      if (!isOn()) throw new DomainError('site/feature-off');
      return subscriptions.addPushSubscription(parts, userId, form, from);
    },
    /** Whether this site made the token of an unsubscribe link. */
    isUnsubscribeToken: (token: string) => readUnsubscribeToken(secret, token) !== undefined,
    /** Turns news mails off without a log-in (RFC 8058). @returns false for a token that this site did not make */
    async unsubscribe(token: string): Promise<boolean> {
      const userId = readUnsubscribeToken(secret, token);
      if (userId !== undefined) await preferences.turnMailOff(db, userId);
      return userId !== undefined;
    },
    findDueBatches: async () => (isOn() ? findDueBatches(db) : []),
    sendNewsMails: async (signal?: AbortSignal) => (isOn() ? sendNewsMails(parts, signal) : { sent: 0 }),
    sendPushes: async (signal?: AbortSignal) => (isOn() ? sendPushes(parts, signal) : { sent: 0, gone: 0 }),
  };
}
