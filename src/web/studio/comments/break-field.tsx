import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Pause from 'lucide-react/icons/pause';
import { useState } from 'react';
import { maxPauseDays } from '#domain/community/rules.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Form } from '../../workshop/form.tsx';

type BreakFieldProps = {
  /** ISO 8601; null: there is no break. */
  pausedUntil: string | null;
  /** The server’s time. */
  now: number;
  /** @param until ISO 8601; null ends the break */
  onChange: (until: string | null) => void;
};

const dayAfter = (now: number, days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);

/** A break from new comments, until a day begins in UTC, as listeners read it. */
export function BreakField({ pausedUntil, now, onChange }: BreakFieldProps) {
  const [day, setDay] = useState('');
  if (pausedUntil !== null)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-14">{t`New comments are paused until ${{ date: formatDate(pausedUntil) }}.`}</p>
        <Button size="sm" onClick={() => onChange(null)}>
          {t`End the break`}
        </Button>
      </div>
    );
  return (
    <Form
      className="flex flex-wrap items-end gap-3"
      onSubmit={() => {
        if (day === '') return;
        setDay('');
        onChange(`${day}T00:00:00.000Z`);
      }}
    >
      <Field
        label={t`Pause new comments until`}
        className="w-50"
        type="date"
        required
        min={dayAfter(now, 1)}
        max={dayAfter(now, maxPauseDays - 1)}
        value={day}
        onChange={({ target }) => setDay(target.value)}
      />
      <Button type="submit" disabled={day === ''}>
        <Icon of={Pause} size={18} />
        <Trans>Pause</Trans>
      </Button>
    </Form>
  );
}
