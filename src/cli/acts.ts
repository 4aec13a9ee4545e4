import type { Command } from './command.ts';
import { parseCommandLine } from './command.ts';

type Acts = {
  page: string;
  /** API calls, and the commands that do the same. */
  commands: Record<string, string>;
};

/** Acts of each Admin and Studio page, with their commands. A test compares them with the API's calls. */
export const acts: Acts[] = [
  {
    page: '/admin/audios',
    commands: {
      'GET /admin/audios': 'audios list',
      'POST /admin/audios/acts': 'bulk start',
      'GET /admin/bulk-acts': 'bulk list',
      'GET /admin/bulk-acts/{id}': 'bulk watch',
      'POST /admin/bulk-acts/{id}/stop': 'bulk stop',
      'POST /admin/bulk-acts/{id}/undo': 'bulk undo',
      'GET /admin/preview': 'audios list',
      'PUT /admin/preview': 'audios preview',
    },
  },
  {
    page: '/admin/series',
    commands: {
      'GET /admin/series': 'series list',
      'PUT /admin/series/{id}/hidden': 'series hide',
      'PUT /admin/voices/{id}/linked-series': 'voice',
    },
  },
  {
    page: '/admin/voices',
    commands: {
      'POST /admin/voices': 'voices create',
      'PATCH /admin/voices/{id}': 'voices edit',
      'PUT /admin/voices/{id}/owners': 'owner',
      'POST /admin/voices/{id}/merge': 'voices merge',
      'POST /admin/voices/{id}/delete': 'voices delete',
      'POST /admin/voices/{id}/restore': 'voices restore',
    },
  },
  {
    page: '/admin/categories',
    commands: {
      'POST /admin/categories': 'categories create',
      'PATCH /admin/categories/{id}': 'categories edit',
      'PUT /admin/categories/{id}/picture': 'category',
      'PUT /admin/categories/order': 'categories order',
      'POST /admin/categories/{id}/delete': 'categories delete',
      'POST /admin/categories/{id}/restore': 'categories restore',
    },
  },
  {
    page: '/admin/tags',
    commands: {
      'GET /admin/tags/{id}': 'tags list',
      'PATCH /admin/tags/{id}': 'tags rename',
      'POST /admin/tags/{id}/merge': 'tags merge',
      'DELETE /admin/tags/{id}': 'tags delete',
    },
  },
  {
    page: '/admin/playlists',
    commands: {
      'POST /admin/playlists': 'playlists create',
      'PATCH /admin/playlists/{id}': 'playlists edit',
      'PUT /admin/playlists/{id}/audios': 'playlists set',
      'PUT /admin/playlists/{id}/picture': 'playlists edit',
      'PUT /admin/playlists/order': 'playlists order',
      'DELETE /admin/playlists/{id}': 'playlists delete',
      'POST /admin/playlists/{id}/restore': 'playlists restore',
    },
  },
  {
    page: '/admin/articles',
    commands: {
      'POST /admin/articles': 'article publish',
      'PATCH /admin/articles/{id}': 'article publish',
      'PUT /admin/articles/{id}/publication': 'article publish',
      'PUT /admin/articles/{id}/picture': 'article publish',
      'DELETE /admin/articles/{id}': 'article remove',
      'POST /admin/articles/{id}/restore': 'article restore',
      'PUT /admin/blog-topics': 'topics add',
    },
  },
  {
    page: '/admin/info-pages',
    commands: {
      'PUT /admin/info-pages/{name}': 'text set',
      'PUT /admin/retention': 'text retention',
    },
  },
  { page: '/admin/mails', commands: { 'PUT /admin/mails/{key}': 'text set' } },
  {
    page: '/admin/look',
    commands: {
      'PUT /admin/look/name': 'look set',
      'PUT /admin/look/colors': 'look set',
      'PUT /admin/look/hero': 'look set',
      'PUT /admin/look/sign-up': 'look set',
      'PUT /admin/look/footer': 'look set',
      'PUT /admin/look/home': 'look set',
      'PUT /admin/look/pictures/{part}': 'look picture',
      'POST /admin/look/{part}/reset': 'look reset',
      'POST /admin/look/import': 'look import',
      'POST /admin/look/undo-import': 'look undo',
    },
  },
  {
    page: '/admin/promo-codes',
    commands: {
      'POST /admin/promo-codes': 'promo create',
      'PUT /admin/promo-codes/{id}': 'promo change',
      'DELETE /admin/promo-codes/{id}': 'promo disable',
    },
  },
  {
    page: '/admin/gift-cards',
    commands: {
      'POST /admin/gift-cards': 'gift-card create',
      'POST /admin/gift-cards/{id}/mail': 'gift-card resend',
      'POST /admin/gift-cards/{id}/refund': 'gift-card refund',
    },
  },
  {
    page: '/admin/subscriptions',
    commands: {
      'POST /admin/payments/{id}/refund': 'subscription refund',
      'POST /admin/subscriptions/{id}/cancel': 'subscription cancel',
      'POST /admin/subscriptions/{id}/resume': 'subscription resume',
    },
  },
  {
    page: '/admin/webhook-events',
    commands: {
      'POST /admin/webhook-events/{id}/replay': 'payments replay',
      'GET /admin/reconciliations': 'payments reconcile',
      'POST /admin/reconciliations': 'payments reconcile',
    },
  },
  {
    page: '/admin/payouts',
    commands: {
      'PUT /admin/payouts/trials': 'payouts trials',
      'PUT /admin/payouts/{month}/pool': 'payouts pool',
      'POST /admin/payouts/{month}/lock': 'payouts lock',
    },
  },
  {
    page: '/admin/reports',
    commands: {
      'POST /admin/reports/{id}/decision': 'reports remove',
      'POST /admin/decisions/{id}/undo': 'reports undo',
    },
  },
  {
    page: '/admin/settings',
    commands: {
      'GET /admin/settings': 'settings list',
      'PUT /admin/settings/membership': 'settings set',
      'PUT /admin/settings/features': 'settings set',
      'PUT /admin/settings/limits': 'settings set',
    },
  },
  {
    page: '/admin/system',
    commands: {
      'POST /admin/system/jobs/{id}/retry': 'jobs retry',
      'POST /admin/system/jobs/{id}/cancel': 'jobs cancel',
      'POST /admin/system/mails/{name}/retry': 'mails send',
      'DELETE /admin/system/mails/{name}': 'mails drop',
      'POST /admin/system/search/rebuild': 'system rebuild-search',
      'GET /admin/system/search': 'system test',
      'POST /admin/system/tests/{name}': 'system test',
      'POST /admin/system/backups': 'backup',
      'GET /admin/system/checks': 'doctor',
    },
  },
  {
    page: '/admin/users',
    commands: {
      'GET /admin/find': 'users find',
      'POST /admin/users/{id}/months': 'gift',
      'DELETE /admin/users/{id}/months': 'gift take-back',
      'PUT /admin/users/{id}/suspension': 'suspend',
      'DELETE /admin/users/{id}/suspension': 'suspend --lift',
      'PUT /admin/users/{id}/admin': 'admin',
      'DELETE /admin/users/{id}/admin': 'admin --remove',
      'DELETE /admin/users/{id}/second-factor': 'admin --reset-second-factor',
      'PUT /admin/users/{id}/voices/{voice}': 'voices set-person',
      'DELETE /admin/users/{id}/voices/{voice}': 'voices remove-person',
      'DELETE /admin/users/{id}/sessions': 'users log-out',
      'POST /admin/users/{id}/password-reset': 'users mail-reset',
      'POST /admin/users/{id}/export': 'users mail-export',
      'PUT /admin/users/{id}/deletion': 'users delete',
      'DELETE /admin/users/{id}/deletion': 'users keep',
    },
  },
  {
    page: '/studio/…/audios',
    commands: {
      'GET /studio/voices/{id}/audios': 'audios list',
      'POST /studio/audios/acts': 'bulk start',
      'GET /studio/audios/{id}': 'changes show',
      'PATCH /studio/audios/{id}': 'audios edit',
      'POST /studio/audios/{id}/changes/publish': 'changes publish',
      'POST /studio/audios/{id}/changes/discard': 'changes discard',
      'PUT /studio/audios/{id}/cover': 'audios edit',
      'PUT /studio/audios/{id}/publication': 'audios publish',
      'DELETE /studio/audios/{id}': 'audios delete',
      'POST /studio/audios/{id}/restore': 'audios undelete',
    },
  },
  {
    page: '/studio/…/series',
    commands: {
      'GET /studio/voices/{id}/series': 'series list',
      'POST /studio/voices/{id}/series': 'series create',
      'GET /studio/series/{id}': 'series parts',
      'PATCH /studio/series/{id}': 'series edit',
      'POST /studio/series/{id}/audios': 'series add',
      'POST /studio/series/{id}/move': 'series move',
      'DELETE /studio/series/{id}/audios/{audioId}': 'series remove',
      'DELETE /studio/series/{id}': 'series delete',
      'POST /studio/series/{id}/restore': 'series restore',
    },
  },
  {
    page: '/studio/…/comments',
    commands: {
      'GET /studio/voices/{id}/comments': 'voices comments',
      'PUT /studio/comments/{id}/hidden': 'voices hide-comment',
      'PUT /studio/voices/{id}/commenters': 'voices commenters',
      'PUT /studio/voices/{id}/holds-links': 'voices hold-links',
      'GET /studio/voices/{id}/blocked': 'voices blocked',
      'PUT /studio/voices/{id}/blocked/{userId}': 'voices block',
    },
  },
  {
    page: '/studio/…/uploads',
    commands: {
      'GET /studio/voices/{id}/uploads': 'uploads list',
      'PATCH /studio/uploads/{id}': 'uploads edit',
      'POST /studio/uploads/{id}/retry': 'uploads retry',
      'DELETE /studio/uploads/{id}': 'uploads remove',
    },
  },
  {
    page: '/studio/…/page',
    commands: {
      'PATCH /studio/voices/{id}': 'voices edit',
      'GET /studio/voices/{id}/people': 'voices people',
      'PUT /studio/voices/{id}/people': 'voices set-person',
      'DELETE /studio/voices/{id}/people/{userId}': 'voices remove-person',
    },
  },
  { page: '/studio/…/figures', commands: { 'GET /voices/{id}/figures.csv': 'voices figures' } },
];

/** Calls without a command, and why. */
export const pageOnly: Record<string, string> = {
  'POST /admin/markdown-preview': 'shows a text in the editor before it is saved',
  'POST /admin/info-pages/{name}/preview': 'shows a text in the editor before it is saved',
  'POST /admin/mails/{key}/preview': 'shows a text in the editor before it is saved',
  'GET /admin/tag-choices': 'finds tags while somebody types; commands take slugs',
  'GET /admin/voice-choices': 'finds creators while somebody types; commands take slugs',
  'GET /admin/audio-choices': 'finds audios while somebody types; commands take slugs',
  'GET /studio/voices/{id}/series-audios': 'finds audios while somebody types; commands take slugs',
  ...Object.fromEntries(
    [
      'GET /admin/second-factor',
      'POST /admin/second-factor/app',
      'PUT /admin/second-factor/app',
      'POST /admin/second-factor/passkeys/options',
      'POST /admin/second-factor/passkeys',
      'DELETE /admin/second-factor/{factor}',
      'POST /admin/second-factor/recovery-codes',
      'POST /admin/second-factor/challenge',
      'POST /admin/second-factor/proof',
    ].map((call) => [call, 'sets up or shows one’s own second factor, which takes one’s own device']),
  ),
  'GET /studio/last-change': 'names who changed what a form had open; log lists all changes',
  'GET /studio/tags': 'suggests tags while somebody types; tags list has all',
};

export const actsCommand: Command = {
  help: `acts

Lists the pages of Admin and Studio with the calls of the API that they use, and the command that does the same.
Commands write the same log entries, by "the command line".`,
  async run(args, context) {
    parseCommandLine(args, {}, []);
    const width = Math.max(...acts.flatMap(({ commands }) => Object.keys(commands).map((call) => call.length)));
    for (const { page, commands } of acts) {
      context.print(page);
      for (const [call, command] of Object.entries(commands)) context.print(`  ${call.padEnd(width)}  ${command}`);
    }
    context.print('Only on pages');
    for (const [call, why] of Object.entries(pageOnly)) context.print(`  ${call.padEnd(width)}  ${why}`);
    return 0;
  },
};
