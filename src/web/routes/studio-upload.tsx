import { pageMeta } from '#web/page-meta.ts';
import { managedVoice } from '#web/studio/managed-voice.ts';
import { useStudio } from '#web/studio/use-studio.ts';
import type { Route } from './+types/studio-upload';

export async function loader({ context, params }: Route.LoaderArgs) {
  await managedVoice(context, params.voice);
  return {};
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Upload', description: 'Upload', index: 'no' });
}

export default function StudioUpload() {
  const { voice } = useStudio();
  return (
    <div className="ph">
      <div className="ph__t">
        <h1>Upload</h1>
        <p className="ph__s">{voice.name}</p>
      </div>
    </div>
  );
}
