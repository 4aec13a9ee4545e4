import { t } from '@lingui/core/macro';

const names: Record<string, () => string> = {
  'add-up-catalogue': () => t`Count the catalogue`,
  'add-up-figures': () => t`Add up plays and listening time`,
  'add-up-site': () => t`Add up the figures of the site`,
  'charge-test-cards': () => t`Charge test cards`,
  'count-playlists': () => t`Count playlists`,
  'delete-due-accounts': () => t`Delete accounts that are due`,
  'do-due-memberships': () => t`Renew and end subscriptions`,
  'do-due-notices': () => t`Hide overdue notices and mail decisions`,
  'enter-unknown-files': () => t`List unknown files`,
  'find-waiting-bulk-acts': () => t`Find waiting changes of many items`,
  'find-waiting-news': () => t`Find waiting news`,
  'find-waiting-payment-events': () => t`Find waiting messages of the payment provider`,
  'find-waiting-uploads': () => t`Find waiting uploads`,
  'finish-uploads': () => t`Finish uploads`,
  'follow-up-reports': () => t`Follow up on reports`,
  'keep-feeds': () => t`Look after podcast feeds`,
  'make-backup': () => t`Make a backup`,
  'measure-recordings': () => t`Measure recordings`,
  'process-upload': () => t`Process an upload`,
  'purge-accounts': () => t`Delete old sessions and log-in attempts`,
  'purge-audios': () => t`Delete what was in the trash`,
  'purge-events': () => t`Delete old usage data`,
  'purge-listening': () => t`Delete old data on listening`,
  'purge-news': () => t`Delete old news`,
  'purge-payments': () => t`Delete old data on payments`,
  'purge-search': () => t`Delete old data of the search`,
  'purge-uploads': () => t`Delete old uploads`,
  'rebuild-search': () => t`Rebuild the search index`,
  'reconcile-now': () => t`Compare subscriptions with the provider now`,
  'reconcile-payments': () => t`Compare subscriptions with the provider`,
  'refresh-search-plays': () => t`Update plays in the search index`,
  'remove-unused-files': () => t`Remove unused files`,
  'run-bulk-act': () => t`Change many items`,
  'send-membership-mails': () => t`Send mails about subscriptions`,
  'send-news-mails': () => t`Send mails with news`,
  'send-pushes': () => t`Send push notifications`,
  'send-waiting-mails': () => t`Send waiting mails`,
  'settle-payment-event': () => t`Process a message of the payment provider`,
  'sum-ledger': () => t`Add up the ledger`,
  'tell-followers': () => t`Tell followers about an audio`,
};

/** @param code as `jobs/site-jobs.ts` and the log name it; one of a former version stays */
export function jobName(code: string): string {
  return names[code]?.() ?? code;
}
