import { andBelow, type ForeignApi, type Unsupported } from '#shared/http/unsupported-routes';

const unsupported: readonly Unsupported[] = [
  {
    what: 'bulk requests',
    instead: 'POST /postmark/email/batch with a MessageStream of a bulk policy does their work.',
    paths: andBelow('/email/bulk'),
  },
  {
    what: 'bounces by number',
    instead: 'GET /postmark/bounces lists them, also those of one messageID.',
    paths: andBelow('/bounces/{id}'),
  },
  {
    what: 'statistics of Postmark’s kind',
    instead: 'GET /api/v1/usage has counts.',
    paths: andBelow('/stats'),
  },
  {
    what: 'counts of bounces by type',
    instead: 'GET /postmark/bounces lists them, also those of one type.',
    // Postmark's reference has the first, its client for Node.js asks for the second.
    paths: ['/deliverystats', '/deliveryStats'],
  },
  {
    what: 'source of sent emails',
    instead: 'GET /api/v1/sends/{id}/content has what your organization keeps.',
    paths: ['/messages/outbound/{id}/dump'],
  },
  {
    what: 'opens and clicks apart from their email',
    instead: 'GET /postmark/messages/outbound/{id}/details has them.',
    paths: [...andBelow('/messages/outbound/opens'), ...andBelow('/messages/outbound/clicks')],
  },
  {
    what: 'lists of sent emails',
    instead: 'GET /api/v1/sends has them.',
    paths: ['/messages/outbound'],
  },
  { what: 'receiving', paths: [...andBelow('/messages/inbound'), ...andBelow('/triggers')] },
  {
    what: 'templates of Postmark’s kind',
    instead: '/api/v1/templates has those that /postmark/email/withTemplate sends.',
    paths: andBelow('/templates'),
  },
  {
    what: 'message streams',
    instead:
      'Policies do their work: /api/v1/policies. /api/v1/suppressions has who is suppressed.',
    paths: andBelow('/message-streams'),
  },
  {
    what: 'webhooks of Postmark’s kind',
    instead: 'See /api/v1/webhooks.',
    paths: andBelow('/webhooks'),
  },
  {
    what: 'servers',
    instead: 'GET /api/v1/organization has settings.',
    paths: [...andBelow('/server'), ...andBelow('/servers')],
  },
  { what: 'domains', instead: 'See /api/v1/domains.', paths: andBelow('/domains') },
  {
    what: 'sender signatures',
    instead: 'A key sends from every address of an active domain: /api/v1/domains.',
    paths: andBelow('/senders'),
  },
  {
    what: 'requests to remove data',
    instead: 'DELETE /api/v1/contacts/{email} erases a person.',
    paths: andBelow('/data-removals'),
  },
];

export const postmarkApi: ForeignApi = { name: 'Postmark', prefix: '/postmark', unsupported };
