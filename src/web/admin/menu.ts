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
import { href } from 'react-router';
import type { SideGroup } from '../workshop/side-navigation.tsx';

/** Pages of Admin, in the same groups as in the API, the routes and the domain. @param reports that are open */
export const menuOf = (reports: number): SideGroup[] => [
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
