import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { FeedKind } from '#domain/feeds/rules.ts';
import { answerOf, api } from '../api.ts';
import { formatLastUse } from '#formats/last-use.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { Note } from '../ui/note.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useLayer } from '../ui/layers/open-layers.ts';
import { type FeedChoice, feedName, feedText } from './feed-words.ts';
import { SubscribeButton } from './subscribe-button.tsx';
import { asJson } from './use-change.ts';

type Feed = {
  id: string;
  kind: FeedKind;
  title: string | null;
  createdAt: string;
  lastUsedAt: string | null;
  isStopped: boolean;
};

type AccountFeedsProps = { isSubscribed: boolean; siteName: string; choices: FeedChoice[]; feeds: Feed[] };

const loadAddress = () => import('./feed-address.tsx');

/** Feeds for podcast apps. An address is shown once, after its creation. */
export function AccountFeeds({ isSubscribed, siteName, choices, feeds }: AccountFeedsProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const heading = useRef<HTMLHeadingElement>(null);
  const isRemoved = useRef(false);
  const [busy, setBusy] = useState<string>();
  const [made, setMade] = useState<{ name: string; address: string }>();
  const [isShown, setIsShown] = useState(false);
  const [asking, setAsking] = useState<{ act: 'renew' | 'remove'; feed: Feed }>();
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const address = useLoaded(loadAddress, isShown, () => showToast({ text: t`No internet connection` }));
  useLayer(isShown && address === undefined, () => setIsShown(false));

  function show(name: string, feedAddress: string): void {
    setMade({ name, address: feedAddress });
    setIsShown(true);
  }

  async function make(choice: FeedChoice): Promise<void> {
    const { kind, subject } = choice;
    setBusy(feedName(choice));
    const answer = await answerOf(api.user.feeds.$post({ json: { kind, subject } }));
    setBusy(undefined);
    if (!answer.ok) return showToast({ text: answer.message });
    show(feedName(choice), answer.data.address);
    await revalidate();
  }

  function ask(act: 'renew' | 'remove', feed: Feed): void {
    setFailure(undefined);
    isRemoved.current = false;
    setAsking({ act, feed });
    setIsAsking(true);
  }

  async function renew(feed: Feed): Promise<void> {
    setBusy('asked');
    const answer = await answerOf(api.user.feeds[':id'].address.$post({ param: { id: feed.id } }, asJson));
    setBusy(undefined);
    if (!answer.ok) return setFailure(answer.message);
    setIsAsking(false);
    show(feedName(feed), answer.data.address);
    await revalidate();
  }

  async function remove(feed: Feed): Promise<void> {
    setBusy('asked');
    const answer = await answerOf(api.user.feeds[':id'].$delete({ param: { id: feed.id } }));
    setBusy(undefined);
    // Not found: it was removed on another device.
    if (!answer.ok && answer.code !== 'request/not-found') return setFailure(answer.message);
    isRemoved.current = true;
    setIsAsking(false);
    await revalidate();
    const name = feedName(feed);
    showToast({ text: t`Removed the feed “${name}”` });
  }

  return (
    <section id="feeds" tabIndex={-1} aria-label={t`Podcast feeds`}>
      <h1 ref={heading} className="text-26" tabIndex={-1}>
        <Trans>Podcast feeds</Trans>
      </h1>
      <p className="mt-2 max-w-[65ch] text-soft">
        <Trans>
          Listen to {siteName} in your podcast app. Each feed has an address that only you have; it works as long as
          your subscription runs. The app keeps its own place in each audio.
        </Trans>
      </p>
      {isSubscribed ? (
        <NewFeed choices={choices} busy={busy} onMake={(choice) => void make(choice)} />
      ) : (
        <div className="panel mt-6 p-5 md:p-7">
          <p className="text-soft">
            <Trans>Podcast feeds are part of a subscription.</Trans>
          </p>
          <SubscribeButton className="noscript:hidden mt-4">{t`Subscribe`}</SubscribeButton>
        </div>
      )}
      {feeds.length > 0 && (
        <>
          <h2 className="text-22 mt-10">
            <Trans>Your feeds</Trans>
          </h2>
          <ul className="details" aria-label={t`Your feeds`}>
            {feeds.map((feed) => (
              <FeedRow key={feed.id} feed={feed} mayRenew={isSubscribed} onAsk={(act) => ask(act, feed)} />
            ))}
          </ul>
        </>
      )}
      <Dialog
        open={isShown && made !== undefined && address !== undefined}
        onClose={() => setIsShown(false)}
        dismissedBy="button"
        title={t`Add this to your podcast app`}
        description={t`Copy it now: it is not shown again. Keep it private: anyone who has it can hear the audios.`}
      >
        {made && address && <address.FeedAddress address={made.address} name={made.name} />}
      </Dialog>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        // The row with the pressed button is removed too, at some moment after the dialog.
        finalFocus={() => (isRemoved.current ? (heading.current ?? undefined) : undefined)}
        title={asking?.act === 'renew' ? t`Create a new address?` : t`Remove this feed?`}
        description={
          asking?.act === 'renew'
            ? t`The old address stops working at once. Add the new one to your podcast app.`
            : t`Its address stops working at once and cannot be restored. Your Library and playlists do not change.`
        }
      >
        <div className="form">
          {failure !== undefined && <Note tone="error">{failure}</Note>}
          <Button
            variant={asking?.act === 'renew' ? 'primary' : 'outline'}
            size="lg"
            width="full"
            busy={busy === 'asked' ? t`One moment…` : undefined}
            onClick={() => asking && void (asking.act === 'renew' ? renew(asking.feed) : remove(asking.feed))}
          >
            {asking?.act === 'renew' ? t`Create a new address` : t`Remove feed`}
          </Button>
          <Button className="bg-overlay" size="lg" width="full" onClick={() => setIsAsking(false)}>
            {t`Keep it`}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}

type NewFeedProps = { choices: FeedChoice[]; busy: string | undefined; onMake: (choice: FeedChoice) => void };

function NewFeed({ choices, busy, onMake }: NewFeedProps) {
  return (
    <>
      <h2 className="text-22 mt-8">
        <Trans>New feed</Trans>
      </h2>
      <noscript>
        <p className="mt-2 text-soft">
          <Trans>Creating a feed needs JavaScript.</Trans>
        </p>
      </noscript>
      <ul className="details" aria-label={t`New feed`}>
        {choices.map((choice) => {
          const name = feedName(choice);
          return (
            <li key={`${choice.kind} ${choice.subject ?? ''}`} className="details__row details__row--wide">
              <div className="min-w-0">
                <p className="font-medium wrap-anywhere">{name}</p>
                <p className="text-14 text-muted">{feedText(choice.kind)}</p>
              </div>
              <Button
                size="sm"
                variant="outline"
                className="noscript:hidden"
                aria-label={t`Create feed: ${name}`}
                busy={busy === name ? t`Creating…` : undefined}
                onClick={() => onMake(choice)}
              >
                {t`Create feed`}
              </Button>
            </li>
          );
        })}
      </ul>
      <p className="mt-4 text-14 text-muted">
        <Trans>For one creator, series or playlist, open its page and choose “Listen in your podcast app”.</Trans>
      </p>
    </>
  );
}

type FeedRowProps = { feed: Feed; mayRenew: boolean; onAsk: (act: 'renew' | 'remove') => void };

function FeedRow({ feed, mayRenew, onAsk }: FeedRowProps) {
  const name = feedName(feed);
  const created = formatLastUse(feed.createdAt);
  const lastUse = feed.lastUsedAt === null ? null : formatLastUse(feed.lastUsedAt);
  return (
    <li className="details__row details__row--wide">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          {feed.isStopped && (
            <span className="tag tag--warn">
              <Trans context="feed">Stopped</Trans>
            </span>
          )}
        </p>
        <p className="tabular-nums text-14 text-muted">
          {feed.isStopped
            ? t`Its address was used from too many networks. Create a new one.`
            : lastUse === null
              ? t`Not used yet, created ${created}`
              : t`Last used ${lastUse}, created ${created}`}
        </p>
      </div>
      <div className="noscript:hidden flex flex-wrap justify-end gap-x-4">
        {mayRenew && (
          <button type="button" className="link" aria-label={t`New address for ${name}`} onClick={() => onAsk('renew')}>
            <Trans>New address</Trans>
          </button>
        )}
        <button
          type="button"
          className="link"
          aria-label={t`Remove the feed “${name}”`}
          onClick={() => onAsk('remove')}
        >
          <Trans>Remove</Trans>
        </button>
      </div>
    </li>
  );
}
