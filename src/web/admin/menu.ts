import { t } from '@lingui/core/macro';
import FilePenLine from 'lucide-react/icons/file-pen-line';
import FileText from 'lucide-react/icons/file-text';
import CirclePlay from 'lucide-react/icons/circle-play';
import FileMusic from 'lucide-react/icons/file-music';
import House from 'lucide-react/icons/house';
import Banknote from 'lucide-react/icons/banknote';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import HandCoins from 'lucide-react/icons/hand-coins';
import KeyRound from 'lucide-react/icons/key-round';
import Landmark from 'lucide-react/icons/landmark';
import Languages from 'lucide-react/icons/languages';
import Layers from 'lucide-react/icons/layers';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import Newspaper from 'lucide-react/icons/newspaper';
import Receipt from 'lucide-react/icons/receipt';
import Palette from 'lucide-react/icons/palette';
import Scale from 'lucide-react/icons/scale';
import ScrollText from 'lucide-react/icons/scroll-text';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import Server from 'lucide-react/icons/server';
import Settings from 'lucide-react/icons/settings';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import ListTree from 'lucide-react/icons/list-tree';
import ListMusic from 'lucide-react/icons/list-music';
import MicVocal from 'lucide-react/icons/mic-vocal';
import Shapes from 'lucide-react/icons/shapes';
import Tags from 'lucide-react/icons/tags';
import { href } from 'react-router';
import type { SideGroup, SideLink } from '../workshop/side-navigation.tsx';

const deskLink = (waiting: number): SideLink => ({
  label: t`Desk`,
  to: href('/admin/desk'),
  icon: Scale,
  count: waiting,
  isWaiting: true,
});
const logLink = (): SideLink => ({
  label: t({ message: 'Log', context: 'noun' }),
  to: href('/admin/log'),
  icon: ScrollText,
});

/** Pages of Admin for moderators. @param waiting at the desk */
export const moderatorsMenu = (waiting: number): SideGroup[] => [{ links: [deskLink(waiting), logLink()] }];

/** Pages of Admin, in the same groups as in the API, the routes and the domain. @param waiting at the desk */
export const menuOf = (waiting: number): SideGroup[] => [
  { links: [{ label: t`Overview`, to: href('/admin'), icon: LayoutDashboard }, deskLink(waiting)] },
  {
    heading: t`Content`,
    links: [
      { label: t`Audios`, to: href('/admin/audios'), icon: FileMusic },
      { label: t`Creators`, to: href('/admin/voices'), icon: MicVocal },
      { label: t`Categories`, to: href('/admin/categories'), icon: Shapes },
      { label: t`Series`, to: href('/admin/series'), icon: Layers },
      { label: t`Playlists`, to: href('/admin/playlists'), icon: ListMusic },
      { label: t`Tags`, to: href('/admin/tags'), icon: Tags },
      { label: t`Facets`, to: href('/admin/facets'), icon: ListTree },
      { label: t({ message: 'Preview', context: 'audio' }), to: href('/admin/preview'), icon: CirclePlay },
    ],
  },
  {
    heading: t`Texts`,
    links: [
      { label: t`Articles`, to: href('/admin/articles'), icon: Newspaper },
      { label: t`Info pages`, to: href('/admin/info-pages'), icon: FileText },
      { label: t`Creator agreement`, to: href('/admin/creator-agreement'), icon: FilePenLine },
      { label: t`Mails`, to: href('/admin/mails'), icon: Mail },
      { label: t`Translations`, to: href('/admin/translations'), icon: Languages },
    ],
  },
  {
    heading: t`People`,
    links: [{ label: t`Users`, to: href('/admin/users'), icon: Users }],
  },
  {
    heading: t`Money`,
    links: [
      { label: t`Subscriptions`, to: href('/admin/subscriptions'), icon: CreditCard },
      { label: t`Gift cards`, to: href('/admin/gift-cards'), icon: Gift },
      { label: t`Tips`, to: href('/admin/tips'), icon: HandCoins },
      { label: t`Promo codes`, to: href('/admin/promo-codes'), icon: TicketPercent },
      { label: t`Payouts`, to: href('/admin/payouts'), icon: Banknote },
      { label: t`Tax`, to: href('/admin/tax'), icon: Receipt },
      { label: t`Payment providers`, to: href('/admin/payment-providers'), icon: Landmark },
      { label: t`Webhook events`, to: href('/admin/webhook-events'), icon: Webhook },
    ],
  },
  {
    heading: t({ message: 'Site', context: 'menu' }),
    links: [
      { label: t`Home`, to: href('/admin/home'), icon: House },
      { label: t`Look`, to: href('/admin/look'), icon: Palette },
      { label: t`Settings`, to: href('/admin/settings'), icon: Settings },
      { label: t`Age`, to: href('/admin/settings/age'), icon: ShieldCheck },
      { label: t`System`, to: href('/admin/system'), icon: Server },
      { label: t`Second factor`, to: href('/admin/second-factor'), icon: KeyRound },
      logLink(),
    ],
  },
];
