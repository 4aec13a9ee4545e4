import { t } from '@lingui/core/macro';

/** The operator may have named another kind of voice. @param label as stored, in English */
export function voiceTypeText(label: string): string {
  switch (label) {
    case 'Female voice':
      return t`Female voice`;
    case 'Male voice':
      return t`Male voice`;
    case 'Non-binary voice':
      return t`Non-binary voice`;
    default:
      return label;
  }
}
