import { ageSettings } from './age.ts';
import { creatorSettings } from './creators.ts';
import { identitySettings } from './identity.ts';
import { mailSettings } from './mail.ts';
import { processSettings } from './process.ts';
import { addressSettings, databaseSettings } from './server.ts';
import { paymentSettings } from './payments.ts';
import { reportingSettings, searchSettings, speechSettings } from './services.ts';
import { siteSettings } from './site.ts';
import { backupSettings, storageSettings } from './storage.ts';
import { uploadSettings } from './uploads.ts';

/** All settings by occasion, in the order of docs/settings.md. A guide is a page below docs/. */
export const settingTopics = {
  address: { title: 'Address and proxy', guide: 'operating/proxy.md', settings: addressSettings },
  site: { title: 'The site and its operator', guide: 'operating/README.md', settings: siteSettings },
  age: { title: 'Age and region', guide: 'operating/age.md', settings: ageSettings },
  creators: { title: 'Checks of creators', guide: 'operating/creators.md', settings: creatorSettings },
  identity: { title: 'Keys and sign-in', guide: 'operating/accounts.md', settings: identitySettings },
  mail: { title: 'Email', guide: 'operating/mail.md', settings: mailSettings },
  payments: { title: 'Payments', guide: 'operating/payments.md', settings: paymentSettings },
  database: { title: 'Data and database', guide: 'operating/database.md', settings: databaseSettings },
  storage: { title: 'Object storage', guide: 'operating/files.md', settings: storageSettings },
  backups: { title: 'Backups', guide: 'operating/backup.md', settings: backupSettings },
  uploads: { title: 'Uploads of creators', guide: 'operating/files.md', settings: uploadSettings },
  search: { title: 'Search', guide: 'operating/scaling.md', settings: searchSettings },
  speech: { title: 'Drafts of transcripts', guide: 'operating/content.md', settings: speechSettings },
  reporting: { title: 'Usage data and push', guide: 'operating/privacy.md', settings: reportingSettings },
  processes: { title: 'Processes, metrics and logs', guide: 'operating/monitoring.md', settings: processSettings },
};
