import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Send from 'lucide-react/icons/send';
import { useState } from 'react';
import { performerNameLength } from '#domain/verification/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { Field, FieldError } from '#web/ui/fields/field.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Form } from '#web/workshop/form.tsx';
import { Pane } from '#web/workshop/pane.tsx';

type AddPerformerProps = {
  /** @returns the refusal, if any */
  onAdd: (performer: { name: string | null; email: string }) => Promise<string | undefined>;
};

/** Names somebody who is heard, and sends them the link. */
export function AddPerformer({ onAdd }: AddPerformerProps) {
  const [name, setName] = useState('');
  const [isUncredited, setIsUncredited] = useState(false);
  const [email, setEmail] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const isReady = email.trim() !== '' && (isUncredited || name.trim() !== '');

  async function add(): Promise<void> {
    if (!isReady || isBusy) return;
    setIsBusy(true);
    const refused = await onAdd({ name: isUncredited ? null : name, email });
    setIsBusy(false);
    setRefusal(refused);
    if (refused !== undefined) return;
    setName('');
    setEmail('');
    setIsUncredited(false);
  }

  return (
    <Pane title={t`Add a performer`}>
      <Form onSubmit={() => void add()}>
        <Field
          label={t`Name shown`}
          value={name}
          maxLength={performerNameLength}
          autoComplete="off"
          disabled={isUncredited}
          onChange={({ target }) => setName(target.value)}
        />
        <CheckBox checked={isUncredited} onChange={({ target }) => setIsUncredited(target.checked)}>
          <Trans>Do not credit</Trans>
        </CheckBox>
        <Field
          label={t`Email`}
          type="email"
          value={email}
          maxLength={254}
          autoComplete="off"
          hint={t`They get a link, listen and agree. No account needed.`}
          onChange={({ target }) => {
            setEmail(target.value);
            setRefusal(undefined);
          }}
        />
        {refusal !== undefined && <FieldError>{refusal}</FieldError>}
        <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? t`Sending…` : undefined}>
          <Icon of={Send} size={18} />
          {t`Send the link`}
        </Button>
      </Form>
      <p className="text-13 mt-4 leading-normal text-muted">
        <Trans>Agreed on paper? The operator can record it with a reference.</Trans>
      </p>
    </Pane>
  );
}
