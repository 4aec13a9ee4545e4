import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { LanguageChoice } from '#formats/language-names.ts';
import { Field } from '../../ui/fields/field.tsx';
import { ChoiceField } from './choice-field.tsx';

type LanguageFieldProps = {
  /** BCP 47. */
  value: string;
  /** Named by the loader, because browsers differ. */
  choices: readonly LanguageChoice[];
  label?: string;
  isDense?: boolean;
  error?: string | undefined;
  onChoose: (language: string) => void;
};

const other = 'other';

/** Language of an audio, a creator’s page or an article: one of the usual ones, or any other by its code. */
export function LanguageField({
  value,
  choices,
  label = t`Language`,
  isDense = false,
  error,
  onChoose,
}: LanguageFieldProps) {
  const [isTyped, setIsTyped] = useState(false);
  // Somebody else may have chosen a rare one meanwhile.
  const isListed = choices.some((choice) => choice.value === value);
  const options = isListed || isTyped ? choices : [...choices, { value, label: value }];
  return (
    <>
      <ChoiceField
        label={label}
        isDense={isDense}
        value={isTyped ? other : value}
        none={null}
        options={[...options, { value: other, label: t`Another language` }]}
        error={isTyped ? undefined : error}
        onChoose={(chosen) => {
          setIsTyped(chosen === other);
          if (chosen !== other) onChoose(chosen);
        }}
      />
      {isTyped && (
        <Field
          label={t`Code of the language`}
          hint={t`Such as gsw or de-AT (BCP 47)`}
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          value={value}
          error={error}
          onChange={({ target }) => onChoose(target.value)}
        />
      )}
    </>
  );
}
