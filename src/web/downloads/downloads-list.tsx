import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import CircleArrowDown from 'lucide-react/icons/circle-arrow-down';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect, useState } from 'react';
import { href, Link, useSearchParams } from 'react-router';
import { knowsConnection } from '#offline/connection.ts';
import type { DownloadsSnapshot } from '#offline/downloads.ts';
import { type DownloadRecord, progressOf, withStoredCover } from '#offline/records.ts';
import { formatBytes } from '#web/bytes.ts';
import { foreignTo } from '#formats/content-languages.ts';
import { language } from '#i18n';
import { formatDate } from '#formats/times.ts';
import { formatTime } from '#formats/durations.ts';
import { isOwnPath } from '#formats/own-path.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import { isActive } from '#web/listening/playback.ts';
import { useListener, usePlayback, usePlayerCommands } from '#web/listening/player-provider.tsx';
import { canDownload, openDownloadsOnce, tabDownloads } from '#web/listening/tab-downloads.ts';
import { trackOf } from '#web/listening/track-of.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Dialog } from '#web/ui/layers/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Note } from '#web/ui/note.tsx';
import { licenceText, stateText } from './download-words.ts';
import { useDownloads } from './use-downloads.ts';
import '#web/styles/downloads.css';

/** Audios on this device: everything here works without a connection. */
export function DownloadsList() {
  const downloads = useDownloads();
  const notice = licenceText(downloads);
  const { isOpen } = downloads;
  const viewer = useListener();
  const { openModal } = useSession();
  useEffect(() => {
    if (!isOpen && viewer.kind === 'user' && canDownload()) void openDownloadsOnce(viewer.id);
  }, [isOpen, viewer]);
  if (!canDownload())
    return (
      <EmptyState title={t`No downloads in this browser`} text={t`This browser cannot store audios for this site.`} />
    );
  if (viewer.kind === 'visitor')
    return (
      <EmptyState title={t`Sign in to see your downloads`} text={t`Subscribers can play downloads offline.`}>
        <Button variant="outline" onClick={() => openModal('log-in')}>
          {t`Log in`}
        </Button>
      </EmptyState>
    );
  if (!isOpen)
    return (
      <p className="py-16 text-center text-muted">
        <Trans>Loading…</Trans>
      </p>
    );
  return (
    <>
      <WantedPage downloads={downloads} />
      {notice !== undefined && (
        <Note tone="info" className="mt-6">
          {notice}
        </Note>
      )}
      {downloads.items.length === 0 ? (
        <EmptyState title={t`No downloads yet`} text={t`Choose Download in the menu of an audio to play it offline.`}>
          <Button variant="primary" render={<Link to={href('/audios')} />}>
            {t`Browse audios`}
          </Button>
        </EmptyState>
      ) : (
        <KeptAudios downloads={downloads} />
      )}
    </>
  );
}

/** The requested page could not be loaded, so the app started here. */
function WantedPage({ downloads }: { downloads: DownloadsSnapshot }) {
  const [params] = useSearchParams();
  const address = params.get('wanted');
  if (!isOwnPath(address)) return null;
  const [path] = address.split(/[?#]/);
  const audio = downloads.items.find(({ track }) => path === href('/audio/:slug', { slug: track.slug }));
  return (
    <>
      <Note tone="info" className="mt-6">
        <Trans>No internet connection.</Trans>{' '}
        {audio ? t`This audio is on your device.` : t`You can still play your downloads.`}{' '}
        <a className="link" href={address}>
          <Trans>Try the page again</Trans>
        </a>
      </Note>
      {audio !== undefined && <WantedAudio item={audio} downloads={downloads} />}
    </>
  );
}

/** Shown instead of the audio's own page. */
function WantedAudio({ item, downloads }: DownloadRowProps) {
  const { track } = item;
  return (
    <section aria-label={track.title} className="mt-6 flex items-center gap-4">
      <Cover imageUrl={withStoredCover(item).imageUrl} size={72} />
      <div className="min-w-0 flex-1">
        <h2 className="text-26" lang={foreignTo(language(), track.language)}>
          {track.title}
        </h2>
        <p className="text-muted">
          <VoiceAndLength track={track} />
        </p>
      </div>
      {isPlayable(item, downloads) && <PlayKept item={item} downloads={downloads} />}
    </section>
  );
}

function KeptAudios({ downloads }: { downloads: DownloadsSnapshot }) {
  const [isAsking, setIsAsking] = useState(false);
  const { items, spaceLeft, licenceEnd, isWifiOnly } = downloads;
  const count = items.length;
  const bytes = items.reduce((sum, item) => sum + progressOf(item).bytes, 0);
  return (
    <>
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 tabular-nums text-muted">
          {plural(count, { one: '# audio', other: '# audios' })} · {formatBytes(bytes)}
          {spaceLeft !== undefined && <> · {t`${{ space: formatBytes(spaceLeft) }} free`}</>}
          {licenceEnd !== undefined && (
            <span className="block text-14">{t`Play offline until ${{ date: formatDate(licenceEnd) }}. Each visit extends this.`}</span>
          )}
        </p>
        {knowsConnection() && (
          <button
            type="button"
            role="switch"
            aria-checked={isWifiOnly}
            className="inline-flex gap-2.5 items-center min-h-11 text-soft"
            onClick={() => void tabDownloads.setWifiOnly(!isWifiOnly)}
          >
            <Trans>Only on Wi-Fi</Trans>
            <span className="switch" />
          </button>
        )}
        <Button variant="outline" onClick={() => setIsAsking(true)}>
          {t`Remove all`}
        </Button>
      </div>
      <ul className="mt-4">
        {items.map((item) => (
          <DownloadRow key={item.id} item={item} downloads={downloads} />
        ))}
      </ul>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Remove all downloads`}
        description={plural(count, {
          one: '# audio will be deleted from this device. Your favorites, playlists and positions are kept.',
          other: '# audios will be deleted from this device. Your favorites, playlists and positions are kept.',
        })}
      >
        <div className="mt-6 flex flex-wrap gap-2">
          <Button
            variant="primary"
            onClick={() => {
              setIsAsking(false);
              void tabDownloads.removeAll();
            }}
          >
            {t`Remove all`}
          </Button>
          <Button variant="ghost" onClick={() => setIsAsking(false)}>
            {t`Keep downloads`}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

type DownloadRowProps = { item: DownloadRecord; downloads: DownloadsSnapshot };

function DownloadRow({ item, downloads }: DownloadRowProps) {
  const { track, state } = item;
  const { title } = track;
  const { bytes, size } = progressOf(item);
  return (
    <li className="download__row">
      <Cover imageUrl={withStoredCover(item).imageUrl} size={56} />
      <div className="min-w-0">
        <p className="font-medium">
          <Link
            className="block truncate leading-[1.5rem] hover:underline"
            lang={foreignTo(language(), track.language)}
            to={href('/audio/:slug', { slug: track.slug })}
          >
            {title}
          </Link>
        </p>
        <p className="text-14 text-muted [overflow-wrap:anywhere]">
          <VoiceAndLength track={track} />
        </p>
        <p className="tabular-nums text-13 text-muted">{stateText(item, downloads)}</p>
        {state !== 'kept' && size !== undefined && (
          <progress className="download__progress" value={bytes} max={size} aria-label={t`Download of ${title}`} />
        )}
      </div>
      <div className="flex">
        {isPlayable(item, downloads) && <PlayKept item={item} downloads={downloads} />}
        {(state === 'loading' || state === 'waiting') && (
          <DownloadAct label={t`Pause download of ${title}`} icon={Pause} item={item} onPress={tabDownloads.pause} />
        )}
        {(state === 'paused' || state === 'failed') && (
          <DownloadAct
            label={t`Continue download of ${title}`}
            icon={CircleArrowDown}
            item={item}
            onPress={tabDownloads.resume}
          />
        )}
        <DownloadAct label={t`Remove download of ${title}`} icon={Trash2} item={item} onPress={tabDownloads.remove} />
      </div>
    </li>
  );
}

type DownloadActProps = {
  label: string;
  icon: LucideIcon;
  item: DownloadRecord;
  onPress: (id: string) => Promise<void>;
};

function DownloadAct({ label, icon, item, onPress }: DownloadActProps) {
  return <IconButton icon={icon} label={label} onClick={() => void onPress(item.id)} />;
}

function VoiceAndLength({ track: { voice, numberDuration } }: Pick<DownloadRecord, 'track'>) {
  return (
    <>
      <bdi>{voice.name}</bdi>
      <span className="dot tabular-nums">{formatTime(numberDuration)}</span>
    </>
  );
}

function isPlayable({ state }: DownloadRecord, { verdict }: DownloadsSnapshot): boolean {
  return state === 'kept' && verdict === 'valid';
}

/** Plays the list of downloads from this one. */
function PlayKept({ item, downloads }: DownloadRowProps) {
  const { toggle, playTracks } = usePlayerCommands();
  const { id, title } = item.track;
  const { status, isCurrent } = usePlayback(id);
  const isPlaying = isActive(status);

  function press(): void {
    if (isCurrent && (isPlaying || status === 'paused')) return toggle();
    const stored = downloads.items.filter(({ state }) => state === 'kept');
    playTracks(
      // With the site's cover, which outlives the download; without a connection the stored one is shown.
      stored.map(({ track }) => trackOf(track, 'favorites')),
      stored.findIndex(({ id }) => id === item.id),
      t`Downloads`,
    );
  }
  return (
    <IconButton
      icon={isPlaying ? Pause : Play}
      filled
      label={isPlaying ? t`Pause ${title}` : t`Play ${title}`}
      onClick={press}
    />
  );
}
