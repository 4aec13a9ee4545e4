import { z } from '@hono/zod-openapi';
import { isPlainLine, notOneLine } from '#domain/kernel/forms.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { importStates, maxMembersFileBytes, memberRefusals, memberStates } from '#domain/membership/importing/rules.ts';
import { callBy } from '../call.ts';

/** Members who come from elsewhere. The domain checks rights and logs each act. */

const adminCall = callBy('operator', { limit: { kind: 'admin', perMinute: 120 } });
/** For acts that make accounts and give time. */
const freshAdminCall = callBy('fresh-operator', { limit: { kind: 'admin', perMinute: 60 }, sameSite: true });

export const planMemberImport = freshAdminCall({
  post: '/admin/member-imports',
  command: { none: 'members import reads the file' },
  about: 'Reads a file of members (CSV in UTF-8), and says what its import would do; nobody is told',
  details: 'A file whose import is under way answers with that import',
  input: z.object({
    name: z.string().trim().min(1).max(200).refine(isPlainLine, notOneLine).describe('Of the file'),
    text: z.string().max(maxMembersFileBytes),
  }),
  output: z.object({ id: z.uuid() }),
  status: 201,
  errors: [
    'member-import/not-csv',
    'member-import/no-columns',
    'member-import/empty',
    'member-import/too-many',
    'member-import/running',
  ],
  // As JSON, which escapes quotation marks and line breaks.
  maxBytes: maxMembersFileBytes + 4 * 1024 * 1024,
  once: true,
  async act({ site, viewer, input }) {
    const planned = await site.admin.people.planMemberImport(viewer, input);
    return planned.ok ? { id: planned.id } : planned;
  },
});

const Import = z.object({
  id: z.uuid(),
  state: z.enum(importStates).describe('`planned`: nothing was done yet'),
  fileName: z.string(),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  total: z.number().describe('Lines'),
  waiting: z.number(),
  new: z.number().describe('Accounts that were made; of a planned one, that would be'),
  known: z.number().describe('Accounts that were there before'),
  refused: z.number(),
  failed: z.number().describe('Tried several times'),
  subscriptions: z.number().describe('At the payment provider, to go on here'),
  adopted: z.number().describe('Subscriptions that go on here'),
  given: z.number().describe('Members with time that was given'),
  plans: z.array(z.object({ plan: z.string(), count: z.number() })),
  problems: z
    .array(
      z.object({
        line: z.number(),
        email: z.string().nullable(),
        state: z.enum(memberStates),
        reason: z.enum(memberRefusals).nullable(),
        error: z.string().nullable(),
      }),
    )
    .describe('The first 200'),
});

export const listMemberImports = adminCall({
  get: '/admin/member-imports',
  command: 'members list',
  about: 'The last imports of members with their progress, newest first',
  output: z.object({ items: z.array(Import) }),
  act: async ({ site, viewer }) => ({ items: await site.admin.people.listMemberImports(viewer) }),
});

export const actOnMemberImport = freshAdminCall({
  post: '/admin/member-imports/{id}/act',
  command: 'members act-on-import',
  about: 'Starts a planned import or forgets it, stops one, goes on with it, or tries again what failed',
  input: z.object({ act: z.enum(['start', 'pause', 'resume', 'retry', 'discard']) }),
  output: z.object({ changed: z.number() }),
  errors: ['request/not-found', 'member-import/running'],
  act: ({ site, viewer, id, input }) => site.admin.people.actOnMemberImport(viewer, id, input.act),
});
