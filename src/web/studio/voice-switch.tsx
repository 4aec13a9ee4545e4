import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import { href, Link, useLocation } from 'react-router';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { Cover } from '../ui/images/cover.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { MenuLink } from '../ui/layers/menu-items.tsx';
import { Menu } from '../ui/layers/menu.tsx';

const roleTexts: Record<ManagedVoice['role'], () => string> = {
  owner: () => t`Your creator page`,
  editor: () => t`You are an editor`,
  moderator: () => t`You see it as an operator`,
  admin: () => t`You see it as an operator`,
  operator: () => t`You see it as an operator`,
};

const current =
  'mb-2.5 flex min-h-14 w-full items-center gap-2.5 rounded-cover px-2 py-1.5 text-start text-14 edge-line forced-colors:border forced-colors:border-[ButtonBorder]';

/** Shows the current voice, and switches to the user's other ones. */
export function VoiceSwitch({ voice, voices }: { voice: ManagedVoice; voices: ManagedVoice[] }) {
  const { key } = useLocation();
  const others = voices.filter(({ id }) => id !== voice.id);
  const face = (
    <>
      <Cover imageUrl={voice.imageUrl} shape="circle" size={36} />
      <span className="min-w-0">
        <b className="block truncate">{voice.name}</b>
        <small className="text-12">{roleTexts[voice.role]()}</small>
      </span>
    </>
  );
  if (others.length === 0) return <div className={current}>{face}</div>;
  return (
    <Menu
      align="start"
      closeKey={key}
      trigger={
        <button type="button" className={current}>
          {face}
          <Icon of={ChevronsUpDown} size={16} className="ms-auto text-muted" />
          <span className="sr-only">
            <Trans>Switch creator</Trans>
          </span>
        </button>
      }
    >
      {others.map((other) => (
        <MenuLink key={other.id} render={<Link to={href('/studio/:voice', { voice: other.slug })} />}>
          {other.name}
        </MenuLink>
      ))}
    </Menu>
  );
}
