import { t } from '@lingui/core/macro';

const names: Record<string, () => string> = {
  Accounts: () => t`Accounts`,
  Addresses: () => t({ message: 'Addresses', context: 'network' }),
  Build: () => t({ message: 'Build', context: 'of the site' }),
  Catalogue: () => t`Catalogue`,
  Clock: () => t`Clock`,
  Database: () => t`Database`,
  'Database folder': () => t`Database folder`,
  Disk: () => t`Disk`,
  Feeds: () => t`Feeds`,
  Files: () => t`Files`,
  'Hidden creators': () => t`Hidden creators`,
  Images: () => t`Images`,
  Mail: () => t`Mail server`,
  Mails: () => t`Mails`,
  Operator: () => t`Operator`,
  'Password file': () => t`Password file`,
  Port: () => t({ message: 'Port', context: 'network' }),
  Preview: () => t({ message: 'Preview', context: 'of the site' }),
  Processes: () => t`Processes`,
  Proxies: () => t`Proxies`,
  Schema: () => t({ message: 'Schema', context: 'database' }),
  'Search index': () => t`Search index`,
  Secret: () => t({ message: 'Secret', context: 'key' }),
  Settings: () => t`Settings`,
  'Sign-in': () => t`Sign-in`,
  Site: () => t`Site`,
  Scripts: () => t`Scripts`,
  Sound: () => t`Sound`,
  Storage: () => t`Storage`,
};

/** @param about as the doctor command names it; names of programs and settings stay */
export function checkName(about: string): string {
  return names[about]?.() ?? about;
}
