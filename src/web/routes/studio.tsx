import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Banknote from 'lucide-react/icons/banknote';
import ChartLine from 'lucide-react/icons/chart-line';
import EyeOff from 'lucide-react/icons/eye-off';
import FileAudio from 'lucide-react/icons/file-headphone';
import Layers from 'lucide-react/icons/layers';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import MessageCircle from 'lucide-react/icons/message-circle';
import MicVocal from 'lucide-react/icons/mic-vocal';
import Rss from 'lucide-react/icons/rss';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Upload from 'lucide-react/icons/upload';
import { type ReactNode, useEffect } from 'react';
import { href, Outlet } from 'react-router';
import { isStarted } from '#player/playback.ts';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { PageError } from '#web/page-error.tsx';
import { metaOf } from '#web/page-meta.ts';
import { useRootData } from '#web/root-data.ts';
import type { PageHandle } from '#web/shell/page-handle.ts';
import { sealReadableRecords } from '#web/studio/device-record.ts';
import { managedVoice } from '#web/studio/managed-voice.ts';
import { belongTo } from '#web/studio/uploads/upload-manager.ts';
import { useUploadProgress } from '#web/studio/uploads/use-local-uploads.ts';
import type { StudioContext } from '#web/studio/use-studio.ts';
import { VoiceSwitch } from '#web/studio/voice-switch.tsx';
import type { PageOutline } from '#web/workshop/page-skeleton.tsx';
import { OrSessionEnd } from '#web/workshop/session-end.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { SideNavigation } from '#web/workshop/side-navigation.tsx';
import { WorkshopMain } from '#web/workshop/workshop-main.tsx';
import type { Route } from './+types/studio';
import '#web/workshop.css';

export const handle: PageHandle = { frame: 'own' };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const [voices, counts] = await Promise.all([
    site.studio.listManagedVoices(viewer),
    site.studio.countForStudio(voice.id),
  ]);
  return { voice, voices, counts };
}

/** For a page whose loader failed; other pages have their own. */
export const meta = metaOf(undefined);

/** Layout of the Studio's pages, with their navigation; a 404 for everyone who does not manage the voice. */
export default function Studio({ loaderData }: Route.ComponentProps) {
  const { voice, counts } = loaderData;
  const { name } = voice;
  return (
    <StudioFrame data={loaderData}>
      <WorkshopMain outlineOf={(path) => outlineOf(path, voice.slug)}>
        {voice.isHidden && (
          <p className="note note--info mb-6 items-center">
            <Icon of={EyeOff} size={18} />
            <span>
              <Trans>
                The operators of this site have hidden {name}: listeners find neither its page nor its audios. You can
                continue working; published audios appear when the creator is shown again.
              </Trans>
            </span>
          </p>
        )}
        <Outlet context={{ voice, counts } satisfies StudioContext} />
      </WorkshopMain>
    </StudioFrame>
  );
}

/** @returns undefined for an address outside this Studio */
function outlineOf(path: string, voice: string): PageOutline | undefined {
  const start = href('/studio/:voice', { voice });
  if (path !== start && !path.startsWith(`${start}/`)) return undefined;
  const [name = '', one] = path.slice(start.length + 1).split('/');
  if (one !== undefined) return { title: t`the page`, shape: 'form' };
  return pages()[name] ?? { title: t`the page`, shape: 'list' };
}

const pages = (): Record<string, PageOutline> => ({
  '': { title: t`the overview`, shape: 'tiles' },
  audios: { title: t`audios`, shape: 'table' },
  upload: { title: t`uploads`, shape: 'form' },
  import: { title: t`the import`, shape: 'form' },
  figures: { title: t`figures`, shape: 'tiles' },
  earnings: { title: t`earnings`, shape: 'tiles' },
  comments: { title: t`comments`, shape: 'list' },
  series: { title: t`series`, shape: 'table' },
  credits: { title: t`credits`, shape: 'list' },
  voice: { title: t`the creator page`, shape: 'form' },
  verification: { title: t`the verification`, shape: 'form' },
});

type StudioFrameProps = { data: Route.ComponentProps['loaderData']; children: ReactNode };

function StudioFrame({ data: { voice, voices, counts }, children }: StudioFrameProps) {
  const root = useRootData();
  const userId = root?.user?.id;
  useEffect(() => {
    if (userId !== undefined) belongTo(userId);
  }, [userId]);
  useEffect(() => void sealReadableRecords(), []);
  const at = { voice: voice.slug };
  const links = [
    { label: t`Overview`, to: href('/studio/:voice', at), icon: LayoutDashboard },
    { label: t`Audios`, to: href('/studio/:voice/audios', at), icon: FileAudio, count: counts.audios },
    { label: t`Upload`, to: href('/studio/:voice/upload', at), icon: Upload, note: useUploadProgress() },
    { label: t`Import`, to: href('/studio/:voice/import', at), icon: Rss },
    { label: t`Figures`, to: href('/studio/:voice/figures', at), icon: ChartLine },
    ...(voice.role === 'editor'
      ? []
      : [{ label: t`Earnings`, to: href('/studio/:voice/earnings', at), icon: Banknote }]),
    {
      label: t`Comments`,
      to: href('/studio/:voice/comments', at),
      icon: MessageCircle,
      ...counts.unansweredComments,
      isWaiting: true,
    },
    {
      label: t({ message: 'Series', context: 'several' }),
      to: href('/studio/:voice/series', at),
      icon: Layers,
      count: counts.series,
    },
    {
      label: t`Credits`,
      to: href('/studio/:voice/credits', at),
      icon: ScrollText,
      ...(counts.credits.asked !== undefined && { count: counts.credits.asked, isWaiting: true }),
    },
    { label: t`Creator page`, to: href('/studio/:voice/voice', at), icon: MicVocal },
    {
      label: t`Verification`,
      to: href('/studio/:voice/verification', at),
      icon: ShieldCheck,
      ...(counts.verification > 0 && { count: counts.verification, isWaiting: true }),
    },
  ];
  return (
    <SideNavigation
      siteName={root?.siteName ?? ''}
      area={t`Studio`}
      top={<VoiceSwitch voice={voice} voices={voices} />}
      groups={[{ links }]}
      user={root?.user ?? null}
    >
      {children}
    </SideNavigation>
  );
}

/** For a Studio that does not exist or failed to load; its pages have their own. */
export function ErrorBoundary() {
  const isSounding = usePlayerState(({ status }) => isStarted(status));
  return (
    <main id="main">
      <OrSessionEnd>
        <PageError reloadsDocument={!isSounding} />
      </OrSessionEnd>
    </main>
  );
}
