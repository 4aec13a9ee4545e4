import Bell from 'lucide-react/icons/bell';
import { Link } from 'react-router';
import { IconButton } from '../ui/icon-button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const load = () => import('../notifications/news-bell.tsx');

/** A link to the news until the bell’s code is there, and without JavaScript. */
export function NewsLink({ userId }: { userId: string }) {
  const bell = useLoaded(load, true);
  if (bell !== undefined) return <bell.NewsBell userId={userId} />;
  return <IconButton label="News" icon={Bell} iconSize={24} render={<Link to="/account/notifications" />} />;
}
