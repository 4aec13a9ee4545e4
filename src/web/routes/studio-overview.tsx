import { pageMeta } from '#web/page-meta.ts';
import { managedVoice } from '#web/studio/managed-voice.ts';
import { useStudio } from '#web/studio/use-studio.ts';
import type { Route } from './+types/studio-overview';

export async function loader({ context, params }: Route.LoaderArgs) {
  await managedVoice(context, params.voice);
  return {};
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Overview', description: 'Overview', index: 'no' });
}

export default function StudioOverview() {
  const { voice } = useStudio();
  return (
    <div className="ph">
      <div className="ph__t">
        <h1>Overview</h1>
        <p className="ph__s">{voice.name}</p>
      </div>
    </div>
  );
}
