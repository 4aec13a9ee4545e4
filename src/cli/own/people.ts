import { z } from 'zod';
import { PageQuery } from '#api/schemas.ts';
import { DecisionForm } from '#domain/admin/forms.ts';
import { decideReport } from '#domain/admin/people/report-decisions.ts';
import { deskFilters, userFilters } from '#domain/admin/rules.ts';
import { ownCall } from './own-call.ts';

export const listUsers = ownCall('users list', {
  about: 'Accounts, newest first',
  query: PageQuery.extend({
    q: z.string().optional().describe('the start of an email or username'),
    filter: z.enum(userFilters).optional(),
  }),
  act: ({ site, viewer, query: { q, filter, ...page } }) =>
    site.admin.people.listUsers(viewer, { query: q, filter }, page),
});

export const listFeeds = ownCall('users list-feeds', {
  path: '/users/{id}',
  about: 'Podcast feeds of a user: creation and last use; neither addresses nor content',
  act: async ({ site, id }) =>
    (await site.feeds.listFeeds(id)).map(({ id: feed, createdAt, lastUsedAt, isStopped }) => ({
      id: feed,
      createdAt,
      lastUsedAt: lastUsedAt ?? 'never used',
      isStopped,
    })),
});

export const revokeFeed = ownCall('users revoke-feed', {
  path: '/users/{id}/feeds/{feed}',
  about: 'Ends a podcast feed; its address answers like an unknown one',
  act: async ({ site, id, feed }) => ((await site.feeds.revokeAsOperator(id, feed)) ? {} : undefined),
});

export const listReports = ownCall('reports list', {
  about: 'Reported comments that wait for a decision, the longest first',
  query: PageQuery,
  act: ({ site, viewer, query }) => site.admin.people.listOpenReports(viewer, query),
});

export const listNotices = ownCall('notices list', {
  about: 'Notices that wait for a decision, due first',
  query: PageQuery.extend({ filter: z.enum(deskFilters).optional() }),
  act: ({ site, viewer, query: { filter, ...page } }) => site.admin.desk.listNotices(viewer, filter, page),
});

export const showNotice = ownCall('notices show', {
  path: '/notices/{id}',
  about: 'A notice with its decisions and appeals, without the reporter’s name',
  act: ({ site, viewer, id }) => site.admin.desk.findNotice(viewer, id),
});

export const listAppeals = ownCall('appeals list', {
  about: 'Appeals that wait for someone who did not decide, due first',
  act: async ({ site, viewer }) => site.admin.desk.listAppeals(viewer),
});

export const showReport = ownCall('reports show', {
  path: '/reports/{id}',
  about: 'A reported comment with its reports',
  act: ({ site, viewer, id }) => site.admin.people.findReport(viewer, id),
});

export const listDecisions = ownCall('decisions list', {
  about: 'Decisions on reported comments, newest first',
  query: PageQuery,
  act: ({ site, viewer, query }) => site.admin.people.listDecisions(viewer, query),
});

export const decideOnComment = ownCall('comments decide', {
  path: '/comments/{id}',
  about: 'Keeps or removes a comment as reports decide does, also one that nobody has reported',
  input: DecisionForm,
  refuses: { 'is-admin': 'report/of-admin' },
  act: ({ tools, viewer, id, input }) => decideReport(tools.db, viewer, id, input, { evenUnreported: true }),
});
