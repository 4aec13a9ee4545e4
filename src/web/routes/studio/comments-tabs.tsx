import { t } from '@lingui/core/macro';
import { NavLink, Outlet, href } from 'react-router';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Waiting } from '../../workshop/side-navigation.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/comments-tabs';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, voice } = await managedVoice(context, params.voice);
  return { held: await site.community.countHeldReasons(voice.id) };
}

/** Comments under a creator's audios, with a tab for those that wait and one for what is held. */
export default function StudioCommentTabs({ loaderData: { held } }: Route.ComponentProps) {
  const studio = useStudio();
  const { voice } = studio;
  const at = { voice: voice.slug };
  const waiting = Object.values(held).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <WorkshopHead title={t`Comments`} facts={t`Under the audios of ${{ name: voice.name }}`} />
      <nav className="subnav" aria-label={t`Comments`}>
        <NavLink to={href('/studio/:voice/comments', at)} end>
          {t`Comments`}
        </NavLink>
        <NavLink to={href('/studio/:voice/comments/held', at)}>
          {t({ message: 'Held', context: 'comments' })}
          {waiting > 0 && <Waiting count={waiting} />}
        </NavLink>
        <NavLink to={href('/studio/:voice/comments/settings', at)}>{t`Settings`}</NavLink>
      </nav>
      <Outlet context={studio} />
    </>
  );
}
