import { plural, t } from '@lingui/core/macro';
import Copy from 'lucide-react/icons/copy';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Send from 'lucide-react/icons/send';
import Trash from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import type { AudioPerformer } from '#domain/studio/audios/performers.ts';
import { linkDays } from '#domain/verification/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import { PerformerFacts } from '#web/workshop/performers/performer-facts.tsx';

type OwnerRowProps = {
  owner: { name: string; imageUrl: string | null; hasAgreed: boolean };
  onRemove: () => void;
};

/** The creator, who needs no consent of their own. */
export function OwnerRow({ owner: { name, imageUrl, hasAgreed }, onRemove }: OwnerRowProps) {
  return (
    <div className="performer">
      <Cover imageUrl={imageUrl} shape="circle" size={40} />
      <div>
        <b>{name}</b>
        <p>{hasAgreed ? t`You. Covered by the creator agreement.` : t`You.`}</p>
      </div>
      <More name={name}>
        <MenuItem icon={Trash} onSelect={onRemove}>{t`I am not heard in it`}</MenuItem>
      </More>
    </div>
  );
}

type PerformerRowProps = {
  performer: AudioPerformer;
  busy: boolean;
  onSend: () => void;
  onCopy: () => void;
  onRemove: () => void;
  /** For operators: more acts. */
  more?: ReactNode;
};

/** Somebody who is heard, with the three parts of their consent. */
export function PerformerRow({ performer, busy, onSend, onCopy, onRemove, more }: PerformerRowProps) {
  const asks = performer.state === 'asked' || performer.isOutdated;
  return (
    <PerformerFacts
      performer={performer}
      menu={
        <More name={performer.name ?? t`the performer who is not credited`}>
          {!asks && performer.maskedEmail !== null && (
            <MenuItem icon={Send} onSelect={onSend}>{t`Send the link again`}</MenuItem>
          )}
          {!asks && <MenuItem icon={Copy} onSelect={onCopy}>{t`Copy a new link`}</MenuItem>}
          {more}
          <MenuItem icon={Trash} onSelect={onRemove}>{t`Remove`}</MenuItem>
        </More>
      }
    >
      {performer.isLinkOver && (
        <p className="performer__row">
          {performer.isOpened
            ? t`The link was valid for ${plural(linkDays, { one: '# day', other: '# days' })} and was not answered.`
            : t`The link was valid for ${plural(linkDays, { one: '# day', other: '# days' })} and was not opened.`}
        </p>
      )}
      {asks && (
        <div className="performer__row">
          {performer.maskedEmail !== null && (
            <Button size="sm" disabled={busy} onClick={onSend}>
              <Icon of={Send} size={16} />
              {performer.isLinkOver ? t`Send a new one` : t`Send again`}
            </Button>
          )}
          <Button size="sm" variant="ghost" className="btn--quiet" disabled={busy} onClick={onCopy}>
            <Icon of={Copy} size={16} />
            {t`Copy the link`}
          </Button>
        </div>
      )}
    </PerformerFacts>
  );
}

function More({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu trigger={<IconButton label={t`More about ${name}`} icon={Ellipsis} />} align="end">
      {children}
    </Menu>
  );
}
