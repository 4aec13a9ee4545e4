import FileText from 'lucide-react/icons/file-text';
import CirclePlay from 'lucide-react/icons/circle-play';
import FileMusic from 'lucide-react/icons/file-music';
import Flag from 'lucide-react/icons/flag';
import House from 'lucide-react/icons/house';
import Banknote from 'lucide-react/icons/banknote';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import KeyRound from 'lucide-react/icons/key-round';
import Layers from 'lucide-react/icons/layers';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import Newspaper from 'lucide-react/icons/newspaper';
import Palette from 'lucide-react/icons/palette';
import ScrollText from 'lucide-react/icons/scroll-text';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import Server from 'lucide-react/icons/server';
import Settings from 'lucide-react/icons/settings';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import ListMusic from 'lucide-react/icons/list-music';
import MicVocal from 'lucide-react/icons/mic-vocal';
import Shapes from 'lucide-react/icons/shapes';
import Tags from 'lucide-react/icons/tags';
import { href, Outlet } from 'react-router';
import { isStarted } from '#player/playback.ts';
import { adminViewer, askSecondFactor } from '#web/admin/admin-viewer.ts';
import { FindAnythingField } from '#web/admin/find-anything-field.tsx';
import { StepUpProvider } from '#web/admin/second-factor/step-up.tsx';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { PageError } from '#web/page-error.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useRootData } from '#web/root-data.ts';
import type { PageHandle } from '#web/shell/page-handle.ts';
import type { PageOutline } from '#web/workshop/page-skeleton.tsx';
import { OrSessionEnd } from '#web/workshop/session-end.tsx';
import type { SideGroup } from '#web/workshop/side-navigation.tsx';
import { SideNavigation } from '#web/workshop/side-navigation.tsx';
import { WorkshopMain } from '#web/workshop/workshop-main.tsx';
import type { Route } from './+types/admin';
import '#web/workshop.css';

export const handle: PageHandle = { frame: 'own' };

/** Before the loaders, which also require the second factor but do not know the address. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request }, next) => {
    const { pathname, search } = new URL(request.url);
    askSecondFactor(context, pathname + search);
    return next();
  },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { site } = adminViewer(context);
  return { reports: await site.admin.people.countOpenReports() };
}

/** For a page whose loader failed; other pages have their own. */
export function meta(args: Route.MetaArgs) {
  return pageMeta(args, undefined);
}

/** The same groups as in the API, the routes and the domain. */
const groupsOf = (reports: number): SideGroup[] => [
  { links: [{ label: 'Overview', to: href('/admin'), icon: LayoutDashboard }] },
  {
    heading: 'Content',
    links: [
      { label: 'Audios', to: href('/admin/audios'), icon: FileMusic },
      { label: 'Creators', to: href('/admin/voices'), icon: MicVocal },
      { label: 'Categories', to: href('/admin/categories'), icon: Shapes },
      { label: 'Series', to: href('/admin/series'), icon: Layers },
      { label: 'Playlists', to: href('/admin/playlists'), icon: ListMusic },
      { label: 'Tags', to: href('/admin/tags'), icon: Tags },
      { label: 'Preview', to: href('/admin/preview'), icon: CirclePlay },
    ],
  },
  {
    heading: 'Texts',
    links: [
      { label: 'Articles', to: href('/admin/articles'), icon: Newspaper },
      { label: 'Info pages', to: href('/admin/info-pages'), icon: FileText },
      { label: 'Mails', to: href('/admin/mails'), icon: Mail },
    ],
  },
  {
    heading: 'People',
    links: [
      { label: 'Users', to: href('/admin/users'), icon: Users },
      { label: 'Reports', to: href('/admin/reports'), icon: Flag, count: reports, isWaiting: true },
    ],
  },
  {
    heading: 'Money',
    links: [
      { label: 'Subscriptions', to: href('/admin/subscriptions'), icon: CreditCard },
      { label: 'Gift cards', to: href('/admin/gift-cards'), icon: Gift },
      { label: 'Promo codes', to: href('/admin/promo-codes'), icon: TicketPercent },
      { label: 'Payouts', to: href('/admin/payouts'), icon: Banknote },
      { label: 'Webhook events', to: href('/admin/webhook-events'), icon: Webhook },
    ],
  },
  {
    heading: 'Site',
    links: [
      { label: 'Home', to: href('/admin/home'), icon: House },
      { label: 'Look', to: href('/admin/look'), icon: Palette },
      { label: 'Settings', to: href('/admin/settings'), icon: Settings },
      { label: 'System', to: href('/admin/system'), icon: Server },
      { label: 'Second factor', to: href('/admin/second-factor'), icon: KeyRound },
      { label: 'Log', to: href('/admin/log'), icon: ScrollText },
    ],
  },
];

/** Layout of Admin's pages, with their navigation; everybody but operators gets a 404. */
const outlineOf = (path: string): PageOutline | undefined =>
  path.startsWith('/admin') ? { title: 'the page', shape: path === '/admin' ? 'tiles' : 'table' } : undefined;

export default function Admin({ loaderData: { reports } }: Route.ComponentProps) {
  const root = useRootData();
  return (
    <SideNavigation
      siteName={root?.siteName ?? ''}
      area="Admin"
      top={<FindAnythingField pages={groupsOf(0).flatMap(({ links }) => links)} />}
      findLabel="Find anything"
      groups={groupsOf(reports)}
      user={root?.user ?? null}
    >
      <WorkshopMain outlineOf={outlineOf}>
        <StepUpProvider>
          <Outlet />
        </StepUpProvider>
      </WorkshopMain>
    </SideNavigation>
  );
}

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
