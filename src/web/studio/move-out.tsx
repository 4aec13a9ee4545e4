import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import { formatBytes } from '#formats/bytes.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';

type MoveOutProps = { voiceId: string; archive: { audios: number; bytes: number } };

/** Everything of a creator as one file, which their browser saves while it arrives. */
export function MoveOut({ voiceId, archive: { audios, bytes } }: MoveOutProps) {
  const count = plural(audios, { one: '# audio', other: '# audios' });
  return (
    <div>
      <Button
        render={
          <a href={`/studio-files/voices/${voiceId}/archive.zip`} download aria-label={t`Download everything (ZIP)`} />
        }
      >
        <Icon of={Download} size={18} />
        <Trans>Download everything (ZIP)</Trans>
      </Button>
      <p className="mt-2 text-14 text-muted">{t`${count}, about ${{ size: formatBytes(bytes) }}`}</p>
    </div>
  );
}
