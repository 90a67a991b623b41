import { andBelow, type ForeignApi, type Unsupported } from '#shared/http/unsupported-routes';

const unsupported: readonly Unsupported[] = [
  {
    what: 'attachments of sent emails',
    instead: 'GET /api/v1/sends/{id}/content has what your organization keeps.',
    paths: andBelow('/emails/{id}/attachments'),
  },
  { what: 'links that show an email to others', paths: ['/emails/{id}/share'] },
  {
    what: 'metrics of Resend’s kind',
    instead: 'GET /api/v1/metrics has these figures.',
    paths: ['/emails/metrics'],
  },
  { what: 'receiving', paths: andBelow('/emails/receiving') },
  {
    what: 'claims of domains',
    instead: 'Verify the domain here.',
    paths: ['/domains/claim', ...andBelow('/domains/{id}/claim')],
  },
  { what: 'audiences', paths: andBelow('/audiences') },
  {
    what: 'contacts to be managed',
    instead: 'GET /api/v1/contacts lists the people you have written to.',
    paths: andBelow('/contacts'),
  },
  { what: 'properties of contacts', paths: andBelow('/contact-properties') },
  {
    what: 'broadcasts',
    instead: 'Send each recipient an email of a bulk policy.',
    paths: andBelow('/broadcasts'),
  },
  { what: 'segments', paths: andBelow('/segments') },
  {
    what: 'topics',
    instead: 'Policies with a category do their work: see /docs.',
    paths: andBelow('/topics'),
  },
  { what: 'automations', paths: andBelow('/automations') },
  { what: 'events for automations', paths: andBelow('/events') },
  { what: 'inboxes', paths: andBelow('/inboxes') },
  {
    what: 'logs of requests',
    instead: 'GET /api/v1/requests has those that were refused.',
    paths: andBelow('/logs'),
  },
  {
    what: 'usage of Resend’s kind',
    instead: 'GET /api/v1/usage has counts.',
    paths: ['/usage'],
  },
  { what: 'OAuth', paths: andBelow('/oauth') },
];

export const resendApi: ForeignApi = { name: 'Resend', prefix: '/resend', unsupported };
